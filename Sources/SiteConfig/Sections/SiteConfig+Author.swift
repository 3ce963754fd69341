extension SiteConfig {
  /// Who a site belongs to: the name on its feeds and in its metadata.
  package struct Author: Sendable, Equatable {
    /// Never empty in a decoded file.
    package var name: String
    /// Their page on the web.
    package var url: WebURL?
    /// Their pages elsewhere, such as an account on Mastodon, which shows a link to this site as verified when the site leads back.
    package var profiles: [WebURL]

    package init(name: String, url: WebURL? = nil, profiles: [WebURL] = []) {
      self.name = name
      self.url = url
      self.profiles = profiles
    }
  }
}

extension SiteConfig.Author: ConfigSection {
  static let defaults = SiteConfig.Author(name: "")

  static let fields: [ConfigField<SiteConfig.Author>] = [
    ConfigField("name", \.name, .line, isRequired: true),
    ConfigField("url", \.url, .webURL),
    ConfigField("profiles", \.profiles, .list(of: .webURL)),
  ]
}
