import ThreadModel

extension UnrolledThread {
  /// Adds the replies to what the thread shows, and takes the answers among them out of `answers`.
  ///
  /// An answer with a post that has no place among the replies stays as it is, and so does what is hidden: replies to that
  /// are left out with it.
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
  /// Those that pass a test and those that do not, each in their order.
  fileprivate func stablyDivided(_ test: (Answer) -> Bool) -> (passing: [Answer], failing: [Answer]) {
    (filter(test), filter { !test($0) })
  }
}

extension ThreadItem {
  /// Calls `body` with the ids of its post and of all in its branches.
  fileprivate func forEachID(_ body: (PostID) -> Void) {
    guard case .post(let threadPost) = self else { return }
    body(threadPost.post.id)
    for item in threadPost.branches.flatMap(\.items) { item.forEachID(body) }
  }

  /// Whether all of it has a place among the replies; a gap has none.
  fileprivate func isPlaced(in forest: ReplyForest) -> Bool {
    guard case .post(let threadPost) = self else { return false }
    return forest.holds(threadPost.post.id)
      && threadPost.branches.allSatisfy { $0.items.allSatisfy { $0.isPlaced(in: forest) } }
  }
}

/// The posts of a conversation below those that a thread shows: which reply belongs to which.
///
/// Walked without recursion, as a conversation may be one chain of thousands of replies.
struct ReplyForest {
  /// The level that holds all deeper ones, too: what is indented further is hard to read on a small screen.
  static let deepestLevel = 4

  /// The positions of replies to what is shown, the latest first.
  private var tops: [Int] = []
  /// The positions of what was replied to the one at a position, the latest first.
  private var children: [Int: [Int]] = [:]
  private var placed: Set<PostID> = []

  /// - Parameter shown: What the thread shows: the replies to these are the first level.
  ///
  /// In the author's own conversation, another's post whose parent is not known replies to the thread as well: it can do
  /// nothing else. An answer of the author's to a post that is missing stays an answer, which says what is missing.
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
    // What is not reached from above, as in a circle or below something hidden, has no place.
    walk { position, _ in placed.insert(known.posts[position].id) }
  }

  var isEmpty: Bool { tops.isEmpty }

  func holds(_ id: PostID) -> Bool { placed.contains(id) }

  /// The latest first; what has no date stands at the end.
  private mutating func sort(by known: KnownPosts) {
    func key(_ position: Int) -> (Int, Int) { (known.posts[position].createdAt == nil ? 0 : 1, position) }
    tops.sort { key($0) > key($1) }
    for parent in children.keys { children[parent]?.sort { key($0) > key($1) } }
  }

  /// Calls `body` with every position that can be reached, in reading order, and how deep it is: from 0.
  private func walk(_ body: (_ position: Int, _ depth: Int) -> Void) {
    var open = tops.reversed().map { (position: $0, depth: 0) }
    while let (position, depth) = open.popLast() {
      body(position, depth)
      for child in (children[position] ?? []).reversed() { open.append((child, depth + 1)) }
    }
  }

  /// The replies as a tree, no deeper than it can be read.
  func replies(_ known: KnownPosts, _ quotes: Quotes) -> [Reply] {
    // One list of unfinished siblings for each level that is open.
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
    let post = known.posts[position]
    var reply = Reply(
      post, author: quotes.author(post.authorID), quote: quotes.quote(in: position),
      isByAuthor: post.authorID == known.authorID)
    if isFlattened, let parent = known.parents[position] {
      reply.addressee = quotes.author(known.posts[parent].authorID)
    }
    return reply
  }
}
