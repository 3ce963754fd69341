import ThreadModel

/// All posts that a conversation contains, each once and in the order in which they were written, and the known facts about missing posts.
///
/// Posts are identified by their index in `posts`. Posts are large, so code that reads many of them reads their fields in place and does
/// not copy the posts.
struct KnownPosts {
  let authorID: AuthorID
  /// The id of the conversation's first post, in its latest version.
  let rootID: PostID
  /// Posts by the author and by others, of the conversation and related to it, in the order of `PostOrder`.
  var posts: [Post] { index.posts }
  private let index: PostIndex
  /// For each index, whether `Conversation.posts` contains the post, and not only `Conversation.related`.
  private let isListed: [Bool]
  /// For each index, whether the post is by the thread's author and belongs to the conversation, hidden posts included.
  private(set) var isAuthors: [Bool]
  /// For each index, the index of the post that this post answers; `nil` if the post is not a reply or the answered post is missing.
  private(set) var parents: [Int?] = []
  /// The latest versions of the posts that the site's owner hides.
  private let hidden: Set<PostID>

  private let versions: PostVersions<PostID>
  private let tombstones: [PostID: Tombstone]
  /// The authors of missing posts, as named by the replies to these posts.
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

  /// Returns the index before which a missing post was written, as far as its id shows.
  func place(ofMissing id: PostID) -> Int? { index.place(ofMissing: id) }

  func tombstone(for id: PostID) -> Tombstone {
    var tombstone = tombstones[id] ?? Tombstone(id: id, reason: .unknown)
    if tombstone.authorID == nil { tombstone.authorID = addressees[id] }
    return tombstone
  }

  /// Posts of the author that were present until the network no longer showed them. A removed post that others quote may belong to a
  /// different thread.
  var removed: [PostID: Tombstone] {
    let gone = tombstones.filter { id, stone in
      stone.removedAt != nil && stone.authorID == authorID && !isHidden(latest(id))
        && !versions.isSuperseded(id)
    }
    guard !gone.isEmpty else { return [:] }
    let quoted = Set(posts.compactMap(\.quotes))
    return gone.filter { !quoted.contains($0.key) && position(of: $0.key) == nil }
  }

  /// Returns the author of a known or missing post; `nil` if unknown.
  func author(of id: PostID) -> AuthorID? {
    if let position = position(of: id) { return posts[position].authorID }
    return tombstones[id]?.authorID ?? addressees[id]
  }

  /// Returns the id of a post's latest version, if an edit gave it a new id.
  func latest(_ id: PostID) -> PostID { versions.latest(id) }

  func isHidden(_ id: PostID) -> Bool { !hidden.isEmpty && hidden.contains(id) }

  /// The number of hidden ids, whether their posts are known or not.
  var hiddenIDs: Int { hidden.count }

  /// The number of the author's known posts that are hidden.
  var hiddenCount: Int {
    hidden.isEmpty ? 0 : posts.indices.count { isShownOrHidden($0) && isHidden(posts[$0].id) }
  }

  /// Whether the post at an index has a place in the thread: it is by the author, in its latest version and not hidden.
  func isShown(_ position: Int) -> Bool { isShownOrHidden(position) && !isHidden(posts[position].id) }

  /// Whether the post at an index may be among the replies to the thread: it may be by anyone in the conversation.
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
  /// Returns all posts in order, and for each whether the conversation itself lists it.
  private static func ordered(_ posts: [Post], _ related: [Post]) -> (index: PostIndex, isListed: [Bool]) {
    let (unique, isListed) = unique(posts, related)
    let order = PostOrder.positions(of: unique)
    return (PostIndex(unique, order: order), order.map { $0.map { isListed[$0] } } ?? isListed)
  }

  /// Returns all posts sorted by id, one for each id, and for each whether the conversation itself lists it.
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

  /// Does the same for lists that are sorted by id and contain every post once, as in X's files in the store; `nil` for other lists.
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

  /// Restricts `isAuthors` to the author's posts, and extends it to posts that sources return only as related posts: posts that name this
  /// conversation as theirs, the parents of the author's own replies, and later versions.
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
      // A reply usually follows the post that it answers.
      let isNext = position > 0 && posts[position - 1].id == parent
      let found = isNext ? position - 1 : self.position(of: parent)
      parents.append(found)
      if found == nil, addressees[parent] == nil { addressees[parent] = posts[position].inReplyToAuthor }
    }
  }
}
