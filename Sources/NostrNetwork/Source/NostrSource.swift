package import NetworkSources
package import SiteConfig
package import ThreadModel

/// Nostr: events of any relay, each signed by its author, and saved events.
package struct NostrSource: NetworkSource {
  package let platform = Platform.nostr
  package let addresses: any AddressReader = NostrAddresses()
  package let links: any NetworkLinks = NostrLinks()

  package init() {}

  package func client(for run: SourceRun) throws(SourceError) -> any SourceClient {
    NostrClient(run)
  }

  package func planner(for run: SourceRun) -> any SourcePlanner { NostrPlanner(run) }

  package var savedAnswers: (any SavedAnswers.Type)? { NostrAnswers.self }
}
