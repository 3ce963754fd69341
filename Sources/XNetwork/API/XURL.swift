import UTF8Text

/// Addresses on X, and what they point at.
package enum XURL {
  private static let hosts: Set<String> = [
    "x.com", "www.x.com", "mobile.x.com", "twitter.com", "www.twitter.com", "mobile.twitter.com",
  ]

  /// What an address of a post shows.
  package struct PostLink: Hashable {
    package var id: String
    /// `…/photo/1`, `…/video/1`: the post's own attachment.
    package var isMedia: Bool
  }

  /// The post that an address is of: `https://x.com/<user>/status/<id>`, `/i/web/status/<id>`, on either host.
  package static func post(_ url: String) -> PostLink? {
    guard let host = WebAddress.host(of: url), hosts.contains(host) else { return nil }
    let parts = url.split(atBytes: "/").dropFirst(2).map { $0.prefix(upToBytes: "?#") }
    guard let status = parts.firstIndex(where: { $0 == "status" || $0 == "statuses" }),
      status + 1 < parts.endIndex
    else { return nil }
    let id = String(parts[status + 1])
    guard XID.isValid(id) else { return nil }
    let kind = status + 2 < parts.endIndex ? parts[status + 2] : ""
    return PostLink(id: id, isMedia: kind == "photo" || kind == "video")
  }

  /// The handle in a post's address; `nil` in those that name none (`/i/web/status/…`).
  static func handle(_ url: String) -> String? {
    guard post(url) != nil else { return nil }
    let parts = url.split(atBytes: "/").dropFirst(2)
    guard let name = parts.first, name != "i", isHandle(name),
      parts.dropFirst().first.map({ $0.hasBytePrefix("status") }) == true
    else { return nil }
    return String(name)
  }

  /// Handles: `^[A-Za-z0-9_]{1,15}$`.
  static func isHandle(_ name: some StringProtocol) -> Bool {
    (1...15).contains(name.utf8.count) && name.utf8.allSatisfy(isWord)
  }

  static func isWord(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26
  }

  static func profile(_ handle: String) -> String? { isHandle(handle) ? "https://x.com/\(handle)" : nil }

  /// The address of a post; X finds it by its id, whoever the handle is of.
  static func post(_ id: String, by handle: String?) -> String {
    "https://x.com/\(handle.flatMap { isHandle($0) ? $0 : nil } ?? "i")/status/\(id)"
  }

  static func hashtag(_ tag: String) -> String { "https://x.com/hashtag/\(percentEncoded(tag))" }
  static func cashtag(_ symbol: String) -> String { "https://x.com/search?q=%24\(percentEncoded(symbol))" }

  private static func percentEncoded(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      if isWord(byte) {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        result += "%\(digits.utf8.count < 2 ? "0" : "")\(digits)"
      }
    }
    return result
  }

  /// How an address reads in a text: whole, without `https://`, and without a slash that is all of its path.
  static func displayed(_ url: String) -> String {
    var text = url[...]
    for scheme in ["https://", "http://"]
    where text.utf8.prefix(scheme.utf8.count).map({ $0 | 0x20 }).elementsEqual(scheme.utf8.map { $0 | 0x20 })
    {
      text = text[text.utf8.index(text.startIndex, offsetBy: scheme.utf8.count)...]
      break
    }
    if let rest = text.without(byteSuffix: "/"), !rest.utf8.contains(UInt8(ascii: "/")) { text = rest }
    return text.isEmpty ? url : String(text)
  }
}
