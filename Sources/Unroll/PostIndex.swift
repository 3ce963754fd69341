import ThreadModel

/// Posts in the order in which they were written (`PostOrder`), and where each is found by its id.
struct PostIndex: Sendable {
  let posts: [Post]
  /// The positions of the posts by their ids, ascending; `nil` where the posts themselves stand so, as those of X nearly always do.
  private let byID: [Int]?

  /// - Parameters:
  ///   - posts: each id once, ascending.
  ///   - order: their positions in the order of time; `nil` where that is the order of the ids.
  init(_ posts: [Post], order: [Int]?) {
    guard let order else {
      self.posts = posts
      byID = nil
      return
    }
    self.posts = order.map { posts[$0] }
    var byID = Array(repeating: 0, count: posts.count)
    for (position, rank) in order.enumerated() { byID[rank] = position }
    self.byID = byID
  }

  /// Where a post is.
  ///
  /// A dictionary of all ids costs more to make than the few searches of a thread do.
  func position(of id: PostID) -> Int? {
    let rank = rank(of: id)
    guard rank < posts.count, posts[position(at: rank)].id == id else { return nil }
    return position(at: rank)
  }

  /// Before which position a post that is missing was written, as its id tells; `nil` where ids tell nothing.
  func place(ofMissing id: PostID) -> Int? {
    guard id.platform.idsGrowWithTime else { return nil }
    let rank = rank(of: id)
    guard rank > 0, posts[position(at: rank - 1)].id.platform == id.platform else { return 0 }
    return position(at: rank - 1) + 1
  }

  /// Whether a post may have been there before another, so that the other can be a later version of it: what ids say or, where they say nothing, when
  /// the posts were written. Of a post that is not known, nobody knows when.
  func mayPrecede(_ earlier: PostID, _ later: PostID) -> Bool {
    if earlier.platform == later.platform, earlier.platform.idsGrowWithTime { return earlier < later }
    guard let second = position(of: later) else { return false }
    return position(of: earlier).map { $0 < second } ?? true
  }

  private func position(at rank: Int) -> Int { byID?[rank] ?? rank }

  /// How many posts have lower ids.
  private func rank(of id: PostID) -> Int {
    var low = 0
    var high = posts.count
    while low < high {
      let middle = low + (high - low) / 2
      if posts[position(at: middle)].id < id { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension PostVersions<PostID> {
  /// What posts say of their earlier versions.
  init(_ index: PostIndex) {
    self.init { index.mayPrecede($0, $1) }
    for post in index.posts where !post.earlierVersions.isEmpty {
      add(post.earlierVersions, replacedBy: post.id) { earlier in
        index.position(of: earlier).map { index.posts[$0].authorID == post.authorID } ?? true
      }
    }
    resolve()
  }
}
