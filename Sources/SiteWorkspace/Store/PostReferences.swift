package import SiteConfig
package import ThreadModel
package import ThreadStore

/// Finds references by the posts that they name.
///
/// Most URLs contain a complete id. Others contain the author's handle and an id without the authority. These are compared with the known
/// data of the post's author. On some networks, the id in the URL is not a part of the post's id (`Post.urlID`).
package struct PostReferences: Sendable {
  private struct ShortName: Hashable {
    var platform: Platform
    var id: String
  }

  private var named: [PostID: Int] = [:]
  /// The known ids of the posts.
  private var ids: [(id: PostID, position: Int)] = []
  private var byHandle: [ShortName: [(handle: String, position: Int)]] = [:]

  package init(_ references: some Sequence<PostReference>) {
    self.init(references.enumerated().map { (reference: $1, position: $0) })
  }

  /// - Parameter references: each with its position. If two refer to the same post, the first one is used.
  package init(_ references: [(reference: PostReference, position: Int)]) {
    for (reference, position) in references {
      ids.append((reference.postID ?? PostID(reference.id, on: reference.platform), position))
      if let id = reference.postID {
        if named[id] == nil { named[id] = position }
      } else if let handle = reference.handle {
        byHandle[ShortName(platform: reference.platform, id: reference.id), default: []]
          .append((handle.lowercased(), position))
      }
    }
  }

  package var isEmpty: Bool { named.isEmpty && byHandle.isEmpty }

  /// Returns the position of the reference that names a post; `nil` if there is no such reference.
  ///
  /// - Parameters:
  ///   - urlID: the id in the post's URL, if it is not a part of `id`.
  ///   - author: the post's author, if known.
  package func position(of id: PostID, called urlID: String? = nil, by author: Author?) -> Int? {
    if let position = named[id] { return position }
    guard !byHandle.isEmpty,
      let candidates = byHandle[ShortName(platform: id.platform, id: urlID ?? id.value)], let author
    else { return nil }
    return candidates.first { $0.handle == author.handle?.lowercased() || $0.handle == author.id.value }?
      .position
  }

  /// Returns the positions of references that may name a thread in one of these unreadable files, each with the first such file.
  package func positions(namingAnyOf files: StoreListing) -> [(position: Int, file: StoredFile)] {
    ids.compactMap { id, position in files.files(thatMayHold: id).first.map { (position, $0) } }
  }

  /// Returns the positions of references that name a conversation by any of its author's posts, ascending.
  package func positions(of conversation: Conversation) -> [Int] {
    positions(of: ConversationKeys(conversation))
  }

  /// Returns the same positions for a conversation's keys.
  package func positions(of conversation: ConversationKeys) -> [Int] {
    guard !isEmpty else { return [] }
    let author = conversation.author
    let urlIDs = conversation.urlIDs
    var found = Set(conversation.ownPosts.compactMap { position(of: $0, called: urlIDs[$0], by: author) })
    // The first post itself may be missing. If it is present and by another author, this is a chain in that author's conversation, and a
    // reference to the first post does not mean the chain.
    if !conversation.holdsFirst, let position = position(of: conversation.id, by: author) {
      found.insert(position)
    }
    return found.sorted()
  }
}
