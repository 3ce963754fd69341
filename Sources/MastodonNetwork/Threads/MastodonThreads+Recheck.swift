import NetworkSources
import SiteConfig
import ThreadModel

extension MastodonThreads {
  /// Looks up every known post of a thread, which comes back with what is new, and without what is gone.
  ///
  /// A post is gone where its server says that it has none that everybody may see; one that could not be asked for is left alone.
  func recheck(
    _ known: Conversation, onDeleted: SiteConfig.Fetch.Deletion
  ) async throws(SourceError) -> (conversation: Conversation, notes: [String]) {
    guard let server = known.mastodonServer else { return (known, []) }
    let posts = (known.posts + known.related).filter {
      $0.id.platform == .mastodon && $0.id.authority == known.id.authority
    }
    var gathering = MastodonGathering(server)
    let ids = posts.map(\.id.value).sorted()
    for start in stride(from: 0, to: ids.count, by: MastodonAPI.batchSize) {
      let portion = Array(ids[start..<min(start + MastodonAPI.batchSize, ids.count)])
      guard let answer = try await api.batch(portion, on: server) else { break }
      gathering.add(answer, at: api.now)
    }
    // What a batch lacks is asked for by itself: then the server says so of this post.
    for id in ids where gathering.statuses[id] == nil && gathering.withheld[id] == nil {
      if let status = try await api.status(id, on: server) {
        gathering.add(status, at: api.now)
      } else {
        gathering.missing[id] = .notFound
      }
    }
    var departures = Departures(now: api.now)
    for post in posts {
      if gathering.withheld[post.id.value] != nil {
        departures.causes[post.id] = .init(.protected)
      } else if let reason = gathering.missing[post.id.value] {
        departures.causes[post.id] = .init(reason)
      }
    }
    if !posts.isEmpty, departures.causes.count == posts.count, let id = Self.author(of: known) {
      let account = try await api.account(id, on: server)
      if account?.isSuspended == true {
        for key in departures.causes.keys { departures.causes[key] = .init(.suspended) }
      }
    }
    var fresh = known
    var notes: [String] = []
    if let last = known.posts.filter({ $0.authorID == known.authorID && departures.causes[$0.id] == nil })
      .max(by: {
        ($0.createdAt?.milliseconds ?? 0, $0.id) < ($1.createdAt?.milliseconds ?? 0, $1.id)
      }), let status = gathering.statuses[last.id.value]
    {
      var search = Search(gathering: gathering, given: status.id, account: status.account.id)
      await complete(&search)
      if let failure = search.failure { throw failure }
      (fresh, notes) = conversation(search, withReplies: false, known: nil)
    } else {
      fresh.posts = []
      fresh.related = []
    }
    return (departures.apply(to: known, fresh: fresh, onDeleted, isWhole: true), notes)
  }

  private static func author(of conversation: Conversation) -> String? {
    conversation.authorID.platform == .mastodon ? conversation.authorID.value : nil
  }
}

extension Conversation {
  /// The server whose ids these are.
  fileprivate var mastodonServer: MastodonServer? {
    (id.authority ?? posts.lazy.compactMap { $0.url.flatMap(MastodonServer.host) }.first).map(
      MastodonServer.init)
  }
}
