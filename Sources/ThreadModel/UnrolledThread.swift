/// A thread in reading order: the result of unrolling a conversation, and the only input of rendering.
package struct UnrolledThread: Hashable, Sendable {
  package var id: PostID
  package var author: Author
  /// The post that the first post answers, if the thread begins as a reply.
  package var context: Quote?
  /// The author's main line with its gaps, in order.
  package var items: [ThreadItem]
  /// The author's answers to others, apart from the main line, in order.
  package var answers: [Answer]
  /// Replies of others to the thread, with the author's answers among them; empty unless requested.
  package var replies: [Reply]
  package var completeness: Completeness
  /// When all of the thread's posts were last requested from the network.
  package var checkedAt: Timestamp?
  package var provenance: [Provenance]

  package init(id: PostID, author: Author) {
    self.id = id
    self.author = author
    self.items = []
    self.answers = []
    self.replies = []
    self.completeness = Completeness(known: 0)
    self.provenance = []
  }
}

/// An element of a line: a post, or the place of a missing post.
///
/// The enumeration is indirect because posts are large and lists of items are copied often. A copy takes one reference.
package indirect enum ThreadItem: Hashable, Sendable {
  case post(ThreadPost)
  case gap(Gap)
}

/// A post of the thread with its quote and its branches.
package struct ThreadPost: Hashable, Sendable {
  package var post: Post
  package var quote: Quote?
  /// Further continuations that the author wrote below this post, in order; their labels are unique within the thread.
  package var branches: [SideBranch]

  package init(_ post: Post, quote: Quote? = nil, branches: [SideBranch] = []) {
    self.post = post
    self.quote = quote
    self.branches = branches
  }
}

/// A continuation apart from the main line.
package struct SideBranch: Hashable, Sendable {
  /// "1", "2", … in reading order, "2.1" for a branch of a branch.
  package var label: String
  package var items: [ThreadItem]

  package init(label: String, items: [ThreadItem]) {
    self.label = label
    self.items = items
  }
}

/// A post that another post shows or answers. A missing post is replaced by the known reason.
package indirect enum Quote: Hashable, Sendable {
  case post(Post, author: Author?, quote: Quote?)
  case tombstone(Tombstone, author: Author?)
}

/// The place of a missing post in a line.
package struct Gap: Hashable, Sendable {
  /// The missing post's id, and the reason (`unknown` if no source gives one).
  package var tombstone: Tombstone

  package init(_ tombstone: Tombstone) { self.tombstone = tombstone }
}

/// A post that the author wrote to another person within the conversation, with the author's continuation of it.
package struct Answer: Hashable, Sendable {
  package var inReplyTo: Quote
  package var items: [ThreadItem]

  package init(inReplyTo: Quote, items: [ThreadItem]) {
    self.inReplyTo = inReplyTo
    self.items = items
  }
}

/// A reply to a post of the thread, and the replies to it, latest first.
package struct Reply: Hashable, Sendable {
  package var post: Post
  /// `nil` if the author of the reply is unknown.
  package var author: Author?
  package var quote: Quote?
  /// Whether the thread's author wrote it.
  package var isByAuthor: Bool
  /// The author of the answered post, if the position of this reply does not show it: replies below the deepest level are at the same level as the
  /// posts that they answer.
  package var addressee: Author?
  package var replies: [Reply]

  package init(
    _ post: Post, author: Author?, quote: Quote? = nil, isByAuthor: Bool = false, addressee: Author? = nil,
    replies: [Reply] = []
  ) {
    self.post = post
    self.author = author
    self.quote = quote
    self.isByAuthor = isByAuthor
    self.addressee = addressee
    self.replies = replies
  }
}

/// How complete the thread is.
package struct Completeness: Hashable, Sendable {
  /// The number of the author's posts in the chain, including branches.
  package var known: Int
  /// The number of posts that the thread should have, if known.
  package var expected: Int?
  /// Why posts are or may be missing, in the order in which the reasons are shown.
  package var reasons: [Reason]

  package init(known: Int, expected: Int? = nil, reasons: [Reason] = []) {
    self.known = known
    self.expected = expected
    self.reasons = reasons
  }

  /// Whether no post is known to be missing.
  package var isWhole: Bool { reasons.isEmpty && (expected ?? known) <= known }
}

extension Completeness {
  /// A reason why posts of a thread are or may be missing, or may be in the wrong place. `ThreadMarkdown` has the wording.
  package enum Reason: Hashable, Sendable {
    /// A limit of the source.
    case limit(CoverageLimit)
    /// Only posts before the requested post could be found, and the source reports no other limit.
    case onlyEarlierPosts
    /// The number of posts that are missing for this reason. `unknown` includes all reasons that unrolling does not distinguish.
    case missing(Int, TombstoneReason)
    /// The number of posts that are sorted by their ids, because the posts that they answer are unknown.
    case placedByID(Int)
  }
}

extension UnrolledThread {
  /// The posts of the main line, without gaps.
  package var mainPosts: [ThreadPost] {
    items.compactMap { if case .post(let post) = $0 { post } else { nil } }
  }
}

extension UnrolledThread {
  /// Calls `body` with each post that the page shows as a separate post, in the main line, side branches, answers and replies.
  package func forEachShownPost(_ body: (Post) -> Void) {
    Self.forEachPost(in: items, body)
    for answer in answers { Self.forEachPost(in: answer.items, body) }
    for reply in replies { reply.forEachPost { body($0.post) } }
  }

  /// Calls `body` with each post of the author in reading order: main line, side branches at their places, and answers, including those
  /// among the replies of others.
  package func forEachAuthorPost(_ body: (Post) -> Void) {
    Self.forEachPost(in: items, body)
    for answer in answers { Self.forEachPost(in: answer.items, body) }
    for reply in replies { reply.forEachPost { if $0.isByAuthor { body($0.post) } } }
  }

  /// The number of quotes within each other that a page shows; deeper ones are links.
  package static let deepestQuote = 2

  /// Calls `body` with each post whose text and media the page shows: those of `forEachShownPost`, the posts that they quote, and the
  /// posts that they answer. A post that is quoted repeatedly is visited repeatedly.
  package func forEachVisiblePost(_ body: (Post) -> Void) {
    func visit(_ quote: Quote?, depth: Int) {
      guard depth < Self.deepestQuote, case .post(let post, _, let inner) = quote else { return }
      body(post)
      visit(inner, depth: depth + 1)
    }
    func visit(_ items: [ThreadItem]) {
      for case .post(let threadPost) in items {
        body(threadPost.post)
        visit(threadPost.quote, depth: 0)
        for branch in threadPost.branches { visit(branch.items) }
      }
    }
    visit(context, depth: 0)
    visit(items)
    for answer in answers {
      visit(answer.inReplyTo, depth: 0)
      visit(answer.items)
    }
    for reply in replies {
      reply.forEachPost { reply in
        body(reply.post)
        visit(reply.quote, depth: 0)
      }
    }
  }

  /// The ids of the posts that `forEachShownPost` visits.
  package var shownPosts: Set<PostID> {
    var ids: Set<PostID> = []
    forEachShownPost { ids.insert($0.id) }
    return ids
  }

  private static func forEachPost(in items: [ThreadItem], _ body: (Post) -> Void) {
    for case .post(let threadPost) in items {
      body(threadPost.post)
      for branch in threadPost.branches { forEachPost(in: branch.items, body) }
    }
  }
}

extension Reply {
  /// Calls `body` with this reply and all replies below it, in reading order.
  package func forEachPost(_ body: (Reply) -> Void) {
    body(self)
    for reply in replies { reply.forEachPost(body) }
  }
}
