import Basics
package import NetworkSources
package import SiteConfig
package import ThreadModel

/// The source of Bluesky's public posts, which are read without a token.
package struct BlueskySource: NetworkSource {
  package let platform = Platform.bluesky
  package let addresses: any AddressReader = BlueskyAddresses()
  package let links: any NetworkLinks = BlueskyLinks()

  package init() {}

  package func client(for run: SourceRun) throws(SourceError) -> any SourceClient {
    BlueskySourceClient(api: BlueskyAPI(run), now: run.now())
  }

  package func planner(for run: SourceRun) -> any SourcePlanner { BlueskySourcePlanner() }

  package func export(at path: String) throws(SourceError) -> (any ThreadExport)? {
    try BlueskyExport.open(path)
  }

  package func isAnswer(_ object: JSONObject) -> Bool {
    // A thread, a list of posts, a feed, a post, or a record.
    let lists = ["thread", "posts", "feed", "records"].compactMap { object[$0] }
    let values = [.object(object)] + lists.map { $0.array?.first ?? $0 }
    return values.contains { value in
      (value["$type"] ?? value["record"]?["$type"])?.string?.hasBytePrefix("app.bsky.") == true
        || (value["uri"] ?? value["post"]?["uri"])?.string?.hasBytePrefix("at://") == true
    }
  }
}

extension Platform {
  static let bluesky: Platform = "bluesky"
}

extension SourceKind {
  /// Responses of the AppView and of the accounts' own servers.
  static let blueskyAPI: SourceKind = "bluesky-api"
  /// The repository of an account.
  static let blueskyExport: SourceKind = "bluesky-export"
}
