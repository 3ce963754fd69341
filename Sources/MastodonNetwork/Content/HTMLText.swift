import Basics
package import ThreadModel

/// Facts about an HTML text that are not in the HTML itself.
package struct HTMLSurroundings: Sendable {
  /// An account that is mentioned in a text.
  package struct Mention: Sendable, Hashable {
    /// The URL to which the mention links.
    package var url: String
    /// The account's name with its host.
    package var handle: String

    package init(url: String, handle: String) {
      self.url = url
      self.handle = handle
    }
  }

  /// The URLs of the pictures of custom emoji, by short code.
  package var emoji: [String: String] = [:]
  package var mentions: [Mention] = []

  package init(emoji: [String: String] = [:], mentions: [Mention] = []) {
    self.emoji = emoji
    self.mentions = mentions
  }
}

extension InlineText {
  /// Converts untrusted HTML to the text that a reader sees. The HTML is parsed, and a fixed list of elements is interpreted.
  ///
  /// The result contains no HTML. Elements outside the list are replaced by their text. Elements whose content is not shown to readers,
  /// such as scripts, are removed with their content. Emphasis becomes plain text, because the model does not support it.
  ///
  /// - Returns: `nil` if the HTML is too long for a post.
  package init?(html: String, _ surroundings: HTMLSurroundings = HTMLSurroundings()) {
    guard let document = HTMLDocument(html) else { return nil }
    var builder = HTMLTextBuilder(surroundings)
    document.walk { builder.take($0) }
    self = builder.finish()
  }
}

/// Builds a text from the elements and texts of an HTML document, in document order.
private struct HTMLTextBuilder {
  private let surroundings: HTMLSurroundings
  private var text: [Unicode.Scalar] = []
  private var entities: [TextEntity] = []
  /// The number of line breaks that blocks require before the next text.
  private var blockBreaks = 0
  /// The number of line breaks before the next text that come from elements or from preformatted text.
  private var lineBreaks = 0
  /// The prefixes of a line in the open quotes and list items, outermost first.
  private var prefixes: [String] = []
  /// The bullet or number of the list item that is about to begin.
  private var marker: String?
  private var lists: [List] = []
  private var link: Link?
  private var preformatted = 0
  private var hidden = 0

  private struct List {
    /// The next item's number; `nil` if items have no numbers.
    var number: Int?
  }

  private struct Link {
    var url: String?
    var isMention: Bool
    var isHashtag: Bool
    /// The index of the first character of its text; `nil` while it has no text.
    var start: Int?
  }

  init(_ surroundings: HTMLSurroundings) { self.surroundings = surroundings }

  // MARK: The elements

  /// The elements whose content is not shown to readers.
  private static let unread: Set<String> = [
    "script", "style", "head", "title", "template", "iframe", "object", "embed", "applet", "svg", "math",
    "audio", "video", "canvas", "select", "datalist", "noscript", "noembed", "noframes", "xmp", "plaintext",
    "rp", "frameset", "map", "area", "meta", "link", "base",
  ]

  /// The number of line breaks before and after a block, by element.
  private static let blocks: [String: Int] = [
    "p": 2, "blockquote": 2, "pre": 2, "ul": 2, "ol": 2, "dl": 2, "hr": 2, "table": 2,
    "h1": 2, "h2": 2, "h3": 2, "h4": 2, "h5": 2, "h6": 2,
    "div": 1, "li": 1, "dt": 1, "dd": 1, "tr": 1, "section": 1, "article": 1, "header": 1, "footer": 1,
    "figure": 1, "figcaption": 1, "details": 1, "summary": 1, "address": 1, "center": 1,
  ]

  mutating func take(_ event: HTMLDocument.Event) -> Bool {
    switch event {
    case .text(let string): append(string)
    case .enter(let element): return enter(element)
    case .leave(let element): leave(element)
    }
    return true
  }

  private mutating func enter(_ element: HTMLElement) -> Bool {
    let name = element.name
    guard !Self.unread.contains(name) else { return false }
    openBlock(name)
    switch name {
    case "br": lineBreaks += 1
    case "img": if let alt = element["alt"] { append(alt) }
    case "a" where link == nil: link = Self.link(element)
    case "span":
      if element.words(of: "class").contains("invisible") { return false }
    case "rt": append("(")
    case "td", "th": if !isAtLineStart { emit(" ") }
    case "pre": preformatted += 1
    default: break
    }
    return true
  }

  private mutating func leave(_ element: HTMLElement) {
    let name = element.name
    switch name {
    case "a": closeLink()
    case "span":
      if link != nil, element.words(of: "class").contains("ellipsis") { append("…") }
    case "rt": append(")")
    case "pre": preformatted = max(0, preformatted - 1)
    default: break
    }
    closeBlock(name)
  }

  private mutating func openBlock(_ name: String) {
    guard let breaks = Self.blocks[name] else { return }
    blockBreaks = max(blockBreaks, lists.isEmpty ? breaks : 1)
    switch name {
    case "blockquote": prefixes.append("> ")
    case "ul": lists.append(List(number: nil))
    case "ol": lists.append(List(number: 1))
    case "li":
      if let number = lists.last?.number {
        marker = "\(number). "
        lists[lists.count - 1].number = number + 1
      } else {
        marker = "• "
      }
      prefixes.append("  ")
    default: break
    }
  }

  private mutating func closeBlock(_ name: String) {
    guard let breaks = Self.blocks[name] else { return }
    switch name {
    case "blockquote", "li":
      if !prefixes.isEmpty { prefixes.removeLast() }
      if name == "li" { marker = nil }
    case "ul", "ol": if !lists.isEmpty { lists.removeLast() }
    default: break
    }
    blockBreaks = max(blockBreaks, lists.isEmpty ? breaks : 1)
  }

  // MARK: Links

  private static func link(_ element: HTMLElement) -> Link {
    let classes = element.words(of: "class")
    let isHashtag = classes.contains("hashtag") || element.words(of: "rel").contains("tag")
    return Link(
      url: element["href"].flatMap(WebAddress.safe), isMention: classes.contains("mention") && !isHashtag,
      isHashtag: isHashtag)
  }

  private mutating func closeLink() {
    guard var link else { return }
    // A link without visible text is shown as its URL.
    if link.start == nil, let url = link.url {
      append(url)
      link.start = self.link?.start
    }
    self.link = nil
    guard let start = link.start, start < text.count, let kind = kind(of: link, from: start) else { return }
    entities.append(TextEntity(start..<text.count, kind))
  }

  private func kind(of link: Link, from start: Int) -> TextEntity.Kind? {
    guard let url = link.url else { return nil }
    var name = String.UnicodeScalarView()
    name.append(contentsOf: text[(start + 1)...])
    let shown = String(name)
    if link.isHashtag, text[start] == "#", !shown.isEmpty { return .hashtag(tag: shown, url: url) }
    if link.isMention, text[start] == "@", !shown.isEmpty {
      return .mention(handle: handle(shown, url), url: url)
    }
    return .link(url: url, short: nil)
  }

  /// Returns the handle of a mentioned account, with its host if it is known.
  private func handle(_ shown: String, _ url: String) -> String {
    if let mention = surroundings.mentions.first(where: { $0.url.isSameBytes(as: url) }) {
      return mention.handle
    }
    guard !shown.utf8.contains(UInt8(ascii: "@")), let host = WebAddress.host(of: url) else { return shown }
    return "\(shown)@\(host)"
  }

  // MARK: The text

  /// Appends text with white space as the servers' pages show it. Spaces are kept, but a run of white space with a line break or tab, which
  /// is only HTML layout, becomes one space. Preformatted text keeps its white space.
  private mutating func append(_ string: String) {
    if preformatted > 0 {
      for scalar in string.unicodeScalars {
        if scalar == "\n" { lineBreaks += 1 } else if scalar != "\r" { emit(scalar) }
      }
      return
    }
    var blanks: [Unicode.Scalar] = []
    var isLayout = false
    var plain: [Unicode.Scalar] = []
    func blank() -> [Unicode.Scalar] { isLayout ? [" "] : blanks }
    for scalar in string.unicodeScalars {
      switch scalar {
      case " ": blanks.append(scalar)
      case "\n", "\r", "\t", "\u{C}":
        blanks.append(scalar)
        isLayout = true
      default:
        if !blanks.isEmpty {
          if !(isLayout && plain.isEmpty && isAtLineStart) { plain += blank() }
          (blanks, isLayout) = ([], false)
        }
        plain.append(scalar)
      }
    }
    if !blanks.isEmpty, !(isLayout && plain.isEmpty && isAtLineStart) { plain += blank() }
    append(plain)
  }

  private var isAtLineStart: Bool { text.isEmpty || blockBreaks > 0 || lineBreaks > 0 }

  /// Appends text without line breaks, and marks the custom emoji in it.
  private mutating func append(_ plain: [Unicode.Scalar]) {
    guard link == nil, !surroundings.emoji.isEmpty else {
      for scalar in plain { emit(scalar) }
      return
    }
    var index = 0
    while index < plain.count {
      if let (code, url, end) = CustomEmoji.find(in: plain, at: index, surroundings.emoji) {
        let first = plain[index..<end].startIndex
        emit(plain[first])
        let start = text.count - 1
        for scalar in plain[(first + 1)..<end] { emit(scalar) }
        entities.append(TextEntity(start..<text.count, .emoji(shortcode: code, url: url)))
        index = end
      } else {
        emit(plain[index])
        index += 1
      }
    }
  }

  private mutating func emit(_ scalar: Unicode.Scalar) {
    // A space between two blocks is only layout.
    if scalar == " ", preformatted == 0, text.isEmpty || blockBreaks > 0 { return }
    if blockBreaks > 0 || lineBreaks > 0 || text.isEmpty {
      if !text.isEmpty { text += repeatElement("\n", count: max(blockBreaks, lineBreaks)) }
      (blockBreaks, lineBreaks) = (0, 0)
      var prefix = prefixes.suffix(Self.deepest)
      if let marker {
        prefix = prefix.dropLast() + [marker]
        self.marker = nil
      }
      for part in prefix { text += part.unicodeScalars }
    }
    if link != nil, link?.start == nil { link?.start = text.count }
    text.append(scalar)
  }

  /// The maximum number of nested quotes and list items whose prefixes are shown, counted from the innermost.
  private static let deepest = 6

  // MARK: The result

  func finish() -> InlineText {
    var text = text
    while let last = text.last, last.properties.isWhitespace,
      (entities.last?.range.upperBound ?? 0) < text.count
    {
      text.removeLast()
    }
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: text)
    return InlineText(String(scalars), entities: entities)
  }
}
