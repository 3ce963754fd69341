package import ThreadModel

/// A post at its place on a thread's page, for formats with one row per post.
package struct PlacedPost: Sendable {
  /// `main`, `branch`, `answer` to somebody, `reply` by somebody, or `context`: a post that is replied to.
  package enum Part: String, Sendable { case context, main, branch, answer, reply }

  package let post: Post
  /// `nil` if the author is unknown.
  package let author: Author?
  package let quote: Quote?
  package let part: Part
  /// The label of a side branch.
  package let branch: String?

  /// Returns all posts that a thread's page shows as separate posts, in its order.
  package static func all(of thread: UnrolledThread) -> [PlacedPost] {
    var places: [PlacedPost] = []
    func add(_ items: [ThreadItem], as part: Part, branch: String?) {
      for case .post(let item) in items {
        places.append(
          PlacedPost(post: item.post, author: thread.author, quote: item.quote, part: part, branch: branch))
        for side in item.branches { add(side.items, as: .branch, branch: side.label) }
      }
    }
    func add(answered quote: Quote) {
      guard case .post(let post, let author, let quoted) = quote else { return }
      places.append(PlacedPost(post: post, author: author, quote: quoted, part: .context, branch: nil))
    }
    func add(_ reply: Reply) {
      places.append(
        PlacedPost(post: reply.post, author: reply.author, quote: reply.quote, part: .reply, branch: nil))
      for inner in reply.replies { add(inner) }
    }
    if let context = thread.context { add(answered: context) }
    add(thread.items, as: .main, branch: nil)
    for answer in thread.answers {
      add(answered: answer.inReplyTo)
      add(answer.items, as: .answer, branch: nil)
    }
    for reply in thread.replies { add(reply) }
    return places
  }
}
