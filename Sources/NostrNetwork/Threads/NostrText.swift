import Basics
import NetworkSources
import ThreadModel

/// The text of an event as readers see it: references have become mentions and links (NIP-21, NIP-27), and the URLs of media and of the quoted
/// post have left the text, as in other clients. The marks of Markdown are removed from articles (NIP-23), because texts of posts are plain.
struct NostrText {
  let text: InlineText
  /// The URLs of media in the text, each once, in order.
  let media: [String]
  /// The descriptions of pictures in Markdown, by URL.
  let altTexts: [String: String]
  /// The posts to which the text refers, each once, in order. A post shows the first one.
  let references: [PostID]
  /// The public keys of the mentioned accounts.
  let mentions: Set<String>

  /// - Parameters:
  ///   - imeta: the URLs that the event describes as media, whatever they end in.
  ///   - name: returns the name of an account by its public key, without line breaks; `nil` if it is unknown.
  init(of event: NostrEvent, imeta: Set<String> = [], name: @escaping (String) -> String? = { _ in nil }) {
    var reader = Reader(event, imeta: imeta, name: name)
    reader.run()
    text = InlineText(reader.string, entities: reader.entities)
    (media, altTexts) = (reader.media, reader.altTexts)
    (references, mentions) = (reader.references, reader.mentions)
  }

  private struct Reader {
    private let marks: PlainTextMarks
    private var input: [Unicode.Scalar] { marks.scalars }
    private let event: NostrEvent
    private let imeta: Set<String>
    private let name: (String) -> String?
    /// The pictures of custom emoji by short code (NIP-30).
    private let emoji: [String: String]
    private var output: [Unicode.Scalar] = []
    private(set) var entities: [TextEntity] = []
    private(set) var media: [String] = []
    private(set) var altTexts: [String: String] = [:]
    private(set) var references: [PostID] = []
    private(set) var mentions: Set<String> = []

    /// The maximum number of marks in a text.
    private static let most = 5000

    private let isMarkdown: Bool
    /// Whether the position is in a block of code.
    private var isInCode = false
    /// The positions up to which marks were searched.
    private var searched: [Unicode.Scalar: Int] = [:]
    /// The last bracket that ended no link.
    private var failedClose: Int?

    init(_ event: NostrEvent, imeta: Set<String>, name: @escaping (String) -> String?) {
      marks = PlainTextMarks(
        String(String.UnicodeScalarView(event.content.unicodeScalars.lazy.filter { $0 != "\r" })))
      (self.event, self.imeta, self.name) = (event, imeta, name)
      isMarkdown = event.kind == NostrEvent.Kind.article
      emoji = event.emoji
      output.reserveCapacity(marks.scalars.count)
    }

    var string: String {
      var view = String.UnicodeScalarView()
      view.append(contentsOf: output)
      return String(view)
    }

    mutating func run() {
      var position = 0
      // The beginning and the end of a text have no white space.
      while position < input.count, input[position].properties.isWhitespace { position += 1 }
      while position < input.count {
        guard entities.count < Self.most, let end = mark(at: position) else {
          output.append(input[position])
          position += 1
          continue
        }
        position = end
      }
      let floor = entities.last?.range.upperBound ?? 0
      while output.count > floor, output.last?.properties.isWhitespace == true { output.removeLast() }
    }

    /// Reads the mark that begins at a position, and returns the position after it.
    private mutating func mark(at start: Int) -> Int? {
      if isMarkdown, let end = markdown(at: start) { return end }
      guard !isInCode else { return nil }
      return switch input[start] {
      case "h", "H": link(at: start)
      case "n", "N", "@": reference(at: start)
      case "#": oldReference(at: start) ?? tag(at: start)
      case ":": emoji(at: start)
      default: nil
      }
    }

    // MARK: Marks

    private mutating func append(_ shown: some StringProtocol, _ kind: TextEntity.Kind) {
      let start = output.count
      output += shown.unicodeScalars
      entities.append(TextEntity(start..<output.count, kind))
    }

    private mutating func link(at start: Int) -> Int? {
      guard let entity = marks.link(at: start), case .link(let url, _) = entity.kind else { return nil }
      guard NostrMedia.kind(ofURL: url) != nil || imeta.contains(url) else {
        append(marks.string(entity.range), entity.kind)
        return entity.range.upperBound
      }
      // Further media stay links.
      guard add(media: url) else {
        append(url, entity.kind)
        return entity.range.upperBound
      }
      return afterRemoval(entity.range.upperBound)
    }

    private mutating func add(media url: String) -> Bool {
      if media.contains(url) { return true }
      guard media.count < NostrMedia.most else { return false }
      media.append(url)
      return true
    }

    private mutating func tag(at start: Int) -> Int? {
      guard let entity = marks.tag(at: start) else { return nil }
      append(marks.string(entity.range), entity.kind)
      return entity.range.upperBound
    }

    private mutating func emoji(at start: Int) -> Int? {
      guard !emoji.isEmpty, let (code, url, end) = CustomEmoji.find(in: input, at: start, emoji) else {
        return nil
      }
      append(":\(code):", .emoji(shortcode: code, url: url))
      return end
    }

    /// Reads `nostr:npub1…`, and the same without `nostr:` or with an `@` before it.
    private mutating func reference(at start: Int) -> Int? {
      var position = input[start] == "@" ? start + 1 : start
      let isURI = isScheme(at: position)
      if isURI { position += Self.scheme.count }
      guard isURI || marks.canBegin(at: start) else { return nil }
      var end = position
      while end < input.count, end - position <= Bech32.maximumLength, Self.isDigit(input[end]) { end += 1 }
      // The shortest references have 63 characters.
      guard end - position >= 60, let reference = try? NostrReference(marks.string(position..<end)) else {
        return nil
      }
      return add(reference, from: start, to: end)
    }

    private static let scheme = Array("nostr:".unicodeScalars)

    private func isScheme(at start: Int) -> Bool {
      guard start + Self.scheme.count < input.count else { return false }
      return zip(Self.scheme, input[start...]).allSatisfy {
        $0 == $1 || $0 == $1.properties.lowercaseMapping.unicodeScalars.first
      }
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9": true
      default: false
      }
    }

    /// Reads `#[0]`, the number of a tag of the event (NIP-08).
    private mutating func oldReference(at start: Int) -> Int? {
      guard start + 3 < input.count, input[start + 1] == "[" else { return nil }
      var end = start + 2
      var number = 0
      while end < input.count, end < start + 7, let digit = input[end].properties.numericValue,
        input[end].isASCII
      {
        number = number * 10 + Int(digit)
        end += 1
      }
      guard end > start + 2, end < input.count, input[end] == "]", event.tags.indices.contains(number) else {
        return nil
      }
      let tag = event.tags[number]
      guard tag.count > 1, NostrHex.isKey(tag[1]) else { return nil }
      switch tag[0] {
      case "p": return add(.profile(key: tag[1]), from: start, to: end + 1)
      case "e": return add(.event(id: tag[1]), from: start, to: end + 1)
      default: return nil
      }
    }

    private mutating func add(_ reference: NostrReference, from start: Int, to end: Int) -> Int? {
      switch reference {
      case .profile(let key, _):
        mentions.insert(key)
        append("@" + (name(key) ?? NostrID.name(ofKey: key).asHandle), Self.entity(of: reference))
        return end
      case .event(let id, _, _, _):
        return add(NostrID.post(id), .event(id: id), to: end)
      case .replaceable(let coordinate, _):
        return add(NostrID.post(coordinate), .replaceable(coordinate), to: end)
      }
    }

    /// Adds a reference to a post. The first one is shown below the text, so that it leaves the text at the end of a line. Others become links.
    private mutating func add(_ post: PostID, _ reference: NostrReference, to end: Int) -> Int? {
      if references.count < NostrEvent.mostQuotes, !references.contains(post) { references.append(post) }
      if references.first == post, isLineEnd(afterSpaces(end)) { return afterRemoval(end) }
      append(Self.shortened(reference.description), Self.entity(of: reference))
      return end
    }

    /// Returns the mark of a reference. One that contains the key of an account is a mention of it, so that a site that leaves out the account removes
    /// the reference.
    private static func entity(of reference: NostrReference) -> TextEntity.Kind {
      switch reference {
      case .event(let id, _, _, _):
        .link(url: NostrAddresses.url(NostrReference.event(id: id).description), short: nil)
      case .profile(let key, _):
        .mention(
          handle: NostrID.name(ofKey: key), url: NostrAddresses.url(NostrID.name(ofKey: key)), id: key)
      case .replaceable(let name, _):
        .mention(
          handle: NostrID.name(ofKey: name.author),
          url: NostrAddresses.url(NostrReference.replaceable(name).description), id: name.author)
      }
    }

    private static func shortened(_ reference: String) -> String {
      "\(reference.prefix(12))…\(reference.suffix(4))"
    }

    // MARK: Markdown

    /// Reads a mark of Markdown that begins at a position, and returns the position after it. The words that it marks stay.
    private mutating func markdown(at start: Int) -> Int? {
      if isAtLineStart, let end = block(at: start) { return end }
      guard !isInCode else { return nil }
      let next = start + 1 < input.count ? input[start + 1] : "\n"
      switch input[start] {
      case "\\" where next.isASCII && !next.properties.isWhitespace && !PlainTextMarks.isOfWord(next):
        output.append(next)
        return start + 2
      case "!" where next == "[": return markdownLink(at: start + 1, isPicture: true)
      case "[": return markdownLink(at: start, isPicture: false)
      case "*" where next == "*": return start + 2
      case "*", "_", "`":
        let isOpen = !next.properties.isWhitespace && !isOfWord(start - 1)
        let isClosing = start > 0 && !input[start - 1].properties.isWhitespace && !isOfWord(start + 1)
        return isOpen || isClosing ? start + 1 : nil
      default: return nil
      }
    }

    private func isOfWord(_ position: Int) -> Bool {
      input.indices.contains(position) && input[position] != "_" && PlainTextMarks.isOfWord(input[position])
    }

    /// Reads the mark of a heading, or the line that begins or ends a block of code.
    private mutating func block(at start: Int) -> Int? {
      var end = start
      while end < input.count, end < start + 7, input[end] == input[start] { end += 1 }
      switch input[start] {
      case "#" where !isInCode && end < start + 7 && end < input.count && input[end] == " ": return end + 1
      case "`" where end >= start + 3, "~" where end >= start + 3:
        isInCode.toggle()
        while end < input.count, input[end] != "\n" { end += 1 }
        return min(end + 1, input.count)
      default: return nil
      }
    }

    /// The maximum length of the words and of the URL of a link in Markdown, in scalars.
    private static let longestPart = 2000

    /// Reads `[words](URL)` or `[words][URL]`, on one line.
    private mutating func markdownLink(at start: Int, isPicture: Bool) -> Int? {
      guard let close = end(from: start + 1, at: "]"), close + 1 < input.count, close != failedClose else {
        return nil
      }
      let end = markdownLink(at: start, closing: close, isPicture: isPicture)
      if end == nil { failedClose = close }
      return end
    }

    private mutating func markdownLink(at start: Int, closing close: Int, isPicture: Bool) -> Int? {
      let stop: Unicode.Scalar = input[close + 1] == "(" ? ")" : "]"
      guard stop == ")" || input[close + 1] == "[", let end = end(from: close + 2, at: stop) else {
        return nil
      }
      let words = marks.string(start + 1..<close)
      // A title in quotation marks may follow the URL.
      let target = marks.string(close + 2..<end).trimmed.split(separator: " ").first.map(String.init) ?? ""
      if isPicture {
        guard NostrMedia.isFile(target), add(media: target) else { return nil }
        if !words.isEmpty, altTexts[target] == nil { altTexts[target] = words }
        return afterRemoval(end + 1)
      }
      if WebAddress.host(of: target) != nil, target.utf8.count <= Self.longestPart, !words.isEmpty {
        append(words, .link(url: target, short: nil))
        return end + 1
      }
      guard let text = target.without(bytePrefix: "nostr:"), let reference = try? NostrReference(text) else {
        return nil
      }
      if case .profile(let key, _) = reference { mentions.insert(key) }
      append(words, Self.entity(of: reference))
      return end + 1
    }

    /// Returns the position of the next mark on the line; `nil` if it is too far.
    ///
    /// Searches begin at increasing positions. Each continues where the last one for the mark ended, so that all take linear time.
    private mutating func end(from start: Int, at mark: Unicode.Scalar) -> Int? {
      var end = max(start, searched[mark] ?? start)
      while end < input.count, end - start <= Self.longestPart, input[end] != "\n", input[end] != mark {
        end += 1
      }
      searched[mark] = end
      return end < input.count && end - start <= Self.longestPart && input[end] == mark ? end : nil
    }

    // MARK: Removal

    private var isAtLineStart: Bool { output.last.map { $0 == "\n" } ?? true }

    private func afterSpaces(_ start: Int) -> Int {
      var position = start
      while position < input.count, input[position] == " " || input[position] == "\t" { position += 1 }
      return position
    }

    private func isLineEnd(_ position: Int) -> Bool { position == input.count || input[position] == "\n" }

    /// Returns the position after white space that a removed mark leaves behind: a line that is now empty, or one of two spaces.
    private mutating func afterRemoval(_ end: Int) -> Int {
      var position = end
      let next = afterSpaces(position)
      let isAtLineEnd = isLineEnd(next)
      if isAtLineEnd {
        position = next
        let floor = entities.last?.range.upperBound ?? 0
        while output.count > floor, output.last == " " || output.last == "\t" { output.removeLast() }
      } else if isAtLineStart || output.last == " " {
        position = next
      }
      guard isAtLineEnd, isAtLineStart else { return position }
      if position < input.count, input[position] == "\n" { position += 1 }
      // At most one empty line remains, and none at the beginning.
      while position < input.count, input[position] == "\n",
        output.count < 2 || output[output.count - 2] == "\n"
      {
        position += 1
      }
      return position
    }
  }
}

extension NostrEvent {
  /// The maximum number of posts that an event quotes.
  static let mostQuotes = 100

  /// The pictures of the custom emoji by short code (NIP-30).
  var emoji: [String: String] {
    var emoji: [String: String] = [:]
    for tag in values("emoji").prefix(500) where tag.count > 1 {
      let (code, url) = (tag[tag.startIndex], tag[tag.startIndex + 1])
      guard CustomEmoji.isShortcode(code), WebAddress.host(of: url) != nil else { continue }
      emoji[code] = emoji[code] ?? url
    }
    return emoji
  }
}
