package import Basics
package import ThreadModel

/// The part of a conversation that decides how the site treats it: the data by which addresses identify it, and which the limits of sources check.
///
/// A build keeps these from the previous one, so that a change of site.yml does not require reading the whole store again.
package struct ConversationKeys: Sendable, Hashable {
  package let id: PostID
  package let authorID: AuthorID
  /// The author's handle in the conversation.
  package let handle: String?
  /// Whether the conversation has data about the author apart from the id.
  package let hasAuthor: Bool
  /// The ids of the author's posts, in the order of the file.
  package let ownPosts: [PostID]
  /// The author's posts among the file's related posts, which may belong to the conversation.
  package let ownRelated: [PostID]
  /// Whether posts by the author were removed after the network removed them: the page says so.
  package let hasRemovedPosts: Bool
  /// The other posts that it contains, or refers to as answered, quoted, edited or missing; sorted.
  package let otherPosts: [PostID]
  /// Whether it contains the conversation's first post, by any author.
  package let holdsFirst: Bool
  /// When the author's earliest post was written.
  package let firstWritten: Timestamp?
}

extension ConversationKeys {
  package init(_ conversation: Conversation) {
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

  /// Whether the conversation contains and contained no posts of the author except hidden ones, so that it has no page.
  package func isEmpty(but hidden: Set<PostID>) -> Bool {
    !hasRemovedPosts && (ownPosts + ownRelated).allSatisfy(hidden.contains)
  }

  /// The author, with the data by which addresses name authors; `nil` if the conversation has no data about them.
  package var author: Author? { hasAuthor ? Author(id: authorID, handle: handle) : nil }
}

extension ByteWriter {
  package mutating func write(_ keys: ConversationKeys) {
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

  package mutating func write<Subject>(_ id: NetworkID<Subject>) {
    write(id.platform.rawValue)
    write(id.authority)
    write(id.value)
  }

  /// Writes an id that usually shares its platform and its authority with another.
  package mutating func write<Subject, Other>(_ id: NetworkID<Subject>, near other: NetworkID<Other>) {
    guard id.platform == other.platform, id.authority == other.authority else {
      write(1)
      return write(id)
    }
    write(0)
    write(id.value)
  }

  package mutating func write(_ time: Timestamp?) {
    write(time.map { [$0] } ?? []) { $0.write(Int($1.milliseconds)) }
  }
}

extension ByteReader {
  package mutating func conversationKeys() throws(Truncated) -> ConversationKeys {
    let id: PostID = try networkID()
    return ConversationKeys(
      id: id, authorID: try networkID(), handle: try optionalString(), hasAuthor: try integer() == 1,
      ownPosts: try list { (bytes) throws(Truncated) in try bytes.networkID(near: id) },
      ownRelated: try list { (bytes) throws(Truncated) in try bytes.networkID(near: id) },
      hasRemovedPosts: try integer() == 1,
      otherPosts: try list { (bytes) throws(Truncated) in try bytes.networkID(near: id) },
      holdsFirst: try integer() == 1, firstWritten: try timestamp())
  }

  package mutating func networkID<Subject>() throws(Truncated) -> NetworkID<Subject> {
    let platform = Platform(rawValue: try string())
    let authority = try optionalString()
    return NetworkID(try string(), by: authority, on: platform)
  }

  package mutating func networkID<Subject, Other>(
    near other: NetworkID<Other>
  ) throws(Truncated) -> NetworkID<Subject> {
    guard try integer() == 0 else { return try networkID() }
    return NetworkID(try string(), by: other.authority, on: other.platform)
  }

  package mutating func timestamp() throws(Truncated) -> Timestamp? {
    try optional { (bytes) throws(Truncated) in Timestamp(milliseconds: Int64(try bytes.integer())) }
  }
}
