package import NetworkSources
package import SiteConfig
package import ThreadModel

/// The source of Bluesky's public posts, which are read without a token.
package struct BlueskySource: NetworkSource {
  package let platform = Platform.bluesky
  package let addresses: any AddressReader = BlueskyAddresses()
  package let isFetchable = true

  package init() {}

  package func client(for run: SourceRun) throws(SourceError) -> any SourceClient {
    BlueskySourceClient(api: BlueskyAPI(run), now: run.now())
  }

  package func planner(for run: SourceRun) -> any SourcePlanner { BlueskySourcePlanner() }

  package func export(at path: String) throws(SourceError) -> (any ThreadExport)? {
    do {
      return try BlueskyExport.open(path)
    } catch {
      throw SourceError(error)
    }
  }
}
