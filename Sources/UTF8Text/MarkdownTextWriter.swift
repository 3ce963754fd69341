/// Writes text that is not Markdown as CommonMark that shows exactly that text: a post's words, in plain chunks and links.
///
/// What is shown for a plain chunk is the chunk, character for character, by libcmark 0.30 and every later CommonMark;
/// `~ $ |` and a line's `:-` are also escaped where GitHub would read strikethrough, math or a table. CR LF and CR count
/// as LF; what no HTML document should hold (controls but tab and newline, noncharacters) becomes U+FFFD.
///
/// A newline becomes a hard break, two a new paragraph. What Markdown would drop is written as a character reference:
/// every further newline and newlines at the text's start and end `&#10;`, spaces at a line's start or end `&#32;`, tabs
/// `&#9;`. Every scalar must be whole within one chunk.
package struct MarkdownTextWriter: Sendable {
  /// What surrounds the text.
  package enum Place: Sendable {
    /// Paragraphs of their own, between blank lines.
    case block
    /// Somewhere on a line: a heading, a label, a link's text. Every newline is written `&#10;`.
    case inline
  }

  /// How far the current line of output has got: blocks are recognised only by how a line starts.
  enum LinePosition: Sendable {
    case start
    /// Only digits so far: a full stop would make it a list item.
    case digits
    case inside
  }

  let place: Place
  var output = UTF8Buffer()
  var position: LinePosition
  /// Newlines and, after them, spaces that were read but whose form depends on what follows.
  var pendingNewlines = 0
  var pendingSpaces = 0
  /// Whether anything was written, pending characters apart.
  var hasWritten = false
  /// Whether the last byte read was a CR, to which a LF would belong.
  var afterCarriageReturn = false
  /// Whether the output ends in an unescaped `!`, which would turn a link into an image.
  var endsWithExclamationMark = false
  /// Whether a `!` at the end of an inline text needs no backslash, as it is known what follows.
  var mayEndWithExclamationMark = false

  /// A writer of its own buffer, with room for `capacity` bytes. Pass `startsLine: false` where something that is not
  /// blank stands before the text on its line.
  package init(_ place: Place = .block, startsLine: Bool = true, capacity: Int = 0) {
    self.place = place
    if capacity > 0 { output = UTF8Buffer(capacity: capacity) }
    position = startsLine ? .start : .inside
  }

  /// Ends the text and returns the Markdown, without a newline at its end; the writer starts anew.
  ///
  /// A block must be followed by a newline. After an inline text anything may follow.
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
}
