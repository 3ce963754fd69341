import Basics
import Templates
import ThreadModel

/// A document while it is written: its bytes, and what was learnt on the way of the media that a page of it loads.
///
/// It knows how words, names, links and texts are written, and puts components in their templates. Which components there are, and in
/// which order, is the business of `ThreadComposer`.
struct DocumentWriter {
  let components: ThreadComponents
  let options: MarkdownOptions
  /// The thread's title, on one line.
  let title: String
  /// The thread's own language; posts name theirs where it differs.
  let language: String?
  /// Whether the thread's own language is written from right to left.
  let runsRightToLeft: Bool

  private var output: UTF8Buffer
  /// Where the body starts: bytes.
  private let bodyStart: Int
  private var renderer: TemplateRenderer
  private var media: [String: MediaFacts] = [:]
  private var hosts: Set<String> = []
  private var sounds: [String] = []
  private var missingAltTexts = 0

  /// - Parameter frontMatter: what the document begins with, in a buffer that has room for the rest.
  init(
    components: ThreadComponents, options: MarkdownOptions, title: String, language: String?,
    frontMatter: consuming UTF8Buffer
  ) {
    self.components = components
    self.options = options
    self.title = title
    self.language = language
    runsRightToLeft = language.map(LanguageTag.isRightToLeft) ?? false
    bodyStart = frontMatter.count
    output = frontMatter
    renderer = TemplateRenderer(components.templates)
  }

  /// - Parameter headingIsText: whether the heading is the first words of the first post.
  consuming func finish(headingIsText: Bool) -> ThreadDocument {
    // Components end with a blank line; the document ends with a newline.
    if output.count > bodyStart + 1, output.bytes[output.count - 2] == UInt8(ascii: "\n") {
      output.bytes.removeLast()
    }
    return ThreadDocument(
      markdown: output, bodyStart: bodyStart, language: language, media: media, sounds: sounds,
      externalMediaHosts: hosts.sorted(), headingIsText: headingIsText, missingAltTexts: missingAltTexts)
  }

  // MARK: - Components

  /// Appends a component; nothing where it has nothing to show.
  mutating func append(_ component: some Component) throws(ThreadMarkdownError) {
    guard let values = component.values(in: &self) else { return }
    try append(type(of: component).name, values)
  }

  /// Appends a component, and one blank line behind it whatever its template ends with.
  mutating func append(_ name: ComponentName, _ values: TemplateObject) throws(ThreadMarkdownError) {
    let start = output.count
    do {
      try renderer.render(components.entry(name), values, into: &output)
    } catch {
      throw .template(error.description)
    }
    guard output.count <= ThreadDocument.maximumLength else { throw .tooLong }
    output.removeTrailingNewlines(downTo: start)
    if output.count > start { output.append("\n\n" as StaticString) }
  }

  /// Begins the content of a component that holds others: what is written from here on is what `endContent` gives.
  ///
  /// - Returns: what was written before, which `endContent` puts back.
  mutating func beginContent() -> UTF8Buffer {
    // Room for most posts, so that it does not grow step by step.
    var outer = UTF8Buffer(capacity: 2048)
    swap(&outer, &output)
    return outer
  }

  /// What was written since `beginContent`, without the blank line at its end.
  mutating func endContent(_ outer: consuming UTF8Buffer) -> UTF8Buffer {
    var inner = outer
    swap(&inner, &output)
    inner.removeTrailingNewlines(downTo: 0)
    return inner
  }

  // MARK: - Media

  /// Remembers what a page loads.
  mutating func show(_ address: MediaAddress, _ facts: MediaFacts) {
    if facts.kind == .audio, media[address.url]?.kind != .audio { sounds.append(address.url) }
    media[address.url] = facts
    if let host = address.host { hosts.insert(host) }
  }

  /// Counts a picture, a video or a sound that its author did not describe.
  mutating func countMissingAltText() { missingAltTexts += 1 }

  /// The author's picture, noted as one that the page shows.
  mutating func avatar(of author: Author) -> MediaAddress? {
    guard let avatar = MediaAddress(file: author.avatarFile, url: author.avatarURL, options) else {
      return nil
    }
    show(avatar, MediaFacts(kind: .image, width: Self.avatarSize, height: Self.avatarSize))
    return avatar
  }

  /// Pixels that a page keeps free for an avatar: they are square, and kept far larger than they are shown.
  private static var avatarSize: Int { 48 }

  // MARK: - Words

  var localization: Localization { options.localization }

  /// Whose post it is: the name, else the handle.
  func name(_ author: Author?) -> String { MarkdownPieces.name(author, in: localization) }

  /// Whose post it is, as `name` says it, with pictures of emoji.
  mutating func shownName(_ author: Author?) -> TemplateValue {
    line(name(author), with: author?.emoji ?? [])
  }

  /// The handle, else the name: for where somebody is only mentioned.
  func shortName(_ author: Author) -> String {
    PlainText.nonEmptyLine(author.handle).map { "@" + $0.asName } ?? name(author)
  }

  /// `@ada` linked to her page here, or else to the one on her network; missing where the handle is not known.
  func handleLink(_ author: Author?, else handle: String? = nil) -> TemplateValue {
    guard let author, let name = PlainText.nonEmptyLine(author.handle),
      let page = options.profileURL(author)
    else { return MarkdownPieces.handleLink(author, else: handle) }
    return MarkdownPieces.link("@" + name.asName, safe: page)
  }

  /// Where a post is on its network, if that may be linked.
  func address(of post: Post, by author: Author?) -> String? {
    (post.url ?? options.postURL(post.id, author?.handle)).flatMap(WebAddress.safe)
  }

  /// Where a post was on its network that is missing here, if that may be linked.
  func address(of tombstone: Tombstone, by author: Author?) -> String? {
    // The id of one that is left out is none of its network's.
    guard tombstone.reason != .leftOut else { return nil }
    return options.postURL(tombstone.id, author?.handle ?? tombstone.handle).flatMap(WebAddress.safe)
  }

  /// The day of a post linked to it, or the word "original" where its day is not known; missing where neither is.
  func dateLink(_ date: Timestamp?, _ address: String?) -> TemplateValue {
    if let date { return MarkdownPieces.link(options.calendar.day(date), safe: address) }
    return address.map { MarkdownPieces.link(localization.text(.original), safe: $0) } ?? .missing
  }

  /// The language of a post where it is another than the thread's.
  func otherLanguage(of post: Post) -> TemplateValue {
    guard let tag = LanguageTag.valid(post.language), tag != language else { return .missing }
    return .text(tag)
  }

  // MARK: - Text

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

  /// What an author wrote, exactly: what a reader sees of it in HTML is the text, character for character.
  ///
  /// - Parameter emoji: those that may stand in it.
  mutating func markdown(
    _ text: InlineText, _ place: MarkdownTextWriter.Place, emoji: [CustomEmoji]
  ) -> UTF8Buffer {
    let pictures = EmojiPictures(emoji)
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
        self.emoji(shortcode, url, pictures, text: segment.text, into: &writer)
      case .mention, .cashtag, nil:
        writer.plain(segment.text.utf8)
      }
    }
    return writer.finish()
  }

  /// Behind so many runs of text and links the rest is plain: Markdown parsers take long for thousands of brackets in one
  /// paragraph, and ours refuses them. No author comes near.
  private static let mostSegments = 8_000

  /// A server's own emoji: its picture, with what stands in the text as alternative text; the text alone where pages show no picture of
  /// it.
  private mutating func emoji(
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
}

/// The copies that the store has of emoji, by where their server keeps them.
private struct EmojiPictures {
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

extension UTF8Buffer {
  /// Takes newlines off the end, as long as more than `count` bytes are left.
  fileprivate mutating func removeTrailingNewlines(downTo count: Int) {
    while bytes.count > count, bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
  }
}
