import ThreadModel

/// A server's own emoji: short codes between colons, for which it has pictures.
enum CustomEmoji {
  /// The emoji that begins at a place of a text: its code, its picture, and where it ends.
  static func find(
    in text: [Unicode.Scalar], at start: Int, _ emoji: [String: String]
  ) -> (code: String, url: String, end: Int)? {
    guard text[start] == ":" else { return nil }
    var code = String.UnicodeScalarView()
    var index = start + 1
    while index < text.count, text[index] != ":" {
      guard isPart(text[index]), code.count < longestCode else { return nil }
      code.append(text[index])
      index += 1
    }
    guard index < text.count, let url = emoji[String(code)] else { return nil }
    return (String(code), url, index + 1)
  }

  /// Letters, digits and what servers beside Mastodon allow, too.
  static func isPart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "-", "+", ".", "@": true
    default: false
    }
  }

  static let longestCode = 100
}
