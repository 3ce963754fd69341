import NetworkSources
import SiteConfig
import ThreadModel

/// Finds threads on a server: what stands around a post, again from its deepest known post as long as there is more, and then the
/// account's own list.
struct MastodonThreads: Sendable {
  let api: MastodonAPI

  /// What is known of one thread while it is looked for.
  struct Search {
    var gathering: MastodonGathering
    /// The post that led here.
    var given: String
    var account: String
    /// How the posts came.
    var source = SourceKind.mastodonAPI
    /// Posts and accounts that came from other servers than the thread.
    var elsewhere = ActivityElsewhere()
    /// Posts whose surroundings were asked for.
    var asked: Set<String> = []
    /// Posts whose surroundings came with as many posts below them as servers give at most.
    var cut: Set<String> = []
    var limits: [CoverageLimit] = []
    /// Why the search ended before its time.
    var failure: SourceError?
    /// Questions that are left.
    var questions = MastodonThreads.mostQuestions

    var top: String { gathering.top(of: given) }
    var chain: Set<String> { gathering.chain(from: top, by: account) }
  }

  /// Questions asked for one thread: a chain of a thousand posts needs about fifty; a server without an end is left at some time.
  static let mostQuestions = 300
  /// What Mastodon gives of the posts below one, to those without a token.
  private static let mostDescendants = 60
  /// Pages of an account's list that are read behind one post.
  private static let mostPages = 10

  /// Looks for all of a post's thread, in the way in which the post came.
  func search(from start: MastodonStart) async -> Search {
    switch start {
    case .status(let status, let server): return await search(from: status, on: server)
    case .note(var reading):
      await reading.complete()
      return reading.search
    }
  }

  private func search(from status: MastodonStatus, on server: MastodonServer) async -> Search {
    var search = Search(gathering: MastodonGathering(server), given: status.id, account: status.account.id)
    search.gathering.add(status, at: api.now)
    await complete(&search)
    return search
  }

  /// Asks for what is missing from the thread that is known in part.
  func complete(_ search: inout Search) async {
    do {
      try await climb(&search)
      try await descend(&search)
      try await lookUpGaps(&search)
    } catch {
      search.failure = error
      search.limits.append(CoverageLimit(.fetchEnded))
    }
  }

  /// Up to the first post: servers give forty above one.
  private func climb(_ search: inout Search) async throws(SourceError) {
    let server = search.gathering.server
    _ = try await ask(search.given, &search)
    while true {
      let top = search.top
      guard !search.gathering.isKnown(top) else { return }
      // The earliest that was seen is asked; where that shows no more, the post itself.
      if let first = search.gathering.earliestKnown(above: search.given), !search.asked.contains(first) {
        if try await ask(first, &search) { continue }
      }
      guard search.gathering.missing[top] == nil, try take(&search) else { return }
      if let status = try await api.status(top, on: server) {
        search.gathering.add(status, at: api.now)
      } else {
        search.gathering.missing[top] = .notFound
      }
    }
  }

  /// Down every branch: from each last post that has answers which were not seen.
  private func descend(_ search: inout Search) async throws(SourceError) {
    if search.gathering.isKnown(search.top) { _ = try await ask(search.top, &search) }
    while true {
      let next = search.gathering.ends(of: search.chain).filter { !search.asked.contains($0) }
      guard !next.isEmpty else { break }
      for id in next { _ = try await ask(id, &search) }
      if search.questions <= 0 { break }
    }
    // Where the answers of others fill all that a server gives, the author's own may be behind them.
    for id in search.gathering.ends(of: search.chain) where search.cut.contains(id) {
      try await readOn(after: id, &search)
    }
    if search.questions <= 0 { search.limits.append(CoverageLimit(.timelineCut)) }
  }

  /// Reads the account's list from a post on, forwards.
  private func readOn(after id: String, _ search: inout Search) async throws(SourceError) {
    var following = id
    for _ in 0..<Self.mostPages {
      guard try take(&search) else { return }
      let page = try await api.statuses(of: search.account, following: following, on: search.gathering.server)
      guard let answer = page.answer, search.gathering.add(answer, at: api.now) else { return }
      guard let latest = answer.statuses.map({ PostID($0.id, on: .mastodon) }).max()?.value,
        latest != following
      else { return }
      following = latest
    }
    search.limits.append(CoverageLimit(.timelineCut))
  }

  /// Asks for posts of the chain that others of it answer, and for those that were seen in their surroundings only.
  private func lookUpGaps(_ search: inout Search) async throws(SourceError) {
    for id in search.gathering.unseenParents(of: search.chain) {
      guard try take(&search) else { return }
      if let status = try await api.status(id, on: search.gathering.server) {
        search.gathering.add(status, at: api.now)
      } else {
        search.gathering.missing[id] = .notFound
      }
    }
  }

  /// Asks what stands around a post.
  ///
  /// - Returns: whether anything new came.
  private func ask(_ id: String, _ search: inout Search) async throws(SourceError) -> Bool {
    guard search.asked.insert(id).inserted, try take(&search) else { return false }
    guard let context = try await api.context(of: id, on: search.gathering.server) else { return false }
    if context.descendants >= Self.mostDescendants { search.cut.insert(id) }
    search.gathering.noteSurroundings(context.answer.statuses.map(\.id))
    return search.gathering.add(context.answer, at: api.now)
  }

  private func take(_ search: inout Search) throws(SourceError) -> Bool {
    guard !Task.isCancelled else { throw SourceError(.interrupted, "It was stopped.", endsTheRun: true) }
    search.questions -= 1
    return search.questions >= 0
  }

  /// The conversation that a search found.
  func conversation(
    _ search: Search, withReplies: Bool, known: Conversation?, foundBy: FindingMethod = .conversation
  ) -> (conversation: Conversation, notes: [String]) {
    var (fresh, notes) = search.gathering.conversation(
      from: search.top, by: search.account, withReplies: withReplies, source: search.source)
    fresh = search.elsewhere.named(fresh)
    var coverage = Coverage(limits: search.limits)
    coverage.foundBy = foundBy
    coverage.checkedAt = api.now
    fresh.coverage = coverage
    if let known, known.id == fresh.id, known.authorID == fresh.authorID { fresh = known.merged(with: fresh) }
    return (fresh, notes)
  }
}

extension MastodonGathering {
  /// Whether a status was seen, be it stored or not.
  func isKnown(_ id: String) -> Bool { statuses[id] != nil || withheld[id] != nil }

  /// The first status of the chain that one is in, of those that were seen.
  func earliestKnown(above id: String) -> String? {
    let members = chain(from: top(of: id), by: statuses[id]?.account.id ?? "")
    return members.min {
      (statuses[$0]?.createdAt ?? .distant, $0) < (statuses[$1]?.createdAt ?? .distant, $1)
    }
  }

  /// Statuses of a chain that may have answers which were not seen, in the order of time: as many are counted as are not here.
  func ends(of chain: Set<String>) -> [String] {
    var children: [String: Int] = [:]
    for status in statuses.values { if let parent = status.inReplyTo { children[parent, default: 0] += 1 } }
    for status in withheld.values { if let parent = status.inReplyTo { children[parent, default: 0] += 1 } }
    let own = Set(chain.compactMap { statuses[$0]?.inReplyTo })
    return chain.filter { id in
      guard let status = statuses[id] else { return false }
      // One with an own answer was passed; those of others are no reason to ask again.
      if own.contains(id) { return false }
      return status.fields.count("replies_count").map { $0 > children[id] ?? 0 } ?? true
    }.sorted { (statuses[$0]?.createdAt ?? .distant, $0) < (statuses[$1]?.createdAt ?? .distant, $1) }
  }
}

extension Timestamp {
  fileprivate static let distant = Timestamp(milliseconds: .max)
}
