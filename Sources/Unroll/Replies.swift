import ThreadModel

extension UnrolledThread {
  /// Adds the replies to the shown posts of the thread, and removes the answers among them from `answers`.
  ///
  /// An answer stays in `answers` if it contains a post without a place among the replies. Hidden posts stay hidden, and replies to them
  /// are also left out.
  mutating func addReplies(of known: KnownPosts, _ quotes: Quotes) {
    var shown: Set<PostID> = []
    for item in items { item.forEachID { shown.insert($0) } }
    var forest = ReplyForest(known, shown: shown)
    let (moved, kept) = answers.stablyDivided { $0.items.allSatisfy { $0.isPlaced(in: forest) } }
    if !kept.isEmpty, !moved.isEmpty || !forest.isEmpty {
      for item in kept.flatMap(\.items) { item.forEachID { shown.insert($0) } }
      forest = ReplyForest(known, shown: shown)
    }
    answers = kept
    replies = forest.replies(known, quotes)
  }
}

extension [Answer] {
  /// Returns the answers that pass a test and those that do not, each in order.
  fileprivate func stablyDivided(_ test: (Answer) -> Bool) -> (passing: [Answer], failing: [Answer]) {
    (filter(test), filter { !test($0) })
  }
}

extension ThreadItem {
  /// Calls `body` with the ids of the item's post and of all posts in its branches.
  fileprivate func forEachID(_ body: (PostID) -> Void) {
    guard case .post(let threadPost) = self else { return }
    body(threadPost.post.id)
    for item in threadPost.branches.flatMap(\.items) { item.forEachID(body) }
  }

  /// Whether all posts of the item have a place among the replies; `false` for a gap.
  fileprivate func isPlaced(in forest: ReplyForest) -> Bool {
    guard case .post(let threadPost) = self else { return false }
    return forest.holds(threadPost.post.id)
      && threadPost.branches.allSatisfy { $0.items.allSatisfy { $0.isPlaced(in: forest) } }
  }
}

/// The replies below the posts that a thread shows, as trees.
///
/// They are traversed without recursion, because a conversation may be one chain of thousands of replies.
struct ReplyForest {
  /// The deepest level, which also contains all deeper replies. More indentation is hard to read on a small screen.
  static let deepestLevel = 4

  /// The indices of replies to shown posts, latest first.
  private var tops: [Int] = []
  /// For each index, the indices of the replies to the post, latest first.
  private var children: [Int: [Int]] = [:]
  private var placed: Set<PostID> = []

  /// - Parameter shown: The posts that the thread shows. Replies to these are the first level.
  ///
  /// In the author's own conversation, another author's post whose parent is unknown also counts as a reply to the thread, because no other
  /// case is possible. An answer by the author to a missing post stays an answer, which shows the missing post.
  init(_ known: KnownPosts, shown: Set<PostID>) {
    let isOwn = known.author(of: known.rootID) == known.authorID
    for position in known.posts.indices {
      let post = known.posts[position]
      guard known.isOfConversation(position), !shown.contains(post.id), let answered = post.inReplyTo else {
        continue
      }
      if let parent = known.parents[position] {
        if shown.contains(known.posts[parent].id) {
          tops.append(position)
        } else if parent != position, known.isOfConversation(parent) {
          children[parent, default: []].append(position)
        }
      } else if isOwn, post.authorID != known.authorID, !known.isHidden(known.latest(answered)) {
        tops.append(position)
      }
    }
    sort(by: known)
    // Posts that are not reached from the top, because of a circle or a hidden post above them, have no place.
    walk { position, _ in placed.insert(known.posts[position].id) }
  }

  var isEmpty: Bool { tops.isEmpty }

  func holds(_ id: PostID) -> Bool { placed.contains(id) }

  /// Sorts replies, latest first; replies without a date come last.
  private mutating func sort(by known: KnownPosts) {
    func key(_ position: Int) -> (Int, Int) { (known.posts[position].createdAt == nil ? 0 : 1, position) }
    tops.sort { key($0) > key($1) }
    for parent in children.keys { children[parent]?.sort { key($0) > key($1) } }
  }

  /// Calls `body` with every reachable index in reading order, and its depth from 0.
  private func walk(_ body: (_ position: Int, _ depth: Int) -> Void) {
    var open = tops.reversed().map { (position: $0, depth: 0) }
    while let (position, depth) = open.popLast() {
      body(position, depth)
      for child in (children[position] ?? []).reversed() { open.append((child, depth + 1)) }
    }
  }

  /// Returns the replies as a tree of limited depth.
  func replies(_ known: KnownPosts, _ quotes: Quotes) -> [Reply] {
    // One list of unfinished siblings for each open level.
    var levels: [[Reply]] = [[]]
    func close(to level: Int) {
      while levels.count > level + 1, let finished = levels.popLast() {
        let parent = levels.count - 1
        levels[parent][levels[parent].count - 1].replies = finished
      }
    }
    walk { position, depth in
      let level = min(depth, Self.deepestLevel)
      close(to: level)
      if levels.count == level { levels.append([]) }
      levels[level].append(reply(at: position, isFlattened: depth > level, known, quotes))
    }
    close(to: 0)
    return levels[0]
  }

  private func reply(at position: Int, isFlattened: Bool, _ known: KnownPosts, _ quotes: Quotes) -> Reply {
    let quote = quotes.quote(in: position)
    let post = quotes.post(at: position, beside: quote)
    var reply = Reply(
      post, author: quotes.author(post.authorID), quote: quote,
      isByAuthor: post.authorID == known.authorID)
    if isFlattened, let parent = known.parents[position] {
      reply.addressee = quotes.author(known.posts[parent].authorID)
    }
    return reply
  }
}
