import Basics
import NetworkSources
import SiteConfig
import ThreadModel

/// The client for Bluesky in one run. It sends requests to a public AppView, the directory of accounts and the accounts' own servers. It does
/// not store responses for interrupted runs, because requests are free, so all sessions are the same.
struct BlueskySourceClient: SourceClient, SourceSession {
  let api: BlueskyAPI
  /// The time at which the run began.
  let now: Timestamp

  func session(named name: String) -> any SourceSession { self }

  var usage: SourceUsage { api.web.usage }

  func threads(
    of requests: [ThreadRequest], stored: @escaping @Sendable (PostID, AuthorID) -> Conversation?
  ) async -> FetchedThreads {
    var result = FetchedThreads()
    var done: Set<PostID> = []
    for (position, request) in requests.enumerated() {
      guard !Task.isCancelled, result.failure?.endsRun != true else { break }
      do throws(SourceError) {
        let starts = try await self.starts(of: request)
        // The post belongs to a thread that an earlier request has fetched.
        if request.known == nil, starts.contains(where: { done.contains($0.postID) }) { continue }
        var reading = BlueskyReading(api, now: now)
        let found = try await reading.readThread(
          of: starts, by: request.known?.authorID.value, wantsReplies: request.wantsReplies)
        if let note = renaming(request, found.did, reading) { result.notes.append(note) }
        var conversation = reading.conversation(found, wantsReplies: request.wantsReplies)
        let known = request.known ?? stored(conversation.id, conversation.authorID)
        if let known { conversation = conversation.joined(to: known) }
        if found.failure?.kind != .interrupted || known == nil {
          done.formUnion(conversation.posts.filter { $0.authorID == conversation.authorID }.map(\.id))
        }
        result.conversations.removeAll { $0.id == conversation.id && $0.authorID == conversation.authorID }
        result.conversations.append(conversation)
        result.failure = result.failure ?? found.failure
      } catch {
        if error.kind == .interrupted || error.endsRun {
          result.failure = error
        } else {
          result.refused[position] = error
        }
      }
    }
    return result
  }

  /// Returns the posts to request one after the other until one is shown. For a known thread, these are its first post and the author's
  /// oldest and newest post; otherwise, the post in the request.
  private func starts(of request: ThreadRequest) async throws(SourceError) -> [RecordAddress] {
    if let known = request.known {
      let own = known.posts.filter { $0.authorID == known.authorID && $0.removal == nil }
        .sorted { ($0.createdAt?.milliseconds ?? 0, $0.id) < ($1.createdAt?.milliseconds ?? 0, $1.id) }
      let chosen = [own.first { $0.id == known.id }, own.first, own.last].compactMap {
        $0.map { RecordAddress($0) }
      }
      if !chosen.isEmpty { return chosen }
    }
    guard let reference = request.reference, let account = reference.handle else {
      throw SourceError(.content, "No post of this thread is known, so it cannot be fetched.")
    }
    let did = account.hasPrefix("did:") ? account : try await api.resolve(handle: account)
    return [RecordAddress(did: did, key: reference.id)]
  }

  /// Returns a note for the user if the account's handle is not the one in the request; otherwise `nil`.
  private func renaming(_ request: ThreadRequest, _ did: String, _ reading: BlueskyReading) -> String? {
    guard let name = request.reference?.handle, !name.hasPrefix("did:"),
      let handle = reading.observations.authors[AuthorID(did, on: .bluesky)]?.handle,
      handle.lowercased() != name.lowercased()
    else { return nil }
    return "@\(name) is called @\(handle) now"
  }

  func profile(of author: AuthorID, followers count: Int) async -> FetchedProfile {
    do throws(SourceError) {
      guard case .value(let view) = try await api.profile(author.value), !isSignedInOnly(view),
        let person = Author(bluesky: view, at: now)
      else { return FetchedProfile() }
      api.web.count(users: 1)
      var profile = Profile(author: person, followers: [], observedAt: now)
      do throws(SourceError) {
        profile.followers = try await followers(of: author.value, count)
      } catch {
        return FetchedProfile(profile: profile, failure: error)
      }
      return FetchedProfile(profile: profile)
    } catch {
      return FetchedProfile(failure: error)
    }
  }

  private func followers(of did: String, _ count: Int) async throws(SourceError) -> [Author] {
    var found: [Author] = []
    var cursor: String?
    var seen: Set<String> = []
    while found.count < count {
      guard case .value(let page) = try await api.followers(did, limit: count - found.count, cursor: cursor)
      else {
        break
      }
      let views = page["followers"]?.array ?? []
      api.web.count(users: views.count)
      // Accounts that are shown only to signed-in people are left out.
      for view in views where found.count < count && !isSignedInOnly(view) {
        if let person = Author(bluesky: view, at: now) { found.append(person) }
      }
      guard let next = page["cursor"]?.string, seen.insert(next).inserted, seen.count <= 20 else { break }
      cursor = next
    }
    return found
  }

  private func isSignedInOnly(_ view: JSONValue) -> Bool {
    BlueskyLabels(account: view, at: now).isForSignedIn
  }

  /// The maximum number of pages of an account, of 100 posts each, that are read in one pass.
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
      // The newest post is stored as its time. The unread part begins at a cursor and ends at a time.
      var progress = AccountProgress(continuing: request.progress, of: did, request.limits)
      var list = BlueskyList(reading: BlueskyReading(api, now: now))
      // The posts that an earlier run read are not available here, only the threads built from them.
      list.isContinued = progress.unread != nil
      do throws(SourceError) {
        try await read(&list, did, request.limits, &progress)
      } catch {
        result.failure = error
      }
      // If posts are missing because of an error, the progress is not saved, so that the next run reads them again.
      let isWhole = await collect(&result, list, did, request, known)
      if isWhole { result.progress = progress }
    } catch {
      result.failure = error
    }
    return result
  }

  /// Reads the account's posts from the newest back to the newest post of an earlier run, or to the beginning of the requested range.
  private func read(
    _ list: inout BlueskyList, _ did: String, _ limits: ThreadLimits, _ progress: inout AccountProgress
  ) async throws(SourceError) {
    // The part that an earlier run did not reach comes first, so that there is never more than one unread part.
    if let unread = progress.unread {
      try await read(
        &list, did, limits, from: unread.before, until: unread.after.flatMap { Timestamp(iso8601: $0) },
        &progress)
    }
    try await read(
      &list, did, limits, from: nil, until: progress.newest.flatMap { Timestamp(iso8601: $0) }, &progress)
  }

  private func read(
    _ list: inout BlueskyList, _ did: String, _ limits: ThreadLimits, from start: String?,
    until last: Timestamp?, _ progress: inout AccountProgress
  ) async throws(SourceError) {
    var cursor = start
    var seen: Set<String> = []
    var newest = progress.newest.flatMap { Timestamp(iso8601: $0) }
    for _ in 0..<Self.mostPages {
      if let cursor { progress.unread = .init(before: cursor, after: last?.iso8601) }
      guard !Task.isCancelled else { throw SourceError.stopped }
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
        // Add the answered posts, which may be by other accounts.
        for part in ["parent", "root"] {
          if let other = item["reply"]?[part], other["record"] != nil { list.reading.take(post: other) }
        }
        guard let time = list.reading.observations.posts[address]?.createdAt else { continue }
        newest = Timestamp.later(newest, time)
        if let since = limits.since, time < since { isDone = true }
        if let last, time <= last { isDone = true }
      }
      api.web.count(posts: items.count)
      progress.newest = newest?.iso8601
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
    progress.unread = cursor.map { .init(before: $0, after: last?.iso8601) }
    throw SourceError(
      .quota,
      "\(Self.mostPages) pages of this account's posts were read, the limit per run. Run the same command again to continue."
    )
  }

  /// Builds threads from the posts in the list, and requests the threads that began before the list.
  ///
  /// - Returns: whether every post in the list was handled: added to a thread, or left out because its thread is not wanted.
  private func collect(
    _ result: inout FetchedThreads, _ list: BlueskyList, _ did: String, _ request: AccountRequest,
    _ known: @Sendable (PostID) -> Bool
  ) async -> Bool {
    var reading = list.reading
    let observations = reading.observations
    let roots = observations.conversations(of: did).filter { $0.key.did == did }
    let lengths = observations.chainLengths(of: did)
    var whole: [RecordAddress] = []
    var isComplete = true
    for (root, posts) in roots.sorted(by: { $0.key.key < $1.key.key }) {
      guard !Task.isCancelled, result.failure?.endsRun != true else { return false }
      let times = posts.compactMap { observations.posts[$0]?.createdAt }
      if let since = request.limits.since, !times.contains(where: { $0 >= since }) { continue }
      if let until = request.limits.until, !times.contains(where: { $0 < until }) { continue }
      if known(root.postID) {
        result.found.append(root.postID)
        let part = observations.conversation(root: root, of: posts, by: did)
        if !part.posts.isEmpty { result.conversations.append(part) }
        continue
      }
      // The list contains all of the author's posts of a thread that begins in it, unless an earlier run read a part of the list.
      let isListed = list.listed.contains(root) && !list.isContinued
      let longest = posts.compactMap { lengths[$0] }.max() ?? 0
      if isListed, longest < request.limits.minPosts { continue }
      if isListed, !request.wantsReplies {
        whole.append(root)
      } else if posts.contains(where: { observations.parents[$0]?.did == did }) {
        isComplete = await fetch(root, did, request, &result) && isComplete
      }
    }
    return await complete(whole, did, &reading, &result) && isComplete
  }

  /// Adds the threads that begin in the list to the result. All of their posts are in the list. The posts that they answer and quote are
  /// looked up.
  ///
  /// - Returns: whether the lookups succeeded.
  private func complete(
    _ roots: [RecordAddress], _ did: String, _ reading: inout BlueskyReading, _ result: inout FetchedThreads
  ) async -> Bool {
    var isComplete = true
    do throws(SourceError) {
      // All threads are looked up together, which takes fewer lookups.
      let threads = reading.observations.conversations(of: did)
      var links: [RecordAddress] = []
      for root in roots { links += reading.unseenLinks(of: threads[root] ?? [], in: root) }
      try await reading.lookUp(links)
    } catch {
      result.failure = result.failure ?? error
      isComplete = false
    }
    if !roots.isEmpty { await reading.locateVideos(of: did) }
    // The lookups may have found further posts of these threads.
    let threads = reading.observations.conversations(of: did)
    for root in roots {
      var conversation = reading.observations.conversation(root: root, of: threads[root] ?? [], by: did)
      conversation.coverage.foundBy = .timeline
      conversation.coverage.checkedAt = now
      if !isComplete { conversation.coverage.limits = [CoverageLimit(.lookupFailed)] }
      result.found.append(conversation.id)
      result.conversations.append(conversation)
    }
    return isComplete
  }

  /// - Returns: whether the thread was read or is not wanted (too short, or its first post is gone).
  private func fetch(
    _ root: RecordAddress, _ did: String, _ request: AccountRequest, _ result: inout FetchedThreads
  ) async -> Bool {
    var reading = BlueskyReading(api, now: now)
    do throws(SourceError) {
      let found = try await reading.readThread(of: [root], by: did, wantsReplies: request.wantsReplies)
      result.failure = result.failure ?? found.failure
      guard reading.observations.longestChain(of: did, in: found.root) >= request.limits.minPosts else {
        return found.failure == nil
      }
      result.found.append(found.root.postID)
      result.conversations.append(reading.conversation(found, wantsReplies: request.wantsReplies))
      // The missing posts are noted in the coverage, and the next run requests them.
      return found.failure?.kind != .interrupted
    } catch {
      // The first post is gone, and the user did not request this thread by its URL, so it is left out.
      if error.kind == .content { return true }
      result.failure = result.failure ?? error
      return false
    }
  }

  func recheck(
    _ conversations: [Conversation], onDeleted: SiteConfig.Fetch.Deletion
  ) async -> FetchedThreads {
    var result = FetchedThreads()
    var reading = BlueskyReading(api, now: now)
    var known: Set<RecordAddress> = []
    let addresses = conversations.flatMap { $0.posts + $0.related }
      .filter { $0.id.platform == .bluesky }.map { RecordAddress($0) }.filter { known.insert($0).inserted }
    var removals = Removals(now: now)
    var unclear: [RecordAddress] = []
    do throws(SourceError) {
      try await reading.lookUp(addresses)
      let missing = addresses.filter { reading.observations.posts[$0] == nil }
      unclear = try await findCauses(of: missing, reading, &removals)
    } catch {
      result.failure = error
      // Without a response, the conversations stay unchanged.
      result.conversations = conversations
      return result
    }
    let unsure = Set(unclear.map(\.postID))
    result.conversations = conversations.map { old in
      let fresh = reading.observations.fresh(of: old)
      let posts = old.posts + old.related
      let isWhole = !posts.contains { unsure.contains($0.id) }
      return removals.apply(to: old, fresh: fresh, onDeleted, isWhole: isWhole)
    }
    if let first = unclear.first {
      let count = unclear.count == 1 ? "1 post" : "\(unclear.count) posts"
      result.notes.append(
        "Bluesky did not show \(count) (\(first.text)\(unclear.count > 1 ? ", …" : "")), although the account still has it. Nothing was changed; "
          + "the next fetch tries again.")
    }
    return result
  }

  /// Finds out why posts are not shown: because of their account, or because each was deleted.
  ///
  /// The AppView gives no reason when it omits posts, and may omit them by mistake. So for each account, the record of one post is
  /// requested.
  ///
  /// - Returns: the posts for which no reason was found, because the requested record of their account still exists.
  private func findCauses(
    of missing: [RecordAddress], _ reading: BlueskyReading, _ removals: inout Removals
  ) async throws(SourceError) -> [RecordAddress] {
    var unclear: [RecordAddress] = []
    for (did, posts) in Dictionary(grouping: missing, by: \.did).sorted(by: { $0.key < $1.key }) {
      var open: [RecordAddress] = []
      for post in posts {
        let reason = reading.observations.missing[post]?.reason ?? .notFound
        if reason == .notFound {
          open.append(post)
        } else {
          removals.causes[post.postID] = .init(reason)
        }
      }
      guard let first = open.first else { continue }
      if let reason = try await reasonOfAccount(did) {
        for post in open { removals.causes[post.postID] = .init(reason) }
        // An account that is deactivated, or shown only to signed-in people, is not closed.
        if reason == .suspended || reason == .deleted {
          removals.closedAccounts[AuthorID(did, on: .bluesky)] = reason
        }
        continue
      }
      if case .value(let record) = try await api.record(first), record["value"] != nil {
        unclear += open
      } else {
        for post in open { removals.causes[post.postID] = .init(.notFound) }
      }
    }
    return unclear
  }

  /// Returns the reason why none of an account's posts are shown; `nil` if the account is shown as usual.
  private func reasonOfAccount(_ did: String) async throws(SourceError) -> TombstoneReason? {
    switch try await api.profile(did) {
    case .value(let view): return isSignedInOnly(view) ? .signedInOnly : nil
    case .refused(let name, let message):
      guard let reason = BlueskyAccountState.reason(ofError: name, message) else {
        throw api.refusal(name, message, "app.bsky.actor.getProfile")
      }
      return reason
    }
  }
}

extension RecordAddress {
  /// Creates the AT URI of a stored post.
  init(_ post: Post) { self.init(did: post.authorID.value, key: post.id.value) }
}

extension BlueskyReading {
  func conversation(_ found: Found, wantsReplies: Bool) -> Conversation {
    var result = observations.conversation(root: found.root, by: found.did, withReplies: wantsReplies)
    result.coverage = found.coverage
    result.coverage.checkedAt = found.failure == nil ? observations.now : nil
    return result
  }
}

/// The posts from an account's list.
private struct BlueskyList {
  var reading: BlueskyReading
  /// The account's posts in the list. ``reading`` also contains posts that were returned with them.
  var listed: Set<RecordAddress> = []
  /// Whether an earlier run read a part of the list, so that later posts of a thread may be missing here.
  var isContinued = false
}

extension BlueskyObservations {
  /// Returns a conversation with those posts of `old` that were read in this run.
  fileprivate func fresh(of old: Conversation) -> Conversation {
    var fresh = Conversation(id: old.id, authorID: old.authorID)
    fresh.posts = old.posts.compactMap { posts[RecordAddress($0)] }
    fresh.related = old.related.compactMap { posts[RecordAddress($0)] }
    let people = Set((fresh.posts + fresh.related).map(\.authorID))
    fresh.authors = people.compactMap { authors[$0] }
    if !fresh.posts.isEmpty { fresh.provenance = [Provenance(source: .blueskyAPI, fetchedAt: now)] }
    return fresh
  }
}
