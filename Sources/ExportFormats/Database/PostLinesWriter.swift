import Basics
package import SiteOutput
package import ThreadModel

/// Writes one JSON object per line and post (NDJSON), with the columns of ``DatabaseSchema``. Every line has every column, so that programs
/// derive the same table from any part of the file. Only one line at a time is in memory.
package struct PostLinesWriter: ~Copyable {
  private var file: OutgoingFile

  /// - Parameter path: the path of the file; `nil` for standard output.
  package init(to path: String?) throws(ExportFormatError) {
    do {
      file = try OutgoingFile(path)
    } catch {
      throw .file(error)
    }
  }

  /// Adds the posts of a thread's page in its order, each followed by the posts that it quotes.
  ///
  /// - Returns: the number of media of the posts.
  package func add(_ thread: UnrolledThread, _ summary: ThreadSummary, page: String) throws(ExportFormatError)
    -> Int
  {
    let facts: [String: JSONValue] = [
      "thread": .string(thread.id.text), "thread_title": .string(summary.title), "page": .string(page),
      "tags": .array(summary.tags.map { .string($0.name) }),
    ]
    var position = 0
    var media = 0
    func write(
      _ post: Post, _ author: Author?, part: String, branch: String?, quotes quote: Quote?
    ) throws(ExportFormatError) {
      position += 1
      media += post.media.count
      var line = facts
      line["position"] = .integer(Int64(position))
      line["part"] = .string(part)
      line["branch"] = .text(branch)
      line.merge(post.columns(by: author, quotes: quote)) { _, new in new }
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
    return media
  }

  /// Moves the file into place.
  package mutating func finish() throws(ExportFormatError) {
    do {
      try file.finish()
    } catch {
      throw .file(error)
    }
  }
}

extension Post {
  fileprivate func columns(by author: Author?, quotes quote: Quote?) -> [String: JSONValue] {
    let author = author?.id == authorID ? author : nil
    var columns: [String: JSONValue] = [
      "platform": .string(id.platform.rawValue), "network_id": .string(id.text),
      "author_id": .string(authorID.text), "author_handle": .text(author?.handle),
      "author_name": .text(author?.name), "author_url": .text(author?.url), "title": .text(title),
      "text": .string(text.text), "content_warning": .text(contentWarning),
      "is_sensitive": .bool(isSensitive), "language": .text(language), "posted": .text(createdAt?.iso8601),
      "edited": .text(editedAt?.iso8601), "url": .text(url), "in_reply_to": .text(inReplyTo?.text),
      "likes": .number(metrics.likes), "reposts": .number(metrics.reposts),
      "replies": .number(metrics.replies), "quotes": .number(metrics.quotes),
      "observed": .text(observedAt?.iso8601), "quoted_post": .null, "quote_missing": .null,
    ]
    switch quote {
    case nil: break
    case .post(let quoted, _, _)?: columns["quoted_post"] = .string(quoted.id.text)
    case .tombstone(let stone, _)?:
      columns["quoted_post"] = .string(stone.id.text)
      columns["quote_missing"] = .string(stone.reason.rawValue)
    }
    columns["media"] = .array(
      media.map { medium in
        [
          "kind": .string(medium.kind.rawValue), "alt_text": .text(medium.altText), "url": .text(medium.url),
          "file": .text(medium.file), "poster_file": .text(medium.posterFile),
          "width": .number(medium.width), "height": .number(medium.height),
          "duration_ms": .number(medium.durationMilliseconds),
        ]
      })
    columns["links"] = .array(
      shownLinks.map { ["url": .string($0.url), "title": .text($0.title), "summary": .text($0.summary)] })
    columns["poll"] =
      poll.map { poll in
        [
          "status": .string(poll.status.rawValue), "ends": .text(poll.endsAt?.iso8601),
          "voters": .number(poll.voters), "allows_multiple": .bool(poll.allowsMultiple),
          "options": .array(
            poll.options.map { ["label": .string($0.label), "votes": .number($0.votes)] }),
        ]
      } ?? .null
    return columns
  }
}

extension JSONValue {
  fileprivate static func text(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
  fileprivate static func number(_ number: Int?) -> JSONValue {
    number.map { .integer(Int64($0)) } ?? .null
  }
}
