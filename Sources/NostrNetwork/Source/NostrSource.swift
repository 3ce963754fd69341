package import NetworkSources
package import SiteConfig
package import ThreadModel

/// Nostr: events of any relay, each signed by its author, and saved events.
package struct NostrSource: NetworkSource {
  package let platform = Platform.nostr
  package let addresses: any AddressReader = NostrAddresses()
  package let links: any NetworkLinks = NostrLinks()
  package let insteadOfFetching: String? =
    "save events as JSON lines and import them with `threadsite import` (`threadsite help nostr`)"

  package init() {}

  package func client(for run: SourceRun) throws(SourceError) -> any SourceClient {
    throw SourceError(.content, "No threads are fetched from Nostr: \(insteadOfFetching ?? "")")
  }

  package var savedAnswers: (any SavedAnswers.Type)? { NostrAnswers.self }
}
