extension HTTPError {
  /// A URL as a message may show it: without query and fragment, without user and password, without control characters, and not
  /// endlessly long.
  ///
  /// URLs that cannot be read are shown, too; where such a one could hold a password, no more than its scheme is shown.
  static func shown(_ url: String) -> String {
    let visible = url.unicodeScalars.prefix { $0 != "?" && $0 != "#" }.filter {
      $0.properties.generalCategory != .control
    }
    // By scalars, as a mark on a slash or an at sign hides neither from the system that reads the URL.
    var rest = String.UnicodeScalarView(visible.prefix(300))[...]
    var scheme = ""
    if let colon = rest.firstIndex(of: ":"), rest[colon...].dropFirst().first == "/" {
      let start = rest[colon...].dropFirst().firstIndex { $0 != "/" } ?? rest.endIndex
      scheme = String(rest[..<start])
      rest = rest[start...]
    }
    guard !rest.contains("\\") else { return scheme + "…" }
    let end = rest.firstIndex(of: "/") ?? rest.endIndex
    let authority = rest[..<end]
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    guard isHostAndPort(host) else { return scheme + "…" }
    return scheme + String(host) + String(rest[end...])
  }

  /// Whether what follows the last colon is a port: if not, it may be the beginning of a password with a slash in it.
  private static func isHostAndPort(_ text: Substring.UnicodeScalarView) -> Bool {
    guard text.last != "]", let colon = text.lastIndex(of: ":") else { return true }
    return text[text.index(after: colon)...].allSatisfy { ("0"..."9").contains($0) }
  }
}
