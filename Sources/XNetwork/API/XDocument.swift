import Basics
import HTTPTransport
package import ThreadModel

/// One answer as a saved file has it: its body, and what was saved around it.
///
/// Files come as a bare body, as an array of bodies, as one body a line, and as recorded exchanges
/// `{"method", "url", "status", "headers", "body"}`, whose body may be JSON in a string.
struct XDocument {
  var body: JSONObject
  var status: Int?
  var fetchedAt: Timestamp?

  /// What a file holds.
  struct Content {
    var documents: [Result<XDocument, XAPIError.Reason>]
    /// Lines that are no JSON, in a file whose other lines are: the last one of a file that was cut, mostly.
    var unread: [JSONError] = []
  }

  /// Everything in a file; throws where the file is no JSON.
  ///
  /// Files that hold one answer a line, or an array with one a line, are taken line by line where they are not whole.
  static func content(of bytes: [UInt8], file: String) throws(XAPIError) -> Content {
    let values: [JSONValue]
    var unread: [JSONError] = []
    do {
      values = try JSONReader.read(bytes) { reader throws(JSONError) in
        var values: [JSONValue] = []
        while !reader.isAtEnd() { values.append(try reader.readValue()) }
        return values
      }
    } catch {
      if bytes.starts(with: "window.YTD".utf8) {
        throw XAPIError(
          file: file, reason: .notAResponse("this is a file of an X data archive, which is read as a whole"))
      }
      (values, unread) = lines(of: bytes)
      guard !values.isEmpty else { throw XAPIError(file: file, reason: .notJSON(error)) }
    }
    guard !values.isEmpty else { throw XAPIError(file: file, reason: .noPosts("the file is empty")) }
    return Content(
      documents: values.flatMap { value in (value.array ?? [value]).map { element in document(element) } },
      unread: unread)
  }

  /// The lines that are JSON objects by themselves, and what is wrong with the others.
  ///
  /// The brackets of an array, and the commas between its elements, are passed over where they stand at the edges of lines.
  private static func lines(of bytes: [UInt8]) -> (values: [JSONValue], unread: [JSONError]) {
    var values: [JSONValue] = []
    var unread: [JSONError] = []
    var start = 0
    for (number, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      defer { start += line.count + 1 }
      let edges = Set(" \t\r,[]".utf8)
      var text = line
      while let last = text.last, edges.contains(last) { text.removeLast() }
      while let first = text.first, edges.contains(first) { text.removeFirst() }
      guard !text.isEmpty else { continue }
      do throws(JSONError) {
        let value = try JSONValue(parsing: Array(text))
        // A number or a word alone is a piece of something larger.
        if value.object?.isEmpty == false { values.append(value) }
      } catch {
        let before = text.startIndex - line.startIndex
        unread.append(
          JSONError(
            offset: start + before + error.offset, line: number + 1, column: before + error.column,
            message: error.message))
      }
    }
    return (values, unread)
  }

  private static func document(_ value: JSONValue) -> Result<XDocument, XAPIError.Reason> {
    guard let object = value.object else { return .failure(.notAResponse("it is no JSON object")) }
    guard let body = object["body"], object["status"] != nil || object["url"] != nil else {
      return .success(XDocument(body: object))
    }
    let status = object["status"]?.int ?? object["status"]?["code"]?.int
    guard let members = members(of: body) else {
      if let status, status >= 400 {
        return .failure(.refused(status: status, title: "no JSON", detail: nil))
      }
      return .failure(.notAResponse("the recorded body is no JSON object"))
    }
    return .success(XDocument(body: members, status: status, fetchedAt: date(in: object["headers"])))
  }

  private static func members(of body: JSONValue) -> JSONObject? {
    if let object = body.object { return object }
    guard let string = body.string else { return nil }
    return (try? JSONValue(parsing: Array(string.utf8)))?.object  // no JSON is one of the answers: `nil`
  }

  private static func date(in headers: JSONValue?) -> Timestamp? {
    guard let header = headers?.object?.first(where: { $0.key.lowercased() == "date" })?.value else {
      return nil
    }
    return (header.string ?? header[0]?.string).flatMap { Timestamp(httpDate: $0) }
  }

  /// The answer, sorted; an error of X's is thrown with its words.
  func response() throws(XAPIError.Reason) -> XResponse {
    if let status, status >= 400 {
      let fields = XFields(body)
      let problem = fields.list("errors").first.map(XProblem.init)
      throw .refused(
        status: status, title: fields.text("title") ?? problem?.title ?? "no reason given",
        detail: problem?.detail ?? fields.text("detail"))
    }
    return XResponse(saved: body, fetchedAt: fetchedAt)
  }
}

/// Which of the posts that answers hold make up a conversation, and whose it is: for who knows better than an import can guess.
package struct XSelection: Hashable, Sendable {
  /// The id of the conversation's first post.
  package var conversation: String
  /// The id of the author whose thread it is.
  package var author: String
  /// Ids of the conversation's posts; those that no answer held are passed over.
  package var posts: Set<String>
  /// Ids of posts beside it, more than the quoted ones, which come without being named.
  package var related: Set<String>

  package init(conversation: String, author: String, posts: Set<String>, related: Set<String> = []) {
    self.conversation = conversation
    self.author = author
    self.posts = posts
    self.related = related
  }
}

/// Answers that were asked for to make threads of, all of which share users, media and what is missing.
package struct XAnswers: Sendable {
  private var responses: [XResponse] = []

  package init() {}

  package mutating func add(_ response: XResponse) { responses.append(response) }

  /// Conversations with exactly the posts that somebody chose, one for each choice and in that order.
  package func conversations(_ selections: [XSelection]) -> [Conversation] {
    let assembly = XAssembly(responses)
    return selections.map { assembly.conversation($0) }
  }
}

extension XAssembly {
  /// The conversation with the posts chosen, and those that they quote.
  func conversation(_ selection: XSelection) -> Conversation {
    let members = Set(selection.posts.map(current))
    let beside = Set(selection.related.map(current)).subtracting(members)
    return conversation(
      current(selection.conversation), by: AuthorID(selection.author, on: .x),
      members.compactMap { posts[$0] }, beside: beside.compactMap { posts[$0] })
  }
}

extension Timestamp {
  /// The moment that an HTTP header says, to the second; `nil` for anything else.
  init?(httpDate text: String) {
    guard let seconds = HTTPDate.seconds(text) else { return nil }
    self.init(seconds: Int64(seconds))
  }
}
