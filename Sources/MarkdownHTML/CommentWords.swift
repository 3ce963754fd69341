/// The words of raw HTML that begins with a comment on one line.
struct CommentWords {
  private var rest: Slice<UnsafeBufferPointer<UInt8>>
  /// Something beside white space stands after the comment.
  let isFollowedByText: Bool

  /// `nil` where `html` does not begin with a comment that ends on the same line.
  init?(_ html: UnsafeBufferPointer<UInt8>) {
    var start = 0
    while start < html.count, Self.isSpace(html[start]) { start += 1 }
    guard start + 4 <= html.count, html[start] == UInt8(ascii: "<"), html[start + 1] == UInt8(ascii: "!"),
      html[start + 2] == UInt8(ascii: "-"), html[start + 3] == UInt8(ascii: "-")
    else { return nil }
    // Ends at the first "-->", or nowhere.
    var end = start + 4
    while true {
      guard end + 2 < html.count, html[end] != UInt8(ascii: "\n") else { return nil }
      if html[end] == UInt8(ascii: "-"), html[end + 1] == UInt8(ascii: "-"),
        html[end + 2] == UInt8(ascii: ">")
      {
        break
      }
      end += 1
    }
    rest = html[(start + 4)..<end]
    isFollowedByText = html[(end + 3)...].contains { !Self.isSpace($0) }
  }

  mutating func next() -> Slice<UnsafeBufferPointer<UInt8>>? {
    rest = rest.drop(while: Self.isSpace)
    guard !rest.isEmpty else { return nil }
    let word = rest.prefix { !Self.isSpace($0) }
    rest = rest.dropFirst(word.count)
    return word
  }

  /// The words to come are at most one of any kind and then `key=value`.
  var areArguments: Bool {
    var words = self
    _ = words.next()
    while let word = words.next() {
      guard word.contains(UInt8(ascii: "=")) else { return false }
    }
    return true
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }
}
