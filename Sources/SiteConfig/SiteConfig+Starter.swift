extension SiteConfig {
  /// The site.yml that `threadsite init` writes: what most sites set, and the rest as comments.
  ///
  /// - Parameter title: any text; controls and line breaks become blanks.
  package static func starter(title: String) -> String {
    """
    # The site's configuration. Every key is explained in docs/configuration.md.

    title: \(doubleQuoted(title))
    # description: Threads that are worth keeping

    # Where the site will be. Feeds, the sitemap and link previews need it.
    # base_url: https://example.org/threads/

    # Of the site's own words; posts carry their own language.
    language: en

    # Dates are shown, and posts sorted into months, in this time zone.
    timezone: UTC

    # A folder in themes/.
    theme: paper

    # Photos and videos: "mirror" copies them, "link" shows them from the network they are on, "none" describes and
    # links them.
    media: mirror

    # author:
    #   name: Ada
    #   url: https://ada.example/

    # Where threads come from: `threadsite fetch` brings them and keeps them up to date. `threadsite add` fetches one thread and
    # needs no list.
    # sources:
    #   - account: https://x.com/ada
    #     since: 2024-01-01
    #   - https://x.com/grace/status/1346889436626259968

    # What is changed about single threads. The site has everything in the store but drafts and what is excluded.
    # threads:
    #   - url: https://x.com/ada/status/1446889436626259968
    #     title: A better title
    #     tags: [compilers]

    """
  }

  /// A YAML double-quoted scalar (YAML 1.1, 5.7) on one line.
  static func doubleQuoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\t", "\u{2028}", "\u{2029}": result += " "
      case _ where SourceText.isControl(scalar): result += " "
      // The byte order mark and the noncharacters, which YAML does not allow as they are.
      case "\u{FEFF}", "\u{FFFE}", "\u{FFFF}": continue
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
