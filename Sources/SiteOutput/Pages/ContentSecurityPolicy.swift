import Basics
package import SiteConfig

/// Writes the policy of a page for browsers: the page may load only its own style sheet, its own media, media from the hosts of its
/// pictures, the fonts of the theme, and what the owner allows in site.yml.
package enum ContentSecurityPolicy {
  /// The permissions for the scripts of a page.
  package enum Scripts: Sendable, CaseIterable {
    /// The page has no script file.
    case none
    /// A script changes the page and reads nothing.
    case changing
    /// A script reads files of the site.
    case reading
    /// A script reads files of the site, and a form puts its words into the page's URL.
    case searching
  }

  /// The permissions that all pages of a site have in addition.
  package struct Additions: Sendable, Equatable {
    /// From site.yml.
    package var sources = AllowedSources.defaults
    /// Whether the theme has font files. A theme can allow nothing else, and only its own files.
    package var hasFonts = false

    package init(sources: AllowedSources = .defaults, hasFonts: Bool = false) {
      self.sources = sources
      self.hasFonts = hasFonts
    }
  }

  /// Returns the policy of a page that shows media from these hosts. Invalid hosts are ignored.
  ///
  /// - Parameter inline: the script inside the page, which the policy allows by its digest. Other inline scripts do not run.
  package static func text(
    mediaHosts: [String], scripts: Scripts = .none, inline: InlineScript? = nil,
    additions: Additions = Additions()
  ) -> String {
    let hosts = mediaHosts.filter(isHost).map { "https://" + $0 }
    let more = additions.sources
    // Each with its sources; a directive without sources is left out, so that `default-src 'none'` applies.
    let directives: [(String, [String])] = [
      ("style-src", unique(["'self'"], more.style)),
      ("img-src", unique(["'self'"] + hosts, more.image)),
      ("media-src", unique(["'self'"] + hosts, more.media)),
      ("font-src", unique(additions.hasFonts ? ["'self'"] : [], more.font)),
      ("frame-src", unique([], more.frame)),
      ("manifest-src", ["'self'"]),
      (
        "script-src",
        unique([scripts == .none ? nil : "'self'", inline?.source].compactMap(\.self), more.script)
      ),
      ("connect-src", unique(scripts == .none || scripts == .changing ? [] : ["'self'"], more.connect)),
    ]
    let forms = unique(scripts == .searching ? ["'self'"] : [], more.form)
    return "default-src 'none'; "
      + directives.filter { !$0.1.isEmpty }.map { "\($0.0) \($0.1.joined(separator: " ")); " }.joined()
      + "base-uri 'none'; form-action \(forms.isEmpty ? "'none'" : forms.joined(separator: " "))"
  }

  /// Returns the sources, each once, in order.
  private static func unique(_ own: [String], _ allowed: [PolicySource]) -> [String] {
    var seen: Set<String> = []
    return (own + allowed.map(\.description)).filter { seen.insert($0).inserted }
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
