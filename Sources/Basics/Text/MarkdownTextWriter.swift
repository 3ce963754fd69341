/// A writer of plain text, such as that of a post, as CommonMark that shows exactly this text, in plain chunks and links.
///
/// libcmark 0.30 and every later CommonMark parser show each plain chunk character for character; `~ $ |` and `:-` at a line's start are
/// also escaped where GitHub would read strikethrough, math or a table. CR LF and CR count as LF. Scalars that HTML documents should not
/// contain (controls except tab and newline, noncharacters) become U+FFFD.
///
/// A newline becomes a hard break, and two newlines begin a new paragraph. White space that Markdown would drop is written as character
/// references: further newlines and newlines at the text's start and end as `&#10;`, spaces at a line's start or end as `&#32;`, tabs as
/// `&#9;`. A scalar must not be split between chunks.
package struct MarkdownTextWriter: Sendable {
  /// The context of the text.
  package enum Place: Sendable {
    /// Separate paragraphs, between blank lines.
    case block
    /// A part of a line: a heading, a label, a link's text. Every newline is written as `&#10;`.
    case inline
  }

  /// The position on the current line of output: Markdown recognizes blocks only at the start of a line.
  enum LinePosition: Sendable {
    case start
    /// After digits only, where a full stop would turn the line into a list item.
    case digits
    case inside
  }

  private let place: Place
  var output = UTF8Buffer()
  private var position: LinePosition
  /// The numbers of newlines, and of spaces after them, that were read and not yet written, because their form depends on the next
  /// character.
  private var pendingNewlines = 0
  private var pendingSpaces = 0
  /// Whether any text was written, not counting pending characters.
  private var hasWritten = false
  /// Whether the last byte read was a CR, so that a following LF belongs to the same newline.
  private var afterCarriageReturn = false
  /// Whether the output ends in an unescaped `!`, which would turn a link into an image.
  private var endsWithExclamationMark = false
  /// Whether a `!` at the end of an inline text needs no backslash, because the next character is known.
  private var mayEndWithExclamationMark = false

  /// Creates a writer with a new buffer of `capacity` bytes. Pass `startsLine: false` if other text precedes the text on its
  /// line.
  package init(_ place: Place = .block, startsLine: Bool = true, capacity: Int = 0) {
    self.place = place
    if capacity > 0 { output = UTF8Buffer(capacity: capacity) }
    position = startsLine ? .start : .inside
  }

  /// Ends the text and returns the Markdown, without a newline at its end; the writer can then be used for a new text.
  ///
  /// The caller must write a newline after a block, and may write any text after an inline text.
  @discardableResult
  package mutating func finish() -> UTF8Buffer {
    if pendingSpaces > 0 {
      flushSpacesAtLineEnd()
    } else {
      appendNewlineReferences(pendingNewlines)
    }
    if place == .inline, !mayEndWithExclamationMark { escapeExclamationMark() }
    let result = output
    self = MarkdownTextWriter(place)
    return result
  }

  /// Adds text that is shown unchanged.
  package mutating func plain(_ text: String) {
    text.withUTF8Bytes { plain(chunk: $0) }
  }

  /// Adds valid UTF-8 text that is shown unchanged.
  package mutating func plain(_ utf8: some Collection<UInt8>) {
    if utf8.withContiguousStorageIfAvailable({ plain(chunk: $0) }) == nil {
      Array(utf8).withUnsafeBufferPointer { plain(chunk: $0) }
    }
  }

  private mutating func plain(chunk input: UnsafeBufferPointer<UInt8>) {
    TextClass.table.table.withUnsafeBufferPointer { table in
      var index = 0
      while index < input.count {
        switch input[index] {
        case Byte.newline:
          // The LF of a CR LF was counted with the CR.
          if !afterCarriageReturn { newline() }
          afterCarriageReturn = false
          index += 1
        case Byte.carriageReturn:
          newline()
          afterCarriageReturn = true
          index += 1
        case Byte.space:
          afterCarriageReturn = false
          pendingSpaces += 1
          index += 1
        default:
          afterCarriageReturn = false
          flushPending()
          if position == .inside {
            index += copyRun(input, from: index, table)
          } else {
            index += appendAtLineStart(input, at: index)
          }
        }
      }
    }
  }

  /// Appends the run of plain bytes at `index`, except the spaces at its end, which become pending. If there is no such run, appends the
  /// special character at `index`. Returns the number of bytes read.
  private mutating func copyRun(
    _ input: UnsafeBufferPointer<UInt8>, from index: Int, _ table: UnsafeBufferPointer<UInt8>
  ) -> Int {
    var end = index
    while end < input.count, table[Int(input[end])] == 0 { end += 1 }
    guard end > index else { return appendSpecial(input, at: index, table[Int(input[index])]) }
    var visible = end
    while input[visible - 1] == Byte.space { visible -= 1 }
    pendingSpaces = end - visible
    output.append(UnsafeBufferPointer(rebasing: input[index..<visible]))
    endsWithExclamationMark = input[visible - 1] == UInt8(ascii: "!")
    return end - index
  }

  /// Appends the character at `index`, which is special to Markdown anywhere on a line; returns the number of bytes read.
  private mutating func appendSpecial(
    _ input: UnsafeBufferPointer<UInt8>, at index: Int, _ byteClass: UInt8
  ) -> Int {
    endsWithExclamationMark = false
    let byte = input[index]
    switch byteClass {
    case TextClass.backslashed:
      appendBackslashed(byte)
    case TextClass.less:
      output.append("&lt;" as StaticString)
    case TextClass.ampersand:
      if couldStartEntity(input, at: index) {
        output.append("&amp;" as StaticString)
      } else {
        output.append(byte)
      }
    case TextClass.tab:
      output.append("&#9;" as StaticString)
    case TextClass.hash:
      // A run of # after a space may end a heading, if the template puts this text into a heading.
      if place == .inline, output.bytes.last == Byte.space {
        appendBackslashed(byte)
      } else {
        output.append(byte)
      }
    case TextClass.leadOfUnfit:
      return output.appendScalarUnlessUnfit(input, at: index)
    default:
      output.appendReplacementCharacter()
    }
    return 1
  }

  private func hasByte(_ input: UnsafeBufferPointer<UInt8>, at index: Int, where test: (UInt8) -> Bool)
    -> Bool
  {
    index < input.count && test(input[index])
  }

  /// Appends the character at `index`, the first on its line or after digits only, so that it does not start a block. Returns the number of
  /// bytes read; 0 if the character is not special at this position.
  private mutating func appendAtLineStart(_ input: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    let byte = input[index]
    let afterDigits = position == .digits
    hasWritten = true
    position = .inside
    // A block's marker is never followed directly by a letter. At the chunk's end, the next character is unknown.
    let opensWord = hasByte(input, at: index + 1) { Byte.isAlphanumeric($0) || $0 >= 0x80 }
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      position = .digits
      output.append(byte)
    case UInt8(ascii: "."), UInt8(ascii: ")"):
      if afterDigits, !opensWord { output.append(UInt8(ascii: "\\")) }
      output.append(byte)
    case UInt8(ascii: ">"), UInt8(ascii: "#"), UInt8(ascii: "|"):
      if !afterDigits { output.append(UInt8(ascii: "\\")) }
      output.append(byte)
    case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "="):
      if !afterDigits, !opensWord { output.append(UInt8(ascii: "\\")) }
      output.append(byte)
    case UInt8(ascii: ":"):
      // On GitHub, `:-` begins the second row of a table.
      let isFace = hasByte(input, at: index + 1) { $0 != UInt8(ascii: "-") }
      if !afterDigits, !isFace { output.append(UInt8(ascii: "\\")) }
      output.append(byte)
    case 0xEF where hasByteOrderMark(input, at: index):
      // libcmark drops a byte order mark at a document's start.
      output.append("&#xFEFF;" as StaticString)
      return 3
    default:
      return 0
    }
    endsWithExclamationMark = false
    return 1
  }

  private func hasByteOrderMark(_ input: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
    index + 2 < input.count && input[index + 1] == 0xBB && input[index + 2] == 0xBF
  }

  private mutating func appendBackslashed(_ byte: UInt8) {
    output.append(UInt8(ascii: "\\"))
    output.append(byte)
  }

  /// Handles a newline of the text.
  mutating func newline() {
    if place == .inline {
      flushPending()
      appendNewlineReferences(1)
      return
    }
    if pendingSpaces > 0 { flushSpacesAtLineEnd() }
    pendingNewlines += 1
  }

  /// Writes pending newlines and spaces before a visible character.
  private mutating func flushPending() {
    flushNewlines()
    if pendingSpaces > 0 { flushSpaces(atLineEnd: false) }
    hasWritten = true
  }

  /// Writes pending newlines and spaces at the end of a line.
  private mutating func flushSpacesAtLineEnd() {
    flushNewlines()
    flushSpaces(atLineEnd: true)
  }

  /// Writes pending newlines: one as a hard break, two as a paragraph's end. Further ones, and all before the first text, are written as
  /// references.
  private mutating func flushNewlines() {
    let count = pendingNewlines
    guard count > 0 else { return }
    guard hasWritten else {
      appendNewlineReferences(count)
      return
    }
    output.append(count == 1 ? "  \n" as StaticString : "\n\n" as StaticString)
    position = .start
    pendingNewlines = 0
    endsWithExclamationMark = false
    if count > 2 { appendNewlineReferences(count - 2) }
  }

  /// Writes the pending spaces; the first or last one as a reference if Markdown would strip it.
  private mutating func flushSpaces(atLineEnd: Bool) {
    for index in 0..<pendingSpaces {
      let isOutermost = (index == 0 && position == .start) || (atLineEnd && index == pendingSpaces - 1)
      output.append(isOutermost ? "&#32;" as StaticString : " " as StaticString)
    }
    pendingSpaces = 0
    position = .inside
    hasWritten = true
    endsWithExclamationMark = false
  }

  /// Writes newlines as character references within a paragraph.
  private mutating func appendNewlineReferences(_ count: Int) {
    guard count > 0 else { return }
    for _ in 0..<count { output.append("&#10;" as StaticString) }
    pendingNewlines = 0
    position = .inside
    hasWritten = true
    endsWithExclamationMark = false
  }

  /// Adds a link, or only its text if the URL is not safe by `WebAddress`.
  package mutating func link(text: String, url: String) {
    text.withUTF8Bytes { link(text: $0, url: url) }
  }

  /// Adds a link with valid UTF-8 text, or only its text if the URL is not safe by `WebAddress`.
  package mutating func link(text: some Collection<UInt8>, url: String) {
    guard WebAddress.isSafe(url) else {
      plain(text)
      return
    }
    link(text: text, trusted: url)
  }

  /// Adds a link to a URL that is known to be safe, such as a relative URL within the site.
  ///
  /// - Parameter title: any text.
  package mutating func link(text: some Collection<UInt8>, trusted url: String, title: String? = nil) {
    beginAtom()
    // A preceding `!` would turn the link into an image.
    escapeExclamationMark()
    appendBracketed("[", text, url, title: title.map(Self.escaping(title:)))
  }

  private static func escaping(title: String) -> String {
    let parts = title.split(separator: "\"", omittingEmptySubsequences: false).map { part in
      var escaped = UTF8Buffer()
      escaped.appendEscapingMarkdown(String(part))
      return escaped.string
    }
    return parts.joined(separator: "&quot;")
  }

  /// Adds an image with its alternative text, or only this text if the URL is not safe by `WebAddress`.
  package mutating func image(alt: String, url: String) {
    guard WebAddress.isSafe(url) else {
      plain(alt)
      return
    }
    beginAtom()
    alt.withUTF8Bytes { appendBracketed("![", $0, url) }
  }

  /// Adds a picture that represents a short word. The word is its alternative text and its title. Browsers show the title when the pointer
  /// is over the picture, and the title distinguishes it from other pictures.
  ///
  /// - Parameters:
  ///   - word: the word, in ASCII without quotation marks and backslashes.
  ///   - url: a URL that is known to be safe.
  package mutating func symbol(_ word: String, trusted url: String) {
    beginAtom()
    word.withUTF8Bytes { appendBracketed("![", $0, url, title: word) }
  }

  private mutating func beginAtom() {
    afterCarriageReturn = false
    flushPending()
    position = .inside
  }

  /// - Parameter title: Markdown without unescaped quotation marks.
  private mutating func appendBracketed(
    _ opening: StaticString, _ text: some Collection<UInt8>, _ url: String, title: String? = nil
  ) {
    output.append(opening)
    var inner = MarkdownTextWriter(.inline, startsLine: false)
    swap(&inner.output, &output)
    inner.plain(text)
    // The next character is a closing bracket, so an exclamation mark needs no backslash.
    inner.mayEndWithExclamationMark = true
    output = inner.finish()
    output.append("](" as StaticString)
    output.appendLinkDestination(url)
    if let title {
      output.append(" \"" as StaticString)
      output.append(title)
      output.append(UInt8(ascii: "\""))
    }
    output.append(UInt8(ascii: ")"))
    endsWithExclamationMark = false
  }

  /// Inserts a backslash before a `!` at the end of the output.
  private mutating func escapeExclamationMark() {
    guard endsWithExclamationMark else { return }
    output.bytes.insert(UInt8(ascii: "\\"), at: output.count - 1)
    endsWithExclamationMark = false
  }
}

/// The classes of bytes within a line for the Markdown writer.
private enum TextClass {
  static let backslashed: UInt8 = 1
  static let less: UInt8 = 2
  static let ampersand: UInt8 = 3
  static let tab: UInt8 = 4
  static let hash: UInt8 = 5
  static let leadOfUnfit: UInt8 = 6
  static let control: UInt8 = 7

  static let table = ByteClasses { byte in
    switch byte {
    case _ where "\\`*_[]~$".utf8.contains(byte): backslashed
    case UInt8(ascii: "<"): less
    case UInt8(ascii: "&"): ampersand
    case Byte.tab: tab
    case UInt8(ascii: "#"): hash
    case _ where Byte.mayLeadUnfit(byte): leadOfUnfit
    // Newlines also end a run; the caller handles them.
    case 0..<0x20, Byte.delete: control
    default: 0
    }
  }
}

extension UTF8Buffer {
  /// Appends `text` so that CommonMark shows exactly this text at any position on a line: names, labels, titles, alternative
  /// text. The rules are those of `MarkdownTextWriter`; newlines become `&#10;`.
  package mutating func appendEscapingMarkdown(_ text: String) {
    // Lends this buffer to the writer, so that nothing is copied.
    var writer = MarkdownTextWriter(.inline)
    swap(&writer.output, &self)
    writer.plain(text)
    self = writer.finish()
  }
}
