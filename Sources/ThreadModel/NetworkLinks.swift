/// Addresses that a network has for its posts and pictures.
package protocol NetworkLinks: Sendable {
  /// What readers can do with a post at its network; `nil` for posts of other networks, and where the network has no such addresses.
  func actions(for post: PostID) -> PostActions?
  /// The sizes in which the network gives a photo; `nil` for addresses that are not the network's.
  func sizes(ofPhoto url: String) -> PhotoSizes?
}

extension NetworkLinks {
  package func actions(for post: PostID) -> PostActions? { nil }
  package func sizes(ofPhoto url: String) -> PhotoSizes? { nil }
}

/// What a reader can do with a post, by addresses that the network made for this and that run nothing on the site.
package struct PostActions: Sendable, Hashable {
  package let like: String
  package let repost: String
  package let reply: String

  package init(like: String, repost: String, reply: String) {
    self.like = like
    self.repost = repost
    self.reply = reply
  }
}

/// The addresses of a photo in the sizes that its network gives.
package struct PhotoSizes: Sendable, Hashable {
  /// A copy of a photo.
  package struct Copy: Sendable, Hashable {
    package let url: String
    /// The most that either side has, in pixels; a smaller photo is not enlarged.
    package let side: Int

    package init(url: String, side: Int) {
      self.url = url
      self.side = side
    }
  }

  /// The best ones, as they are to be tried.
  package let full: [String]
  /// Smaller copies, the smallest first.
  package let smaller: [Copy]

  package init(full: [String], smaller: [Copy]) {
    self.full = full
    self.smaller = smaller
  }
}

/// Of a network that has no such addresses.
package struct NoLinks: NetworkLinks {
  package init() {}
}
