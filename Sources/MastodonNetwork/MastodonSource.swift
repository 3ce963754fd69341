package import NetworkSources
package import SiteConfig
package import ThreadModel

/// Servers of the Fediverse, of which this version knows the addresses alone.
package struct MastodonSource: NetworkSource {
  package let platform = Platform.mastodon
  package let addresses: any AddressReader = MastodonAddresses()
  package let isFetchable = false

  package init() {}

  package func client(for run: SourceRun) throws(SourceError) -> any SourceClient {
    throw SourceError.notFetchable(platform)
  }

  package func planner(for run: SourceRun) -> any SourcePlanner { NothingPlanned() }
}
