/// A picture that a server lets its people write as a short code between colons, as `:blobcat:`.
///
/// A post and an author each list those that stand in their words. The words keep the short code: it is what titles, searches and
/// everything else that has no pictures show.
package struct CustomEmoji: Hashable, Sendable {
  /// Without the colons.
  package var shortcode: String
  /// Where the server keeps the picture, the one that does not move where there are two.
  package var url: String
  /// The copy in the store's media folder, by file name; `nil` where there is none.
  package var file: String?

  package init(shortcode: String, url: String, file: String? = nil) {
    self.shortcode = shortcode
    self.url = url
    self.file = file
  }
}

extension CustomEmoji {
  /// The emoji that begins at a place of a text: its code, its picture, and where it ends.
  ///
  /// - Parameter emoji: pictures by short code.
  package static func find(
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

  /// Whether a text can be a short code: what is none is shown by no picture, whoever says so.
  package static func isShortcode(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && text.unicodeScalars.count <= longestCode && text.unicodeScalars.allSatisfy(isPart)
  }

  /// Letters, digits and what servers beside Mastodon allow, too.
  private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "-", "+", ".", "@": true
    default: false
    }
  }

  private static let longestCode = 100

  /// The same emoji from two observations, by their short codes, sorted: the picture of each as it was seen last, with its copy.
  static func merge(_ one: [CustomEmoji], _ other: [CustomEmoji], _ merge: inout FieldMerge) -> [CustomEmoji]
  {
    if one.isEmpty, other.isEmpty { return [] }
    func byCode(_ emoji: [CustomEmoji]) -> [String: CustomEmoji] {
      Dictionary(emoji.map { ($0.shortcode, $0) }, uniquingKeysWith: { first, _ in first })
    }
    let (first, second) = (byCode(one), byCode(other))
    return Set(first.keys).union(second.keys).sorted().compactMap { code in
      let (mine, theirs) = (first[code], second[code])
      guard let url = merge.pick("emoji.\(code).url", mine?.url, theirs?.url) else { return nil }
      // A copy of another picture is none of this one.
      let file = merge.copy(mine?.url == url ? mine?.file : nil, theirs?.url == url ? theirs?.file : nil)
      return CustomEmoji(shortcode: code, url: url, file: file)
    }
  }
}

extension InlineText {
  /// Plain text, such as a name, with the emoji that stand in it by their short codes.
  package init(_ text: String, marking emoji: [CustomEmoji]) {
    self.init(
      text,
      marking: Dictionary(emoji.map { ($0.shortcode, $0.url) }, uniquingKeysWith: { first, _ in first }))
  }

  /// - Parameter emoji: pictures by short code.
  package init(_ text: String, marking emoji: [String: String]) {
    guard !emoji.isEmpty, text.utf8.contains(UInt8(ascii: ":")) else {
      self.init(text)
      return
    }
    let scalars = Array(text.unicodeScalars)
    var entities: [TextEntity] = []
    var index = 0
    while index < scalars.count {
      if let (code, url, end) = CustomEmoji.find(in: scalars, at: index, emoji) {
        entities.append(TextEntity(index..<end, .emoji(shortcode: code, url: url)))
        index = end
      } else {
        index += 1
      }
    }
    self.init(text, entities: entities)
  }

  /// The emoji that it holds, each once, by their short codes; pictures differ where the text says so.
  package var emoji: [CustomEmoji] {
    var known: Set<CustomEmoji> = []
    return entities.compactMap { entity in
      guard case .emoji(let shortcode, let url) = entity.kind else { return nil }
      let emoji = CustomEmoji(shortcode: shortcode, url: url)
      return known.insert(emoji).inserted ? emoji : nil
    }
  }
}
