import Basics

/// What a page lets a browser load: nothing but its own style sheet, its own media, and the hosts of media it links to.
package enum ContentSecurityPolicy {
  /// What a page's own script may do.
  package enum Scripts: Sendable {
    /// Pages that are only read have none.
    case none
    /// One that reads the site's files.
    case reading
    /// One that reads them, beside a form whose words the page's address gets.
    case searching
  }

  /// The policy of a page that shows media from these addresses; those that are no addresses count for nothing.
  ///
  /// - Parameter inline: the one script within the page, which is allowed by its digest: no other runs, whatever its place.
  package static func text(
    mediaHosts: [String], scripts: Scripts = .none, inline: InlineScript? = nil
  ) -> String {
    let own = [scripts == .none ? nil : "'self'", inline?.source].compactMap(\.self)
    let hosts = mediaHosts.filter(isHost).map { " https://" + $0 }.joined()
    return "default-src 'none'; style-src 'self'; img-src 'self'\(hosts); media-src 'self'\(hosts); "
      + "manifest-src 'self'; "
      + (own.isEmpty ? "" : "script-src \(own.joined(separator: " ")); ")
      + (scripts == .none ? "" : "connect-src 'self'; ")
      + (scripts == .searching
        ? "base-uri 'none'; form-action 'self'" : "base-uri 'none'; form-action 'none'")
  }

  /// A host and perhaps a port: a semicolon or a space in it would begin a directive of its own.
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
