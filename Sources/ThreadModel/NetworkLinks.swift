package import Basics

/// The addresses that a network has for its posts and pictures.
package protocol NetworkLinks: Sendable {
  /// Returns addresses for actions on a post at its network; `nil` for posts of other networks, or if the network has no such addresses.
  func actions(for post: PostID) -> PostActions?
  /// Returns the sizes in which the network offers a photo; `nil` for addresses that are not the network's.
  func sizes(ofPhoto url: String) -> PhotoSizes?
}

extension NetworkLinks {
  package func actions(for post: PostID) -> PostActions? { nil }
  package func sizes(ofPhoto url: String) -> PhotoSizes? { nil }
}

/// Actions on a post, as addresses that the network provides for this purpose and that run no code on the site.
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

extension PostActions: Record {
  package static let fields = RecordFields(Self.init, \.like, \.repost, \.reply)
}

/// The addresses of a photo in the sizes that its network offers.
package struct PhotoSizes: Sendable, Hashable {
  /// A copy of a photo.
  package struct Copy: Sendable, Hashable {
    package let url: String
    /// The maximum length of either side in pixels; a smaller photo is not enlarged.
    package let side: Int

    package init(url: String, side: Int) {
      self.url = url
      self.side = side
    }
  }

  /// The best copies, in the order in which to try them.
  package let full: [String]
  /// Smaller copies, the smallest first.
  package let smaller: [Copy]

  package init(full: [String], smaller: [Copy]) {
    self.full = full
    self.smaller = smaller
  }
}

/// The links of a network that has no such addresses.
package struct NoLinks: NetworkLinks {
  package init() {}
}
