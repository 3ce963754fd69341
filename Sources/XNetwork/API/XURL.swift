import Basics

/// Parses and builds URLs on X.
package enum XURL {
  private static let hosts: Set<String> = [
    "x.com", "www.x.com", "mobile.x.com", "twitter.com", "www.twitter.com", "mobile.twitter.com",
  ]

  /// The target of a post's URL.
  package struct PostLink: Hashable {
    package var id: String
    /// `…/photo/1`, `…/video/1`: the post's own attachment.
    package var isMedia: Bool
  }

  /// Returns the post of a URL: `https://x.com/<user>/status/<id>`, `/i/web/status/<id>`, on x.com or twitter.com.
  package static func post(_ url: String) -> PostLink? {
    guard let host = WebAddress.host(of: url), hosts.contains(host) else { return nil }
    let parts = url.split(atBytes: "/").dropFirst(2).map { $0.prefix(upToBytes: "?#") }
    guard let status = parts.firstIndex(where: { $0 == "status" || $0 == "statuses" }),
      status + 1 < parts.endIndex
    else { return nil }
    let id = String(parts[status + 1])
    guard XID.isValid(id) else { return nil }
    let kind = status + 2 < parts.endIndex ? parts[status + 2] : ""
    return PostLink(id: id, isMedia: kind == "photo" || kind == "video")
  }

  /// Returns the handle in a post's URL; `nil` if the URL has no handle (`/i/web/status/…`).
  static func handle(_ url: String) -> String? {
    guard post(url) != nil else { return nil }
    let parts = url.split(atBytes: "/").dropFirst(2)
    guard let name = parts.first, name != "i", isHandle(name),
      parts.dropFirst().first.map({ $0.hasBytePrefix("status") }) == true
    else { return nil }
    return String(name)
  }

  /// Handles: `^[A-Za-z0-9_]{1,15}$`.
  static func isHandle(_ name: some StringProtocol) -> Bool {
    (1...15).contains(name.utf8.count) && name.utf8.allSatisfy(isWord)
  }

  static func isWord(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26
  }

  static func profile(_ handle: String) -> String? { isHandle(handle) ? "https://x.com/\(handle)" : nil }

  /// Returns the URL of a post; X finds the post by its id and ignores the handle.
  static func post(_ id: String, by handle: String?) -> String {
    "https://x.com/\(handle.flatMap { isHandle($0) ? $0 : nil } ?? "i")/status/\(id)"
  }

  static func hashtag(_ tag: String) -> String { "https://x.com/hashtag/\(percentEncoded(tag))" }
  static func cashtag(_ symbol: String) -> String { "https://x.com/search?q=%24\(percentEncoded(symbol))" }

  private static func percentEncoded(_ text: String) -> String {
    PercentEncoding.encode(text, keeping: isWord)
  }

  /// Returns a URL as shown in a text: not shortened, without `https://` or `http://`, and without the slash of an empty path.
  static func displayed(_ url: String) -> String {
    var text = url[...]
    for scheme in ["https://", "http://"]
    where text.utf8.prefix(scheme.utf8.count).map({ $0 | 0x20 }).elementsEqual(scheme.utf8.map { $0 | 0x20 })
    {
      text = text[text.utf8.index(text.startIndex, offsetBy: scheme.utf8.count)...]
      break
    }
    if let rest = text.without(byteSuffix: "/"), !rest.utf8.contains(UInt8(ascii: "/")) { text = rest }
    return text.isEmpty ? url : String(text)
  }
}

/// The members of a URL entity.
struct XLink: Hashable {
  /// The short URL in the text: `https://t.co/…`.
  var short: String
  /// The URL that the author wrote and that X shows to readers.
  var expanded: String?
  /// The URL that X's crawler reached after all redirects, if any: that of the page, or of a page that asks visitors to log in.
  var unwound: String?
  var mediaKey: String?

  init(_ fields: XFields) {
    short = fields.string("url") ?? ""
    expanded = fields.text("expanded_url")
    let isFound = fields.int("status").map { (200..<400).contains($0) } ?? true
    unwound = isFound ? fields.text("unwound_url") : nil
    mediaKey = fields.text("media_key")
  }

  /// The target of the link: the first safe URL among the author's, the crawler's and the short one.
  var address: String? { [expanded, unwound, short].lazy.compactMap(\.self).first(where: WebAddress.isSafe) }

  /// Whether X's crawler was redirected from the author's page to a page that asks visitors to log in or to agree. X's title and
  /// description are then those of that page. `false` if the author linked to such a page on purpose.
  var isDiverted: Bool {
    guard let expanded, let unwound, expanded != unwound else { return false }
    return !Self.asksVisitors(expanded) && (Self.asksVisitors(unwound) || Self.returns(unwound, to: expanded))
  }

  /// Parts of hosts and paths of pages that ask visitors to log in or to agree.
  private static let askingHosts: Set<String> = ["accounts", "auth", "consent", "login", "signin", "sso"]
  private static let askingPaths: Set<String> = [
    "authwall", "consent", "login", "logon", "servicelogin", "signin", "sso",
  ]

  /// Returns whether a URL is of such a page: `accounts.google.com`, `/accounts/login/`, `/gdpr-consent`, `/uas/login.php`.
  private static func asksVisitors(_ url: String) -> Bool {
    guard let host = WebAddress.host(of: url) else { return false }
    // The last part is the top-level domain.
    if host.split(separator: ".").dropLast().contains(where: { askingHosts.contains(String($0)) }) {
      return true
    }
    return path(of: url).split(separator: "/").contains { part in
      let name = part.prefix { $0 != "." && $0 != ";" }.lowercased().filter { $0 != "-" && $0 != "_" }
      return askingPaths.contains(name) || part.lowercased().hasSuffix("-consent")
    }
  }

  /// Returns whether a value in a URL's query is a second URL or its path, as on pages that send their visitors back afterwards.
  private static func returns(_ url: String, to other: String) -> Bool {
    let wanted = withoutLastSlash(path(of: other).lowercased())
    guard !wanted.isEmpty, let query = url.firstIndex(of: "?") else { return false }
    return url[url.index(after: query)...].lowercased().split(separator: "&").contains { parameter in
      let value = parameter.drop { $0 != "=" }.dropFirst()
      let plain = value.replacing("%2f", with: "/").replacing("%3a", with: ":").replacing("%3f", with: "?")
      return withoutLastSlash(path(of: String(plain))) == wanted
    }
  }

  /// Returns the path of a URL or of a path, without scheme, host, query and fragment.
  private static func path(of url: String) -> String {
    var rest = url[...]
    if let scheme = url.firstRange(of: "://") { rest = url[scheme.upperBound...].drop { $0 != "/" } }
    return rest.hasPrefix("/") ? String(rest.prefix { $0 != "?" && $0 != "#" }) : ""
  }

  private static func withoutLastSlash(_ path: String) -> String {
    path.hasSuffix("/") ? String(path.dropLast()) : path
  }
}
