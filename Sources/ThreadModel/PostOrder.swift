extension PostID {
  /// Whether a post of the same kind that was written later always has the higher id: ids are compared by length, and those of equal length by
  /// text.
  ///
  /// This is true for numbers that one network assigns to all its posts. An id with an authority does not depend on the time of writing: an account
  /// may choose the keys of its posts, and a server numbers copies from other servers in the order of their arrival.
  package var growsWithTime: Bool {
    authority == nil && !value.isEmpty && value.utf8.allSatisfy { $0 &- UInt8(ascii: "0") < 10 }
  }
}

/// The order in which posts were written: by time, then by the guarantees of the network.
///
/// 1. The second in which a post was written, because sources have times of different precision.
/// 2. The id, if ids grow with time.
/// 3. The exact time, and then criteria that always give the same result.
///
/// If ids grow with time, a post without a time is sorted by its id; otherwise it comes last. The order is total and strict for any times and ids,
/// and does not depend on the input order.
package enum PostOrder {
  /// Returns the indices of posts in their order; `nil` if they are in order already.
  package static func positions(of posts: [Post]) -> [Int]? {
    let hasAllTimes = posts.allSatisfy { $0.createdAt != nil }
    let seconds = hasAllTimes ? [] : Self.seconds(of: posts)
    func precedes(_ one: Int, _ other: Int) -> Bool {
      let (first, second) =
        hasAllTimes
        ? (posts[one].createdAt?.seconds ?? 0, posts[other].createdAt?.seconds ?? 0)
        : (seconds[one], seconds[other])
      return first == second ? Self.precedes(posts[one], posts[other]) : first < second
    }
    guard posts.indices.dropFirst().contains(where: { !precedes($0 - 1, $0) }) else { return nil }
    return posts.indices.sorted { one, other in
      if precedes(one, other) { return true }
      // Several observations of one post keep their order.
      return !precedes(other, one) && one < other
    }
  }

  /// Returns the posts in their order.
  package static func sorted(_ posts: [Post]) -> [Post] {
    positions(of: posts).map { $0.map { posts[$0] } } ?? posts
  }

  /// Whether the first of two posts of the same second comes first.
  private static func precedes(_ one: Post, _ other: Post) -> Bool {
    let (first, second) = (one.id, other.id)
    if first == second { return false }
    if first.platform == second.platform {
      // Otherwise a platform with both kinds of ids could have a circular order.
      if first.growsWithTime != second.growsWithTime { return first.growsWithTime }
      if first.growsWithTime { return first < second }
      let times = (one.createdAt?.milliseconds ?? .max, other.createdAt?.milliseconds ?? .max)
      if times.0 != times.1 { return times.0 < times.1 }
    }
    // Within one platform whose ids grow with time, this is the order of time.
    return first < second
  }

  /// Returns the second of each post: its own, or, if ids grow with time, that of the post with the next lower id that has a time.
  private static func seconds(of posts: [Post]) -> [Int64] {
    var seconds = posts.map { post in
      post.createdAt?.seconds ?? (post.id.growsWithTime ? .min : .max)
    }
    let growing = posts.indices.filter { posts[$0].id.growsWithTime }
      .sorted { posts[$0].id < posts[$1].id }
    var last: (platform: Platform, second: Int64)?
    for position in growing {
      let platform = posts[position].id.platform
      if let time = posts[position].createdAt {
        last = (platform, time.seconds)
      } else if let last, last.platform == platform {
        seconds[position] = last.second
      }
    }
    return seconds
  }
}
