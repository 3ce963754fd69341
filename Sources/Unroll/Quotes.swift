import ThreadModel

/// Resolves the ids of posts that others show, to two levels: a post in a post in the thread.
struct Quotes {
  private let known: KnownPosts
  private let authors: [AuthorID: Author]

  init(_ conversation: Conversation, known: KnownPosts) {
    self.known = known
    authors = Author.byID(conversation.authors)
  }

  /// The author's record, or their id alone where nothing else is known.
  func author(_ id: AuthorID) -> Author { authors[id] ?? Author(id: id) }

  /// What the post at a position quotes.
  func quote(in position: Int) -> Quote? {
    guard let id = known.posts[position].quotes, id != known.posts[position].id else { return nil }
    return quote(of: id, within: known.posts[position].id)
  }

  /// A post with what it quotes, or what is known of why it is missing; `nil` where it is hidden.
  ///
  /// - Parameter outer: The post that shows this one: a quote of that in return ends there.
  func quote(of id: PostID, within outer: PostID? = nil) -> Quote? {
    guard let shown = level(id) else { return nil }
    guard case .post(let post, let author, _) = shown, let inner = post.quotes, inner != post.id,
      inner != outer
    else { return shown }
    return .post(post, author: author, quote: level(inner))
  }

  /// What an answer replies to; a hidden post leaves the bare fact that there is one.
  func answered(_ id: PostID) -> Quote {
    quote(of: id) ?? .tombstone(Tombstone(id: id, reason: .unknown), author: nil)
  }

  private func level(_ id: PostID) -> Quote? {
    guard !known.isHidden(known.latest(id)) else { return nil }
    if let position = known.position(of: id) ?? known.position(of: known.latest(id)) {
      let post = known.posts[position]
      return .post(post, author: authors[post.authorID], quote: nil)
    }
    let tombstone = known.tombstone(for: id)
    return .tombstone(tombstone, author: tombstone.authorID.flatMap { authors[$0] })
  }
}
