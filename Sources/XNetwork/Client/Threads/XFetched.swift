package import ThreadModel

/// The result of a search for threads. It contains what was fetched even if a later request failed.
package struct XFetched: Sendable, Hashable {
  /// The threads, each merged with the stored conversation; the coverage says what is missing.
  package var conversations: [Conversation] = []
  /// The ids of the conversations that the source contains, in its order, including known ones.
  package var found: [PostID] = []
  /// How far an account's timeline was read; `nil` for other sources.
  package var timeline: XTimelineProgress?
  /// The requested posts that led to no thread, with the reasons.
  package var refused: [String: XClientError] = [:]
  /// The error if something could not be fetched; `nil` if all requests succeeded or an alternative did.
  package var failure: XClientError?
  /// Messages for the user, each a sentence.
  package var notes: [String] = []
  /// Whether X refused to search its full archive. Passed to `XThreads`, it avoids repeating the request.
  package var lacksFullSearch = false

  package init() {}
}

/// How far an account's timeline was read, so that none of its posts is paid for twice.
package struct XTimelineProgress: Sendable, Hashable {
  /// An unread part between two posts that were read: ids, both exclusive.
  package struct Unread: Sendable, Hashable {
    package var before: String
    /// `nil` if the part extends to the oldest wanted post.
    package var after: String?

    package init(before: String, after: String? = nil) {
      self.before = before
      self.after = after
    }
  }

  /// The id of the account, as a handle may pass to another account.
  package var account: String
  /// The limits of the reading; with different limits the timeline is read again.
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

/// Which posts of a thread are wanted in addition to the author's chain.
package struct XThreadOptions: Sendable, Hashable {
  /// Whether other people's replies are kept.
  package var replies: Bool

  package init(replies: Bool = false) { self.replies = replies }
}

/// Which of an author's threads are wanted.
package struct XThreadLimits: Sendable, Hashable {
  /// Threads with posts written at or after this time; their earlier posts are included.
  package var since: Timestamp?
  /// Threads with posts written before this time.
  package var until: Timestamp?
  /// The minimum number of posts in the author's chain.
  package var minPosts: Int

  package init(since: Timestamp? = nil, until: Timestamp? = nil, minPosts: Int = 2) {
    self.since = since
    self.until = until
    self.minPosts = minPosts
  }
}
