import Templates
import ThreadModel
import UTF8Text

extension ThreadComposer {
  /// What the author wrote, exactly: what a reader sees of it in HTML is the text, character for character. The headline of
  /// an article stands before it, unless the page already bears it.
  mutating func text(_ text: InlineText, of post: Post) throws(ThreadMarkdownError) {
    let headline = PlainText.nonEmptyLine(post.title).flatMap { $0 == title ? nil : $0 }
    guard !text.isEmpty || headline != nil else { return }
    let language = LanguageTag.valid(post.language)
    let values: TemplateObject = [
      "headline": headline.map { .text($0) } ?? .missing,
      "lang": language.flatMap { $0 == self.language ? nil : .text($0) } ?? .missing,
      "dir": direction(of: text.text, in: language).map { .text($0) } ?? .missing,
      "text": .markup(markdown(text)),
    ]
    try append(.text, values)
  }

  private mutating func markdown(_ text: InlineText) -> UTF8Buffer {
    var writer = MarkdownTextWriter(.block)
    for (index, segment) in text.segments.enumerated() {
      switch index < Self.mostSegments ? segment.entity : nil {
      case .link(let url, _), .mention(_, let url?), .hashtag(_, let url?), .cashtag(_, let url?):
        writer.link(text: segment.text.utf8, url: url)
      case .emoji(let shortcode, let url):
        emoji(shortcode, url, text: segment.text, into: &writer)
      case .mention, .hashtag, .cashtag, nil:
        writer.plain(segment.text.utf8)
      }
    }
    return writer.finish()
  }

  /// A server's own emoji: its picture, with what stands in the text as alternative text.
  private mutating func emoji(
    _ shortcode: String, _ url: String, text: Substring, into writer: inout MarkdownTextWriter
  ) {
    guard options.media == .link, let address = MediaAddress(external: url) else {
      writer.plain(text.utf8)
      return
    }
    show(address, MediaFacts(kind: .image, width: Self.emojiSize, height: Self.emojiSize))
    writer.image(alt: ":\(shortcode):", url: address.url)
  }

  /// Behind so many runs of text and links the rest is plain: Markdown parsers take long for thousands of brackets in one
  /// paragraph, and ours refuses them. No author comes near.
  private static let mostSegments = 8_000

  /// Pixels: emoji are kept far larger than a line is high.
  private static let emojiSize = 20

  /// `nil` where the text runs from left to right within a thread that does so too.
  private func direction(of text: String, in language: String?) -> String? {
    let language = language ?? self.language
    if text.holdsRightToLeft { return language.map(LanguageTag.isRightToLeft) == true ? "rtl" : "auto" }
    return self.language.map(LanguageTag.isRightToLeft) == true ? "auto" : nil
  }
}

extension String {
  /// Whether any scalar is of a block whose letters run from right to left (Hebrew to Arabic Extended-A, their
  /// presentation forms, and the right-to-left parts of the supplementary plane).
  var holdsRightToLeft: Bool {
    // No scalar below U+0590 starts with such a byte.
    guard utf8.contains(where: { $0 >= 0xD6 }) else { return false }
    return unicodeScalars.contains { scalar in
      switch scalar.value {
      case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
      default: false
      }
    }
  }
}
