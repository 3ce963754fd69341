import Basics
package import NetworkSources
package import SiteConfig
package import ThreadModel

/// The network source for Mastodon and other servers of the Fediverse with its API.
package struct MastodonSource: NetworkSource {
  package let platform = Platform.mastodon
  package let addresses: any AddressReader = MastodonAddresses()
  package let links: any NetworkLinks = MastodonLinks()

  package init() {}

  package func client(for run: SourceRun) throws(SourceError) -> any SourceClient {
    MastodonClient(api: MastodonAPI(run))
  }

  package func planner(for run: SourceRun) -> any SourcePlanner { MastodonPlanner() }

  package func export(at path: String) throws(SourceError) -> (any ThreadExport)? {
    try MastodonExport.open(path)
  }

  package func isAnswer(_ object: JSONObject) -> Bool {
    // The posts around a post, an object of ActivityPub, a status, or an account.
    object["ancestors"]?.array != nil && object["descendants"]?.array != nil || object["@context"] != nil
      || object["account"]?["acct"] != nil || object["acct"] != nil
  }

  /// Returns the id of an account in exports, which on most servers contain the account's handle but not its id.
  package func provisionalID(of author: Author) -> AuthorID? {
    guard let host = author.id.authority, let name = author.handle?.split(atBytes: "@").first else {
      return nil
    }
    return MastodonServer(host).author(ActivityNames.provisional(String(name)))
  }
}

/// Lists the requests that a run would send to servers. It cannot send any itself.
struct MastodonPlanner: SourcePlanner {
  /// The estimated number of posts in a response with the posts around a post.
  private static let postsAtOnce = 20
  private static let postsOnPage = 40

  func plan(thread request: ThreadRequest) -> [PlannedRequest] {
    let known = request.known?.posts.count ?? 0
    if request.reference.map({ MastodonAddresses.isOfMisskey($0.address) }) == true {
      return [
        PlannedRequest("look up the given post", "POST /api/notes/show", posts: 1),
        PlannedRequest(
          "read the posts above it", "POST /api/notes/conversation", requests: 0...2, posts: known),
        PlannedRequest(
          "read the replies to each post of the thread", "POST /api/notes/children",
          requests: 0...max(60, known * 2 + 3), posts: max(known, Self.postsAtOnce)),
      ]
    }
    let most = max(4, known / Self.postsAtOnce + 3)
    return [
      PlannedRequest("look up the given post", "GET /api/v1/statuses/:id", posts: 1),
      PlannedRequest(
        "read the posts before and after it, repeatedly until the end of the thread",
        "GET /api/v1/statuses/:id/context", requests: 1...most, posts: max(known, Self.postsAtOnce)),
      PlannedRequest(
        "if the server's API is closed, read the posts one by one over ActivityPub instead",
        "GET post (ActivityPub)", requests: 0...max(60, known * 2 + 3), posts: max(known, Self.postsAtOnce)),
    ]
  }

  func plan(account request: AccountRequest) -> [PlannedRequest] {
    let progress = request.progress?.continued(for: request.limits, includesUnlisted: request.wantsUnlisted)
    return [
      PlannedRequest("look up the account", "GET /api/v1/accounts/lookup", users: 1),
      PlannedRequest(
        "read the account's posts, 40 at a time", "GET /api/v1/accounts/:id/statuses",
        requests: 1...(progress == nil ? 25 : 2), posts: Self.postsOnPage),
    ]
  }

  func plan(search query: String, limit: Int?) -> [PlannedRequest] {
    let threads = limit ?? MastodonClient.mostTagged
    return [
      PlannedRequest(
        "read the posts with the hashtag, 40 at a time", "GET /api/v1/timelines/tag/:hashtag",
        requests: 1...MastodonClient.mostTagPages, posts: Self.postsOnPage),
      PlannedRequest(
        "look up each unknown post on its author's server", "GET /api/v1/statuses/:id",
        requests: 0...threads, posts: threads),
      PlannedRequest(
        "read the posts before and after it", "GET /api/v1/statuses/:id/context", requests: 0...(threads * 2),
        posts: threads * Self.postsAtOnce),
    ]
  }

  func plan(recheck conversations: [Conversation]) -> [PlannedRequest] {
    let posts = conversations.reduce(0) { $0 + $1.posts.count + $1.related.count }
    guard posts > 0 else { return [] }
    return [
      PlannedRequest(
        "look up every known post, 20 at a time", "GET /api/v1/statuses",
        requests: max(1, posts / MastodonAPI.batchSize)...max(conversations.count, posts), posts: posts),
      PlannedRequest(
        "look for new replies below them", "GET /api/v1/statuses/:id/context",
        requests: conversations.count...max(conversations.count, posts / 10)),
      PlannedRequest(
        "if a server's API is closed, read the posts one by one over ActivityPub instead",
        "GET post (ActivityPub)", requests: 0...(posts * 2)),
    ]
  }

  func plan(followers count: Int, of authors: Int) -> [PlannedRequest] {
    guard authors > 0 else { return [] }
    return [
      PlannedRequest(
        "look up the authors", "GET /api/v1/accounts/:id", requests: authors...authors, users: authors),
      PlannedRequest(
        "read their followers", "GET /api/v1/accounts/:id/followers",
        requests: authors...(authors * max(1, (count + 79) / 80)), users: count * authors),
    ]
  }
}

extension Platform {
  static let mastodon: Platform = "mastodon"
}

extension SourceKind {
  /// The API of Mastodon and compatible servers.
  static let mastodonAPI: SourceKind = "mastodon-api"
  /// The API of Misskey and related servers.
  static let misskeyAPI: SourceKind = "misskey-api"
  /// A post as its server sends it to other servers, by ActivityPub.
  static let activityPub: SourceKind = "activitypub"
  /// The archive that Mastodon gives to its users.
  static let mastodonArchive: SourceKind = "mastodon-archive"
}
