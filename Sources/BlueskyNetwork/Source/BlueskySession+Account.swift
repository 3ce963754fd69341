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
      var list = BlueskyList(reading: BlueskyReading(api, now: now))
      // Of what an earlier run read, only the threads are known that it made.
      list.isContinued = progress.unread != nil
      do throws(SourceError) {
        try await read(&list, did, request.limits, &progress)
      } catch {
        result.failure = error
      }
      // What a thread lacks that could not be read is read again by the next run, which costs nothing but time.
      let isWhole = await collect(&result, list, did, request, known)
      if isWhole { result.progress = AccountProgress(progress.members, hasUnread: progress.unread != nil) }
    } catch {
      result.failure = error
    }
    return result
  }

  /// Reads the account's posts from the newest to where an earlier run came to, or to the moment that was asked for.
  private func read(
    _ list: inout BlueskyList, _ did: String, _ limits: ThreadLimits, _ progress: inout BlueskyProgress
  ) async throws(SourceError) {
    // What an earlier run did not get to comes first, so that there is one such place and no more.
    if let unread = progress.unread {
      try await read(&list, did, limits, from: unread.cursor, until: unread.after, &progress)
    }
    try await read(&list, did, limits, from: nil, until: progress.newest, &progress)
  }

  private func read(
    _ list: inout BlueskyList, _ did: String, _ limits: ThreadLimits, from start: String?,
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
          let address = list.reading.take(post: view)
        else { continue }
        list.listed.insert(address)
        // What is answered comes along, whoever wrote it.
        for part in ["parent", "root"] {
          if let other = item["reply"]?[part], other["record"] != nil { list.reading.take(post: other) }
        }
        guard let time = list.reading.sightings.posts[address]?.createdAt else { continue }
        newest = Timestamp.later(newest, time)
        if let since = limits.since, time < since { isDone = true }
        if let last, time <= last { isDone = true }
      }
      api.web.count(posts: items.count)
      progress.newest = newest
      guard !isDone, let next = page["cursor"]?.string else {
        progress.unread = nil
        return
      }
      guard seen.insert(next).inserted else {
        throw SourceError(
          .network,
          "Bluesky's list of this account's posts goes in circles; what came so far is kept. Try again later."
        )
      }
      cursor = next
    }
    progress.unread = cursor.map { .init(cursor: $0, after: last) }
  }

  /// Makes threads of what the list brought, and asks for those that began before it.
  ///
  /// - Returns: whether all of it is a part of some thread, or of none that is wanted.
  private func collect(
    _ result: inout FetchedThreads, _ list: BlueskyList, _ did: String, _ request: AccountRequest,
    _ known: @Sendable (PostID) -> Bool
  ) async -> Bool {
    var reading = list.reading
    let sightings = reading.sightings
    let own = sightings.posts.keys.filter { $0.did == did }
    let roots = Dictionary(grouping: own, by: sightings.root).filter { $0.key.did == did }
    var whole: [RecordAddress] = []
    var isComplete = true
    for (root, posts) in roots.sorted(by: { $0.key.key < $1.key.key }) {
      guard !Task.isCancelled, result.failure?.endsTheRun != true else { return false }
      let times = posts.compactMap { sightings.posts[$0]?.createdAt }
      if let since = request.limits.since, !times.contains(where: { $0 >= since }) { continue }
      if let until = request.limits.until, !times.contains(where: { $0 < until }) { continue }
      if known(root.postID) {
        result.found.append(root.postID)
        let part = sightings.conversation(root: root, by: did, withReplies: false)
        if !part.posts.isEmpty { result.conversations.append(part) }
        continue
      }
      // A thread that begins in the list is in it as a whole.
      let isListed = list.listed.contains(root) && !list.isContinued
      if isListed, sightings.longestChain(of: did, in: root) < request.limits.minPosts { continue }
      if isListed, !request.wantsReplies {
        whole.append(root)
      } else if posts.contains(where: { sightings.parents[$0]?.did == did }) {
        isComplete = await fetch(root, did, request, &result) && isComplete
      }
    }
    return await complete(whole, did, &reading, &result) && isComplete
  }

  /// Threads whose first posts are in the list have all their posts there; what they answer and quote may lie elsewhere.
  private func complete(
    _ roots: [RecordAddress], _ did: String, _ reading: inout BlueskyReading, _ result: inout FetchedThreads
  ) async -> Bool {
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
    return isComplete
  }

  /// - Returns: whether the thread was read, or is none.
  private func fetch(
    _ root: RecordAddress, _ did: String, _ request: AccountRequest, _ result: inout FetchedThreads
  ) async -> Bool {
    var reading = BlueskyReading(api, now: now)
    do throws(SourceError) {
      let found = try await reading.readThread(of: [root], by: did, wantsReplies: request.wantsReplies)
      result.failure = result.failure ?? found.failure
      guard reading.sightings.longestChain(of: did, in: found.root) >= request.limits.minPosts else {
        return found.failure == nil
      }
      result.found.append(found.root.postID)
      result.conversations.append(reading.conversation(found, wantsReplies: request.wantsReplies))
      // What it lacks, its own coverage says, and the next run asks for.
      return found.failure?.kind != .interrupted
    } catch {
      // A first post that is gone leaves replies to nothing: no thread that anybody asked for by name.
      if error.kind == .content { return true }
      result.failure = result.failure ?? error
      return false
    }
  }
}

/// What an account's list brought.
private struct BlueskyList {
  var reading: BlueskyReading
  /// The account's own posts in it; others came along with these.
  var listed: Set<RecordAddress> = []
  /// Whether a part of the list was read by an earlier run, so that a thread's later posts may not be here.
  var isContinued = false
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
  var until: Timestamp?
  /// When the newest post that was read was written.
  var newest: Timestamp?
  var unread: Unread?

  /// - Parameter members: what an earlier run noted; of another account, or of less of this one, it is of no use.
  init(_ members: JSONObject?, of did: String, _ limits: ThreadLimits) {
    self.did = did
    since = limits.since
    until = limits.until
    func time(_ name: String) -> Timestamp? { members?[name]?.string.flatMap { Timestamp(iso8601: $0) } }
    guard let members, members["account"]?.string == did else { return }
    let before = time("since")
    let isWider = before.map { before in limits.since.map { $0 < before } ?? true } ?? false
    // Of what lies behind the end that was asked for then, no thread was made.
    guard !isWider, members["until"]?.string == limits.until?.iso8601 else { return }
    newest = time("newest")
    if let cursor = members["unread_cursor"]?.string {
      unread = Unread(cursor: cursor, after: time("unread_after"))
    }
  }

  /// The members `account`, `since`, `until`, `newest`, `unread_cursor`, `unread_after` of a JSON object.
  var members: JSONObject {
    var members: JSONObject = ["account": .string(did)]
    members["since"] = since.map { .string($0.iso8601) }
    members["until"] = until.map { .string($0.iso8601) }
    members["newest"] = newest.map { .string($0.iso8601) }
    members["unread_cursor"] = unread.map { .string($0.cursor) }
    members["unread_after"] = unread?.after.map { .string($0.iso8601) }
    return members
  }
}
