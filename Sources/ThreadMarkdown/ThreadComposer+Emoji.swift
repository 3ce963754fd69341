import Templates
import ThreadModel
import UTF8Text

/// The copies that the store has of emoji, by where their server keeps them.
struct EmojiPictures {
  private let files: [String: String]

  init(_ emoji: [CustomEmoji]) {
    files =
      emoji.isEmpty
      ? [:]
      : Dictionary(
        emoji.compactMap { emoji in emoji.file.map { (emoji.url, $0) } },
        uniquingKeysWith: { first, _ in first })
  }

  func file(of url: String) -> String? { files[url] }
}

extension ThreadComposer {
  /// A line of words, such as a name, with pictures in the place of the short codes of emoji where the page shows them.
  mutating func line(_ line: String, with emoji: [CustomEmoji]) -> TemplateValue {
    guard components.showsEmoji, !emoji.isEmpty else { return .text(line) }
    let text = InlineText(line, marking: emoji)
    guard !text.entities.isEmpty else { return .text(line) }
    let pictures = EmojiPictures(emoji)
    var writer = MarkdownTextWriter(.inline)
    for (index, segment) in text.segments.enumerated() {
      if index < Self.mostSegments, case .emoji(let shortcode, let url) = segment.entity {
        self.emoji(shortcode, url, pictures, text: segment.text, into: &writer)
      } else {
        writer.plain(segment.text.utf8)
      }
    }
    return .markup(writer.finish())
  }

  /// A server's own emoji: its picture, with what stands in the text as alternative text; the text alone where pages show no picture of
  /// it.
  mutating func emoji(
    _ shortcode: String, _ url: String, _ pictures: EmojiPictures, text: Substring,
    into writer: inout MarkdownTextWriter
  ) {
    // A picture stands for its own code, and hides no other words.
    guard components.showsEmoji, CustomEmoji.isShortcode(shortcode), text.isSameBytes(as: ":\(shortcode):"),
      let address = MediaAddress(file: pictures.file(of: url), url: url, options)
    else {
      writer.plain(text.utf8)
      return
    }
    // No facts of it: the same picture may be somebody's photo.
    if let host = address.host { hosts.insert(host) }
    writer.symbol(":\(shortcode):", trusted: address.url)
  }

  /// Whose post it is, as `name` says it.
  mutating func shownName(_ author: Author?) -> TemplateValue {
    line(name(author), with: author?.emoji ?? [])
  }
}
