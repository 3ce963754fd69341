import Basics
package import ThreadModel

/// URLs of X for actions (intents) and for photos in several sizes.
package struct XLinks: NetworkLinks {
  /// The prefixes of the URLs of photos that X provides in several sizes.
  private let photos: [String]

  /// - Parameter photos: the prefixes; tests use others.
  package init(photos: [String] = ["https://pbs.twimg.com/media/"]) { self.photos = photos }

  /// https://docs.x.com/x-for-websites/web-intents/overview; `in_reply_to` and `tweet_id` are X's names.
  package func actions(for post: PostID) -> PostActions? {
    guard post.platform == .x, XID.isValid(post.value) else { return nil }
    return PostActions(
      like: "https://x.com/intent/like?tweet_id=\(post.value)",
      repost: "https://x.com/intent/retweet?tweet_id=\(post.value)",
      reply: "https://x.com/intent/post?in_reply_to=\(post.value)")
  }

  /// X answers at `/i/status/` for any author.
  package func url(of post: PostID, handle: String?) -> String? {
    guard post.platform == .x, Self.isPlain(post.value) else { return nil }
    return "https://x.com/i/status/\(post.value)"
  }

  package func writtenURL(of post: PostID, handle: String?) -> String? {
    guard let handle, post.platform == .x, Self.isPlain(post.value), Self.isPlain(handle) else {
      return url(of: post, handle: handle)
    }
    return "https://x.com/\(handle)/status/\(post.value)"
  }

  /// Posts from before the move to x.com were archived under twitter.com. Ids from before November 2010 contain no time.
  package func archived(_ post: PostID, handle: String?) -> ArchivedPost? {
    guard let url = writtenURL(of: post, handle: handle) else { return nil }
    let time = XID.time(post.value)
    guard time.map({ $0 < Self.moved }) ?? true, let path = url.without(bytePrefix: "https://x.com/") else {
      return ArchivedPost(url: url, time: time)
    }
    return ArchivedPost(url: "https://twitter.com/\(path)", time: time)
  }

  /// 2024-05-17, when twitter.com began to redirect to x.com (https://x.com/elonmusk/status/1791351500217754008).
  private static let moved = Timestamp(seconds: 1_715_904_000)

  package func share(title: String, url: String) -> String? {
    "https://x.com/intent/post?text=\(title)&url=\(url)"
  }

  /// The photo of `https://pbs.twimg.com/media/<key>.jpg` is also at `…/media/<key>?format=jpg&name=<size>`. A size is the maximum of both
  /// sides, and smaller photos are not enlarged. An older notation appends `:large` to the extension.
  package func sizes(ofPhoto url: String) -> PhotoSizes? {
    guard let prefix = photos.first(where: { url.hasBytePrefix($0) }) else { return nil }
    let path = url.prefix(upToBytes: "?#")
    let start = url.utf8.index(url.startIndex, offsetBy: prefix.utf8.count)
    // A prefix may contain a question mark.
    guard start <= path.endIndex else { return nil }
    let parts = path[start...].prefix(upToBytes: ":").split(
      atBytes: ".", omittingEmptySubsequences: false)
    let format: Substring
    if parts.count == 2 {
      format = parts[1]
    } else if let query = url.split(atBytes: "?", maxSplits: 1).dropFirst().first,
      let value = query.split(atBytes: "&").lazy.compactMap({ $0.without(bytePrefix: "format=") }).first
    {
      format = value
    } else {
      return nil
    }
    guard ["jpg", "jpeg", "png", "webp"].contains(format), let key = parts.first, !key.isEmpty,
      key.utf8.allSatisfy(Self.isOfKey)
    else { return nil }
    func address(_ name: String) -> String { "\(path[..<start])\(key)?format=\(format)&name=\(name)" }
    return PhotoSizes(
      full: [address("orig"), address("large")],
      smaller: [.init(url: address("small"), side: 680), .init(url: address("medium"), side: 1200)])
  }

  private static func isOfKey(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "_")
      || byte == UInt8(ascii: "-")
  }
}
