/// A thread in reading order: what unrolling makes of a conversation, and all that rendering sees.
package struct UnrolledThread: Hashable, Sendable {
  package var id: PostID
  package var author: Author
  /// What the first post answers, where it is not the start of its conversation.
  package var context: Quote?
  /// The author's main line with its gaps, in order.
  package var items: [ThreadItem]
  /// What the author answered to others, apart from the main line; in order.
  package var answers: [Answer]
  /// What others replied to the thread, with the author's answers among them; empty unless asked for.
  package var replies: [Reply]
  package var completeness: Completeness
  /// When the network was last asked about all of the thread's posts.
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

/// A step of a line: a post, or the place of one that is missing.
///
/// Indirect, because a post is large and lists of items are passed around: a copy is one reference.
package indirect enum ThreadItem: Hashable, Sendable {
  case post(ThreadPost)
  case gap(Gap)
}

/// A post of the thread with what it shows.
package struct ThreadPost: Hashable, Sendable {
  package var post: Post
  package var quote: Quote?
  /// Other continuations that the author wrote below this post, in order; each is labelled across the whole thread.
  package var branches: [SideBranch]

  package init(_ post: Post, quote: Quote? = nil, branches: [SideBranch] = []) {
    self.post = post
    self.quote = quote
    self.branches = branches
  }
}

/// A continuation beside the main line.
package struct SideBranch: Hashable, Sendable {
  /// "1", "2", … in reading order, "2.1" for a branch of a branch.
  package var label: String
  package var items: [ThreadItem]

  package init(label: String, items: [ThreadItem]) {
    self.label = label
    self.items = items
  }
}

/// A post that another shows or answers: whole, or what is known of why it is missing.
package indirect enum Quote: Hashable, Sendable {
  case post(Post, author: Author?, quote: Quote?)
  case tombstone(Tombstone, author: Author?)
}

/// The place of a post that is missing from a line.
package struct Gap: Hashable, Sendable {
  /// What stands there: its id, and the reason (`unknown` where nobody said).
  package var tombstone: Tombstone

  package init(_ tombstone: Tombstone) { self.tombstone = tombstone }
}

/// Something that the author wrote to somebody else within the conversation, with the author's own continuation of it.
package struct Answer: Hashable, Sendable {
  package var inReplyTo: Quote
  package var items: [ThreadItem]

  package init(inReplyTo: Quote, items: [ThreadItem]) {
    self.inReplyTo = inReplyTo
    self.items = items
  }
}

/// A reply to a post of the thread, and what was replied to it in turn: the latest first.
package struct Reply: Hashable, Sendable {
  package var post: Post
  /// `nil` where nothing is known of who wrote it.
  package var author: Author?
  package var quote: Quote?
  /// Whether the thread's author wrote it.
  package var isByAuthor: Bool
  /// Whose post it answers, where its place does not say so: a reply below the deepest level stands beside what it answers.
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

/// How much of the thread is here.
package struct Completeness: Hashable, Sendable {
  /// Posts of the author in the chain, branches included.
  package var known: Int
  /// Posts that there should be, where anything says so.
  package var expected: Int?
  /// Why some are missing or may be, in the order in which they are said.
  package var reasons: [Reason]

  package init(known: Int, expected: Int? = nil, reasons: [Reason] = []) {
    self.known = known
    self.expected = expected
    self.reasons = reasons
  }

  /// Whether nothing is known to be missing.
  package var isWhole: Bool { reasons.isEmpty && (expected ?? known) <= known }
}

extension Completeness {
  /// Why posts of a thread are missing, may be, or may stand in the wrong place. The words for it are `ThreadMarkdown`'s.
  package enum Reason: Hashable, Sendable {
    /// What the source could not see.
    case limit(CoverageLimit)
    /// Only what stands before the post given could be found, and the source names no other limit.
    case onlyEarlierPosts
    /// So many posts are missing for this reason; `unknown` stands for every one that unrolling does not tell apart.
    case missing(Int, TombstoneReason)
    /// So many posts stand where their ids put them, as what they reply to is not known.
    case placedByID(Int)
  }
}

extension UnrolledThread {
  /// The posts of the main line, gaps left out.
  package var mainPosts: [ThreadPost] {
    items.compactMap { if case .post(let post) = $0 { post } else { nil } }
  }
}

extension UnrolledThread {
  /// Calls `body` with every post that stands on the page in its own right: main line, side branches, answers and replies.
  package func forEachShownPost(_ body: (Post) -> Void) {
    Self.forEachPost(in: items, body)
    for answer in answers { Self.forEachPost(in: answer.items, body) }
    for reply in replies { reply.forEachPost { body($0.post) } }
  }

  /// Their ids.
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
  /// Calls `body` with this reply and all below it, in reading order.
  package func forEachPost(_ body: (Reply) -> Void) {
    body(self)
    for reply in replies { reply.forEachPost(body) }
  }
}
