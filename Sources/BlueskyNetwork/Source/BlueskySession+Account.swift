import JSONText
import NetworkSources
import SiteConfig
import ThreadModel

extension BlueskySession {
  /// Pages of a hundred posts that are read of an account in one run.
  private static let mostPages = 500

  func threads(
    by request: AccountRequest, known: @escaping @Sendable (PostID) -> Bool
  ) async -> FetchedThreads {
    var result = FetchedThreads()
    do throws(SourceError) {
      let did: String
      if let id = request.account.authorID?.value {
        did = id
      } else {
        did = try await api.resolve(handle: request.account.handle)
      }
      if let reason = try await reasonOfAccount(did) {
        throw BlueskyAccountState.error(reason, request.account.description)
      }
      var progress = BlueskyProgress(request.progress, of: did, request.limits)
      var reading = BlueskyReading(api, now: now)
      do throws(SourceError) {
        try await read(&reading, did, request.limits, &progress)
      } catch {
        result.failure = error
      }
      result.progress = AccountProgress(progress.members, hasUnread: progress.unread != nil)
      await collect(&result, reading, did, request, known)
    } catch {
      result.failure = error
    }
    return result
  }

  /// Reads the account's posts from the newest to where an earlier run came to, or to the moment that was asked for.
  private func read(
    _ reading: inout BlueskyReading, _ did: String, _ limits: ThreadLimits, _ progress: inout BlueskyProgress
  ) async throws(SourceError) {
    // What an earlier run did not get to comes first, so that there is one such place and no more.
    if let unread = progress.unread {
      try await read(&reading, did, limits, from: unread.cursor, until: unread.after, &progress)
    }
    try await read(&reading, did, limits, from: nil, until: progress.newest, &progress)
  }

  private func read(
    _ reading: inout BlueskyReading, _ did: String, _ limits: ThreadLimits, from start: String?,
    until last: Timestamp?, _ progress: inout BlueskyProgress
  ) async throws(SourceError) {
    var cursor = start
    var seen: Set<String> = []
    var newest = progress.newest
    for _ in 0..<Self.mostPages {
      if let cursor { progress.unread = .init(cursor: cursor, after: last) }
      guard !Task.isCancelled else { throw SourceError(.interrupted, "It was stopped.", endsTheRun: true) }
      let page: JSONValue
      switch try await api.feed(did, cursor: cursor) {
      case .value(let value): page = value
      case .refused(let name, let message):
        throw api.refusal(name, message, "app.bsky.feed.getAuthorFeed")
      }
      var isDone = false
      let items = page["feed"]?.array ?? []
      for item in items where item["reason"] == nil {
        guard let view = item["post"], RecordAddress(view["uri"]?.string)?.did == did,
          let address = reading.take(post: view)
        else { continue }
        // What is answered comes along, whoever wrote it.
        for part in ["parent", "root"] {
          if let other = item["reply"]?[part], other["record"] != nil { reading.take(post: other) }
        }
        guard let time = reading.sightings.posts[address]?.createdAt else { continue }
        newest = Timestamp.later(newest, time)
        if let since = limits.since, time < since { isDone = true }
        if let last, time <= last { isDone = true }
      }
      api.web.count(posts: items.count)
      // From the second page on it is noted, so that a run that is stopped begins its next one here.
      progress.newest = newest
      guard !isDone, let next = page["cursor"]?.string else { break }
      guard seen.insert(next).inserted else {
        throw SourceError(
          .network,
          "Bluesky's list of this account's posts goes in circles; what came so far is kept. Try again later."
        )
      }
      cursor = next
    }
    progress.unread = nil
  }

  /// Makes threads of what the list brought, and asks for those that began before it.
  private func collect(
    _ result: inout FetchedThreads, _ reading: BlueskyReading, _ did: String, _ request: AccountRequest,
    _ known: @Sendable (PostID) -> Bool
  ) async {
    var reading = reading
    let sightings = reading.sightings
    let own = sightings.posts.keys.filter { $0.did == did }
    let roots = Dictionary(grouping: own, by: sightings.root).filter { $0.key.did == did }
    var whole: [RecordAddress] = []
    for (root, posts) in roots.sorted(by: { $0.key.key < $1.key.key }) {
      let times = posts.compactMap { sightings.posts[$0]?.createdAt }
      if let since = request.limits.since, !times.contains(where: { $0 >= since }) { continue }
      if let until = request.limits.until, !times.contains(where: { $0 < until }) { continue }
      if known(root.postID) {
        result.found.append(root.postID)
        let part = sightings.conversation(root: root, by: did, withReplies: false)
        if !part.posts.isEmpty { result.conversations.append(part) }
      } else if sightings.posts[root] != nil, !request.wantsReplies {
        if sightings.longestChain(of: did, in: root) >= request.limits.minPosts { whole.append(root) }
      } else if posts.contains(where: { sightings.parents[$0]?.did == did }) || sightings.posts[root] != nil {
        await fetch(root, did, request, &result)
      }
      if result.failure?.endsTheRun == true { break }
    }
    await complete(whole, did, &reading, &result)
  }

  /// Threads whose first posts are in the list have all their posts there; what they answer and quote may lie elsewhere.
  private func complete(
    _ roots: [RecordAddress], _ did: String, _ reading: inout BlueskyReading, _ result: inout FetchedThreads
  ) async {
    var isComplete = true
    do throws(SourceError) {
      // Together, so that lookups are shared.
      var links: [RecordAddress] = []
      for root in roots { links += reading.unseenLinks(by: did, in: root) }
      try await reading.lookUp(links)
    } catch {
      result.failure = result.failure ?? error
      isComplete = false
    }
    if !roots.isEmpty { await reading.locateFilms(of: did) }
    for root in roots {
      var conversation = reading.sightings.conversation(root: root, by: did, withReplies: false)
      conversation.coverage.foundBy = .timeline
      conversation.coverage.checkedAt = now
      if !isComplete { conversation.coverage.limits = [CoverageLimit(.lookupFailed)] }
      result.found.append(conversation.id)
      result.conversations.append(conversation)
    }
  }

  private func fetch(
    _ root: RecordAddress, _ did: String, _ request: AccountRequest, _ result: inout FetchedThreads
  ) async {
    var reading = BlueskyReading(api, now: now)
    do throws(SourceError) {
      let found = try await reading.readThread(of: root, by: did, wantsReplies: request.wantsReplies)
      result.failure = result.failure ?? found.failure
      guard reading.sightings.longestChain(of: did, in: found.root) >= request.limits.minPosts else { return }
      result.found.append(found.root.postID)
      result.conversations.append(reading.conversation(found, wantsReplies: request.wantsReplies))
    } catch {
      // A first post that is gone leaves replies to nothing: no thread that anybody asked for by name.
      if error.kind != .content { result.failure = result.failure ?? error }
    }
  }
}

/// How far an account was read.
struct BlueskyProgress: Sendable {
  /// Where a run was stopped: the place in the list, and the moment that it should have been read to.
  struct Unread: Sendable {
    var cursor: String
    var after: Timestamp?
  }

  let did: String
  var since: Timestamp?
  /// When the newest post that was read was written.
  var newest: Timestamp?
  var unread: Unread?

  /// - Parameter members: what an earlier run noted; of another account, or of less of this one, it is of no use.
  init(_ members: JSONObject?, of did: String, _ limits: ThreadLimits) {
    self.did = did
    since = limits.since
    func time(_ name: String) -> Timestamp? { members?[name]?.string.flatMap { Timestamp(iso8601: $0) } }
    guard let members, members["account"]?.string == did else { return }
    let before = time("since")
    let isWider = before.map { before in limits.since.map { $0 < before } ?? true } ?? false
    guard !isWider else { return }
    newest = time("newest")
    if let cursor = members["unread_cursor"]?.string {
      unread = Unread(cursor: cursor, after: time("unread_after"))
    }
  }

  /// The members `account`, `since`, `newest`, `unread_cursor`, `unread_after` of a JSON object.
  var members: JSONObject {
    var members: JSONObject = ["account": .string(did)]
    members["since"] = since.map { .string($0.iso8601) }
    members["newest"] = newest.map { .string($0.iso8601) }
    members["unread_cursor"] = unread.map { .string($0.cursor) }
    members["unread_after"] = unread?.after.map { .string($0.iso8601) }
    return members
  }
}
