package import SiteConfig

/// The section `bluesky` of site.yml. Everything that is read on Bluesky is public, so no credential is needed.
package struct BlueskySection: NetworkSection {
  /// The URL of the AppView, which knows all accounts; `nil` for Bluesky's own. For other AppViews and test servers.
  package var apiURL: SiteURL?
  /// The URL of the directory of `did:plc:` accounts; `nil` for Bluesky's own. For copies of the directory and test servers.
  package var directoryURL: SiteURL?

  package static let key = "bluesky"
  package static let defaults = BlueskySection()
  package static let fields: [ConfigField<BlueskySection>] = [
    ConfigField("api_url", \.apiURL, .openAPIURL),
    ConfigField("directory_url", \.directoryURL, .openAPIURL),
  ]

  package var apiURLs: [SiteURL] { [apiURL, directoryURL].compactMap(\.self) }
}
