import ThreadModel

/// Resolves the ids of quoted posts, to two levels: a quote in a quote in a post of the thread.
struct Quotes {
  private let known: KnownPosts
  private let authors: [AuthorID: Author]

  init(_ conversation: Conversation, known: KnownPosts) {
    self.known = known
    authors = Author.byID(conversation.authors)
  }

  /// Returns the author's record, or a record with only the id if no other is known.
  func author(_ id: AuthorID) -> Author { authors[id] ?? Author(id: id) }

  /// Returns the quote of the post at an index.
  func quote(in position: Int) -> Quote? {
    guard let id = known.posts[position].quotes, id != known.posts[position].id else { return nil }
    return quote(of: id, within: known.posts[position].id)
  }

  /// Returns a post with its quote, or, if it is missing, what is known of the reason; `nil` if it is hidden.
  ///
  /// - Parameter outer: The post that shows this one: if this post quotes it in return, that quote is omitted.
  func quote(of id: PostID, within outer: PostID? = nil) -> Quote? {
    guard let shown = level(id) else { return nil }
    guard case .post(let post, let author, _) = shown, let inner = post.quotes, inner != post.id,
      inner != outer
    else { return shown }
    return .post(post, author: author, quote: level(inner))
  }

  /// Returns the post that an answer replies to; for a hidden post only the fact that it exists.
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
