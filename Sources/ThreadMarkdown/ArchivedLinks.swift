import Basics
import ThreadModel

/// The links to archived copies of pages. A document has them if the site has `archived_links: true`.
package struct ArchivedLinks: Sendable {
  package init() {}

  /// Returns the URL of the archived copy of a page; `nil` if the page's URL is not safe to link.
  ///
  /// - Parameter time: the time to which the copy should be near.
  static func copy(of page: String, at time: Timestamp?) -> String? {
    let digits = time?.iso8601.utf8.filter { $0 &- 0x30 < 10 }.prefix(14) ?? []
    return WebArchive.copy(of: page, at: String(decoding: digits, as: UTF8.self))
  }
}
