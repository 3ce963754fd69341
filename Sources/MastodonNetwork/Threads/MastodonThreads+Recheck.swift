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
    let wasOpen = known.provenance.contains { $0.source == .activityPub }
    // What an export called by a name of its own nobody can be asked for, and its absence says nothing. Of what came by ActivityPub the address
    // is known.
    let isOfAPI = ActivityNames.isOfAPI(known.id.value)
    guard isOfAPI || wasOpen else { return (known, []) }
    let posts = (known.posts + known.related).filter {
      $0.id.platform == .mastodon && $0.id.authority == known.id.authority
        && (ActivityNames.isOfAPI($0.id.value) || wasOpen)
    }
    var reading: ActivityReading?
    var gathering = MastodonGathering(server)
    do throws(SourceError) {
      if isOfAPI { try await ask(for: posts.map(\.id.value).sorted(), &gathering) }
    } catch {
      guard api.closure(of: server) == error else { throw error }
    }
    if !isOfAPI || api.closure(of: server) != nil {
      var look = ActivityReading(api, on: server, wantsReplies: false, known: known)
      try await look.lookAgain(at: posts)
      // A server that never showed anything this way, and shows nothing now, does not say that all is gone.
      if !wasOpen, look.search.gathering.isEmpty, let closure = api.closure(of: server) { throw closure }
      gathering = look.search.gathering
      reading = look
    }
    let known = Self.named(known, by: gathering)
    var departures = Departures(now: api.now)
    for post in posts {
      if gathering.withheld[post.id.value] != nil {
        departures.causes[post.id] = .init(.protected)
      } else if let reason = gathering.missing[post.id.value], reason != .unknown {
        departures.causes[post.id] = .init(reason)
      }
    }
    let isAllGone = !posts.isEmpty && departures.causes.count == posts.count
    if isAllGone, let reading, let author = known.author {
      if let reason = try await reading.departure(of: author) {
        if reason == .suspended {
          for key in departures.causes.keys { departures.causes[key] = .init(reason) }
        }
        departures.closedAccounts[known.authorID] = reason
      }
    } else if isAllGone, reading == nil, let id = Self.author(of: known) {
      let account = try await api.account(id, on: server)
      if account?.isSuspended == true {
        for key in departures.causes.keys { departures.causes[key] = .init(.suspended) }
        departures.closedAccounts[known.authorID] = .suspended
      } else if account == nil {
        departures.closedAccounts[known.authorID] = .deleted
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
      if var reading {
        reading.goOn(from: status.id)
        await reading.complete()
        search = reading.search
      } else {
        await complete(&search)
      }
      if let failure = search.failure { throw failure }
      (fresh, notes) = conversation(search, withReplies: false, known: nil)
    } else {
      fresh.posts = []
      fresh.related = []
    }
    return (departures.apply(to: known, fresh: fresh, onDeleted, isWhole: true), notes)
  }

  /// Asks a server's API for posts.
  private func ask(for ids: [String], _ gathering: inout MastodonGathering) async throws(SourceError) {
    let server = gathering.server
    for start in stride(from: 0, to: ids.count, by: MastodonAPI.batchSize) {
      let portion = Array(ids[start..<min(start + MastodonAPI.batchSize, ids.count)])
      do throws(SourceError) {
        guard let answer = try await api.batch(portion, on: server) else { break }
        gathering.add(answer, at: api.now)
      } catch {
        // A single post is asked for before a server is taken to be closed.
        guard error.isMissingCredential else { throw error }
        break
      }
    }
    // What a batch lacks is asked for by itself: then the server says so of this post.
    for id in ids where gathering.statuses[id] == nil && gathering.withheld[id] == nil {
      if let status = try await api.status(id, on: server) {
        gathering.add(status, at: api.now)
      } else {
        gathering.missing[id] = .notFound
      }
    }
  }

  /// A thread whose author went by their name alone, as an export does not say the account's id, with the id that the server says.
  private static func named(_ known: Conversation, by gathering: MastodonGathering) -> Conversation {
    guard !ActivityNames.isOfAPI(known.authorID.value) else { return known }
    let accounts = gathering.statuses.values.map(\.account).filter { account in
      account.localName(on: gathering.server).map(ActivityNames.provisional) == known.authorID.value
    }
    guard let id = accounts.map(\.id).min() else { return known }
    return known.renaming(known.authorID, to: gathering.server.author(id))
  }

  private static func author(of conversation: Conversation) -> String? {
    let id = conversation.authorID
    return id.platform == .mastodon && ActivityNames.isOfAPI(id.value) ? id.value : nil
  }
}

extension Conversation {
  /// The server whose ids these are.
  fileprivate var mastodonServer: MastodonServer? {
    (id.authority ?? posts.lazy.compactMap { $0.url.flatMap(MastodonServer.host) }.first).map(
      MastodonServer.init)
  }
}
