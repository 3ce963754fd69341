import Foundation

/// URLs of copies of web pages at the Internet Archive's Wayback Machine.
package enum WebArchive {
  /// Every URL of a copy begins with this text. A time and the URL of the page follow.
  package static let prefix = "https://web.archive.org/web/"

  /// Returns whether a URL leads to a copy.
  package static func isCopy(_ url: some Collection<UInt8>) -> Bool { url.starts(with: prefix.utf8) }

  /// Returns the URL of a page's copy; `nil` unless the page has a safe http or https URL outside the Wayback Machine.
  ///
  /// - Parameter time: up to 14 digits, `YYYYMMDDhhmmss` in UTC. The Wayback Machine shows the copy that is nearest to the time, or the
  ///   newest copy if the time is empty.
  package static func copy(of page: String, at time: String) -> String? {
    guard let host = WebAddress.host(of: page), host != "web.archive.org" else { return nil }
    return prefix + (time.isEmpty ? "" : time + "/") + page
  }

  /// Returns the form in which the URLs of pages are compared: without the fragment and without percent-encoding, which the HTML of a page
  /// adds to the URLs of texts.
  package static func comparable(_ page: String) -> String {
    let page = String(page.prefix(upToBytes: "#"))
    return page.removingPercentEncoding ?? page
  }
}
