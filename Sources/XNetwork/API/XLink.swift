import UTF8Text

/// A URL entity's members.
struct XLink: Hashable {
  /// As it stands in the text: `https://t.co/…`.
  var short: String
  /// What the author gave, and what X shows to readers.
  var expanded: String?
  /// Where that led X's crawler in the end, if it led anywhere: to the same page, or to one that asks who wants to see it.
  var unwound: String?
  var mediaKey: String?

  init(_ fields: XFields) {
    short = fields.string("url") ?? ""
    expanded = fields.text("expanded_url")
    let isFound = fields.int("status").map { (200..<400).contains($0) } ?? true
    unwound = isFound ? fields.text("unwound_url") : nil
    mediaKey = fields.text("media_key")
  }

  /// Where the link leads: what the author gave, where that is safe to link to.
  var address: String? { [expanded, unwound, short].lazy.compactMap(\.self).first(where: WebAddress.isSafe) }

  /// Whether X's crawler was led to a page that asks to log in or to agree, instead of the author's page: what X says of the page is said of
  /// that one. An author may link to such a page on purpose.
  var isDiverted: Bool {
    guard let expanded, let unwound, expanded != unwound else { return false }
    return !Self.asksVisitors(expanded) && (Self.asksVisitors(unwound) || Self.returns(unwound, to: expanded))
  }

  /// Parts of hosts, and of paths, by which sites name the pages that ask visitors to log in or to agree.
  private static let askingHosts: Set<String> = ["accounts", "auth", "consent", "login", "signin", "sso"]
  private static let askingPaths: Set<String> = [
    "authwall", "consent", "login", "logon", "servicelogin", "signin", "sso",
  ]

  /// Whether an address names such a page: `accounts.google.com`, `/accounts/login/`, `/gdpr-consent`, `/uas/login.php`.
  private static func asksVisitors(_ url: String) -> Bool {
    guard let host = WebAddress.host(of: url) else { return false }
    // The last part is that of a whole country's or trade's sites.
    if host.split(separator: ".").dropLast().contains(where: { askingHosts.contains(String($0)) }) {
      return true
    }
    return path(of: url).split(separator: "/").contains { part in
      let name = part.prefix { $0 != "." && $0 != ";" }.lowercased().filter { $0 != "-" && $0 != "_" }
      return askingPaths.contains(name) || part.lowercased().hasSuffix("-consent")
    }
  }

  /// Whether an address carries another one, or its path, as a value of its query: as pages do that lead their visitors back.
  private static func returns(_ url: String, to other: String) -> Bool {
    let wanted = withoutLastSlash(path(of: other).lowercased())
    guard !wanted.isEmpty, let query = url.firstIndex(of: "?") else { return false }
    return url[url.index(after: query)...].lowercased().split(separator: "&").contains { parameter in
      let value = parameter.drop { $0 != "=" }.dropFirst()
      let plain = value.replacing("%2f", with: "/").replacing("%3a", with: ":").replacing("%3f", with: "?")
      return withoutLastSlash(path(of: String(plain))) == wanted
    }
  }

  /// The path of an address, or of a path alone: without scheme, host, query and fragment.
  private static func path(of url: String) -> String {
    var rest = url[...]
    if let scheme = url.firstRange(of: "://") { rest = url[scheme.upperBound...].drop { $0 != "/" } }
    return rest.hasPrefix("/") ? String(rest.prefix { $0 != "?" && $0 != "#" }) : ""
  }

  private static func withoutLastSlash(_ path: String) -> String {
    path.hasSuffix("/") ? String(path.dropLast()) : path
  }
}
