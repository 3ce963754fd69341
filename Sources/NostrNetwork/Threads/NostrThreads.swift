import NetworkSources
package import ThreadModel

/// The conversations of a set of events. They depend neither on the order of the events nor on repetitions.
///
/// The newest version of a replaceable event, such as a profile or an article, counts. Events that their authors deleted are removed.
package struct NostrThreads: Sendable {
  private var posts: [PostID: Post] = [:]
  private var authors: [AuthorID: Author] = [:]
  /// The deleted posts that were in the set.
  private var tombstones: [PostID: Tombstone] = [:]
  private var ids = ConversationIDs<PostID>(<)
  private let provenance: [Provenance]
  private var requests = NostrDeletions()

  /// - Parameters:
  ///   - events: in any order; repeated events count once.
  ///   - names: the verified names of accounts (NIP-05), by public key. The handle of other accounts is `npub1…`.
  ///   - provenance: the source of the events. Its time is that of the votes of polls.
  package init(
    _ events: some Sequence<NostrEvent>, names: [String: String] = [:], provenance: Provenance
  ) {
    self.provenance = [provenance]
    var newest: [PostID: NostrEvent] = [:]
    /// The posts of the versions of articles, by the ids of the events.
    var versions: [PostID: PostID] = [:]
    var profiles: [String: NostrEvent] = [:]
    var votes: [String: Set<NostrEvent>] = [:]
    var all: [NostrEvent] = []
    for event in events {
      requests.add(event)
      if event.isPost { all.append(event) }
      if event.kind == NostrEvent.Kind.profile { Self.keepNewest(event, &profiles[event.author]) }
      if event.kind == NostrEvent.Kind.vote, let poll = event.value("e") {
        votes[poll, default: []].insert(event)
      }
    }
    for event in all {
      let post = NostrID.post(of: event)
      if event.coordinate != nil { versions[NostrID.post(event.id)] = post }
      if let removedAt = requests.removal(of: event) {
        tombstones[post] = Self.tombstone(post, by: event.author, removedAt)
        requests.add(version: event)
      } else {
        Self.keepNewest(event, &newest[post])
      }
    }
    addAuthors(profiles.values, names)
    let shown = authors.mapValues(\.name)
    for (id, event) in newest {
      var post = Post(event, votes: Array(votes[event.id] ?? []), observedAt: provenance.fetchedAt) { key in
        shown[NostrID.author(key)] ?? nil
      }
      // Notes name the version of an article that they answer.
      if let parent = post.inReplyTo.flatMap({ versions[$0] }) { post.inReplyTo = parent }
      if let quoted = post.quotes.flatMap({ versions[$0] }) { post.quotes = quoted }
      if let root = post.conversationID.flatMap({ versions[$0] }) { post.conversationID = root }
      posts[id] = post
      // A version after the deletion is a new post.
      tombstones[id] = nil
    }
    for post in posts.values { addAuthor(post.authorID.value, names) }
    place()
  }

  private static func keepNewest(_ event: NostrEvent, _ known: inout NostrEvent?) {
    // If two events have the same second, the event with the lower id counts (NIP-01).
    if let other = known, (other.createdAt, event.id) >= (event.createdAt, other.id) { return }
    known = event
  }

  private static func tombstone(_ id: PostID, by key: String, _ removedAt: Timestamp) -> Tombstone {
    var stone = Tombstone(id: id, reason: .deleted)
    stone.authorID = NostrID.author(key)
    stone.removedAt = removedAt
    return stone
  }

  private mutating func addAuthors(_ profiles: some Sequence<NostrEvent>, _ names: [String: String]) {
    for profile in profiles.compactMap(NostrProfile.init) {
      let author = profile.author(handle: names[profile.key] ?? NostrID.name(ofKey: profile.key))
      authors[author.id] = author
    }
  }

  /// Adds an account without a profile.
  private mutating func addAuthor(_ key: String, _ names: [String: String]) {
    let id = NostrID.author(key)
    guard authors[id] == nil else { return }
    let name = NostrID.name(ofKey: key)
    var author = Author(id: id, handle: names[key] ?? name)
    author.url = NostrAddresses.url(name)
    authors[id] = author
  }

  /// Finds the conversation of each post, and the authors of the answered posts.
  private mutating func place() {
    var parents: [PostID: PostID] = [:]
    for (id, post) in posts {
      parents[id] = post.inReplyTo
      ids.said[id] = post.conversationID
      guard let parent = post.inReplyTo else { continue }
      if let author = posts[parent]?.authorID ?? tombstones[parent]?.authorID {
        posts[id]?.inReplyToAuthor = author
      }
    }
    ids.resolve(parents)
  }

  // MARK: Conversations

  /// Returns the conversation of the author of the first post, with all posts, or, if that post is not known, one conversation for each author
  /// of a post, with the author's posts and the posts above that these answer.
  package func conversations() -> [Conversation] {
    Dictionary(grouping: posts.keys, by: ids.conversation).flatMap { id, members in
      ConversationPlacement.nostr.resolve(
        [part(id, members)], as: id, by: Set(members.compactMap { posts[$0]?.authorID }))
    }
  }

  /// Returns an author's conversation with a post; `nil` if the post is not known.
  ///
  /// - Parameters:
  ///   - owner: the author of the thread; `nil` for the author of the first post or, if that post is not known, of the post itself.
  ///   - includesReplies: whether it has all posts. Otherwise it has the posts of its author and those that they answer.
  package func conversation(
    with post: PostID, of owner: AuthorID? = nil, includesReplies: Bool = true
  ) -> Conversation? {
    guard let known = posts[post] else { return nil }
    let id = ids.conversation(post)
    let owner = owner ?? posts[id]?.authorID ?? known.authorID
    var members = posts.keys.filter { ids.conversation($0) == id }
    if !includesReplies {
      let own = members.filter { posts[$0]?.authorID == owner }
      let shown = ConversationReferences.above(own) { posts[$0]?.inReplyTo }
      members.removeAll { !shown.contains($0) }
    }
    var part = part(id, members)
    part.authorID = owner
    return ConversationPlacement.nostr.resolve([part], as: id).first
  }

  private func part(_ id: PostID, _ members: [PostID]) -> Conversation {
    var part = Conversation(id: id, authorID: NostrID.author(""))
    part.posts = members.compactMap { posts[$0] }
    part.related = ConversationReferences.quoted(by: part.posts) { posts[$0] }
    let all = part.posts + part.related
    let named = Set(all.flatMap { [$0.inReplyTo, $0.quotes].compactMap(\.self) })
    part.tombstones = named.compactMap { tombstones[$0] }
    part.provenance = provenance
    part.authors = Set(all.flatMap { [$0.authorID, $0.inReplyToAuthor].compactMap(\.self) }).compactMap {
      authors[$0]
    }
    return part
  }

  /// All accounts with a profile or a post in the set.
  package func author(_ id: AuthorID) -> Author? { authors[id] }

  /// All posts that are not deleted.
  package func post(_ id: PostID) -> Post? { posts[id] }

  /// The events that accounts asked to delete. An account may name events of others, which stay.
  package var deletions: NostrDeletions { requests }

  // MARK: References of an event

  /// Returns the first post of an event's conversation, if the event is a reply and states it.
  package static func root(of event: NostrEvent) -> PostID? { NostrPlace(event).root }

  /// Returns the post that an event answers.
  package static func parent(of event: NostrEvent) -> PostID? { NostrPlace(event).parent }

  /// Returns the posts that an event quotes or mentions: those in its text in order, then those of its `q` tags (NIP-18). A post shows the
  /// first one.
  package static func quoted(by event: NostrEvent) -> [PostID] { quoted(by: event, in: NostrText(of: event)) }

  static func quoted(by event: NostrEvent, in text: NostrText) -> [PostID] {
    let tags = event.values("q").compactMap(\.first).prefix(NostrEvent.mostQuotes).compactMap {
      NostrID.post(tag: $0)
    }
    return text.references + tags.filter { !text.references.contains($0) }
  }

  /// Returns the public keys of the accounts that the text of an event mentions.
  package static func mentionedAuthors(in event: NostrEvent) -> Set<String> { NostrText(of: event).mentions }
}

extension ConversationPlacement {
  /// A post that its author deleted is not shown.
  static let nostr = ConversationPlacement(
    isPost: { NostrID.reference($0) != nil }, hides: { $0.reason == .deleted })
}
