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
      "lang": otherLanguage(of: post).map { .text($0) } ?? .missing,
      "dir": direction(of: text.text, in: language).map { .text($0) } ?? .missing,
      "text": .markup(markdown(text, .block, pictures: EmojiPictures(post.emoji))),
    ]
    try append(.text, values)
  }

  mutating func markdown(
    _ text: InlineText, _ place: MarkdownTextWriter.Place, pictures: EmojiPictures
  ) -> UTF8Buffer {
    // Room for the text and a few backslashes and links.
    var writer = MarkdownTextWriter(
      place, startsLine: place == .block, capacity: text.text.utf8.count + 64 + text.entities.count * 64)
    guard !text.entities.isEmpty else {
      writer.plain(text.text)
      return writer.finish()
    }
    for (index, segment) in text.segments.enumerated() {
      switch index < Self.mostSegments ? segment.entity : nil {
      case .link(let url, _):
        if let page = options.linkURL(url) {
          writer.link(text: segment.text.utf8, trusted: page)
        } else {
          writer.link(text: segment.text.utf8, url: url)
        }
      case .hashtag(let tag, let url):
        if let page = options.tagURL(tag) {
          writer.link(text: segment.text.utf8, trusted: page)
        } else if let url {
          writer.link(text: segment.text.utf8, url: url)
        } else {
          writer.plain(segment.text.utf8)
        }
      case .mention(_, let url?):
        if let page = options.mentionURL(url) {
          writer.link(text: segment.text.utf8, trusted: page)
        } else {
          writer.link(text: segment.text.utf8, url: url)
        }
      case .cashtag(_, let url?):
        writer.link(text: segment.text.utf8, url: url)
      case .emoji(let shortcode, let url):
        emoji(shortcode, url, pictures, text: segment.text, into: &writer)
      case .mention, .cashtag, nil:
        writer.plain(segment.text.utf8)
      }
    }
    return writer.finish()
  }

  /// The language of a post where it is another than the thread's.
  func otherLanguage(of post: Post) -> String? {
    LanguageTag.valid(post.language).flatMap { $0 == language ? nil : $0 }
  }

  /// Behind so many runs of text and links the rest is plain: Markdown parsers take long for thousands of brackets in one
  /// paragraph, and ours refuses them. No author comes near.
  static let mostSegments = 8_000

  /// `nil` where the text runs from left to right within a thread that does so too.
  private func direction(of text: String, in language: String?) -> String? {
    guard text.holdsRightToLeft else { return runsRightToLeft ? "auto" : nil }
    return (language.map(LanguageTag.isRightToLeft) ?? runsRightToLeft) ? "rtl" : "auto"
  }
}

extension String {
  /// Whether any scalar is of a block whose letters run from right to left: U+0590 to U+08FF (Hebrew to Arabic Extended-A),
  /// U+FB1D to U+FDFF and U+FE70 to U+FEFE (presentation forms), U+10800 to U+10FFF and U+1E800 to U+1EFFF.
  var holdsRightToLeft: Bool {
    utf8.withContiguousStorageIfAvailable(Self.holdsRightToLeft)
      ?? Array(utf8).withUnsafeBufferPointer(Self.holdsRightToLeft)
  }

  /// By the lead bytes of those blocks, so that emoji and quotation marks cost no more than letters.
  private static func holdsRightToLeft(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    func third(_ index: Int) -> UInt8 { index + 2 < utf8.count ? utf8[index + 2] : 0 }
    var next = 0
    while next < utf8.count {
      let index = next
      next += 1
      if utf8[index] < 0x80 {
        next += utf8.wordsOfASCII(from: next)
        continue
      }
      guard utf8[index] >= 0xD6, index + 1 < utf8.count else { continue }
      switch (utf8[index], utf8[index + 1]) {
      case (0xD6, 0x90...), (0xD7...0xDF, _), (0xE0, 0xA0...0xA3), (0xEF, 0xAD...0xB7), (0xEF, 0xBA):
        return true
      case (0xEF, 0xAC) where third(index) >= 0x9D: return true
      case (0xEF, 0xB9) where third(index) >= 0xB0: return true
      case (0xEF, 0xBB) where third(index) != 0xBF: return true
      case (0xF0, 0x90), (0xF0, 0x9E): if third(index) >= 0xA0 { return true }
      default: break
      }
    }
    return false
  }
}
