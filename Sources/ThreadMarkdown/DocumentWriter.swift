import Basics
import InterfaceText
import MarkdownHTML
import Templates
import ThreadModel

/// A document while it is being written: its bytes, and the media that its page loads.
///
/// It writes words, names, links and texts, and renders components with their templates. `ThreadComposer` decides which components the
/// document has, and their order.
struct DocumentWriter {
  let components: ThreadComponents
  let options: MarkdownOptions
  /// The thread's title, on one line.
  let title: String
  /// The thread's language; posts in a different language state theirs.
  let language: String?
  /// Whether the thread's language is written from right to left.
  let runsRightToLeft: Bool

  private var output: UTF8Buffer
  /// The offset of the body in bytes.
  private let bodyStart: Int
  private var renderer: TemplateRenderer
  private var media: [String: MediaFacts] = [:]
  private var hosts: Set<String> = []
  private var sounds: [String] = []
  private var undescribed: Set<String> = []

  /// - Parameter frontMatter: the beginning of the document, in a buffer with room for the rest.
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

  /// - Parameter headingIsText: whether the heading consists of the first words of the first post.
  consuming func finish(headingIsText: Bool) -> ThreadDocument {
    // Components end with a blank line; the document ends with a newline.
    if output.count > bodyStart + 1, output.bytes[output.count - 2] == UInt8(ascii: "\n") {
      output.bytes.removeLast()
    }
    return ThreadDocument(
      markdown: output, bodyStart: bodyStart, language: language, media: media, sounds: sounds,
      externalMediaHosts: hosts.sorted(), headingIsText: headingIsText, missingAltTexts: undescribed.count)
  }

  // MARK: - Components

  /// Appends a component, unless it has nothing to show.
  mutating func append(_ component: some Component) throws(ThreadMarkdownError) {
    guard let values = component.values(in: &self) else { return }
    try append(type(of: component).kind, values)
  }

  /// Appends a component, followed by one blank line whatever the end of its template.
  mutating func append(_ kind: ComponentKind, _ values: TemplateObject) throws(ThreadMarkdownError) {
    let start = output.count
    let entry = try components.entry(kind)
    do {
      try renderer.render(entry, values, into: &output)
    } catch {
      throw .template(error.description)
    }
    guard output.count <= MarkdownHTML.maximumLength else { throw .tooLong }
    output.removeTrailingNewlines(downTo: start)
    if output.count > start { output.append("\n\n" as StaticString) }
  }

  /// Begins the content of a component that contains others. Everything written until `endContent` belongs to it.
  ///
  /// - Returns: the text written before, which must be passed to `endContent`.
  mutating func beginContent() -> UTF8Buffer {
    // Has room for most posts, to avoid repeated growth.
    var outer = UTF8Buffer(capacity: 2048)
    swap(&outer, &output)
    return outer
  }

  /// Ends the content; returns the text written since `beginContent`, without the blank line at its end.
  mutating func endContent(_ outer: consuming UTF8Buffer) -> UTF8Buffer {
    var inner = outer
    swap(&inner, &output)
    inner.removeTrailingNewlines(downTo: 0)
    return inner
  }

  // MARK: - Media

  /// Records media that the page loads.
  mutating func show(_ address: MediaAddress, _ facts: MediaFacts) {
    if facts.kind == .audio, media[address.url]?.kind != .audio { sounds.append(address.url) }
    media[address.url] = facts
    if let host = address.host { hosts.insert(host) }
  }

  /// Counts a picture without a description, once even if the page shows it repeatedly.
  mutating func countMissingAltText(of picture: Media) { undescribed.insert(picture.shortName) }

  /// Returns the author's picture, and records that the page shows it.
  mutating func avatar(of author: Author) -> MediaAddress? {
    guard let avatar = MediaAddress(file: author.avatarFile, url: author.avatarURL, options) else {
      return nil
    }
    show(avatar, MediaFacts(kind: .image, width: Self.avatarSize, height: Self.avatarSize))
    return avatar
  }

  /// The size in pixels that a page reserves for an avatar. Avatars are square, and their files are much larger than the displayed size.
  private static var avatarSize: Int { 48 }

  // MARK: - Words

  var localization: Localization { options.localization }

  /// Returns an author's name or, if it is missing, the handle.
  func name(_ author: Author?) -> String { MarkdownPieces.name(author, in: localization) }

  /// Returns the same as `name`, with pictures of emoji.
  mutating func shownName(_ author: Author?) -> TemplateValue {
    line(name(author), with: author?.emoji ?? [])
  }

  /// Returns the handle or, if it is missing, the name; for mentions of an author.
  func shortName(_ author: Author) -> String {
    PlainText.nonEmptyLine(author.handle).map { "@" + $0.asHandle } ?? name(author)
  }

  /// Returns `@ada` linked to the author's page on this site or, if there is no such page, on the network; missing if the handle is
  /// unknown.
  func handleLink(_ author: Author?, else handle: String? = nil) -> TemplateValue {
    guard let author, let name = PlainText.nonEmptyLine(author.handle),
      let page = options.links.page(of: author)
    else { return MarkdownPieces.handleLink(author, else: handle) }
    return MarkdownPieces.link("@" + name.asHandle, safe: page)
  }

  /// Returns the URL of a post on its network, if a link to it is safe.
  func address(of post: Post, by author: Author?) -> String? {
    (post.url ?? options.links.original(of: post.id, by: author?.handle)).flatMap(WebAddress.safe)
  }

  /// Returns the URL that a missing post had on its network, if a link to it is safe.
  func address(of tombstone: Tombstone, by author: Author?) -> String? {
    // The id of a left-out post is not an id of the network.
    guard tombstone.reason != .leftOut else { return nil }
    return options.links.original(of: tombstone.id, by: author?.handle ?? tombstone.handle).flatMap(
      WebAddress.safe)
  }

  /// Returns a link to the archived copy of a missing post; missing if the site has no such links, or if the post may have been removed.
  ///
  /// - Parameter isOwn: whether the author of the thread wrote the post.
  func archivedLink(of tombstone: Tombstone, by author: Author?, isOwn: Bool) -> TemplateValue {
    guard options.archived != nil, tombstone.allowsArchivedCopy(by: author, isOwn: isOwn),
      let post = options.links.archived(tombstone.id, by: author?.handle ?? tombstone.handle),
      let copy = ArchivedLinks.copy(of: post.url, at: post.time)
    else { return .missing }
    return MarkdownPieces.link(localization.text(.archivedCopy), safe: copy)
  }

  /// Returns the day of a post, linked to the post, or the word "original" if the day is unknown; missing if the URL is also unknown.
  func dateLink(_ date: Timestamp?, _ address: String?) -> TemplateValue {
    if let date { return MarkdownPieces.link(options.calendar.day(date), safe: address) }
    return address.map { MarkdownPieces.link(localization.text(.original), safe: $0) } ?? .missing
  }

  /// Returns the language of a post if it differs from the thread's.
  func otherLanguage(of post: Post) -> TemplateValue {
    guard let tag = LanguageTag.valid(post.language), tag != language else { return .missing }
    return .text(tag)
  }

  // MARK: - Text

  /// Returns a line of words, such as a name, with pictures for the short codes of emoji if the page shows them.
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

  /// Returns an author's text as Markdown: the text that a reader sees in HTML is the original, character for character.
  ///
  /// - Parameters:
  ///   - emoji: the emoji that may occur in the text.
  ///   - time: when the text was written. Dead links are marked with links to their archived copies, except within a line.
  mutating func markdown(
    _ text: InlineText, _ place: MarkdownTextWriter.Place, emoji: [CustomEmoji], at time: Timestamp? = nil
  ) -> UTF8Buffer {
    let pictures = EmojiPictures(emoji)
    var marks = place == .block && options.archived != nil ? ArchivedLinks.mostPerText : 0
    // Has room for the text and a few backslashes and links.
    var writer = MarkdownTextWriter(
      place, startsLine: place == .block, capacity: text.text.utf8.count + 64 + text.entities.count * 64)
    guard !text.entities.isEmpty else {
      writer.plain(text.text)
      return writer.finish()
    }
    for (index, segment) in text.segments.enumerated() {
      switch index < Self.mostSegments ? segment.entity : nil {
      case .link(let url, _):
        if let page = options.links.page(linkedBy: url) {
          writer.link(text: segment.text.utf8, trusted: page)
        } else {
          writer.link(text: segment.text.utf8, url: url)
          if marks > 0, let copy = options.archived?.copy(ofDead: url, at: time) {
            mark(copy, of: url, in: &writer)
            marks -= 1
          }
        }
      case .hashtag(let tag, let url):
        if let page = options.links.page(ofTag: tag) {
          writer.link(text: segment.text.utf8, trusted: page)
        } else if let url {
          writer.link(text: segment.text.utf8, url: url)
        } else {
          writer.plain(segment.text.utf8)
        }
      case .mention(_, let url?, _):
        if let page = options.links.page(ofAccount: url) {
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

  /// Writes a link to the archived copy of a dead page after the link to the page. Its title is its accessible name.
  private func mark(_ copy: String, of url: String, in writer: inout MarkdownTextWriter) {
    let host = WebAddress.host(of: url).map(PlainText.singleLine) ?? ""
    writer.plain(" (")
    writer.link(
      text: localization.text(.archived).utf8, trusted: copy,
      title: localization.text(.archivedPage, ["name": host]))
    writer.plain(")")
  }

  /// After this number of segments of text and links, the rest is plain text. Markdown parsers take long for thousands of brackets in one
  /// paragraph, and the one used here refuses them. Real posts have far fewer.
  private static let mostSegments = 8_000

  /// Writes a server's custom emoji: its picture, with the original text as alternative text, or only the text if the page does not show
  /// the picture.
  private mutating func emoji(
    _ shortcode: String, _ url: String, _ pictures: EmojiPictures, text: Substring,
    into writer: inout MarkdownTextWriter
  ) {
    // The text must be exactly the short code, so that the picture does not hide other words.
    guard components.showsEmoji, CustomEmoji.isShortcode(shortcode), text.isSameBytes(as: ":\(shortcode):"),
      let address = MediaAddress(file: pictures.file(of: url), url: url, options)
    else {
      writer.plain(text.utf8)
      return
    }
    // No facts are recorded, because the same picture may be used as a photo elsewhere.
    if let host = address.host { hosts.insert(host) }
    writer.symbol(":\(shortcode):", trusted: address.url)
  }
}

/// The store's copies of emoji, by their URLs on the server.
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
  /// Removes newlines at the end, as long as more than `count` bytes are left.
  fileprivate mutating func removeTrailingNewlines(downTo count: Int) {
    while bytes.count > count, bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
  }
}
