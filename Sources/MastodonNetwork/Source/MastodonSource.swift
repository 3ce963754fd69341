package import NetworkSources
package import SiteConfig
package import ThreadModel

/// Mastodon, and servers of the Fediverse that speak its API.
package struct MastodonSource: NetworkSource {
  package let platform = Platform.mastodon
  package let addresses: any AddressReader = MastodonAddresses()

  package init() {}

  package func client(for run: SourceRun) throws(SourceError) -> any SourceClient {
    MastodonClient(api: MastodonAPI(run))
  }

  package func planner(for run: SourceRun) -> any SourcePlanner { MastodonPlanner() }
}
