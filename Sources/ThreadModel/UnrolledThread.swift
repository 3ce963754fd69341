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
  package var completeness: Completeness
  package var provenance: [Provenance]

  package init(id: PostID, author: Author) {
    self.id = id
    self.author = author
    self.items = []
    self.answers = []
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

/// How much of the thread is here.
package struct Completeness: Hashable, Sendable {
  /// Posts of the author in the chain, branches included.
  package var known: Int
  /// Posts that there should be, where anything says so.
  package var expected: Int?
  /// Why some are missing or may be, each a sentence without a full stop.
  package var reasons: [String]

  package init(known: Int, expected: Int? = nil, reasons: [String] = []) {
    self.known = known
    self.expected = expected
    self.reasons = reasons
  }

  /// Whether nothing is known to be missing.
  package var isWhole: Bool { reasons.isEmpty && (expected ?? known) <= known }
}

extension UnrolledThread {
  /// The posts of the main line, gaps left out.
  package var mainPosts: [ThreadPost] {
    items.compactMap { if case .post(let post) = $0 { post } else { nil } }
  }
}
