import ThreadModel
import UTF8Text

/// What a reader can do with a post at its network, by addresses that the network made for this and that run nothing here.
struct PostActions {
  let like: String
  let repost: String
  let reply: String

  /// `nil` for networks that have no such addresses: Bluesky's is for new posts only, and a Mastodon post is answered at the
  /// reader's own server.
  ///
  /// X: https://docs.x.com/x-for-websites/web-intents/overview; `in_reply_to`, `tweet_id` are X's names.
  init?(of post: PostID) {
    guard post.platform == .x, !post.value.isEmpty,
      post.value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    like = "https://x.com/intent/like?tweet_id=\(post.value)"
    repost = "https://x.com/intent/retweet?tweet_id=\(post.value)"
    reply = "https://x.com/intent/post?in_reply_to=\(post.value)"
  }
}

/// Ways to pass a page on that are addresses and nothing more: nobody is told before the reader follows one.
struct ShareLinks {
  let mail: String
  let x: String
  let bluesky: String
  /// Mastodon's own page, on which readers choose their server. The text is in the fragment, which no browser sends: neither
  /// that page's host nor anybody else learns what is shared.
  ///
  /// https://blog.joinmastodon.org/2026/03/a-new-share-button
  let mastodon: String

  init(title: String, url: String) {
    let title = Self.encoded(title)
    let url = Self.encoded(url)
    mail = "mailto:?subject=\(title)&body=\(url)"
    x = "https://x.com/intent/post?text=\(title)&url=\(url)"
    bluesky = "https://bsky.app/intent/compose?text=\(title)%20\(url)"
    mastodon = "https://share.joinmastodon.org/#text=\(title)%20\(url)"
  }

  /// Everything but unreserved characters percent-encoded (RFC 3986, 2.3).
  private static func encoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var result = UTF8Buffer(capacity: text.utf8.count * 2)
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        result.append(byte)
      default:
        result.append(UInt8(ascii: "%"))
        result.append(digits[Int(byte >> 4)])
        result.append(digits[Int(byte & 15)])
      }
    }
    return result.string
  }
}
