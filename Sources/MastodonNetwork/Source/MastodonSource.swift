package import NetworkSources
package import SiteConfig
package import ThreadModel
import UTF8Text

/// Mastodon, and servers of the Fediverse that speak its API.
package struct MastodonSource: NetworkSource {
  package let platform = Platform.mastodon
  package let addresses: any AddressReader = MastodonAddresses()

  package init() {}

  package func client(for run: SourceRun) throws(SourceError) -> any SourceClient {
    MastodonClient(api: MastodonAPI(run))
  }

  package func planner(for run: SourceRun) -> any SourcePlanner { MastodonPlanner() }

  package func export(at path: String) throws(SourceError) -> (any ThreadExport)? {
    do {
      return try MastodonExport.open(path)
    } catch {
      throw SourceError(error)
    }
  }

  /// Exports of most servers name the account by its handle alone.
  package func provisionalID(of author: Author) -> AuthorID? {
    guard let host = author.id.authority, let name = author.handle?.split(atBytes: "@").first else {
      return nil
    }
    return MastodonServer(host).author(ActivityNames.provisional(String(name)))
  }
}
