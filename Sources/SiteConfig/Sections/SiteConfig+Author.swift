extension SiteConfig {
  /// Who a site belongs to: the name on its feeds and in its metadata.
  package struct Author: Sendable, Equatable {
    /// Never empty in a decoded file.
    package var name: String
    /// Their page on the web.
    package var url: WebURL?

    package init(name: String, url: WebURL? = nil) {
      self.name = name
      self.url = url
    }
  }
}

extension SiteConfig.Author: ConfigSection {
  static let defaults = SiteConfig.Author(name: "")

  static let fields: [ConfigField<SiteConfig.Author>] = [
    ConfigField("name", \.name, .line, isRequired: true),
    ConfigField("url", \.url, .webURL),
  ]
}
