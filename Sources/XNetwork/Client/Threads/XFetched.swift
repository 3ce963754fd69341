package import ThreadModel

/// What came of looking for threads. What was fetched is here even where a later request failed.
package struct XFetched: Sendable, Hashable {
  /// The threads, each merged with what was known of it; what is missing from one, its coverage says.
  package var conversations: [Conversation] = []
  /// Ids of the conversations that the source named, in its order, those that were known already included.
  package var found: [PostID] = []
  /// How far an account's timeline is read; `nil` for what is no account.
  package var timeline: XTimelineProgress?
  /// Posts given that led to no thread, and why.
  package var refused: [String: XClientError] = [:]
  /// Why something could not be had; `nil` where every request did what it should, or another way led there.
  package var failure: XClientError?
  /// What the user may want to know, each a sentence.
  package var notes: [String] = []
  /// Whether X refused to search its full archive. Given to `XThreads`, it saves asking again.
  package var lacksFullSearch = false

  package init() {}
}

/// How far an account's timeline was read, so that no post of it is paid for twice.
package struct XTimelineProgress: Sendable, Hashable {
  /// A part that is not read yet, between two posts that are: ids, both exclusive.
  package struct Unread: Sendable, Hashable {
    package var before: String
    /// `nil` where the part reaches down to the oldest post that is wanted.
    package var after: String?

    package init(before: String, after: String? = nil) {
      self.before = before
      self.after = after
    }
  }

  /// The id of the account: a handle may come to mean another.
  package var account: String
  /// What was wanted of the timeline: with other limits it is read anew.
  package var since: Timestamp?
  package var until: Timestamp?
  /// The newest post that was read.
  package var newest: String?
  package var unread: Unread?

  package init(account: String, since: Timestamp? = nil, until: Timestamp? = nil) {
    self.account = account
    self.since = since
    self.until = until
  }
}

/// What is wanted of a thread beside the author's own chain.
package struct XThreadOptions: Sendable, Hashable {
  /// Whether other people's replies are kept.
  package var replies: Bool

  package init(replies: Bool = false) { self.replies = replies }
}

/// Which of an author's threads are wanted.
package struct XThreadLimits: Sendable, Hashable {
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
