package import Basics
package import ThreadModel

/// The part of a conversation that determines how the site treats it: the data by which URLs identify it, and which the limits of sources
/// check.
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
  /// Whether posts by the author were removed after the network removed them. The page then states this.
  package let hasRemovedPosts: Bool
  /// The other posts that it contains, or refers to as answered, quoted, edited or missing; sorted.
  package let otherPosts: [PostID]
  /// The ids in the URLs of its posts, on networks whose URLs do not contain the ids of posts.
  package let urlIDs: [PostID: String]
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
    var urlIDs: [PostID: String] = [:]
    for post in conversation.posts where post.authorID == conversation.authorID {
      own.append(post.id)
      if let date = post.createdAt { first = min(first ?? date, date) }
    }
    for post in conversation.posts + conversation.related {
      if let id = post.urlID { urlIDs[post.id] = id }
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
    self.urlIDs = urlIDs
    holdsFirst = conversation.posts.contains { $0.id == conversation.id }
    firstWritten = first
  }

  /// Whether the conversation neither contains nor contained posts of the author except hidden ones, so that it has no page.
  package func isEmpty(but hidden: Set<PostID>) -> Bool {
    !hasRemovedPosts && (ownPosts + ownRelated).allSatisfy(hidden.contains)
  }

  /// The author, with the data by which URLs name authors; `nil` if the conversation has no data about the author.
  package var author: Author? { hasAuthor ? Author(id: authorID, handle: handle) : nil }
}

extension ConversationKeys: Record {
  package static let fields = RecordFields(
    Self.init, \.id, \.authorID, \.handle, \.hasAuthor, \.ownPosts, \.ownRelated, \.hasRemovedPosts,
    \.otherPosts, \.urlIDs,
    \.holdsFirst, \.firstWritten)
}
