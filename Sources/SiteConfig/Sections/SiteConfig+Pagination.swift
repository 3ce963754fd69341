extension SiteConfig {
  /// How the index pages are divided.
  package struct Pagination: Sendable, Equatable {
    /// Threads on one index page.
    package var perPage = 20

    package static let defaults = Pagination()

    package init() {}
  }
}

extension SiteConfig.Pagination: ConfigSection {
  static let fields: [ConfigField<SiteConfig.Pagination>] = [
    ConfigField("per_page", \.perPage, .integer(in: 1...1000))
  ]
}
