import Basics

/// Writes the policy of a page for browsers: the page may load only its own style sheet, its own media, and media from the hosts of its
/// pictures.
package enum ContentSecurityPolicy {
  /// The permissions for the scripts of a page.
  package enum Scripts: Sendable {
    /// The page has no script file.
    case none
    /// A script changes the page and reads nothing.
    case changing
    /// A script reads files of the site.
    case reading
    /// A script reads files of the site, and a form puts its words into the page's URL.
    case searching
  }

  /// Returns the policy of a page that shows media from these hosts. Invalid hosts are ignored.
  ///
  /// - Parameter inline: the script inside the page, which the policy allows by its digest. Other inline scripts do not run.
  package static func text(
    mediaHosts: [String], scripts: Scripts = .none, inline: InlineScript? = nil
  ) -> String {
    let own = [scripts == .none ? nil : "'self'", inline?.source].compactMap(\.self)
    let hosts = mediaHosts.filter(isHost).map { " https://" + $0 }.joined()
    return "default-src 'none'; style-src 'self'; img-src 'self'\(hosts); media-src 'self'\(hosts); "
      + "manifest-src 'self'; "
      + (own.isEmpty ? "" : "script-src \(own.joined(separator: " ")); ")
      + (scripts == .none || scripts == .changing ? "" : "connect-src 'self'; ")
      + (scripts == .searching
        ? "base-uri 'none'; form-action 'self'" : "base-uri 'none'; form-action 'none'")
  }

  /// Whether a text is a host with or without a port. Other characters, such as a semicolon or a space, could start a new directive.
  static func isHost(_ host: String) -> Bool {
    !host.isEmpty
      && host.utf8.allSatisfy {
        switch $0 {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: ":"),
          UInt8(ascii: "["), UInt8(ascii: "]"):
          true
        default: false
        }
      }
  }
}
