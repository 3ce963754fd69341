import Basics
import NetworkSources
import SiteConfig
import ThreadModel

/// Finds threads on a server. Requests the posts around a post, climbs to the first post, requests the posts around every post with unknown
/// replies, and then reads the account's list of posts. So the result is the same from any post of the thread.
struct MastodonThreads: Sendable {
  let api: MastodonAPI

  /// The state of the search for one thread.
  struct Search {
    var fetchIndex: MastodonFetchIndex
    /// The id of the post from which the search began.
    var given: String
    /// The id of the thread's author.
    var account: String
    /// The source from which the posts came.
    var source = SourceKind.mastodonAPI
    /// Posts and accounts of servers other than the thread's.
    var elsewhere = RemoteObjects()
    /// The ids of posts whose surrounding posts were requested.
    var asked: Set<String> = []
    /// The ids of posts below which the server returned so many posts that a limit may have left out others.
    var cut: Set<String> = []
    /// Whether other authors' replies are wanted.
    var wantsReplies = false
    /// The number of requests for other authors' replies that are left.
    var questionsForReplies = MastodonThreads.mostForReplies
    /// The time of the post after which the account's list was read.
    var listedFrom: Timestamp?
    /// Whether the list was read to its end.
    var isListed = false
    var limits: [CoverageLimit] = []
    /// The error that ended the search early.
    var failure: SourceError?
    /// The number of requests that are left.
    var questions = MastodonThreads.mostQuestions

    var top: String { fetchIndex.top(of: given) }
    var chain: Set<String> { fetchIndex.chain(from: top, by: account) }

    /// Records, once per kind, that posts could not be read.
    mutating func note(_ kind: CoverageLimit.Kind) {
      let limit = CoverageLimit(kind)
      if !limits.contains(limit) { limits.append(limit) }
    }

    /// Counts a request and returns whether it may be sent. Throws an error if the run was stopped.
    mutating func spend() throws(SourceError) -> Bool {
      guard !Task.isCancelled else { throw SourceError.stopped }
      questions -= 1
      return questions >= 0
    }
  }

  /// The maximum number of requests for one thread. A chain of 1,000 posts needs about 50, but a server may return an endless number of
  /// posts.
  static let mostQuestions = 300
  /// The maximum number of requests that are made only for replies to other authors' posts.
  private static let mostForReplies = 60
  /// The number of returned posts below a post from which on Mastodon may have left out others. Without a token, it selects 60 and then
  /// leaves out those that not everybody may see.
  private static let manyDescendants = 30
  /// The maximum number of pages of an account's list that are read after a post whose replies are known to be incomplete.
  private static let mostPages = 10
  /// The same, after a post that can only lack hidden replies. Their number is unknown.
  private static let mostPagesForHidden = 3
  /// The maximum number of parts of the account's list whose conversations are requested.
  private static let mostParts = 20

  /// Searches for the whole thread of a post, by the protocol by which the post was read.
  func search(from start: MastodonStart, wantsReplies: Bool) async -> Search {
    switch start {
    case .status(let status, let server): return await search(from: status, on: server, wantsReplies)
    case .reading(var reading):
      await reading.complete()
      return reading.search
    }
  }

  private func search(
    from status: MastodonStatus, on server: MastodonServer, _ wantsReplies: Bool
  ) async -> Search {
    var search = Search(fetchIndex: MastodonFetchIndex(server), given: status.id, account: status.account.id)
    search.wantsReplies = wantsReplies
    search.fetchIndex.add(status, at: api.now)
    await complete(&search)
    return search
  }

  /// Requests the missing posts of a partly known thread. An error ends the search and is stored in `failure`.
  func complete(_ search: inout Search) async {
    do {
      repeat {
        try await climb(&search)
        try await descend(&search)
        // A post that was missing may have branches, and may be the last one below another gap.
      } while try await lookUpGaps(&search)
      try await readReplies(&search)
      if search.questions <= 0 { search.note(.timelineCut) }
    } catch {
      search.failure = error
      search.note(.fetchEnded)
    }
  }

  /// Climbs to the first post. A server returns up to 40 posts above a post.
  private func climb(_ search: inout Search) async throws(SourceError) {
    let server = search.fetchIndex.server
    _ = try await ask(search.given, &search)
    while true {
      let top = search.top
      guard !search.fetchIndex.isKnown(top) else { return }
      // The posts around the earliest known post are requested. If they contain nothing new, the first post itself is requested.
      if let first = search.fetchIndex.earliestKnown(above: search.given), !search.asked.contains(first) {
        if try await ask(first, &search) { continue }
      }
      guard search.fetchIndex.missing[top] == nil, try search.spend() else { return }
      if let status = try await api.status(top, on: server) {
        search.fetchIndex.add(status, at: api.now)
      } else {
        search.fetchIndex.missing[top] = .notFound
      }
    }
  }

  /// Reads every branch downwards: requests the posts around each post of the thread that has unknown replies, earliest first because a
  /// response covers many levels.
  private func descend(_ search: inout Search) async throws(SourceError) {
    if search.fetchIndex.isKnown(search.top) { _ = try await ask(search.top, &search) }
    while search.questions > 0 {
      if let next = search.open(withReplies: false).first(where: { !search.asked.contains($0) }) {
        _ = try await ask(next, &search)
        continue
      }
      // If other accounts' replies filled the server's response, it may lack the author's own. The reply count does not show this, because
      // it excludes hidden replies.
      guard
        let cut = search.earliestCut, let time = search.fetchIndex.statuses[cut]?.createdAt,
        search.listedFrom.map({ time < $0 }) ?? true
      else { return }
      search.listedFrom = time
      let isOpen = search.open(withReplies: false).contains { search.cut.contains($0) }
      try await readOn(after: cut, mostPages: isOpen ? Self.mostPages : Self.mostPagesForHidden, &search)
      if isOpen, !search.isListed { search.note(.timelineCut) }
      try await placeParts(&search)
    }
  }

  /// Reads other authors' replies as far as the server shows them, if they are wanted.
  private func readReplies(_ search: inout Search) async throws(SourceError) {
    guard search.wantsReplies else { return }
    while search.questions > 0, search.questionsForReplies > 0,
      let next = search.open(withReplies: true).first(where: { !search.asked.contains($0) })
    {
      search.questionsForReplies -= 1
      _ = try await ask(next, &search)
    }
    let isCut = search.open(withReplies: true).contains {
      !search.asked.contains($0) || search.cut.contains($0)
    }
    if isCut { search.note(.repliesCut) }
  }

  /// Reads the account's list of posts after a post, from older to newer posts.
  private func readOn(after id: String, mostPages: Int, _ search: inout Search) async throws(SourceError) {
    var following = id
    search.isListed = false
    for _ in 0..<mostPages {
      guard try search.spend() else { return }
      let page = try await api.statuses(
        of: search.account, following: following, on: search.fetchIndex.server)
      if let answer = page.answer { search.fetchIndex.add(answer, at: api.now) }
      guard let latest = page.answer?.statuses.map({ PostID($0.id, on: .mastodon) }).max()?.value,
        latest != following
      else {
        search.isListed = true
        return
      }
      following = latest
    }
  }

  /// Determines which parts of the account's list belong to the thread. A post that answers a hidden one does not name the conversation,
  /// but the posts above it do.
  private func placeParts(_ search: inout Search) async throws(SourceError) {
    let parts = search.fetchIndex.unplacedParts(by: search.account).filter { !search.asked.contains($0) }
    for id in parts.prefix(Self.mostParts) {
      search.asked.insert(id)
      guard try search.spend() else { return }
      guard let context = try await api.context(of: id, on: search.fetchIndex.server),
        search.fetchIndex.isInConversation(context.answer)
      else { continue }
      if context.descendants >= Self.manyDescendants { search.cut.insert(id) }
      search.fetchIndex.add(context.answer, at: api.now)
      search.fetchIndex.noteContext(of: id, context.answer)
    }
    if parts.count > Self.mostParts { search.note(.timelineCut) }
  }

  /// Requests missing posts that posts of the chain answer.
  ///
  /// - Returns: whether any of them is shown.
  private func lookUpGaps(_ search: inout Search) async throws(SourceError) -> Bool {
    var isAnyShown = false
    for id in search.fetchIndex.unseenParents(of: search.chain) {
      guard try search.spend() else { return false }
      if let status = try await api.status(id, on: search.fetchIndex.server) {
        search.fetchIndex.add(status, at: api.now)
        isAnyShown = true
      } else {
        search.fetchIndex.missing[id] = .notFound
      }
    }
    return isAnyShown
  }

  /// Requests the posts around a post.
  ///
  /// - Returns: whether any of them was new.
  private func ask(_ id: String, _ search: inout Search) async throws(SourceError) -> Bool {
    guard search.asked.insert(id).inserted, try search.spend() else { return false }
    guard let context = try await api.context(of: id, on: search.fetchIndex.server) else { return false }
    if context.descendants >= Self.manyDescendants { search.cut.insert(id) }
    let isNew = search.fetchIndex.add(context.answer, at: api.now)
    search.fetchIndex.noteContext(of: id, context.answer)
    return isNew
  }

  /// Returns the conversation that a search found, merged with the known one, and messages about it.
  func conversation(
    _ search: Search, withReplies: Bool, known: Conversation?, foundBy: FindingMethod = .conversation
  ) -> (conversation: Conversation, notes: [String]) {
    var (fresh, notes) = search.fetchIndex.conversation(
      from: search.top, by: search.account, withReplies: withReplies, source: search.source)
    fresh = search.elsewhere.named(fresh)
    var coverage = Coverage(limits: search.limits)
    if search.fetchIndex.hasLostBeginning(search.top) {
      coverage.limits.append(CoverageLimit(.beginningGone))
    }
    coverage.foundBy = foundBy
    coverage.checkedAt = api.now
    fresh.coverage = coverage
    if let known, known.id == fresh.id, known.authorID == fresh.authorID { fresh = known.merged(with: fresh) }
    return (fresh, notes)
  }

  /// Returns how far an earlier run read the account's list for the same limits; `nil` if it has invalid ids, because ids are inserted into
  /// requests.
  private static func progress(_ request: AccountRequest) -> AccountProgress? {
    guard
      let progress = request.progress?.continued(
        for: request.limits, includesUnlisted: request.wantsUnlisted)
    else { return nil }
    let ids = [progress.account, progress.newest, progress.unread?.before, progress.unread?.after]
    return ids.allSatisfy { $0.map(MastodonServer.isID) ?? true } ? progress : nil
  }

  /// The maximum number of pages of an account, of 40 posts each, that are read in one run. Mastodon's rate limit for paging allows 300
  /// pages in 15 minutes.
  private static let mostAccountPages = 1000

  /// The number of consecutive pages without new posts after which a run stops reading the list.
  private static let mostStalePages = 25

  /// Returns the threads that an account began.
  func threads(
    by request: AccountRequest, known: @Sendable (PostID) -> Bool
  ) async -> FetchedThreads {
    var result = FetchedThreads()
    do {
      let (server, account) = try await find(request.account)
      var progress =
        Self.progress(request)
        ?? AccountProgress(account: account.id, request.limits, includesUnlisted: request.wantsUnlisted)
      var fetchIndex = MastodonFetchIndex(server)
      do {
        try await read(&fetchIndex, &progress, request.limits)
      } catch {
        result.failure = error
      }
      result.progress = progress
      await gather(request, fetchIndex, by: account.id, known, &result)
    } catch {
      result.failure = error
    }
    return result
  }

  /// Returns an account, requested from its own server.
  ///
  /// - Throws: an error of content if the account is missing or suspended, or if the server returns a different account.
  private func find(
    _ reference: AccountReference
  ) async throws(SourceError) -> (MastodonServer, MastodonAccount) {
    var server = MastodonServer(reference.instance ?? "")
    let parts = reference.handle.split(separator: "@")
    // If an account of one server is shown on another, the account's own server is asked.
    if parts.count == 2 { server = MastodonServer(String(parts[1])) }
    let name = parts.first.map(String.init) ?? reference.handle
    guard let account = try await api.account(named: name, on: server) else {
      throw SourceError(.content, "There is no account @\(name) on \(server.name). Check the URL.")
    }
    guard account.localName(on: server)?.lowercased() == name.lowercased() else {
      throw SourceError(
        .content,
        "rejected: \(server.name) returned the account @\(account.acct ?? "?") instead of @\(name)."
      )
    }
    guard !account.isSuspended else {
      throw SourceError(.content, "The account @\(name)@\(server.name) is suspended.")
    }
    if let moved = account.fields.fields("moved")?.text("acct") {
      api.say(
        "@\(name)@\(server.name) moved to @\(moved.asName): to import posts from there, add that account to sources."
      )
    }
    return (server, account)
  }

  /// Reads the unread part of an account's list: first the posts that an earlier run left, then newer posts.
  private func read(
    _ fetchIndex: inout MastodonFetchIndex, _ progress: inout AccountProgress, _ limits: ThreadLimits
  ) async throws(SourceError) {
    if let unread = progress.unread {
      try await read(
        of: progress.account, before: unread.before, after: unread.after, &fetchIndex, limits
      ) { before in
        progress.unread = before.map { .init(before: $0, after: unread.after) }
      }
    }
    let newest = progress.newest
    var isFirst = true
    try await read(of: progress.account, before: nil, after: newest, &fetchIndex, limits) { before in
      progress.unread = before.map { .init(before: $0, after: newest) }
    } first: { id in
      if isFirst { progress.newest = id }
      isFirst = false
    }
  }

  /// Reads a range of an account's list, page by page from newer to older posts.
  ///
  /// - Parameters:
  ///   - reached: called after each page with the id before which posts are unread, and with `nil` at the end.
  ///   - first: called for each page with the id of its first post.
  /// - Throws: also if the list has more pages than are read at once.
  private func read(
    of account: String, before: String?, after: String?, _ fetchIndex: inout MastodonFetchIndex,
    _ limits: ThreadLimits, reached: (String?) -> Void, first: (String) -> Void = { _ in }
  ) async throws(SourceError) {
    var before = before
    var asked: Set<String> = []
    var stale = 0
    for number in 1... {
      guard !Task.isCancelled else { throw SourceError.stopped }
      let page = try await api.statuses(
        of: account, before: before, after: after, on: fetchIndex.server)
      guard let answer = page.answer else { break }
      if let newest = answer.statuses.first?.id { first(newest) }
      stale = fetchIndex.add(answer, at: api.now) ? 0 : stale + 1
      // A page that links to itself or an earlier page would cause an endless loop.
      guard let next = page.next, asked.insert(next).inserted else { break }
      if let since = limits.since, let oldest = answer.statuses.compactMap(\.createdAt).min(), oldest < since
      {
        break
      }
      before = next
      reached(next)
      // If a server sends no `Link` header, an empty page is the last one.
      if answer.statuses.isEmpty { break }
      // Some pages may contain only boosts.
      guard stale < Self.mostStalePages else {
        throw SourceError(
          .network,
          "\(fetchIndex.server.name) returned \(stale) pages in a row without a new post; earlier pages are kept. The next run continues."
        )
      }
      guard number < Self.mostAccountPages else {
        throw SourceError(
          .quota,
          "\(Self.mostAccountPages) pages of the account's posts were read, the limit per run. Run the same command again to continue."
        )
      }
    }
    reached(nil)
  }

  /// Assembles threads from the posts of the list.
  private func gather(
    _ request: AccountRequest, _ fetchIndex: MastodonFetchIndex, by account: String,
    _ known: @Sendable (PostID) -> Bool, _ result: inout FetchedThreads
  ) async {
    let server = fetchIndex.server
    let limits = request.limits
    func isWanted(_ status: MastodonStatus) -> Bool {
      guard status.account.id == account else { return false }
      guard limits.since != nil || limits.until != nil else { return true }
      guard let time = status.createdAt else { return false }
      return limits.since.map { time >= $0 } ?? true && limits.until.map { time < $0 } ?? true
    }
    var unlisted = 0
    var places: [PostID: Int] = [:]
    let chains = fetchIndex.chains(by: account).sorted { server.post($1.top) < server.post($0.top) }
    for (top, part) in chains {
      // Replies to other accounts do not begin threads of this account.
      if let first = part.statuses[top], first.inReplyTo != nil { continue }
      guard let given = part.statuses.values.filter(isWanted).map(\.id).min() else { continue }
      var isKnown = known(server.post(top))
      var search = Search(fetchIndex: part, given: given, account: account)
      search.wantsReplies = request.wantsReplies
      if !isKnown, !fetchIndex.isKnown(top) || request.wantsReplies {
        await complete(&search)
        // A part of a thread with a gap may belong to a thread in the store.
        isKnown = known(server.post(search.top))
      }
      let first = search.fetchIndex.statuses[search.top]
      guard first == nil || first?.inReplyTo == nil else { continue }
      guard isKnown || search.chain.count >= limits.minPosts else { continue }
      if first?.audience == .unlisted, !isKnown, !request.wantsUnlisted {
        unlisted += 1
        continue
      }
      var (conversation, notes) = conversation(
        search, withReplies: request.wantsReplies, known: nil, foundBy: .timeline)
      if isKnown { conversation.coverage = Coverage() }
      result.found.append(conversation.id)
      // Two parts of the list may belong to one thread with a gap.
      if let place = places[conversation.id] {
        result.conversations[place] = result.conversations[place].merged(with: conversation)
      } else {
        places[conversation.id] = result.conversations.count
        result.conversations.append(conversation)
      }
      result.notes += notes
      if let failure = search.failure, result.failure == nil { result.failure = failure }
      if result.failure?.endsRun == true { break }
    }
    if unlisted > 0 {
      api.say(
        "\(unlisted == 1 ? "1 thread" : "\(unlisted) threads") of \(request.account) "
          + "\(unlisted == 1 ? "is" : "are") unlisted and left out. Add `unlisted: true` to the account in site.yml to fetch "
          + "\(unlisted == 1 ? "it" : "them").")
    }
  }

  /// Requests every known post of a thread again, and returns the thread with new posts and without posts that are gone.
  ///
  /// A post is gone if its server responds that it does not exist or is not visible to everybody. A post that could not be requested is
  /// left unchanged.
  func recheck(
    _ known: Conversation, onDeleted: SiteConfig.Fetch.Deletion
  ) async throws(SourceError) -> (conversation: Conversation, notes: [String]) {
    guard let server = known.mastodonServer else { return (known, []) }
    let wasOpen = known.provenance.contains { $0.source == .activityPub }
    // A post with an id made up for an export cannot be requested from the API, so its absence there is not evidence. A post read by
    // ActivityPub can be requested by its URL.
    let isOfAPI = ActivityNames.isOfAPI(known.id.value)
    guard isOfAPI || wasOpen else { return (known, []) }
    let posts = (known.posts + known.related).filter {
      $0.id.platform == .mastodon && $0.id.authority == known.id.authority
        && (ActivityNames.isOfAPI($0.id.value) || wasOpen)
    }
    var reading: (any ThreadReading)?
    var fetchIndex = MastodonFetchIndex(server)
    var misskey = MisskeyReading(api, on: server, wantsReplies: false)
    if known.isOfMisskey, try await misskey.refresh(posts.map(\.id.value).sorted()) {
      fetchIndex = misskey.search.fetchIndex
      reading = misskey
    } else {
      do throws(SourceError) {
        if isOfAPI { try await ask(for: posts.map(\.id.value).sorted(), &fetchIndex) }
      } catch {
        guard api.closure(of: server) == error else { throw error }
      }
    }
    if reading == nil, !isOfAPI || api.closure(of: server) != nil {
      var look = ActivityReading(api, on: server, wantsReplies: false, known: known)
      try await look.refresh(at: posts)
      // If a server has never shown posts by ActivityPub and shows none now, they are not necessarily gone.
      if !wasOpen, look.search.fetchIndex.isEmpty, let closure = api.closure(of: server) { throw closure }
      fetchIndex = look.search.fetchIndex
      reading = look
    }
    let known = Self.named(known, by: fetchIndex)
    var removals = Removals(now: api.now)
    for post in posts {
      if fetchIndex.withheld[post.id.value] != nil {
        removals.causes[post.id] = .init(.protected)
      } else if let reason = fetchIndex.missing[post.id.value], reason != .unknown {
        removals.causes[post.id] = .init(reason)
      }
    }
    let isAllGone = !posts.isEmpty && removals.causes.count == posts.count
    if isAllGone, let reading, let author = known.author {
      if let reason = try await reading.removal(of: author) {
        if reason == .suspended {
          for key in removals.causes.keys { removals.causes[key] = .init(reason) }
        }
        removals.closedAccounts[known.authorID] = reason
      }
    } else if isAllGone, reading == nil, let id = Self.author(of: known) {
      let account = try await api.account(id, on: server)
      if account?.isSuspended == true {
        for key in removals.causes.keys { removals.causes[key] = .init(.suspended) }
        removals.closedAccounts[known.authorID] = .suspended
      } else if account == nil {
        removals.closedAccounts[known.authorID] = .deleted
      }
    }
    var fresh = known
    var notes: [String] = []
    if let last = known.posts.filter({ $0.authorID == known.authorID && removals.causes[$0.id] == nil })
      .max(by: {
        ($0.createdAt?.milliseconds ?? 0, $0.id) < ($1.createdAt?.milliseconds ?? 0, $1.id)
      }), let status = fetchIndex.statuses[last.id.value]
    {
      var search = Search(fetchIndex: fetchIndex, given: status.id, account: status.account.id)
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
    // A part that was stored as a separate thread may turn out to continue a thread above a gap.
    let home = fresh.id == known.id ? known : known.moved(to: fresh.id)
    return (removals.apply(to: home, fresh: fresh, onDeleted, isWhole: true), notes)
  }

  /// Requests posts from a server's API.
  private func ask(for ids: [String], _ fetchIndex: inout MastodonFetchIndex) async throws(SourceError) {
    let server = fetchIndex.server
    for start in stride(from: 0, to: ids.count, by: MastodonAPI.batchSize) {
      let portion = Array(ids[start..<min(start + MastodonAPI.batchSize, ids.count)])
      do throws(SourceError) {
        guard let answer = try await api.batch(portion, on: server) else { break }
        fetchIndex.add(answer, at: api.now)
      } catch {
        // A server is considered closed only if a request for a single post also fails.
        guard error.kind == .noCredential else { throw error }
        break
      }
    }
    // A post that is missing from a batch is requested individually, to find out whether it is gone.
    for id in ids where fetchIndex.statuses[id] == nil && fetchIndex.withheld[id] == nil {
      if let status = try await api.status(id, on: server) {
        fetchIndex.add(status, at: api.now)
      } else {
        fetchIndex.missing[id] = .notFound
      }
    }
  }

  /// Returns a thread with its author's id on the server, if the author has only a provisional id because the thread is from an export
  /// without the id.
  private static func named(_ known: Conversation, by fetchIndex: MastodonFetchIndex) -> Conversation {
    guard !ActivityNames.isOfAPI(known.authorID.value) else { return known }
    let accounts = fetchIndex.statuses.values.map(\.account).filter { account in
      account.localName(on: fetchIndex.server).map(ActivityNames.provisional) == known.authorID.value
    }
    guard let id = accounts.map(\.id).min() else { return known }
    return known.renaming(known.authorID, to: fetchIndex.server.author(id))
  }

  private static func author(of conversation: Conversation) -> String? {
    let id = conversation.authorID
    return id.platform == .mastodon && ActivityNames.isOfAPI(id.value) ? id.value : nil
  }
}

extension MastodonThreads.Search {
  /// The earliest post of the thread below which a limit of the server may have left out posts.
  var earliestCut: String? {
    fetchIndex.earliest(of: cut.intersection(chain))
  }

  /// Returns the posts of the thread that may have unknown replies, the earliest first.
  func open(withReplies: Bool) -> [String] {
    fetchIndex.open(from: top, by: account, withReplies: withReplies)
  }
}

extension MastodonFetchIndex {
  /// Whether a status was returned by the server, stored or withheld.
  func isKnown(_ id: String) -> Bool { statuses[id] != nil || withheld[id] != nil }

  /// Whether a status continues a status of its author that is gone. Mastodon then forgets which status was answered, but not whose it was.
  func hasLostBeginning(_ id: String) -> Bool {
    guard let status = statuses[id], status.inReplyTo == nil else { return false }
    return status.inReplyToAccount == status.account.id
  }
}

extension Conversation {
  /// Whether the thread's own posts are notes of Misskey or a related server, by their URLs.
  var isOfMisskey: Bool {
    posts.contains { $0.authorID == authorID && ($0.url.map(MastodonAddresses.isOfMisskey) ?? false) }
  }

  /// The server to which the ids of the conversation belong.
  fileprivate var mastodonServer: MastodonServer? {
    (id.authority ?? posts.lazy.compactMap { $0.url.flatMap(MastodonServer.host) }.first).map(
      MastodonServer.init)
  }
}
