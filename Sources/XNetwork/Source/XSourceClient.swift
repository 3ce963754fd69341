import Basics
import NetworkSources
import SiteConfig
import ThreadModel

/// A client of X's API for one run of the pipeline.
struct XSourceClient: SourceClient {
  private let client: XClient
  private let now: Timestamp

  /// - Parameter now: the start of the run.
  init(_ client: XClient, now: Timestamp) {
    self.client = client
    self.now = now
  }

  func session(named name: String) -> any SourceSession {
    let session = client.session(named: name)
    return XSourceSession(
      session: session,
      threads: XThreads(session, now: now, lacksFullSearch: client.fullArchiveClosedUntil != nil))
  }

  var usage: SourceUsage { SourceUsage(client.usage) }
}

/// A session of requests for one source.
private struct XSourceSession: SourceSession {
  let session: XSession
  let threads: XThreads

  func threads(
    of requests: [ThreadRequest], stored: @escaping @Sendable (PostID, AuthorID) -> Conversation?
  ) async -> FetchedThreads {
    let asked = requests.map { request in
      XThreadRequest(
        request.postID?.value ?? request.reference?.id ?? "", known: request.known,
        options: XThreadOptions(replies: request.wantsReplies))
    }
    let fetched = await threads.threads(of: asked, stored: stored)
    var result = FetchedThreads(fetched)
    for (position, request) in asked.enumerated() {
      result.refused[position] = fetched.refused[request.postID].map(SourceError.init)
    }
    return result
  }

  func threads(
    by request: AccountRequest, known: @escaping @Sendable (PostID) -> Bool
  ) async -> FetchedThreads {
    let progress: XTimelineProgress?
    do {
      progress = try request.progress.map { members throws(SourceError) in
        try XTimelineProgress(members, of: request.account)
      }
    } catch {
      var result = FetchedThreads()
      result.failure = error
      return result
    }
    return FetchedThreads(
      await threads.threads(
        by: request.account.handle, limits: XThreadLimits(request.limits),
        options: XThreadOptions(replies: request.wantsReplies), progress: progress, known: known))
  }

  func threads(
    matching query: String, limit: Int?, known: @escaping @Sendable (PostID) -> Bool
  ) async -> FetchedThreads {
    FetchedThreads(await threads.threads(matching: query, limit: limit, known: known))
  }

  func recheck(
    _ conversations: [Conversation], onDeleted: SiteConfig.Fetch.Deletion
  ) async -> FetchedThreads {
    FetchedThreads(await threads.recheck(conversations, onDeleted: onDeleted))
  }

  func profile(of account: AccountReference) async -> FetchedProfile {
    let fetched = await threads.profile(.handle(account.handle))
    return FetchedProfile(profile: fetched.profile, failure: fetched.failure.map(SourceError.init))
  }

  func profile(of author: AuthorID, followers: Int) async -> FetchedProfile {
    let fetched = await threads.profile(.id(author.value), followers: followers)
    return FetchedProfile(profile: fetched.profile, failure: fetched.failure.map(SourceError.init))
  }

  func finish() throws(SourceError) {
    do {
      try session.finish()
    } catch {
      throw SourceError(error)
    }
  }
}

extension FetchedThreads {
  fileprivate init(_ fetched: XFetched) {
    self.init()
    conversations = fetched.conversations
    found = fetched.found
    progress = fetched.timeline.map { AccountProgress($0.members, hasUnread: $0.unread != nil) }
    failure = fetched.failure.map(SourceError.init)
    notes = fetched.notes
  }
}

extension XThreadLimits {
  init(_ limits: ThreadLimits) {
    self.init(since: limits.since, until: limits.until, minPosts: limits.minPosts)
  }
}

extension XTimelineProgress {
  /// The members `account`, `since`, `until`, `newest`, `unread_before`, `unread_after` of a JSON object.
  fileprivate var members: JSONObject {
    var members: JSONObject = ["account": .string(account)]
    members["since"] = since.map { .string($0.iso8601) }
    members["until"] = until.map { .string($0.iso8601) }
    members["newest"] = newest.map { .string($0) }
    members["unread_before"] = unread.map { .string($0.before) }
    members["unread_after"] = unread?.after.map { .string($0) }
    return members
  }

  /// Reads the value of `members`; ids must be digits, as they are inserted into requests.
  init(_ members: JSONObject, of name: AccountReference) throws(SourceError) {
    func id(_ name: String) -> String? { members[name]?.string.flatMap { XID.isValid($0) ? $0 : nil } }
    let ids = ["account", "newest", "unread_before", "unread_after"]
    guard let account = id("account"), ids.allSatisfy({ members[$0] == nil || id($0) != nil }) else {
      throw SourceError(
        .content,
        "What the store's sources.json says of how far the account \(name) was read cannot be used; delete the entry."
      )
    }
    func time(_ name: String) -> Timestamp? { members[name]?.string.flatMap { Timestamp(iso8601: $0) } }
    self.init(account: account, since: time("since"), until: time("until"))
    newest = id("newest")
    unread = id("unread_before").map { Unread(before: $0, after: id("unread_after")) }
  }
}
