package import SiteConfig
package import ThreadModel

/// A network's API for one run: one credential, one budget, one view of the network's limits.
package protocol SourceClient: Sendable {
  /// Asks by name: what arrived under a name, and is not saved yet when a run is stopped, the next run goes on from.
  func session(named name: String) -> any SourceSession
  /// What was asked and read so far; may be looked at any time.
  var usage: SourceUsage { get }
}

/// One thing that is fetched: everything that is asked for it.
package protocol SourceSession: Sendable {
  /// The threads that posts belong to, as many as possible together. Two posts of one thread give it once.
  ///
  /// - Parameter stored: finds what is known of a thread once it turned out which one it is: for posts that are not known to be a part
  ///   of it.
  func threads(
    of requests: [ThreadRequest], stored: @escaping @Sendable (PostID, AuthorID) -> Conversation?
  ) async -> FetchedThreads
  /// The threads of an account.
  ///
  /// - Parameter known: whether a conversation is known. Of these, what the account's list brought is given, and nothing more is asked.
  func threads(
    by account: AccountRequest, known: @escaping @Sendable (PostID) -> Bool
  ) async -> FetchedThreads
  /// The threads that a search in the network's own operators finds.
  ///
  /// - Parameters:
  ///   - limit: the number of threads that are enough, known ones included.
  ///   - known: whether a conversation is known: these are named in `found`, and nothing more is asked about them.
  func threads(
    matching query: String, limit: Int?, known: @escaping @Sendable (PostID) -> Bool
  ) async -> FetchedThreads
  /// Looks up every known post of some conversations, which come back in their order: posts that the network no longer shows are
  /// removed or marked.
  func recheck(_ conversations: [Conversation], onDeleted: SiteConfig.Fetch.Deletion) async -> FetchedThreads
  /// Who an account is: how much they posted tells a plan what reading all of it costs.
  func profile(of account: AccountReference) async -> FetchedProfile
  /// An author's profile, with as many followers as wanted.
  func profile(of author: AuthorID, followers: Int) async -> FetchedProfile
  /// Forgets what was kept for the case that the run is stopped: to be called when all that came is saved.
  func finish() throws(SourceError)
}

/// What a network that offers less has: nobody's list of threads, no search, no profiles.
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

/// A thread that is asked for, by any of its posts.
package struct ThreadRequest: Sendable {
  /// As an address names it; `nil` for a thread of the store.
  package var reference: PostReference?
  /// What the store calls it, as far as that is known.
  package var postID: PostID?
  /// What is known of the thread: only what is missing or new is asked for.
  package var known: Conversation?
  /// Whether other people's replies are wanted.
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

/// An account whose threads are asked for.
package struct AccountRequest: Sendable {
  package var account: AccountReference
  package var limits: ThreadLimits
  /// Whether other people's replies are wanted.
  package var wantsReplies: Bool
  /// What an earlier run noted of how far it came, in the network's own terms.
  package var progress: JSONObject?
  /// Who it is, where that is known: for plans.
  package var author: Author?

  package init(
    _ account: AccountReference, limits: ThreadLimits = ThreadLimits(), wantsReplies: Bool = false,
    progress: JSONObject? = nil
  ) {
    self.account = account
    self.limits = limits
    self.wantsReplies = wantsReplies
    self.progress = progress
  }
}

/// Which of an account's threads are wanted.
package struct ThreadLimits: Sendable, Hashable {
  /// Threads with posts written from this moment on; what such a thread has before it comes, too.
  package var since: Timestamp?
  /// Posts written before this moment.
  package var until: Timestamp?
  /// Posts of the author's own chain.
  package var minPosts: Int

  package init(since: Timestamp? = nil, until: Timestamp? = nil, minPosts: Int = 2) {
    self.since = since
    self.until = until
    self.minPosts = minPosts
  }
}

/// What came of looking for threads. What was fetched is here even where a later request failed.
package struct FetchedThreads: Sendable {
  /// The threads, each merged with what was known of it; what is missing from one, its coverage says.
  package var conversations: [Conversation] = []
  /// Ids of the conversations that the source named, in its order, those that were known already included.
  package var found: [PostID] = []
  /// How far an account was read; `nil` for what is no account.
  package var progress: AccountProgress?
  /// Requests that led to no thread, by their positions, and why.
  package var refused: [Int: SourceError] = [:]
  /// Why something could not be had; `nil` where every request did what it should, or another way led there.
  package var failure: SourceError?
  /// What the user may want to know, each a sentence.
  package var notes: [String] = []

  package init() {}
}

/// How far an account was read, so that no post of it is asked for twice.
package struct AccountProgress: Sendable, Hashable {
  /// In the network's own terms, as `AccountRequest` gives it back: the members of a JSON object.
  package var state: JSONObject
  /// Whether an earlier run was stopped before it had read all that there was.
  package var hasUnread: Bool

  package init(_ state: JSONObject, hasUnread: Bool) {
    self.state = state
    self.hasUnread = hasUnread
  }
}

/// What came of asking for an author's profile.
package struct FetchedProfile: Sendable {
  package var profile: Profile?
  /// Why it, or a part of the followers, could not be had.
  package var failure: SourceError?

  package init(profile: Profile? = nil, failure: SourceError? = nil) {
    self.profile = profile
    self.failure = failure
  }
}
