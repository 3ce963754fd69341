import ThreadModel

/// Every post that a conversation knows, once each and in the order in which they were written, and what is known of those it lacks.
///
/// A post is found by its position in `posts`. Posts are large: what reads many of them reads their fields in place and
/// copies none.
struct KnownPosts {
  let authorID: AuthorID
  /// The conversation's first post, in its latest version.
  let rootID: PostID
  /// By the author and by others, of the conversation and beside it, in the order of `PostOrder`.
  var posts: [Post] { index.posts }
  private let index: PostIndex
  /// Whether the conversation itself lists the post at a position, and not only as something beside it.
  private let isListed: [Bool]
  /// Whether the post at a position belongs to the thread's author and to the conversation, hidden ones included.
  private(set) var isAuthors: [Bool]
  /// The position of the post that the one at a position answers; `nil` where it answers none or that one is missing.
  private(set) var parents: [Int?] = []
  /// The latest versions of what the site's owner leaves out.
  private let hidden: Set<PostID>

  private let versions: PostVersions<PostID>
  private let tombstones: [PostID: Tombstone]
  /// For posts that are missing, whom those who answered them took for their authors.
  private var addressees: [PostID: AuthorID] = [:]

  init(_ conversation: Conversation, hidden: Set<PostID>) {
    let (index, isListed) = Self.ordered(conversation.posts, conversation.related)
    let versions = PostVersions(index)

    self.authorID = conversation.authorID
    self.rootID = versions.latest(conversation.id)
    self.index = index
    self.versions = versions
    self.hidden = hidden.isEmpty ? [] : Set(hidden.map(versions.latest))
    self.tombstones = Tombstone.byID(conversation.tombstones)
    self.isListed = isListed
    self.isAuthors = isListed
    findParents()
    findAuthorsPosts(in: conversation.id)
  }

  func position(of id: PostID) -> Int? { index.position(of: id) }

  /// Before which position a post that is missing was written, as far as its id tells.
  func place(ofMissing id: PostID) -> Int? { index.place(ofMissing: id) }

  func tombstone(for id: PostID) -> Tombstone {
    var tombstone = tombstones[id] ?? Tombstone(id: id, reason: .unknown)
    if tombstone.authorID == nil { tombstone.authorID = addressees[id] }
    return tombstone
  }

  /// Posts of the author's that were here until their network did not show them any more. One that others quote may be of another thread.
  var removed: [PostID: Tombstone] {
    let gone = tombstones.filter { id, stone in
      stone.removedAt != nil && stone.authorID == authorID && !isHidden(latest(id))
        && !versions.isSuperseded(id)
    }
    guard !gone.isEmpty else { return [:] }
    let quoted = Set(posts.compactMap(\.quotes))
    return gone.filter { !quoted.contains($0.key) && position(of: $0.key) == nil }
  }

  /// Who wrote a post, known or missing; `nil` where nothing says so.
  func author(of id: PostID) -> AuthorID? {
    if let position = position(of: id) { return posts[position].authorID }
    return tombstones[id]?.authorID ?? addressees[id]
  }

  /// The id that a post has now, where an edit gave it another.
  func latest(_ id: PostID) -> PostID { versions.latest(id) }

  func isHidden(_ id: PostID) -> Bool { !hidden.isEmpty && hidden.contains(id) }

  /// How many ids are hidden, known posts or not.
  var hiddenIDs: Int { hidden.count }

  /// How many of the author's posts here are hidden.
  var hiddenCount: Int {
    hidden.isEmpty ? 0 : posts.indices.count { isShownOrHidden($0) && isHidden(posts[$0].id) }
  }

  /// Whether the post at a position has its place in the thread: the author's, in its latest version and not hidden.
  func isShown(_ position: Int) -> Bool { isShownOrHidden(position) && !isHidden(posts[position].id) }

  /// Whether the post at a position may stand among the replies to the thread: anybody's of the conversation.
  func isOfConversation(_ position: Int) -> Bool {
    (isListed[position] || isAuthors[position]) && !versions.isSuperseded(posts[position].id)
      && !isHidden(posts[position].id)
  }

  private func isShownOrHidden(_ position: Int) -> Bool {
    isAuthors[position] && !versions.isSuperseded(posts[position].id)
  }
}

// MARK: Reading the conversation

extension KnownPosts {
  /// All posts in their order, and whether the conversation itself lists them.
  private static func ordered(_ posts: [Post], _ related: [Post]) -> (index: PostIndex, isListed: [Bool]) {
    let (unique, isListed) = unique(posts, related)
    let order = PostOrder.positions(of: unique)
    return (PostIndex(unique, order: order), order.map { $0.map { isListed[$0] } } ?? isListed)
  }

  /// All posts sorted by id, one for each id, and whether the conversation itself lists it.
  private static func unique(_ posts: [Post], _ related: [Post]) -> (posts: [Post], isListed: [Bool]) {
    if let sorted = interleaved(posts, related) { return sorted }
    let all = posts + related
    let order = all.indices.sorted { (all[$0].id, $0) < (all[$1].id, $1) }
    var unique: [Post] = []
    var isListed: [Bool] = []
    var rest = order[...]
    while let first = rest.first {
      let same = rest.prefix { all[$0].id == all[first].id }
      rest = rest.dropFirst(same.count)
      guard let post = same.count == 1 ? all[first] : Post.merging(same.map { all[$0] }) else { continue }
      unique.append(post)
      isListed.append(first < posts.count)
    }
    return (unique, isListed)
  }

  /// The same of lists that are sorted by id and hold every post once, as the store keeps those of X; `nil` of others.
  private static func interleaved(_ posts: [Post], _ related: [Post]) -> (posts: [Post], isListed: [Bool])? {
    var all: [Post] = []
    var isListed: [Bool] = []
    all.reserveCapacity(posts.count + related.count)
    isListed.reserveCapacity(posts.count + related.count)
    var (listed, beside) = (0, 0)
    while listed < posts.count || beside < related.count {
      let isNextListed =
        beside == related.count || (listed < posts.count && posts[listed].id < related[beside].id)
      let next = isNextListed ? posts[listed] : related[beside]
      if let last = all.last, !(last.id < next.id) { return nil }
      all.append(next)
      isListed.append(isNextListed)
      if isNextListed { listed += 1 } else { beside += 1 }
    }
    return (all, isListed)
  }

  /// Narrows `isAuthors` to the author's posts, and widens it to those that sources only mention beside the conversation:
  /// posts that say they belong to it, the parents of the author's own replies, and later versions.
  private mutating func findAuthorsPosts(in conversationID: PostID) {
    isAuthors = posts.indices.map { position in
      let post = posts[position]
      return post.authorID == authorID
        && (isAuthors[position] || post.conversationID == conversationID || post.id == rootID)
    }
    guard isAuthors.contains(false) else { return }
    var open = posts.indices.filter { isAuthors[$0] }
    while let position = open.popLast() {
      let later = versions.isEmpty ? nil : self.position(of: latest(posts[position].id))
      for found in [parents[position], later] {
        guard let found, !isAuthors[found], posts[found].authorID == authorID else { continue }
        isAuthors[found] = true
        open.append(found)
      }
    }
  }

  private mutating func findParents() {
    parents.reserveCapacity(posts.count)
    for position in posts.indices {
      guard let parent = posts[position].inReplyTo.map(latest) else {
        parents.append(nil)
        continue
      }
      // A reply mostly follows what it answers.
      let isNext = position > 0 && posts[position - 1].id == parent
      let found = isNext ? position - 1 : self.position(of: parent)
      parents.append(found)
      if found == nil, addressees[parent] == nil { addressees[parent] = posts[position].inReplyToAuthor }
    }
  }
}
