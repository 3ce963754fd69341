import Basics

/// Links for sharing a page on other networks. They are plain addresses: no network learns of the page until the reader follows a link.
struct ShareLinks {
  let mail: String
  let x: String
  let bluesky: String
  /// Mastodon's own sharing page, on which readers choose their server. The text is in the fragment, which browsers do not send: neither the host of
  /// that page nor any other server learns what is shared.
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

  /// Returns the text with all characters but unreserved ones percent-encoded (RFC 3986, 2.3).
  private static func encoded(_ text: String) -> String {
    // Each byte becomes at most three bytes.
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

  /// Returns a hexadecimal digit in upper case, as ASCII.
  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}
