package import ThreadModel

/// A post or a thread of the site that a text of the owner shows in place of its URL.
package enum Embedded: Sendable {
  case post(Quote)
  case thread(ThreadCard)

  /// A thread as a preview.
  package struct ThreadCard: Sendable {
    package var title: String
    /// The URL of its page.
    package var url: String
    package var excerpt: String
    package var author: String
    package var published: Timestamp?

    package init(title: String, url: String, excerpt: String, author: String, published: Timestamp?) {
      self.title = title
      self.url = url
      self.excerpt = excerpt
      self.author = author
      self.published = published
    }
  }
}

extension UnrolledThread {
  /// Returns a post that the page shows as a separate post, with its author and its quote; `nil` if the page does not show it.
  package func shown(_ id: PostID) -> Quote? {
    func find(_ items: [ThreadItem]) -> Quote? {
      for case .post(let item) in items {
        if item.post.id == id { return .post(item.post, author: author, quote: item.quote) }
        for branch in item.branches { if let found = find(branch.items) { return found } }
      }
      return nil
    }
    func find(_ reply: Reply) -> Quote? {
      if reply.post.id == id { return .post(reply.post, author: reply.author, quote: reply.quote) }
      return reply.replies.lazy.compactMap(find).first
    }
    return find(items) ?? answers.lazy.compactMap { find($0.items) }.first
      ?? replies.lazy.compactMap(find).first
  }
}
