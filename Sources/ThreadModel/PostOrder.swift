extension Platform {
  /// Whether a post that was written later always has the higher id: by length, and by text among those of one length.
  ///
  /// X counts upwards. A client of Bluesky chooses its record keys, and what calls itself Mastodon has ids of a dozen programs, given to copies from
  /// other servers in the order in which these arrive: there, an id says nothing of when a post was written.
  package var idsGrowWithTime: Bool { self == .x }
}

/// In which order posts were written: by time, then by what the network guarantees.
///
/// 1. The second in which a post was written. Sources differ in what they know beyond that.
/// 2. Where ids grow with time, the id.
/// 3. The time as exactly as it is known, and then anything that always comes out the same.
///
/// A post without a time takes the place that its id gives it among those with times, where ids grow; else it comes last. Whatever times and
/// ids say, the order is total and strict, and the same for the same posts in any order.
package enum PostOrder {
  /// The positions of posts in their order; `nil` where they stand in it.
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
      // Several observations of one post stand as they came.
      return !precedes(other, one) && one < other
    }
  }

  /// The posts in their order.
  package static func sorted(_ posts: [Post]) -> [Post] {
    positions(of: posts).map { $0.map { posts[$0] } } ?? posts
  }

  /// Which of two posts of one second comes first.
  private static func precedes(_ one: Post, _ other: Post) -> Bool {
    let (first, second) = (one.id, other.id)
    if first == second { return false }
    if first.platform == second.platform, !first.platform.idsGrowWithTime {
      let times = (one.createdAt?.milliseconds ?? .max, other.createdAt?.milliseconds ?? .max)
      if times.0 != times.1 { return times.0 < times.1 }
    }
    // On one platform whose ids grow, that is the order in which they were given out.
    return first < second
  }

  /// The second of each post: its own or, where ids grow, that of the post with the next lower id that has one.
  private static func seconds(of posts: [Post]) -> [Int64] {
    var seconds = posts.map { post in
      post.createdAt?.seconds ?? (post.id.platform.idsGrowWithTime ? .min : .max)
    }
    let growing = posts.indices.filter { posts[$0].id.platform.idsGrowWithTime }
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
