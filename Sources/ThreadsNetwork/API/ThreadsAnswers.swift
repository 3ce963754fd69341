import Basics
package import NetworkSources
package import ThreadModel

/// An importer that builds conversations from saved responses of the Threads API: of `GET /{user}/threads`, `/{user}/replies`, `/{id}`,
/// `/{id}/replies` and `/{id}/conversation`.
///
/// The responses in a file are converted together, and the files separately. `ConversationPlacement` finds out which conversations are the same.
/// The result depends neither on the order of the files nor on their distribution over imports.
package struct ThreadsAnswers: SavedAnswers {
  package static let platform = Platform.threads

  /// The facts about one file, before the other files are read.
  private struct File: Sendable {
    var name: String
    var posts = 0
    var reposts = 0
    var hidden = 0
    var withoutName: [String] = []
    var badIDs: [String] = []
    /// The number of objects that are not posts.
    var others = 0
    /// The messages of the API in responses that are errors.
    var errors: [String] = []
    var unread: [String] = []
    /// Whether an error about the file was thrown to the caller.
    var isRefused = false
  }

  private var parts: [Conversation] = []
  private var summaries: [ConversationPlacement.Summary] = []
  private var files: [File] = []

  package init() {}

  // MARK: Recognition

  /// In bytes. The marks are in the first post.
  private static let head = 64 << 10
  /// Names of members, at least one of which is in every response that is recognized.
  private static let words: [StaticString] = [
    "media_type", "media_product_type", "permalink", "is_quote_post", "has_replies", "root_post",
    "replied_to", "is_reply", "hide_status", "fbtrace_id",
  ]

  package static func recognizes(_ bytes: [UInt8]) -> Bool {
    guard MemberSearch.hasMember(bytes.prefix(head), named: words) else { return false }
    // The rest of the file may be damaged.
    guard
      let first = try? JSONReader.readBeginning(
        of: bytes, { reader throws(JSONError) in try reader.readValue() })
    else { return false }
    guard let response = SavedResponse(first.array?.first ?? first), let body = response.body else {
      return false
    }
    return error(in: body) != nil || objects(in: body).contains { ThreadsObject.isMarked($0) }
  }

  /// Returns the objects of a response: those of a list, or the response itself.
  private static func objects(in body: JSONObject) -> [ThreadsFields] {
    if body["data"] != nil { return ThreadsFields(["list": .object(body)]).list("list") }
    return [ThreadsFields(body)]
  }

  /// Returns the message of an error of the Graph API; `nil` for other responses.
  private static func error(in body: JSONObject) -> String? {
    guard let error = body["error"]?.object, error["fbtrace_id"] != nil || error["type"] != nil,
      let message = error["message"]?.string
    else { return nil }
    return TextControls.shownOnOneLine(String(message.prefix(300)))
  }

  // MARK: Reading

  /// Adds the responses in a file: one, an array, or one per line, each bare or as a recorded exchange.
  package mutating func take(_ bytes: [UInt8], file name: String) throws(SourceError) {
    var file = File(name: name)
    defer { files.append(file) }
    let responses: SavedResponses
    do {
      responses = try SavedResponses(bytes)
    } catch {
      file.isRefused = true
      var failure = SourceError(error, in: name)
      if error.isOfEnd { failure.message += "; the file is incomplete: save the response again" }
      throw failure
    }
    file.unread = responses.unread.map { $0.description(file: name) }
    var assembly = ThreadsAssembly()
    for value in responses.values {
      guard let response = SavedResponse(value), let body = response.body else {
        file.others += 1
        continue
      }
      if let error = Self.error(in: body) {
        file.errors.append(error)
        continue
      }
      for fields in Self.objects(in: body) { take(fields, response.fetchedAt, &assembly, &file) }
    }
    let found = assembly.conversations()
    parts += found
    summaries += found.map(ConversationPlacement.threads.summary)
    guard file.posts == 0, file.reposts == 0, file.hidden == 0, file.withoutName.isEmpty, file.badIDs.isEmpty
    else {
      return
    }
    file.isRefused = true
    throw SourceError(
      .content,
      file.errors.first.map { "Threads returned an error and no posts: \($0)" } ?? "contains no posts",
      at: name)
  }

  private func take(
    _ fields: ThreadsFields, _ time: Timestamp?, _ assembly: inout ThreadsAssembly, _ file: inout File
  ) {
    let object = ThreadsObject(fields, observedAt: time)
    switch object {
    case .post: file.posts += 1
    case .repost:
      file.reposts += 1
      return
    case .hidden: file.hidden += 1
    case .withoutName(let id): file.withoutName.append(id)
    case .badID(let id): file.badIDs.append(id)
    case .other: file.others += 1
    }
    assembly.add(object, isRequested: true, at: time)
    for inner in ThreadsObject.embedded(in: fields) {
      assembly.add(ThreadsObject(inner, observedAt: time), isRequested: false, at: time)
    }
  }

  package mutating func add(_ other: ThreadsAnswers) {
    parts += other.parts
    summaries += other.summaries
    files += other.files
  }

  package mutating func removeParts() -> [Conversation] {
    defer { parts = [] }
    return parts
  }

  // MARK: Conversations

  package static func summary(of conversation: Conversation) -> ConversationPlacement.Summary {
    ConversationPlacement.threads.summary(of: conversation)
  }

  /// Threads are only imported, and never chosen by a fetch.
  package static func isChosen(_ conversation: Conversation) -> Bool { false }

  package func grouped(
    with stored: [ConversationPlacement.Summary]
  ) -> (groups: [ConversationGroup], report: ImportReport) {
    (ConversationPlacement.threads.groups(summaries + stored), ImportReport(files: files.map(report)))
  }

  package static func resolve(_ parts: [Conversation], as id: PostID) -> [Conversation] {
    ConversationPlacement.threads.resolve(parts, as: id)
  }

  // MARK: Report

  private func report(on file: File) -> ImportReport.File {
    var result = ImportReport.File(
      name: file.name, posts: file.posts, reposts: file.reposts, unread: file.unread)
    if !file.withoutName.isEmpty {
      result.problems.append(
        "\(Self.count(file.withoutName, "post")) without username: save the response again with fields=username"
      )
    }
    if !file.badIDs.isEmpty {
      result.problems.append(
        "\(Self.count(file.badIDs, "id")) that are not strings of digits, as ids of Threads are")
    }
    if file.others > 0 {
      result.problems.append(
        file.others == 1 ? "1 object that is not a post" : "\(file.others) objects that are not posts")
    }
    result.problems += file.errors.prefix(3).map { "Threads returned an error: \($0)" }
    guard file.posts == 0, !file.isRefused else { return result }
    if file.reposts > 0 {
      result.problems.append(
        "contains only reposts of others' posts (\(file.reposts)), which are not threads")
    }
    if file.hidden > 0 {
      result.problems.append("contains only hidden replies (\(file.hidden)), which are not imported")
    }
    (result.refusals, result.problems) = (result.problems, [])
    return result
  }

  /// Returns `2 posts (1, 2)`; only the first few ids are listed.
  private static func count(_ ids: [String], _ what: String) -> String {
    let shown = ids.prefix(3).joined(separator: ", ") + (ids.count > 3 ? ", …" : "")
    return "\(ids.count) \(what)\(ids.count == 1 ? "" : "s") (\(shown))"
  }
}
