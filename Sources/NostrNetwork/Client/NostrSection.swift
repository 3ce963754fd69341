package import SiteConfig

/// The section `nostr` of site.yml. Everything that is read from relays is public, so no credential is needed.
package struct NostrSection: NetworkSection {
  /// The relays that are asked for posts, each once.
  package var relays: [RelayURL] = Self.publicRelays

  package static let key = "nostr"
  package static let defaults = NostrSection()
  package static let fields: [ConfigField<NostrSection>] = [
    ConfigField("relays", \.relays, .list(of: .relay, count: 1...mostRelays))
  ]

  /// Each request goes to all relays, so that more relays cost time and add few posts.
  private static let mostRelays = 10

  /// Large relays that anyone may read.
  private static let publicRelays = ["wss://relay.damus.io", "wss://nos.lol", "wss://relay.primal.net"]
    .compactMap { try? RelayURL($0) }  // all of them are valid

  package var apiURLs: [SiteURL] { relays.map(\.server) }
}
