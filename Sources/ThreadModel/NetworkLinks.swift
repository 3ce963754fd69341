package import Basics

/// The URLs of a network for its posts and images.
package protocol NetworkLinks: Sendable {
  /// Returns the URLs for actions on a post; `nil` for posts of other networks, or if the network has no such URLs.
  func actions(for post: PostID) -> PostActions?
  /// Returns the sizes in which the network offers a photo; `nil` for URLs that are not the network's.
  func sizes(ofPhoto url: String) -> PhotoSizes?
  /// Returns the URL of a post of which only the id is known; `nil` if the id is not enough.
  ///
  /// - Parameter handle: the author's, without the `@`, if known.
  func url(of post: PostID, handle: String?) -> String?
  /// Returns the usual URL of a post, for site.yml; `nil` if it is unknown.
  func writtenURL(of post: PostID, handle: String?) -> String?
  /// Returns the URL under which web archives are most likely to have a post, and the time of the post if its id contains it; `nil` if the
  /// id is not enough.
  ///
  /// - Parameter handle: the author's, without the `@`, if known.
  func archived(_ post: PostID, handle: String?) -> ArchivedPost?
  /// Returns the URL at which the network offers a new post with a page's title and URL; `nil` if the network has no such URL.
  ///
  /// The network does not learn of the page until a reader follows the link.
  ///
  /// - Parameters:
  ///   - title: the title of the page, percent-encoded.
  ///   - url: the URL of the page, percent-encoded.
  func share(title: String, url: String) -> String?
  /// Returns the AT URI of a post; `nil` for posts of other networks, and on networks whose posts are not records of the AT Protocol.
  func record(of post: PostID) -> String?
}

extension NetworkLinks {
  package func actions(for post: PostID) -> PostActions? { nil }
  package func sizes(ofPhoto url: String) -> PhotoSizes? { nil }
  package func url(of post: PostID, handle: String?) -> String? { nil }
  package func writtenURL(of post: PostID, handle: String?) -> String? { url(of: post, handle: handle) }
  package func archived(_ post: PostID, handle: String?) -> ArchivedPost? {
    writtenURL(of: post, handle: handle).map { ArchivedPost(url: $0) }
  }
  package func share(title: String, url: String) -> String? { nil }
  package func record(of post: PostID) -> String? { nil }

  /// Whether a text consists only of characters that occur in hosts, accounts and keys, so that it cannot leave its part of a path.
  package static func isPlain(_ text: String, besides other: String = "") -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: ".-_:~".utf8.contains(byte) || other.utf8.contains(byte)
        }
      } && !text.utf8.allSatisfy { $0 == UInt8(ascii: ".") }
  }
}

/// The facts by which a web archive finds a post.
package struct ArchivedPost: Sendable, Hashable {
  package let url: String
  /// When the post was written, if known.
  package let time: Timestamp?

  package init(url: String, time: Timestamp? = nil) {
    self.url = url
    self.time = time
  }
}

/// URLs that the network provides for actions on a post. They run no code on the site.
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

/// The URLs of a photo in the sizes that its network offers.
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

/// The links of a network that has no such URLs.
package struct NoLinks: NetworkLinks {
  package init() {}
}
