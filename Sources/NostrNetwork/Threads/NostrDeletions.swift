package import ThreadModel

/// The requests of accounts to delete their events (NIP-09). They do not show that the account wrote an event: anyone can name any event.
package struct NostrDeletions: Sendable {
  /// A request to delete one post.
  package struct Request: Hashable, Sendable {
    package let post: PostID
    /// The account that asks for it.
    package let author: AuthorID
  }

  /// The latest time of each request.
  private var times: [Request: Timestamp] = [:]

  /// The maximum number of posts in one event.
  private static let most = 10_000

  init() {}

  mutating func add(_ event: NostrEvent) {
    guard event.kind == NostrEvent.Kind.deletion else { return }
    let kinds = event.values("k").compactMap { $0.first.flatMap(Int.init) }
    // An event that names only reactions, for example.
    guard kinds.isEmpty || !NostrEvent.Kind.posts.isDisjoint(with: kinds) else { return }
    for id in event.values("e").lazy.compactMap(\.first).filter({ NostrHex.isKey($0) }).prefix(Self.most) {
      add(NostrID.post(id), event)
    }
    for text in event.values("a").lazy.compactMap(\.first).prefix(Self.most) {
      guard let name = NostrCoordinate.article(tag: text), name.author == event.author else { continue }
      add(NostrID.post(name), event)
    }
  }

  private mutating func add(_ post: PostID, _ event: NostrEvent) {
    let request = Request(post: post, author: NostrID.author(event.author))
    times[request] = Timestamp.later(times[request], Timestamp(seconds: event.createdAt))
  }

  /// Adds a request for the article of a deleted version, up to this version.
  mutating func add(version event: NostrEvent) {
    if let name = event.coordinate { add(NostrID.post(name), event) }
  }

  /// All requests with their latest times.
  package var all: [Request: Timestamp] { times }

  /// Returns when the author of an event asked to delete it.
  package func removal(of event: NostrEvent) -> Timestamp? {
    let author = NostrID.author(event.author)
    if let time = times[Request(post: NostrID.post(event.id), author: author)] { return time }
    // Later versions of a replaceable event stay.
    guard let name = event.coordinate, let time = times[Request(post: NostrID.post(name), author: author)],
      Timestamp(seconds: event.createdAt) <= time
    else { return nil }
    return time
  }

  /// Returns when the author of a stored post asked to delete it.
  package func removal(of post: Post) -> Timestamp? {
    guard let time = times[Request(post: post.id, author: post.authorID)] else { return nil }
    // The time of an article is that of its newest version.
    if post.id.authority != nil, let seen = post.observedAt, seen > time { return nil }
    return time
  }
}
