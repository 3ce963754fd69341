import Basics
import ThreadModel

/// The links to archived copies of pages. A document has them if the site has `archived_links: true`.
package struct ArchivedLinks: Sendable {
  /// The URLs of dead pages, as ``WebArchive/comparable(_:)`` returns them.
  private let dead: Set<String>

  /// The maximum number of marked links in one text. Real posts have far fewer dead links.
  static let mostPerText = 100

  /// - Parameter dead: the URLs of pages that no longer exist.
  package init(dead: some Sequence<String> = []) { self.dead = Set(dead.map(WebArchive.comparable)) }

  /// Returns the URL of the archived copy of a page; `nil` if the page's URL is not safe to link.
  ///
  /// - Parameter time: the time to which the copy should be near.
  static func copy(of page: String, at time: Timestamp?) -> String? {
    let digits = time?.iso8601.utf8.filter { $0 &- 0x30 < 10 }.prefix(14) ?? []
    return WebArchive.copy(of: page, at: String(decoding: digits, as: UTF8.self))
  }

  /// Returns the URL of the archived copy of a dead page; `nil` for other pages.
  func copy(ofDead page: String, at time: Timestamp?) -> String? {
    guard !dead.isEmpty, dead.contains(WebArchive.comparable(page)) else { return nil }
    return Self.copy(of: page, at: time)
  }
}
