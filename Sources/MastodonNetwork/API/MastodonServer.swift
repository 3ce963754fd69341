import SiteConfig
package import ThreadModel
import UTF8Text

/// A server of the Fediverse, by whose ids posts and accounts are known: an id means something there alone.
package struct MastodonServer: Hashable, Sendable {
  /// The host in lower case, with its port where it has one.
  package let name: String

  package init(_ name: String) { self.name = name.lowercased() }

  package func post(_ id: String) -> PostID { PostID(id, by: name, on: .mastodon) }
  package func author(_ id: String) -> AuthorID { AuthorID(id, by: name, on: .mastodon) }

  /// The host of an address, with its port; `nil` for what is no address on the web.
  package static func host(of url: String) -> String? {
    guard WebAddress.isSafe(url), let start = url.firstRange(of: "://")?.upperBound else { return nil }
    let authority = url[start...].prefix(upToBytes: "/?#\\")
    return authority.split(atBytes: "@").last.map { $0.lowercased() }
  }

  /// Digits on Mastodon; letters and signs elsewhere. Nothing that could leave its place in a path.
  package static func isID(_ text: String) -> Bool {
    (1...128).contains(text.utf8.count) && text != "." && text != ".."
      && text.utf8.allSatisfy { isASCIILetterOrDigit($0) || "-_.".utf8.contains($0) }
  }
}
