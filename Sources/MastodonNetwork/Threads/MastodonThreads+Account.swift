import JSONText
import NetworkSources
import SiteConfig
import ThreadModel
import UTF8Text

extension MastodonThreads {
  /// How far an account's list was read.
  struct Progress: Hashable {
    var account: String
    var since: Timestamp?
    var until: Timestamp?
    /// The newest post that was read.
    var newest: String?
    /// What an interrupted run left: posts before one, and after another.
    var unread: (before: String, after: String?)?

    static func == (one: Progress, other: Progress) -> Bool { one.members == other.members }
    func hash(into hasher: inout Hasher) { hasher.combine(members) }

    init(account: String, since: Timestamp?, until: Timestamp?) {
      self.account = account
      self.since = since
      self.until = until
    }

    /// Reads what `members` gave; `nil` where it is of other limits or cannot be used.
    init?(_ members: JSONObject, _ limits: ThreadLimits) {
      func id(_ name: String) -> String? {
        members[name]?.string.flatMap { MastodonServer.isID($0) ? $0 : nil }
      }
      func time(_ name: String) -> Timestamp? { members[name]?.string.flatMap { Timestamp(iso8601: $0) } }
      guard let account = id("account"), time("since") == limits.since, time("until") == limits.until else {
        return nil
      }
      self.init(account: account, since: limits.since, until: limits.until)
      newest = id("newest")
      unread = id("unread_before").map { ($0, id("unread_after")) }
    }

    var members: JSONObject {
      var members: JSONObject = ["account": .string(account)]
      members["since"] = since.map { .string($0.iso8601) }
      members["until"] = until.map { .string($0.iso8601) }
      members["newest"] = newest.map { .string($0) }
      members["unread_before"] = unread.map { .string($0.before) }
      members["unread_after"] = unread?.after.map { .string($0) }
      return members
    }
  }

  /// Pages of forty posts that are read of an account in one run: Mastodon's limit for paging lets three hundred through in a quarter
  /// of an hour.
  private static let mostAccountPages = 1000

  /// Pages in a row that bring nothing new.
  private static let mostStalePages = 25

  /// The threads that an account began.
  func threads(
    by request: AccountRequest, known: @Sendable (PostID) -> Bool
  ) async -> FetchedThreads {
    var result = FetchedThreads()
    do {
      let (server, account) = try await find(request.account)
      var progress =
        request.progress.flatMap { Progress($0, request.limits) }
        ?? Progress(account: account.id, since: request.limits.since, until: request.limits.until)
      var gathering = MastodonGathering(server)
      do {
        try await read(&gathering, &progress, request.limits)
      } catch {
        result.failure = error
      }
      result.progress = AccountProgress(progress.members, hasUnread: progress.unread != nil)
      await gather(request, gathering, by: account.id, known, &result)
    } catch {
      result.failure = error
    }
    return result
  }

  /// The account that an address names, on its own server.
  private func find(
    _ reference: AccountReference
  ) async throws(SourceError) -> (MastodonServer, MastodonAccount) {
    var server = MastodonServer(reference.instance ?? "")
    let parts = reference.handle.split(separator: "@")
    // An account seen through another server: its own is asked.
    if parts.count == 2 { server = MastodonServer(String(parts[1])) }
    let name = parts.first.map(String.init) ?? reference.handle
    guard let account = try await api.account(named: name, on: server) else {
      throw SourceError(.content, "There is no account @\(name) on \(server.name). Check the address.")
    }
    guard account.localName(on: server)?.lowercased() == name.lowercased() else {
      throw SourceError(
        .content,
        "\(server.name) was asked for the account @\(name) and answered with @\(account.acct ?? "?"): it is not taken."
      )
    }
    guard !account.isSuspended else {
      throw SourceError(.content, "The account @\(name)@\(server.name) is suspended.")
    }
    if let moved = account.fields.fields("moved")?.text("acct") {
      api.say(
        "@\(name)@\(server.name) moved to @\(moved.asName): what they write there is a source of its own.")
    }
    return (server, account)
  }

  /// Reads what was not read of an account's list: first what an earlier run left, then what came since.
  private func read(
    _ gathering: inout MastodonGathering, _ progress: inout Progress, _ limits: ThreadLimits
  ) async throws(SourceError) {
    if let unread = progress.unread {
      try await read(
        of: progress.account, before: unread.before, after: unread.after, &gathering, limits
      ) { before in
        progress.unread = before.map { ($0, unread.after) }
      }
    }
    let newest = progress.newest
    var isFirst = true
    try await read(of: progress.account, before: nil, after: newest, &gathering, limits) { before in
      progress.unread = before.map { ($0, newest) }
    } first: { id in
      if isFirst { progress.newest = id }
      isFirst = false
    }
  }

  /// - Parameter reached: told after each page what is left before which post; `nil` once nothing is.
  private func read(
    of account: String, before: String?, after: String?, _ gathering: inout MastodonGathering,
    _ limits: ThreadLimits, reached: (String?) -> Void, first: (String) -> Void = { _ in }
  ) async throws(SourceError) {
    var before = before
    var asked: Set<String> = []
    var stale = 0
    for _ in 0..<Self.mostAccountPages {
      guard !Task.isCancelled else { throw SourceError(.interrupted, "It was stopped.", endsTheRun: true) }
      let page = try await api.statuses(
        of: account, before: before, after: after, on: gathering.server)
      guard let answer = page.answer else { break }
      if let newest = answer.statuses.first?.id { first(newest) }
      stale = gathering.add(answer, at: api.now) ? 0 : stale + 1
      // Pages of boosts alone are possible; so many of them are no list of anything.
      if stale >= Self.mostStalePages { break }
      // A page that names itself or an earlier one would never end.
      guard let next = page.next, asked.insert(next).inserted else { break }
      if let since = limits.since, let oldest = answer.statuses.compactMap(\.createdAt).min(), oldest < since
      {
        break
      }
      before = next
      reached(next)
      // A server without a `Link` header gives a short last page.
      if answer.statuses.isEmpty { break }
    }
    reached(nil)
  }

  /// Makes threads of what the list brought.
  private func gather(
    _ request: AccountRequest, _ gathering: MastodonGathering, by account: String,
    _ known: @Sendable (PostID) -> Bool, _ result: inout FetchedThreads
  ) async {
    let server = gathering.server
    let limits = request.limits
    func isWanted(_ status: MastodonStatus) -> Bool {
      guard status.account.id == account else { return false }
      guard limits.since != nil || limits.until != nil else { return true }
      guard let time = status.createdAt else { return false }
      return limits.since.map { time >= $0 } ?? true && limits.until.map { time < $0 } ?? true
    }
    var unlisted = 0
    let chains = gathering.chains(by: account).sorted { server.post($1.top) < server.post($0.top) }
    for (top, part) in chains {
      // Answers to others are no threads of the account's.
      if let first = part.statuses[top], first.inReplyTo != nil { continue }
      let id = server.post(top)
      guard let given = part.statuses.values.filter(isWanted).map(\.id).min() else { continue }
      let isKnown = known(id)
      var search = Search(gathering: part, given: given, account: account)
      if !isKnown, !gathering.isKnown(top) || request.wantsReplies { await complete(&search) }
      let first = search.gathering.statuses[search.top]
      guard first == nil || first?.inReplyTo == nil else { continue }
      guard isKnown || search.chain.count >= limits.minPosts else { continue }
      if first?.audience == .unlisted, !isKnown {
        unlisted += 1
        continue
      }
      var (conversation, notes) = conversation(
        search, withReplies: request.wantsReplies, known: nil, foundBy: .timeline)
      if isKnown { conversation.coverage = Coverage() }
      result.found.append(conversation.id)
      result.conversations.append(conversation)
      result.notes += notes
      if let failure = search.failure, result.failure == nil { result.failure = failure }
      if result.failure?.endsTheRun == true { break }
    }
    if unlisted > 0 {
      api.say(
        "\(unlisted == 1 ? "1 thread" : "\(unlisted) threads") of \(request.account) "
          + "\(unlisted == 1 ? "is" : "are") unlisted, and left out: name a post of each to have it.")
    }
  }
}
