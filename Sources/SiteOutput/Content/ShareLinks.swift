import Basics

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
    // At most three bytes for one.
    String(unsafeUninitializedCapacity: text.utf8.count * 3) { result in
      var count = 0
      func put(_ byte: UInt8) {
        result[count] = byte
        count += 1
      }
      for byte in text.utf8 {
        if isUnreserved(byte) {
          put(byte)
        } else {
          put(UInt8(ascii: "%"))
          put(digit(byte >> 4))
          put(digit(byte & 15))
        }
      }
      return count
    }
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }

  /// Of a hexadecimal number.
  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}
