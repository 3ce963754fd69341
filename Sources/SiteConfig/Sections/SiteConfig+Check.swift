extension SiteConfig {
  /// What `threadsite check` looks for.
  package struct Check: Sendable, Equatable {
    /// Findings that are fine: kinds of them, or patterns of pages, links and files.
    package var ignore: [String] = []

    package static let defaults = Check()

    package init() {}
  }
}

extension SiteConfig.Check: ConfigSection {
  static let fields: [ConfigField<SiteConfig.Check>] = [
    ConfigField("ignore", \.ignore, .list(of: .line(upTo: 2000)))
  ]
}
