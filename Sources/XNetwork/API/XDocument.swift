import Basics
import HTTPTransport
import NetworkSources
import ThreadModel

/// One response from a saved file: its body, and the metadata saved with it.
///
/// A file holds a bare body, an array of bodies, one body per line, or recorded exchanges
/// `{"method", "url", "status", "headers", "body"}`, whose body may be JSON in a string.
struct XDocument {
  var body: JSONObject
  var status: Int?
  var fetchedAt: Timestamp?

  /// The contents of a file.
  struct Content {
    var documents: [Result<XDocument, XEmptyReason>]
    /// Errors of lines that are not JSON, in a file whose other lines are JSON. Usually this is the last line of a truncated file.
    var unread: [JSONError] = []
  }

  /// Reads all responses in a file.
  ///
  /// A file that is not JSON as a whole is read line by line: it may be a damaged file with one response per line, or an array with one
  /// element per line.
  ///
  /// - Throws: an error if the file (or its list) is empty, if it belongs to an X archive, or if neither the file nor any of its lines is
  ///   JSON.
  static func content(of bytes: [UInt8], file: String) throws(SourceError) -> Content {
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
        throw SourceError(
          .content,
          "a single file of an X archive: import the archive's zip file or the unpacked folder instead",
          at: file)
      }
      (values, unread) = lines(of: bytes)
      guard !values.isEmpty else {
        var failure = SourceError(error, in: file)
        if error.line == 1, error.column == 1 {
          failure.message += "; not valid JSON: \(XEmptyReason.imported)"
        } else if error.isOfEnd {
          failure.message += "; the file is incomplete: save the response again"
        }
        throw failure
      }
    }
    guard !values.isEmpty else {
      throw SourceError(.content, "contains no posts: the file is empty", at: file)
    }
    let documents = values.flatMap { value in (value.array ?? [value]).map { element in document(element) } }
    guard !documents.isEmpty else {
      throw SourceError(.content, "contains no posts: its list is empty", at: file)
    }
    return Content(documents: documents, unread: unread)
  }

  /// Returns the lines that are complete JSON objects, and the errors of the lines that are not JSON. Lines with another JSON value, such
  /// as a number, are in neither list: they are parts of an object that spans several lines.
  ///
  /// Array brackets and commas at the start and the end of a line are skipped.
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

  private static func document(_ value: JSONValue) -> Result<XDocument, XEmptyReason> {
    guard let object = value.object else { return .failure(.notAResponse("not a JSON object")) }
    guard let body = object["body"], object["status"] != nil || object["url"] != nil else {
      return .success(XDocument(body: object))
    }
    let status = object["status"]?.int ?? object["status"]?["code"]?.int
    guard let members = members(of: body) else {
      if let status, status >= 400 {
        return .failure(.refused(status: status, title: "no JSON", detail: nil))
      }
      return .failure(.notAResponse("the recorded body is not a JSON object"))
    }
    return .success(XDocument(body: members, status: status, fetchedAt: date(in: object["headers"])))
  }

  private static func members(of body: JSONValue) -> JSONObject? {
    if let object = body.object { return object }
    guard let string = body.string else { return nil }
    return (try? JSONValue(parsing: Array(string.utf8)))?.object  // also `nil` for a string that is not JSON
  }

  private static func date(in headers: JSONValue?) -> Timestamp? {
    guard let header = headers?.object?.first(where: { $0.key.lowercased() == "date" })?.value else {
      return nil
    }
    return (header.string ?? header[0]?.string).flatMap { Timestamp(httpDate: $0) }
  }

  /// Returns the response, sorted into its parts. An error from X is thrown with X's message.
  func response() throws(XEmptyReason) -> XResponse {
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

/// A caller's choice of the posts of a conversation and of its author, in place of the ones that an import would infer.
package struct XSelection: Hashable, Sendable {
  /// The id of the conversation's first post.
  package var conversation: String
  /// The id of the author whose thread it is.
  package var author: String
  /// Ids of the conversation's posts. Ids that occur in no response are ignored.
  package var posts: Set<String>
  /// Ids of further related posts. Quoted posts are included without being listed here.
  package var related: Set<String>

  package init(conversation: String, author: String, posts: Set<String>, related: Set<String> = []) {
    self.conversation = conversation
    self.author = author
    self.posts = posts
    self.related = related
  }
}

extension XAssembly {
  /// Returns the conversation with the selected posts and the posts that they quote.
  func conversation(_ selection: XSelection) -> Conversation {
    let members = Set(selection.posts.map(current))
    let beside = Set(selection.related.map(current)).subtracting(members)
    return conversation(
      current(selection.conversation), by: AuthorID(selection.author, on: .x),
      members.compactMap { posts[$0] }, beside: beside.compactMap { posts[$0] })
  }
}

extension Timestamp {
  /// Parses the date of an HTTP header, to the second; `nil` if the text is not such a date.
  init?(httpDate text: String) {
    guard let seconds = HTTPDate.seconds(text) else { return nil }
    self.init(seconds: Int64(seconds))
  }
}
