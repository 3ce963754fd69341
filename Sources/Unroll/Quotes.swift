import Basics
import ThreadModel

/// Resolves the ids of quoted posts, to two levels: a quote in a quote in a post of the thread.
struct Quotes {
  private let known: KnownPosts
  private let authors: [AuthorID: Author]

  init(_ conversation: Conversation, known: KnownPosts) {
    self.known = known
    authors = Author.byID(conversation.authors)
  }

  /// Returns the author's record, or a record with only the id if there is no other.
  func author(_ id: AuthorID) -> Author { authors[id] ?? Author(id: id) }

  /// Returns the quote of the post at an index.
  func quote(in position: Int) -> Quote? {
    guard let id = known.posts[position].quotes, id != known.posts[position].id else { return nil }
    return quote(of: id, within: known.posts[position].id)
  }

  /// Returns a post with its quote or, if it is missing, the known reason; `nil` if it is hidden.
  ///
  /// - Parameter outer: The post that shows this one. If this post quotes it in return, that quote is omitted.
  func quote(of id: PostID, within outer: PostID? = nil) -> Quote? {
    guard let shown = level(id) else { return nil }
    guard case .post(let post, let author, _) = shown, let inner = post.quotes, inner != post.id,
      inner != outer
    else { return shown }
    let quote = level(inner)
    return .post(self.post(post, beside: quote), author: author, quote: quote)
  }

  /// Returns the post at an index as it is shown beside its quote.
  func post(at position: Int, beside quote: Quote?) -> Post { post(known.posts[position], beside: quote) }

  /// Returns a post without the link line and the card by which servers repeat its quote, if the quoted post is shown or hidden. The link
  /// to a missing post stays, because no more may be known of the post.
  private func post(_ post: Post, beside quote: Quote?) -> Post {
    guard let id = post.quotes, post.card != nil || !post.text.entities.isEmpty else { return post }
    let quoted: Post?
    switch quote {
    case .post(let shown, _, _): quoted = shown
    case .tombstone: return post
    case nil:
      guard known.isHidden(known.latest(id)) else { return post }
      quoted = known.position(of: id).map { known.posts[$0] }
    }
    let addresses = quoted.map { [$0.url, $0.extra["uri"]?.string].compactMap(\.self) }
    var post = post
    let text = post.text.withoutQuoteLine { addresses?.contains($0) ?? true }
    if text != post.text { post.text = text }
    if let card = post.card, addresses?.contains(card.url) == true { post.card = nil }
    return post
  }

  /// Returns the post that an answer replies to. For a hidden post, only the fact that it exists is returned.
  func answered(_ id: PostID) -> Quote {
    quote(of: id) ?? .tombstone(Tombstone(id: id, reason: .hidden), author: nil)
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
