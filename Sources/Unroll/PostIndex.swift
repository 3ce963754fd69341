import ThreadModel

/// Posts in the order in which they were written (`PostOrder`), with a lookup by id.
struct PostIndex: Sendable {
  let posts: [Post]
  /// The indices of the posts in ascending order of their ids; `nil` if the posts themselves are in that order, as X's posts nearly always
  /// are.
  private let byID: [Int]?

  /// - Parameters:
  ///   - posts: each id once, ascending.
  ///   - order: their indices in the order of time; `nil` if that is the order of the ids.
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

  /// Returns the index of a post.
  ///
  /// This is a binary search, because building a dictionary of all ids takes longer than the few searches of a thread.
  func position(of id: PostID) -> Int? {
    let rank = rank(of: id)
    guard rank < posts.count, posts[position(at: rank)].id == id else { return nil }
    return position(at: rank)
  }

  /// Returns the index before which a missing post was written, according to its id; `nil` if ids do not grow with time.
  func place(ofMissing id: PostID) -> Int? {
    guard id.growsWithTime else { return nil }
    let rank = rank(of: id)
    guard rank > 0, posts[position(at: rank - 1)].id.platform == id.platform else { return 0 }
    return position(at: rank - 1) + 1
  }

  /// Whether a post may have existed before another, so that the other may be a later version of it. This is judged by their ids or, if ids
  /// do not grow with time, by the times of the posts. The time of an unknown post is unknown.
  func mayPrecede(_ earlier: PostID, _ later: PostID) -> Bool {
    if earlier.platform == later.platform, earlier.growsWithTime, later.growsWithTime {
      return earlier < later
    }
    guard let second = position(of: later) else { return false }
    return position(of: earlier).map { $0 < second } ?? true
  }

  private func position(at rank: Int) -> Int { byID?[rank] ?? rank }

  /// Returns the number of posts with lower ids.
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
  /// Collects the earlier versions that posts list.
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
