import ThreadModel

/// Every post that a conversation knows, once each and in the order of their ids, and what is known of those it lacks.
///
/// A post is found by its position in `posts`.
struct KnownPosts {
  let authorID: AuthorID
  /// The conversation's first post, in its latest version.
  let rootID: PostID
  /// By the author and by others, of the conversation and beside it, sorted by id.
  let posts: [Post]
  /// Whether the post at a position belongs to the thread's author and to the conversation, hidden ones included.
  private(set) var isAuthors: [Bool]
  /// The latest versions of what the site's owner leaves out.
  private let hidden: Set<PostID>

  private let positions: [PostID: Int]
  private let versions: PostVersions
  private let tombstones: [PostID: Tombstone]
  /// For posts that are missing, whom those who answered them took for their authors.
  private var addressees: [PostID: AuthorID] = [:]

  init(_ conversation: Conversation, hidden: Set<PostID>) {
    let (posts, isListed) = Self.unique(conversation.posts, conversation.related)
    var positions = Dictionary(minimumCapacity: posts.count) as [PostID: Int]
    for position in posts.indices { positions[posts[position].id] = position }
    let versions = PostVersions(posts, positions: positions)

    self.authorID = conversation.authorID
    self.rootID = versions.latest(conversation.id)
    self.posts = posts
    self.positions = positions
    self.versions = versions
    self.hidden = hidden.isEmpty ? [] : Set(hidden.map(versions.latest))
    self.tombstones = Tombstone.byID(conversation.tombstones)
    self.isAuthors = isListed
    findAuthorsPosts(in: conversation.id)
    findAddressees()
  }

  func position(of id: PostID) -> Int? { positions[id] }

  func tombstone(for id: PostID) -> Tombstone {
    var tombstone = tombstones[id] ?? Tombstone(id: id, reason: .unknown)
    if tombstone.authorID == nil { tombstone.authorID = addressees[id] }
    return tombstone
  }

  /// Who wrote a post, known or missing; `nil` where nothing says so.
  func author(of id: PostID) -> AuthorID? {
    if let position = positions[id] { return posts[position].authorID }
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

  private func isShownOrHidden(_ position: Int) -> Bool {
    isAuthors[position] && !versions.isSuperseded(posts[position].id)
  }
}

// MARK: Reading the conversation

extension KnownPosts {
  /// All posts sorted by id, one for each id, and whether the conversation itself lists it.
  private static func unique(_ posts: [Post], _ related: [Post]) -> (posts: [Post], isListed: [Bool]) {
    if related.isEmpty, zip(posts, posts.dropFirst()).allSatisfy({ $0.id < $1.id }) {
      return (posts, Array(repeating: true, count: posts.count))
    }
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

  /// Narrows `isAuthors` to the author's posts, and widens it to those that sources only mention beside the conversation:
  /// posts that say they belong to it, the parents of the author's own replies, and later versions.
  private mutating func findAuthorsPosts(in conversationID: PostID) {
    var open: [Int] = []
    for position in posts.indices {
      let post = posts[position]
      isAuthors[position] =
        post.authorID == authorID
        && (isAuthors[position] || post.conversationID == conversationID || post.id == rootID)
      if isAuthors[position] { open.append(position) }
    }
    guard open.count < posts.count else { return }
    while let position = open.popLast() {
      let post = posts[position]
      for id in [post.inReplyTo.map(latest), latest(post.id)] {
        guard let id, let found = positions[id], !isAuthors[found], posts[found].authorID == authorID
        else { continue }
        isAuthors[found] = true
        open.append(found)
      }
    }
  }

  private mutating func findAddressees() {
    for post in posts {
      guard let parent = post.inReplyTo, let author = post.inReplyToAuthor else { continue }
      let id = latest(parent)
      if positions[id] == nil, addressees[id] == nil { addressees[id] = author }
    }
  }
}
