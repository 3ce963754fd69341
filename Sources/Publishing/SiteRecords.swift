package import Basics
package import SiteOutput
import ThreadModel

/// The records about a site and its threads (lexicons `site.standard.publication` and `site.standard.document`, read on 2026-11-24 in
/// https://github.com/bluesky-social/atproto, lexicons/site/standard).
package struct SiteRecords: Sendable {
  /// A record with its place in the repository, such as `site.standard.document/3lqosh4yb72vi`.
  package struct Record: Sendable {
    package let place: SitePath
    package let value: JSONValue

    /// - Parameter uri: the AT URI of the record.
    init(uri: String, value: JSONValue) {
      place = SitePath(uri.split(separator: "/").suffix(2).joined(separator: "/"))
      self.value = value
    }
  }

  /// The AT URI of the record about the site, to which the records about its threads refer.
  package let publication: String
  /// Clients resolve the site of a document, so its record comes first.
  package private(set) var records: [Record]

  /// - Parameters:
  ///   - url: the URL of the site, with or without a slash at its end.
  ///   - colors: the background, the foreground, the accent and the text on the accent, each as red, green and blue; `nil` for none.
  package init(
    publication: String, url: String, name: String, summary: String?, colors: [[UInt8]]?
  ) {
    self.publication = publication
    var value: [String: JSONValue] = [
      "$type": .string(StandardSite.publications), "url": .string(Self.withoutSlash(url)),
      "name": .string(Self.shortened(name, characters: 500, bytes: 5000)),
    ]
    value["description"] = summary.map { .string(Self.shortened($0, characters: 3000, bytes: 30_000)) }
    if let colors, colors.count == 4, colors.allSatisfy({ $0.count == 3 }) {
      var theme: [String: JSONValue] = ["$type": "site.standard.theme.basic"]
      for (name, color) in zip(["background", "foreground", "accent", "accentForeground"], colors) {
        theme[name] = [
          "$type": "site.standard.theme.color#rgb", "r": .integer(Int64(color[0])),
          "g": .integer(Int64(color[1])), "b": .integer(Int64(color[2])),
        ]
      }
      value["basicTheme"] = .object(theme)
    }
    records = [Record(uri: publication, value: .object(value))]
  }

  /// The text of a record is limited because servers limit whole records to one MiB.
  private static let mostText = 500_000

  /// Adds the record about a thread. A thread without a time has no record.
  ///
  /// - Parameters:
  ///   - uri: the AT URI of the record.
  ///   - text: the text of the thread without Markdown.
  ///   - post: the AT URI and the digest (CID) of the thread's first post, if it is a record itself.
  package mutating func add(
    _ uri: String, _ thread: ThreadSummary, text: String, post: (uri: String, cid: String)?
  ) {
    guard let published = thread.published else { return }
    // The URL of a page is the URL of the site, a slash and the path. Slashes at the end do not matter.
    var value: [String: JSONValue] = [
      "$type": .string(StandardSite.documents), "site": .string(publication),
      "title": .string(Self.shortened(thread.title, characters: 500, bytes: 5000)),
      "path": .string("/" + Self.withoutSlash(thread.path.urlText)),
      "publishedAt": .string(published.iso8601),
    ]
    if let updated = thread.updated, updated != published { value["updatedAt"] = .string(updated.iso8601) }
    if !thread.excerpt.isEmpty {
      value["description"] = .string(Self.shortened(thread.excerpt, characters: 3000, bytes: 30_000))
    }
    if !text.isEmpty {
      value["textContent"] = .string(Self.shortened(text, characters: .max, bytes: Self.mostText))
    }
    let tags = thread.tags.map { Self.shortened($0.name, characters: 128, bytes: 1280) }
    if !tags.isEmpty { value["tags"] = .array(tags.map { .string($0) }) }
    if let post {
      value["bskyPostRef"] = ["uri": .string(post.uri), "cid": .string(post.cid)]
    }
    records.append(Record(uri: uri, value: .object(value)))
  }

  private static func withoutSlash(_ text: String) -> String {
    text.hasSuffix("/") ? String(text.dropLast()) : text
  }

  /// Returns a text cut after a character so that it keeps both limits.
  private static func shortened(_ text: String, characters: Int, bytes: Int) -> String {
    guard text.utf8.count > bytes || text.utf8.count > characters && text.count > characters else {
      return text
    }
    var end = text.startIndex
    var (count, size) = (1, "…".utf8.count)
    for character in text {
      (count, size) = (count + 1, size + character.utf8.count)
      guard count <= characters, size <= bytes else { break }
      end = text.index(after: end)
    }
    return text[..<end] + "…"
  }
}
