extension SiteConfig {
  /// What the feeds hold.
  package struct Feed: Sendable, Equatable {
    package enum Content: String, Sendable, CaseIterable {
      /// The whole thread.
      case full
      /// Its beginning.
      case summary
    }

    /// How many of the newest threads; 0 for no feeds.
    package var entries = 20
    package var content = Content.full

    /// Who passes word of new entries on to subscribers (WebSub, https://www.w3.org/TR/websub/).
    package var hub: WebURL?

    package static let defaults = Feed()

    package init() {}
  }
}

extension SiteConfig.Feed: ConfigSection {
  static let fields: [ConfigField<SiteConfig.Feed>] = [
    ConfigField("entries", \.entries, .integer(in: 0...500)),
    ConfigField("content", \.content, .word()),
    ConfigField("hub", \.hub, .webURL),
  ]
}
