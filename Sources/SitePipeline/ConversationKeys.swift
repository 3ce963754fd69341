import ThreadModel

/// As much of a conversation as it takes to decide what becomes of it: what addresses may name it by, and what the limits of sources look at.
///
/// A build keeps these from the last one, so that another site.yml does not have the whole store read again.
struct ConversationKeys: Sendable, Hashable {
  let id: PostID
  let authorID: AuthorID
  /// The author's handle as the conversation has it.
  let handle: String?
  /// Whether it says more of the author than their id.
  let hasAuthor: Bool
  /// The posts by the author, in the order of the file.
  let ownPosts: [PostID]
  /// The posts by the author that stand beside the conversation in the file, and may be of it.
  let ownRelated: [PostID]
  /// Whether there were posts by the author that are gone from the network since: their page says so.
  let hasRemovedPosts: Bool
  /// Others that it holds, or names as answered, quoted, edited or missing; sorted.
  let otherPosts: [PostID]
  /// Whether it holds the conversation's first post, whoever wrote that.
  let holdsFirst: Bool
  /// When the earliest of the author's posts was written.
  let firstWritten: Timestamp?
}

extension ConversationKeys {
  init(_ conversation: Conversation) {
    id = conversation.id
    authorID = conversation.authorID
    let author = conversation.author
    handle = author?.handle
    hasAuthor = author != nil
    var own: [PostID] = []
    var others: Set<PostID> = [conversation.id]
    var first: Timestamp?
    for post in conversation.posts where post.authorID == conversation.authorID {
      own.append(post.id)
      if let date = post.createdAt { first = min(first ?? date, date) }
    }
    for post in conversation.posts + conversation.related {
      others.insert(post.id)
      others.formUnion(post.earlierVersions)
      if let answered = post.inReplyTo { others.insert(answered) }
      if let quoted = post.quotes { others.insert(quoted) }
    }
    others.formUnion(conversation.tombstones.map(\.id))
    ownPosts = own
    ownRelated = conversation.related.filter { $0.authorID == conversation.authorID }.map(\.id)
    hasRemovedPosts = conversation.tombstones.contains {
      $0.removedAt != nil && ($0.authorID ?? conversation.authorID) == conversation.authorID
    }
    otherPosts = others.subtracting(own).sorted()
    holdsFirst = conversation.posts.contains { $0.id == conversation.id }
    firstWritten = first
  }

  /// Whether the author wrote nothing of what it holds or held, but for what is hidden: then there is nothing to make a page of.
  func isEmpty(but hidden: Set<PostID>) -> Bool {
    !hasRemovedPosts && (ownPosts + ownRelated).allSatisfy(hidden.contains)
  }

  /// The author, with the parts that addresses name them by; `nil` where the conversation says nothing of them.
  var author: Author? { hasAuthor ? Author(id: authorID, handle: handle) : nil }
}

extension ByteWriter {
  mutating func write(_ keys: ConversationKeys) {
    write(keys.id)
    write(keys.authorID)
    write(keys.handle)
    write(keys.hasAuthor ? 1 : 0)
    write(keys.ownPosts) { $0.write($1, near: keys.id) }
    write(keys.ownRelated) { $0.write($1, near: keys.id) }
    write(keys.hasRemovedPosts ? 1 : 0)
    write(keys.otherPosts) { $0.write($1, near: keys.id) }
    write(keys.holdsFirst ? 1 : 0)
    write(keys.firstWritten)
  }

  mutating func write<Subject>(_ id: NetworkID<Subject>) {
    write(id.platform.rawValue)
    write(id.authority)
    write(id.value)
  }

  /// An id that mostly has its platform and its authority from another.
  mutating func write<Subject, Other>(_ id: NetworkID<Subject>, near other: NetworkID<Other>) {
    guard id.platform == other.platform, id.authority == other.authority else {
      write(1)
      return write(id)
    }
    write(0)
    write(id.value)
  }

  mutating func write(_ time: Timestamp?) {
    write(time.map { [$0] } ?? []) { $0.write(Int($1.milliseconds)) }
  }
}

extension ByteReader {
  mutating func conversationKeys() throws(Truncated) -> ConversationKeys {
    let id: PostID = try networkID()
    return ConversationKeys(
      id: id, authorID: try networkID(), handle: try optionalString(), hasAuthor: try integer() == 1,
      ownPosts: try list { (bytes) throws(Truncated) in try bytes.networkID(near: id) },
      ownRelated: try list { (bytes) throws(Truncated) in try bytes.networkID(near: id) },
      hasRemovedPosts: try integer() == 1,
      otherPosts: try list { (bytes) throws(Truncated) in try bytes.networkID(near: id) },
      holdsFirst: try integer() == 1, firstWritten: try timestamp())
  }

  mutating func networkID<Subject>() throws(Truncated) -> NetworkID<Subject> {
    let platform = Platform(rawValue: try string())
    let authority = try optionalString()
    return NetworkID(try string(), by: authority, on: platform)
  }

  mutating func networkID<Subject, Other>(
    near other: NetworkID<Other>
  ) throws(Truncated) -> NetworkID<Subject> {
    guard try integer() == 0 else { return try networkID() }
    return NetworkID(try string(), by: other.authority, on: other.platform)
  }

  mutating func timestamp() throws(Truncated) -> Timestamp? {
    try optional { (bytes) throws(Truncated) in Timestamp(milliseconds: Int64(try bytes.integer())) }
  }
}
