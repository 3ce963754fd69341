extension SiteConfig {
  /// How Bluesky is asked. Everything that is read there is open to all, so there is no credential.
  package struct Bluesky: Sendable, Equatable {
    /// Where the AppView is, which knows all accounts; `nil` for Bluesky's own. For another one, and for stand-ins.
    package var apiURL: SiteURL?
    /// Where accounts of `did:plc:` are looked up; `nil` for the directory that Bluesky runs. For a copy of it, and for stand-ins.
    package var directoryURL: SiteURL?

    package static let defaults = Bluesky()

    package init() {}
  }

  /// Whether a network is played by a server on this machine.
  package var hasStandIn: Bool {
    ([x.apiURL, bluesky.apiURL, bluesky.directoryURL] + mastodon.servers.map(\.apiURL)).contains {
      $0?.isLoopback == true
    }
  }
}

extension SiteConfig.Bluesky: ConfigSection {
  static let fields: [ConfigField<SiteConfig.Bluesky>] = [
    ConfigField("api_url", \.apiURL, .openAPIURL),
    ConfigField("directory_url", \.directoryURL, .openAPIURL),
  ]
}
