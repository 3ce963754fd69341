import ThreadModel

/// Which id a post has now, on networks where an edit makes a new one.
struct PostVersions {
  /// From each earlier version to the latest.
  private var later: [PostID: PostID] = [:]

  /// Collects what posts, sorted by id, say of their earlier versions.
  ///
  /// A claim counts where it can be true: an earlier version has a lower id, which also means that versions never lead in
  /// circles, and the same author, so that nobody's post can replace another's.
  init(_ posts: [Post]) {
    for position in posts.indices where !posts[position].earlierVersions.isEmpty {
      let id = posts[position].id
      for earlier in posts[position].earlierVersions where earlier < id {
        if let other = posts.position(of: earlier), posts[other].authorID != posts[position].authorID {
          continue
        }
        later[earlier] = max(later[earlier] ?? id, id)
      }
    }
    // From the latest down, so that each leads to where the one behind it ends, and no chain of edits is walked twice.
    for id in later.keys.sorted(by: >) {
      if let next = later[id], let last = later[next] { later[id] = last }
    }
  }

  /// Whether nothing was edited.
  var isEmpty: Bool { later.isEmpty }

  func latest(_ id: PostID) -> PostID { later.isEmpty ? id : later[id] ?? id }

  func isSuperseded(_ id: PostID) -> Bool { !later.isEmpty && later[id] != nil }
}
