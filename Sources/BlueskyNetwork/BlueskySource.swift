package import NetworkSources
package import SiteConfig
package import ThreadModel

/// Bluesky, of which this version knows the addresses alone.
package struct BlueskySource: NetworkSource {
  package let platform = Platform.bluesky
  package let addresses: any AddressReader = BlueskyAddresses()
  package let isFetchable = false

  package init() {}

  package func client(for run: SourceRun) throws(SourceError) -> any SourceClient {
    throw SourceError.notFetchable(platform)
  }

  package func planner(for run: SourceRun) -> any SourcePlanner { NothingPlanned() }
}
