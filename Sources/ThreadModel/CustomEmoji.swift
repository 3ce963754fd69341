package import Basics

/// A picture that users of a server insert with a short code between colons, such as `:blobcat:`.
///
/// A post and an author each list the emoji that occur in their texts. The texts keep the short code, which titles, searches and other places without
/// pictures show.
package struct CustomEmoji: Hashable, Sendable {
  /// Without the colons.
  package var shortcode: String
  /// The URL of the picture on the server; if there are two URLs, the permanent one.
  package var url: String
  /// The copy in the store's media folder, by file name; `nil` if there is no copy.
  package var file: String?

  package init(shortcode: String, url: String, file: String? = nil) {
    self.shortcode = shortcode
    self.url = url
    self.file = file
  }
}

extension CustomEmoji: Record {
  package static let fields = RecordFields(Self.init(shortcode:url:file:), \.shortcode, \.url, \.file)
}

extension CustomEmoji {
  /// Returns the emoji that begins at an index of a text: its code, its picture's URL, and the index after it.
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

  /// Whether a text has the form of a short code. Codes of any other form are never shown as pictures, even if a source lists them.
  package static func isShortcode(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && text.unicodeScalars.count <= longestCode && text.unicodeScalars.allSatisfy(isPart)
  }

  /// Letters, digits, and characters that servers other than Mastodon allow.
  private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "-", "+", ".", "@": true
    default: false
    }
  }

  private static let longestCode = 100

  /// Merges the emoji of two observations, sorted by short code. Each emoji gets the latest picture and its copy.
  package static func merge(
    _ field: String, _ one: [CustomEmoji], _ other: [CustomEmoji], _ merge: inout FieldMerge
  ) -> [CustomEmoji] {
    if one.isEmpty, other.isEmpty { return [] }
    func byCode(_ emoji: [CustomEmoji]) -> [String: CustomEmoji] {
      Dictionary(emoji.map { ($0.shortcode, $0) }, uniquingKeysWith: { first, _ in first })
    }
    let (first, second) = (byCode(one), byCode(other))
    return Set(first.keys).union(second.keys).sorted().compactMap { code in
      let (mine, theirs) = (first[code], second[code])
      guard let url = merge.pick("\(field).\(code).url", mine?.url, theirs?.url) else { return nil }
      // The copy of a different picture does not match this emoji.
      let file = merge.copy(mine?.url == url ? mine?.file : nil, theirs?.url == url ? theirs?.file : nil)
      return CustomEmoji(shortcode: code, url: url, file: file)
    }
  }
}

extension InlineText {
  /// Creates plain text, such as a name, in which the short codes of emoji are marked.
  package init(_ text: String, marking emoji: [CustomEmoji]) {
    self.init(
      text,
      marking: Dictionary(emoji.map { ($0.shortcode, $0.url) }, uniquingKeysWith: { first, _ in first }))
  }

  /// Creates plain text in which the short codes of emoji are marked.
  ///
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

  /// The emoji that the text contains, each once. Two emoji with the same short code but different pictures count as different.
  package var emoji: [CustomEmoji] {
    var known: Set<CustomEmoji> = []
    return entities.compactMap { entity in
      guard case .emoji(let shortcode, let url) = entity.kind else { return nil }
      let emoji = CustomEmoji(shortcode: shortcode, url: url)
      return known.insert(emoji).inserted ? emoji : nil
    }
  }
}

extension CustomEmoji: StoredRecord {
  package static let noun = "emoji"
  package static func blank(on platform: Platform) -> Self { Self(shortcode: "", url: "") }

  package static func visit<V: RecordVisitor<Self>>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("file", \.file, .nonEmpty)
    try visitor.field("shortcode", \.shortcode, [.required, .nonEmpty])
    try visitor.field("url", \.url, [.required, .nonEmpty])
  }
}
