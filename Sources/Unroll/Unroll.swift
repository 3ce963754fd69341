package import ThreadModel

extension UnrolledThread {
  /// Puts a conversation in reading order.
  ///
  /// The result depends only on the facts: in any order and with any repetitions, they produce the same thread. Contradictory facts
  /// (replies in circles, ids without posts) also produce a thread, in time proportional to the number of posts. Each of the author's posts
  /// in `conversation` occurs exactly once, in `items`, in a branch or in `answers`, except for versions that an edit replaced and for
  /// posts in `hidden`.
  ///
  /// Hidden posts leave no gap, and posts that continue them continue the nearest shown post before them. Quotes of hidden posts are left
  /// out.
  ///
  /// - Parameter withReplies: Whether to include the replies of others. The author's answers to those are then among them instead of in
  ///   `answers`.
  package init(unrolling conversation: Conversation, hidden: Set<PostID> = [], withReplies: Bool = false) {
    let known = KnownPosts(conversation, hidden: hidden)
    let graph = ReplyGraph(known)
    let outline = Outline(graph, known: known)
    let quotes = Quotes(conversation, known: known)
    var writer = LineWriter(known: known, graph: graph, outline: outline, quotes: quotes)

    self.init(id: conversation.id, author: quotes.author(conversation.authorID))
    context = outline.context.flatMap { quotes.quote(of: $0) }
    items = writer.mainLine()
    completeness = Completeness(
      coverage: conversation.coverage, known: writer.postsWritten,
      gaps: writer.gapsWritten.merging(known.removed) { written, _ in written },
      placedByID: outline.placedByID, hidden: known.hiddenCount)
    answers = outline.answers.map { answer in
      Answer(
        inReplyTo: quotes.answered(answer.inReplyTo), items: writer.answerLine(from: answer.first))
    }
    checkedAt = conversation.coverage.checkedAt
    if withReplies { addReplies(of: known, quotes) }
    provenance = conversation.provenance.sorted {
      ($0.source.rawValue, $0.fetchedAt?.milliseconds ?? 0)
        < ($1.source.rawValue, $1.fetchedAt?.milliseconds ?? 0)
    }
  }
}
