package import Basics

/// The addresses that a network has for its posts and pictures.
package protocol NetworkLinks: Sendable {
  /// Returns addresses for actions on a post at its network; `nil` for posts of other networks, or if the network has no such addresses.
  func actions(for post: PostID) -> PostActions?
  /// Returns the sizes in which the network offers a photo; `nil` for addresses that are not the network's.
  func sizes(ofPhoto url: String) -> PhotoSizes?
  /// Returns the URL of a post as far as its id alone tells, for posts of which only the id is known; `nil` if that is not enough.
  ///
  /// - Parameter handle: the author's, without the `@`, if known.
  func url(of post: PostID, handle: String?) -> String?
  /// Returns the URL of a post as people write it, for site.yml; `nil` if it is not known.
  func writtenURL(of post: PostID, handle: String?) -> String?
  /// Returns a URL that begins a new post on the network with a page's title and URL; `nil` if the network has none.
  ///
  /// It is a plain URL, so the network does not learn of the page until a reader follows the link.
  ///
  /// - Parameters:
  ///   - title: the title of the page, percent-encoded.
  ///   - url: the URL of the page, percent-encoded.
  func share(title: String, url: String) -> String?
}

extension NetworkLinks {
  package func actions(for post: PostID) -> PostActions? { nil }
  package func sizes(ofPhoto url: String) -> PhotoSizes? { nil }
  package func url(of post: PostID, handle: String?) -> String? { nil }
  package func writtenURL(of post: PostID, handle: String?) -> String? { url(of: post, handle: handle) }
  package func share(title: String, url: String) -> String? { nil }

  /// Whether a text consists of letters, digits and the other characters of hosts, accounts and keys, so that it cannot end a path.
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
