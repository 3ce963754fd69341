import Basics
import SiteConfig
package import ThreadModel

extension InlineText {
  /// Converts a text with Misskey's markup (MFM) to the text that a reader sees.
  ///
  /// Links, mentions, hashtags and emoji become entities. Markers of emphasis, sizes and animations are removed in pairs, because the model
  /// does not support these; a marker without its counterpart stays text. No other character is removed. Quoted lines keep their `>`, and
  /// formulas their delimiters.
  ///
  /// The syntax: https://github.com/misskey-dev/mfm.js/blob/develop/docs/syntax.md
  ///
  /// - Parameters:
  ///   - server: the server whose accounts and hashtags the text names without a host.
  ///   - emoji: the URLs of the pictures of custom emoji, by short code.
  /// - Returns: `nil` if the text is too long for a post.
  package init?(mfm text: String, on server: MastodonServer, emoji: [String: String] = [:]) {
    guard text.utf8.count <= HTMLDocument.maximumBytes else { return nil }
    var reader = MFMReader(text, server, emoji)
    reader.read()
    self = reader.result()
  }
}

/// Reads a text once from its beginning to its end. The time is linear: each search for the end of an element is limited in length, ends at
/// the next candidate, or is not repeated after it has failed.
private struct MFMReader {
  private enum Kind: Hashable {
    case bold, big, strike, function, label
    /// An element such as `<small>`, with the element's name.
    case element(String)
  }

  /// A marker that was not closed yet.
  private struct Mark {
    var kind: Kind
    var edit: Edit
    /// The number of entities before the marker.
    var entityCount: Int
  }

  /// A range of the source that is not shown, and the text in its place.
  private struct Edit {
    var range: Range<Int>
    var breaksLine = false
  }

  private let text: [Unicode.Scalar]
  private let server: MastodonServer
  private let emoji: [String: String]
  private var index = 0
  /// The index of the last line break before `index`; -1 on the first line.
  private var lastBreak = -1
  private var open: [Mark] = []
  private var edits: [Edit] = []
  /// The entities with their ranges in the source.
  private var entities: [TextEntity] = []
  /// The index up to which the text has no end of a formula.
  private var formulaless = 0
  private var hasNoFence = false
  private var hasNoPlainEnd = false
  private var hasNoFormulaBlockEnd = false

  /// The maximum number of open markers, as in Misskey's parser (`nestLimit`). One more turns the outermost one into text.
  private static let deepest = 20
  private static let longestURL = 2048
  /// The maximum number of open brackets in a URL or a hashtag.
  private static let deepestBrackets = 5
  private static let longestName = 128

  init(_ text: String, _ server: MastodonServer, _ emoji: [String: String]) {
    self.text = text.unicodeScalars.filter { $0 != "\r" && $0 != "\0" }
    self.server = server
    self.emoji = emoji
  }

  mutating func read() {
    while index < text.count {
      let start = index
      switch text[index] {
      case "\n": lastBreak = index
      case "`": readCode()
      case "\\": readFormula()
      case "*": readStars()
      case "_": readUnderscores()
      case "~": readTildes()
      case "<": readElement()
      case "$": readFunction()
      case "[": openMark(.label, length: 1)
      case "?" where starts("?["): openMark(.label, length: 2)
      case "]": closeBracket()
      case ":": readEmoji()
      case "@": readMention()
      case "#": readHashtag()
      case "h": readURL()
      default: break
      }
      if index == start { index += 1 }
    }
  }

  /// Returns the text without the removed ranges, with its entities.
  func result() -> InlineText {
    let sorted = edits.sorted { $0.range.lowerBound < $1.range.lowerBound }
    var shown = String.UnicodeScalarView()
    var count = 0
    // The position in the result of each scalar of the source.
    var positions = [Int](repeating: 0, count: text.count + 1)
    var next = 0
    var hiddenUntil = 0
    for place in text.indices {
      if next < sorted.count, sorted[next].range.lowerBound == place {
        hiddenUntil = sorted[next].range.upperBound
        if sorted[next].breaksLine {
          shown.append("\n")
          count += 1
        }
        next += 1
      }
      positions[place] = count
      guard place >= hiddenUntil else { continue }
      shown.append(text[place])
      count += 1
    }
    positions[text.count] = count
    return InlineText(
      String(shown),
      entities: entities.map {
        TextEntity(positions[$0.range.lowerBound]..<positions[$0.range.upperBound], $0.kind)
      })
  }

  // MARK: Markers

  private mutating func openMark(_ kind: Kind, length: Int, breaksLine: Bool = false) {
    if open.count == Self.deepest { open.removeFirst() }
    open.append(
      Mark(
        kind: kind, edit: Edit(range: index..<index + length, breaksLine: breaksLine),
        entityCount: entities.count))
    index += length
  }

  /// Closes the innermost open marker of a kind, and discards the open markers inside it.
  ///
  /// - Returns: whether there is such a marker, with text after it.
  private mutating func closeMark(_ kind: Kind, length: Int, breaksLine: Bool = false) -> Bool {
    guard let place = open.lastIndex(where: { $0.kind == kind }), open[place].edit.range.upperBound < index,
      kind != .strike || open[place].edit.range.lowerBound > lastBreak
    else { return false }
    edits += [open[place].edit, Edit(range: index..<index + length, breaksLine: breaksLine)]
    open.removeSubrange(place...)
    index += length
    return true
  }

  private mutating func readStars() {
    let run = runLength("*")
    switch run {
    case 1: readItalic(length: 1)
    case 2: if !closeMark(.bold, length: 2) { openMark(.bold, length: 2) }
    case 3:
      if closeMark(.big, length: 3) { return }
      if open.contains(where: { $0.kind == .bold }), closeMark(.bold, length: 2) { return }
      openMark(.big, length: 3)
    // A line of asterisks.
    default: index += run
    }
  }

  private mutating func readUnderscores() {
    let run = runLength("_")
    if run <= 2 { readItalic(length: run) } else { index += run }
  }

  private mutating func readTildes() {
    let run = runLength("~")
    guard run == 2 else {
      index += run
      return
    }
    if !closeMark(.strike, length: 2) { openMark(.strike, length: 2) }
  }

  /// Reads `*word*`, `_word_` or `__word__`. The content has only letters, digits and spaces. Unlike in Misskey, it has no space at its
  /// ends, so that `2 * 3 * 4` stays unchanged.
  private mutating func readItalic(length: Int) {
    let sign = text[index]
    guard length == 2 || index == 0 || !Self.isWord(text[index - 1]) else { return }
    let start = index + length
    var end = start
    while end < text.count, Self.isWord(text[end]) || text[end] == " " || text[end] == "\t" { end += 1 }
    guard end > start, Self.isWord(text[start]), Self.isWord(text[end - 1]), end + length <= text.count,
      text[end..<end + length].allSatisfy({ $0 == sign })
    else { return }
    edits += [Edit(range: index..<start), Edit(range: end..<end + length)]
    index = end + length
  }

  private static let elements = ["b", "i", "s", "small", "center"]

  private mutating func readElement() {
    for name in Self.elements {
      if starts("<\(name)>") { return beginElement(name) }
      if starts("</\(name)>") { return endElement(name) }
    }
    if starts("<plain>") { return readPlain() }
    guard starts("<https://") || starts("<http://"), let end = endOfBracketedURL(at: index) else { return }
    entities.append(TextEntity(index + 1..<end - 1, .link(url: string(index + 1..<end - 1), short: nil)))
    edits += [Edit(range: index..<index + 1), Edit(range: end - 1..<end)]
    index = end
  }

  private mutating func beginElement(_ name: String) {
    let length = name.utf8.count + 2
    guard name == "center" else { return openMark(.element(name), length: length) }
    // Centered text is in separate lines.
    let isFollowed = index + length < text.count && text[index + length] == "\n"
    let isAtStart = index == lastBreak + 1
    if isFollowed { lastBreak = index + length }
    openMark(
      .element(name), length: isFollowed ? length + 1 : length, breaksLine: !isAtStart)
  }

  private mutating func endElement(_ name: String) {
    let length = name.utf8.count + 3
    let end = index + length
    let breaksLine = name == "center" && end < text.count && text[end] != "\n"
    if !closeMark(.element(name), length: length, breaksLine: breaksLine) { index += length }
  }

  private mutating func readPlain() {
    let start = index + 7
    guard !hasNoPlainEnd, let end = firstIndex(of: "</plain>", from: start) else {
      hasNoPlainEnd = true
      return
    }
    edits += [Edit(range: index..<start), Edit(range: end..<end + 8)]
    skip(to: end + 8)
  }

  /// Reads the beginning of `$[name.key=value content]`.
  private mutating func readFunction() {
    guard starts("$[") else { return }
    var end = index + 2
    while end < text.count, Self.isWord(text[end]) || text[end] == "_" { end += 1 }
    guard end > index + 2 else { return }
    if end < text.count, text[end] == "." {
      end += 1
      while end < text.count, Self.isWord(text[end]) || "_.,=#-".unicodeScalars.contains(text[end]) {
        end += 1
      }
    }
    guard end < text.count, text[end] == " " else { return }
    openMark(.function, length: end + 1 - index)
  }

  /// Closes the innermost bracket: `]` of `$[name content]`, or `](url)` of `[label](url)`.
  private mutating func closeBracket() {
    guard let place = open.lastIndex(where: { $0.kind == .function || $0.kind == .label }) else { return }
    guard open[place].kind == .label else {
      if !closeMark(.function, length: 1) { open.remove(at: place) }
      return
    }
    let label = open[place]
    guard starts("]("), label.edit.range.lowerBound > lastBreak, label.edit.range.upperBound < index,
      let (url, end) = target(at: index + 2)
    else {
      open.remove(at: place)
      return
    }
    // A link contains no other links.
    entities.removeSubrange(label.entityCount...)
    entities.append(TextEntity(label.edit.range.upperBound..<index, .link(url: url, short: nil)))
    edits += [label.edit, Edit(range: index..<end)]
    open.removeSubrange(place...)
    index = end
  }

  /// Returns the URL of a link and the index after its closing parenthesis.
  private func target(at start: Int) -> (url: String, end: Int)? {
    guard start < text.count else { return nil }
    let isBracketed = text[start] == "<"
    guard let end = isBracketed ? endOfBracketedURL(at: start) : endOfURL(at: start), end < text.count,
      text[end] == ")"
    else { return nil }
    return (string(isBracketed ? start + 1..<end - 1 : start..<end), end + 1)
  }

  // MARK: Code and formulas

  private mutating func readCode() {
    if starts("```"), index == lastBreak + 1, readCodeBlock() { return }
    var end = index + 1
    while end < text.count, text[end] != "`", text[end] != "\n", text[end] != "´" { end += 1 }
    guard end < text.count, text[end] == "`", end > index + 1 else { return }
    edits += [Edit(range: index..<index + 1), Edit(range: end..<end + 1)]
    index = end + 1
  }

  /// Reads a block of code, whose first line may have the name of a language.
  private mutating func readCodeBlock() -> Bool {
    guard !hasNoFence else { return false }
    var start = index + 3
    while start < text.count, text[start] != "\n", text[start] != "`" { start += 1 }
    guard start < text.count, text[start] == "\n" else { return false }
    var from = start + 1
    while let end = firstIndex(of: "\n```", from: from) {
      from = end + 4
      guard from == text.count || text[from] == "\n" else { continue }
      edits += [Edit(range: index..<start + 1), Edit(range: end..<from)]
      skip(to: from)
      return true
    }
    hasNoFence = true
    return false
  }

  /// Skips `\(…\)` and `\[…\]`, whose content is not markup.
  private mutating func readFormula() {
    if starts("\\("), index >= formulaless {
      var end = index + 2
      while end + 1 < text.count, text[end] != "\n", !(text[end] == "\\" && text[end + 1] == ")") { end += 1 }
      if end + 1 < text.count, text[end] == "\\" { index = end + 2 } else { formulaless = end }
    } else if starts("\\["), index == lastBreak + 1, !hasNoFormulaBlockEnd {
      guard let end = firstIndex(of: "\\]", from: index + 2) else {
        hasNoFormulaBlockEnd = true
        return
      }
      skip(to: end + 2)
    }
  }

  // MARK: Entities

  private mutating func readEmoji() {
    guard !emoji.isEmpty, index == 0 || !Self.isWord(text[index - 1]),
      let (code, url, end) = CustomEmoji.find(in: text, at: index, emoji),
      end == text.count || !Self.isWord(text[end])
    else { return }
    entities.append(TextEntity(index..<end, .emoji(shortcode: code, url: url)))
    index = end
  }

  private mutating func readMention() {
    guard index == 0 || !Self.isWord(text[index - 1]), let nameEnd = endOfName(at: index + 1) else { return }
    let name = string(index + 1..<nameEnd)
    var (host, end) = (server.name, nameEnd)
    if nameEnd < text.count, text[nameEnd] == "@", let hostEnd = endOfName(at: nameEnd + 1) {
      host = string(nameEnd + 1..<hostEnd).lowercased()
      end = hostEnd
    }
    let url = WebAddress.safe("https://\(host)/@\(name)")
    entities.append(TextEntity(index..<end, .mention(handle: "\(name)@\(host)", url: url)))
    index = end
  }

  /// Returns the end of the name of an account or a host; `nil` if the text has no name here.
  private func endOfName(at start: Int) -> Int? {
    func isPart(_ scalar: Unicode.Scalar) -> Bool {
      Self.isWord(scalar) || scalar == "_" || scalar == "-" || scalar == "."
    }
    var end = start
    while end < text.count, isPart(text[end]), end - start <= Self.longestName { end += 1 }
    guard end - start <= Self.longestName else { return nil }
    while end > start, text[end - 1] == "-" || text[end - 1] == "." { end -= 1 }
    return end > start && text[start] != "-" && text[start] != "." ? end : nil
  }

  private mutating func readHashtag() {
    guard index == 0 || !Self.isWord(text[index - 1]) else { return }
    let start = index + 1
    // A digit key (`#️⃣`) is an emoji.
    guard start < text.count, text[start] != "\u{FE0F}", text[start] != "\u{20E3}" else { return }
    let end = balancedEnd(from: start, atMost: Self.longestName + 1, Self.tagBrackets, isPart: Self.isTagPart)
    guard end > start, end - start <= Self.longestName, !text[start..<end].allSatisfy({ "0"..."9" ~= $0 })
    else { return }
    let tag = string(start..<end)
    let url = "https://\(server.name)/tags/\(PercentEncoding.encode(tag))"
    entities.append(TextEntity(index..<end, .hashtag(tag: tag, url: WebAddress.safe(url))))
    index = end
  }

  private mutating func readURL() {
    guard let end = endOfURL(at: index) else { return }
    entities.append(TextEntity(index..<end, .link(url: string(index..<end), short: nil)))
    index = end
  }

  private func lengthOfScheme(at start: Int) -> Int? {
    starts("https://", at: start) ? 8 : starts("http://", at: start) ? 7 : nil
  }

  /// Returns the end of a URL without brackets around it; `nil` if the text has no URL here, or one that must not be linked.
  private func endOfURL(at start: Int) -> Int? {
    guard let scheme = lengthOfScheme(at: start) else { return nil }
    var end = balancedEnd(
      from: start + scheme, atMost: Self.longestURL, Self.urlBrackets, isPart: Self.isURLPart)
    while end > start + scheme, text[end - 1] == "." || text[end - 1] == "," { end -= 1 }
    return end > start + scheme && WebAddress.isSafe(string(start..<end)) ? end : nil
  }

  /// Returns the index after `<url>`; `nil` if there is no URL that may be linked.
  private func endOfBracketedURL(at start: Int) -> Int? {
    guard lengthOfScheme(at: start + 1) != nil else { return nil }
    let limit = min(text.count, start + Self.longestURL)
    var end = start + 1
    // A URL has no `<`, so that no part of the text is searched twice.
    while end < limit, text[end] != ">", text[end] != "<", !text[end].properties.isWhitespace { end += 1 }
    return end < limit && text[end] == ">" && WebAddress.isSafe(string(start + 1..<end)) ? end + 1 : nil
  }

  private static let urlBrackets: [Unicode.Scalar: Unicode.Scalar] = ["(": ")", "[": "]"]
  private static let tagBrackets: [Unicode.Scalar: Unicode.Scalar] = [
    "(": ")", "[": "]", "「": "」", "（": "）",
  ]

  /// Returns the end of a sequence of scalars in which brackets occur only in pairs.
  private func balancedEnd(
    from start: Int, atMost length: Int, _ pairs: [Unicode.Scalar: Unicode.Scalar],
    isPart: (Unicode.Scalar) -> Bool
  ) -> Int {
    var unclosed: [(closing: Unicode.Scalar, place: Int)] = []
    var end = start
    let limit = min(text.count, start + length)
    while end < limit {
      if let closing = pairs[text[end]] {
        guard unclosed.count < Self.deepestBrackets else { break }
        unclosed.append((closing, end))
      } else if let last = unclosed.last, last.closing == text[end] {
        unclosed.removeLast()
      } else if !isPart(text[end]) {
        break
      }
      end += 1
    }
    return unclosed.first?.place ?? end
  }

  private static func isURLPart(_ scalar: Unicode.Scalar) -> Bool {
    isWord(scalar) || ".,_/:%#@$&?!~=+-".unicodeScalars.contains(scalar)
  }

  private static func isTagPart(_ scalar: Unicode.Scalar) -> Bool {
    !scalar.properties.isWhitespace && !".,!?'\"#:/[]【】()「」（）<>".unicodeScalars.contains(scalar)
  }

  // MARK: The source

  /// Whether a scalar is an ASCII letter or digit.
  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && isASCIILetterOrDigit(UInt8(scalar.value))
  }

  private func string(_ range: Range<Int>) -> String {
    var result = String.UnicodeScalarView()
    result.append(contentsOf: text[range])
    return String(result)
  }

  private func starts(_ words: String, at start: Int? = nil) -> Bool {
    let start = start ?? index
    return start <= text.count && text[start...].starts(with: words.unicodeScalars)
  }

  private func runLength(_ scalar: Unicode.Scalar) -> Int { text[index...].prefix { $0 == scalar }.count }

  private func firstIndex(of words: String, from start: Int) -> Int? {
    guard let first = words.unicodeScalars.first, start < text.count else { return nil }
    return text[start...].indices.first { text[$0] == first && starts(words, at: $0) }
  }

  /// Continues at an index after text that is not markup.
  private mutating func skip(to end: Int) {
    if let place = text[index..<end].lastIndex(of: "\n") { lastBreak = place }
    index = end
  }
}
