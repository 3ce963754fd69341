package import ThreadModel

/// The conversations of a set of events.
package struct NostrThreads: Sendable {
  /// - Parameters:
  ///   - events: in any order; repeated events count once.
  ///   - names: the verified names of accounts (NIP-05), by public key. The handle of other accounts is `npub1…`.
  ///   - provenance: the source of the events.
  package init(
    _ events: some Sequence<NostrEvent>, names: [String: String] = [:], provenance: Provenance
  ) {}

  /// Returns one conversation for each author of a post, or only the conversation of the author of the first post if that post is known.
  package func conversations() -> [Conversation] { [] }

  /// Returns an author's conversation with a post; `nil` if the post is not known.
  ///
  /// - Parameter owner: the author of the thread; `nil` for the author of the first post or, if that post is not known, of the post itself.
  package func conversation(with post: PostID, of owner: AuthorID? = nil) -> Conversation? { nil }

  /// The posts that their authors deleted, with the times of the deletions. It includes posts that are not known.
  package var deletions: [PostID: Timestamp] { [:] }

  // MARK: References of an event

  /// Returns the first post of an event's conversation, if the event is a reply and states it.
  package static func root(of event: NostrEvent) -> PostID? { nil }

  /// Returns the post that an event answers.
  package static func parent(of event: NostrEvent) -> PostID? { nil }

  /// Returns the posts that an event quotes or mentions, in the order of its text. A post shows the first one.
  package static func quoted(by event: NostrEvent) -> [PostID] { [] }

  /// Returns the public keys of the accounts that the text of an event mentions.
  package static func mentionedAuthors(in event: NostrEvent) -> Set<String> { [] }
}
