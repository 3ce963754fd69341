import ThreadModel

/// Which id a post has now, on networks where an edit makes a new one.
struct PostVersions {
  private var later: [PostID: PostID] = [:]

  /// Collects what posts say of their earlier versions.
  ///
  /// A claim counts where it can be true: an earlier version has a lower id, which also means that versions never lead in
  /// circles, and the same author, so that nobody's post can replace another's.
  init(_ posts: [Post], positions: [PostID: Int]) {
    for post in posts where !post.earlierVersions.isEmpty {
      for earlier in post.earlierVersions where earlier < post.id {
        if let position = positions[earlier], posts[position].authorID != post.authorID { continue }
        later[earlier] = max(later[earlier] ?? post.id, post.id)
      }
    }
  }

  func latest(_ id: PostID) -> PostID {
    guard !later.isEmpty else { return id }
    var id = id
    while let next = later[id] { id = next }
    return id
  }

  func isSuperseded(_ id: PostID) -> Bool { !later.isEmpty && later[id] != nil }
}
