import Basics
package import SiteOutput
package import ThreadModel

/// Writes one JSON object per line and post (NDJSON), with the columns of ``DatabaseSchema``. Every line has every column, so that programs
/// derive the same table from any part of the file. Only one line at a time is in memory.
package struct PostLinesWriter: RecordsWriter, ~Copyable {
  private var file: OutgoingFile
  private var media = 0

  /// - Parameters:
  ///   - site: not written, because every line is about a post.
  ///   - path: the path of the file; `nil` for standard output.
  package init(site: [(key: String, value: String)], to path: String?) throws(ExportFormatError) {
    do {
      file = try OutgoingFile(path)
    } catch {
      throw .file(error)
    }
  }

  /// Adds the posts of a thread's page in its order, each followed by the posts that it quotes.
  package mutating func add(
    _ thread: UnrolledThread, _ summary: ThreadSummary, page: String, url: String?
  ) throws(ExportFormatError) {
    let facts: [String: JSONValue] = [
      "thread": .string(thread.id.text), "thread_title": .string(summary.title), "page": .string(page),
      "tags": .array(summary.tags.map { .string($0.name) }),
    ]
    var position = 0
    func write(
      _ post: Post, _ author: Author?, part: String, branch: String?, quotes quote: Quote?
    ) throws(ExportFormatError) {
      position += 1
      media += post.media.count
      var line = facts
      line["position"] = .integer(Int64(position))
      line["part"] = .string(part)
      line["branch"] = JSONValue(DatabaseValue(branch))
      line.merge(post.line(by: author, quotes: quote)) { _, new in new }
      var text = JSONWriter.text(of: .object(line), .compact)
      text.append("\n" as StaticString)
      do {
        try file.write(text.bytes)
      } catch {
        throw .file(error)
      }
      guard case .post(let quoted, let writer, let inner)? = quote else { return }
      try write(quoted, writer, part: "quote", branch: nil, quotes: inner)
    }
    for placed in PlacedPost.all(of: thread) {
      try write(
        placed.post, placed.author, part: placed.part.rawValue, branch: placed.branch, quotes: placed.quote)
    }
  }

  package mutating func finish() throws(ExportFormatError) -> Int {
    do {
      try file.finish()
    } catch {
      throw .file(error)
    }
    return media
  }
}

extension Post {
  fileprivate func line(by author: Author?, quotes quote: Quote?) -> [String: JSONValue] {
    let author = author?.id == authorID ? author : nil
    var line = members
    for (name, value) in author.members { line["author_" + name] = value }
    line["author_id"] = .string(authorID.text)
    line["quoted_post"] = .null
    line["quote_missing"] = .null
    switch quote {
    case nil: break
    case .post(let quoted, _, _)?: line["quoted_post"] = .string(quoted.id.text)
    case .tombstone(let stone, _)?:
      line["quoted_post"] = .string(stone.id.text)
      line["quote_missing"] = .string(stone.reason.rawValue)
    }
    line["media"] = .array(media.map { .object($0.members) })
    line["links"] = .array(shownLinks.map { .object($0.members) })
    line["poll"] =
      poll.map { poll in
        var members = poll.members
        members["options"] = .array(poll.options.map { .object($0.members) })
        return .object(members)
      } ?? .null
    return line
  }
}

extension ExportedRecord {
  /// The columns as members of a JSON object.
  fileprivate var members: [String: JSONValue] {
    Dictionary(uniqueKeysWithValues: Self.columns.map { ($0.name, JSONValue($0.value(self))) })
  }
}

extension JSONValue {
  fileprivate init(_ value: DatabaseValue) {
    switch value {
    case .null: self = .null
    case .number(let number): self = .integer(number)
    case .text(let text): self = .string(text)
    case .flag(let flag): self = .bool(flag)
    }
  }
}
