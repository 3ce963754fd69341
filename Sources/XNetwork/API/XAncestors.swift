import ThreadModel

/// Which posts above an author's own belong to their part of somebody else's conversation.
enum XAncestors {
  /// How many of others' posts above one of the author's are kept. A page shows the one that is answered; the others tell how it came to that. With no bound,
  /// a conversation in which each post is by somebody else would be stored as often as it has posts.
  static let most = 50

  /// The posts themselves and, above each, as many as `most`: in no order, each once.
  ///
  /// Which posts these are does not depend on the order in which they are looked at, and more posts of the author's only ever add to them.
  ///
  /// - Parameter parent: what a post answers; `nil` where it answers nothing or is not known.
  static func of(_ own: [PostID], parent: (PostID) -> PostID?) -> Set<PostID> {
    // How many more above each may be kept: the most that was found on any way to it.
    var left: [PostID: Int] = [:]
    for id in own { left[id] = most }
    for id in own {
      var room = most
      var next = parent(id)
      while room > 0, let current = next, left[current].map({ $0 < room - 1 }) ?? true {
        room -= 1
        left[current] = room
        next = parent(current)
      }
    }
    return Set(left.keys)
  }
}
