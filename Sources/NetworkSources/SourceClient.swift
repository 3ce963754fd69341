import Basics
package import SiteConfig
package import ThreadModel

/// A client of a network's API for one run, with one credential, one budget and one record of the network's limits.
package protocol SourceClient: Sendable {
  /// Returns the session with a name. If a run is stopped before the responses of a session are saved, the next run's session with the same
  /// name continues from these responses.
  func session(named name: String) -> any SourceSession
  /// The usage so far; may be read at any time.
  var usage: SourceUsage { get }
}

/// The requests that belong together, such as those for one account or one search.
package protocol SourceSession: Sendable {
  /// Fetches the threads of posts, as many as possible together. Two posts of one thread yield the thread once.
  ///
  /// - Parameter stored: returns the stored version of a thread. It is called when a requested post turns out to belong to a thread that
  ///   the request did not have in `known`.
  func threads(
    of requests: [ThreadRequest], stored: @escaping @Sendable (PostID, AuthorID) -> Conversation?
  ) async -> FetchedThreads
  /// Fetches the threads of an account.
  ///
  /// - Parameter known: whether a conversation is known. For known ones, only the posts from the account's list are returned, without
  ///   further requests.
  func threads(
    by account: AccountRequest, known: @escaping @Sendable (PostID) -> Bool
  ) async -> FetchedThreads
  /// Fetches the threads that a search with the network's own operators finds.
  ///
  /// - Parameters:
  ///   - limit: the number of threads, including known ones, after which the search ends.
  ///   - known: whether a conversation is known. Known ones are listed in `found` and not requested again.
  func threads(
    matching query: String, limit: Int?, known: @escaping @Sendable (PostID) -> Bool
  ) async -> FetchedThreads
  /// Looks up every known post of the conversations, and removes or marks posts that the network no longer shows. The conversations are
  /// returned in the same order.
  func recheck(_ conversations: [Conversation], onDeleted: SiteConfig.Fetch.Deletion) async -> FetchedThreads
  /// Fetches an account's profile. A plan uses its number of posts to estimate the cost of reading the account.
  func profile(of account: AccountReference) async -> FetchedProfile
  /// Fetches an author's profile with up to `followers` followers.
  func profile(of author: AuthorID, followers: Int) async -> FetchedProfile
  /// Deletes the responses that were stored in case the run is stopped. Must be called when all results are saved.
  func finish() throws(SourceError)
}

/// The defaults for a network that has no lists of an account's threads, no search and no profiles.
extension SourceSession {
  package func threads(
    by account: AccountRequest, known: @escaping @Sendable (PostID) -> Bool
  ) async -> FetchedThreads {
    .refused("the threads of an account cannot be fetched from this network; name single posts")
  }

  package func threads(
    matching query: String, limit: Int?, known: @escaping @Sendable (PostID) -> Bool
  ) async -> FetchedThreads {
    .refused("this network cannot be searched; name accounts or single posts")
  }

  package func profile(of account: AccountReference) async -> FetchedProfile { FetchedProfile() }
  package func profile(of author: AuthorID, followers: Int) async -> FetchedProfile { FetchedProfile() }

  package func finish() throws(SourceError) {}
}

extension FetchedThreads {
  fileprivate static func refused(_ message: String) -> FetchedThreads {
    var result = FetchedThreads()
    result.failure = SourceError(.content, message)
    return result
  }
}

/// A request for a thread, by any of its posts.
package struct ThreadRequest: Sendable {
  /// The post as named by a URL; `nil` for a thread of the store.
  package var reference: PostReference?
  /// The id of the post in the store, if known.
  package var postID: PostID?
  /// The stored version of the thread: only missing or new posts are requested.
  package var known: Conversation?
  /// Whether other authors' replies are wanted.
  package var wantsReplies: Bool

  package init(
    _ reference: PostReference?, postID: PostID?, known: Conversation? = nil, wantsReplies: Bool = false
  ) {
    self.reference = reference
    self.postID = postID
    self.known = known
    self.wantsReplies = wantsReplies
  }
}

/// A request for the threads of an account.
package struct AccountRequest: Sendable {
  package var account: AccountReference
  package var limits: ThreadLimits
  /// Whether other authors' replies are wanted.
  package var wantsReplies: Bool
  /// Whether threads with an unlisted first post are wanted: everybody may see them, but they are in no public list.
  package var wantsUnlisted = false
  /// How far an earlier run read the account's posts.
  package var progress: AccountProgress?
  /// The account's profile, if known; used by plans.
  package var author: Author?

  package init(
    _ account: AccountReference, limits: ThreadLimits = ThreadLimits(), wantsReplies: Bool = false,
    progress: AccountProgress? = nil
  ) {
    self.account = account
    self.limits = limits
    self.wantsReplies = wantsReplies
    self.progress = progress
  }
}

/// The limits that decide which of an account's threads are wanted.
package struct ThreadLimits: Sendable, Hashable {
  /// Only threads with posts written at or after this time; their earlier posts are included.
  package var since: Timestamp?
  /// Only threads with posts written before this time.
  package var until: Timestamp?
  /// The minimum number of posts in the author's chain.
  package var minPosts: Int

  package init(since: Timestamp? = nil, until: Timestamp? = nil, minPosts: Int = 2) {
    self.since = since
    self.until = until
    self.minPosts = minPosts
  }
}

/// The result of fetching threads. It contains the fetched threads even if a later request failed.
package struct FetchedThreads: Sendable {
  /// The threads, each merged with its known version. The `coverage` of a thread lists its missing parts.
  package var conversations: [Conversation] = []
  /// The ids of the conversations that the network returned, in its order, including known ones.
  package var found: [PostID] = []
  /// The progress of reading an account; `nil` if it must not be saved or no account was requested.
  package var progress: AccountProgress?
  /// The errors of requests that found no thread, by the index of the request.
  package var refused: [Int: SourceError] = [:]
  /// The error that caused missing parts; `nil` if every request succeeded or an alternative was found.
  package var failure: SourceError?
  /// Notes for the user, each a sentence.
  package var notes: [String] = []

  package init() {}
}

/// How far an account's list of posts was read, so that none of its posts is requested twice.
package struct AccountProgress: Sendable, Hashable {
  /// An unread part of the list.
  package struct Unread: Sendable, Hashable {
    /// The post or position in the list before which it begins, in the network's own terms.
    package var before: String
    /// The position where it ends; `nil` if it extends to the oldest wanted post.
    package var after: String?

    package init(before: String, after: String? = nil) {
      self.before = before
      self.after = after
    }
  }

  /// The id of the account, because a handle may pass to another account.
  package var account: String
  /// The limits of the reading. With other limits, other posts are wanted.
  package var since: Timestamp?
  package var until: Timestamp?
  package var includesUnlisted: Bool
  /// The smallest number of posts of the threads that were wanted. Shorter ones were read, but not kept.
  package var minPosts: Int
  /// The newest post that was read, in the network's own terms.
  package var newest: String?
  /// The part that a run left unread because it was stopped.
  package var unread: Unread?

  package init(account: String, _ limits: ThreadLimits, includesUnlisted: Bool = false) {
    self.account = account
    since = limits.since
    until = limits.until
    self.includesUnlisted = includesUnlisted
    minPosts = limits.minPosts
  }

  /// Continues an earlier run's reading of the same account if its range is not narrower, its end is the same, and it did not leave out
  /// threads that are wanted now. Otherwise begins a new one.
  package init(continuing earlier: AccountProgress?, of account: String, _ limits: ThreadLimits) {
    self.init(account: account, limits)
    guard let earlier, earlier.account == account, earlier.until == limits.until,
      earlier.minPosts <= limits.minPosts
    else { return }
    let isWider = earlier.since.map { before in limits.since.map { $0 < before } ?? true } ?? false
    guard !isWider else { return }
    newest = earlier.newest
    unread = earlier.unread
  }

  /// Returns the progress for a further reading of the same range; `nil` if the list was read for another range, or if threads were left
  /// out that are wanted now.
  package func continued(for limits: ThreadLimits, includesUnlisted: Bool = false) -> AccountProgress? {
    guard since == limits.since, until == limits.until, self.includesUnlisted == includesUnlisted,
      minPosts <= limits.minPosts
    else { return nil }
    var progress = self
    progress.minPosts = limits.minPosts
    return progress
  }

  /// Reads the value of ``members``; `nil` if it names no account.
  package init?(_ members: JSONObject) {
    func time(_ name: String) -> Timestamp? { members[name]?.string.flatMap { Timestamp(iso8601: $0) } }
    guard let account = members["account"]?.string else { return nil }
    self.account = account
    since = time("since")
    until = time("until")
    includesUnlisted = members["unlisted"] == true
    minPosts = members["min_posts"]?.int ?? .max
    newest = members["newest"]?.string
    unread = members["unread_before"]?.string.map {
      Unread(before: $0, after: members["unread_after"]?.string)
    }
  }

  /// The progress as a JSON object.
  package var members: JSONObject {
    var members: JSONObject = ["account": .string(account)]
    members["since"] = since.map { .string($0.iso8601) }
    members["until"] = until.map { .string($0.iso8601) }
    if includesUnlisted { members["unlisted"] = true }
    members["min_posts"] = .integer(Int64(minPosts))
    members["newest"] = newest.map { .string($0) }
    members["unread_before"] = unread.map { .string($0.before) }
    members["unread_after"] = unread?.after.map { .string($0) }
    return members
  }
}

/// The result of fetching a profile.
package struct FetchedProfile: Sendable {
  package var profile: Profile?
  /// The error that caused the profile or some of the followers to be missing.
  package var failure: SourceError?

  package init(profile: Profile? = nil, failure: SourceError? = nil) {
    self.profile = profile
    self.failure = failure
  }
}
