package import Basics

/// Removes the markers of components from a document, so that its Markdown reads well in an editor.
///
///     <!-- poll -->
///
///     - Yes<!-- dash --> — <!-- votes -->45 %<!-- meter 45.2 -->      →      - Yes — 45 %
///
///     <!-- /poll -->
///
/// The blank lines around a removed line become one.
package struct MarkerRemoval {
  private let markdown: UnsafeBufferPointer<UInt8>
  private var output: UTF8Buffer
  /// The length of the output before the document.
  private let outputStart: Int
  /// The position up to which everything is in the output or left out of it.
  private var position = 0
  /// The lines since the last line with text.
  private var blanks: Blanks?

  /// Lines that are blank or have only a marker.
  private struct Blanks {
    let start: Int
    /// The line with the fewest block quote signs. It ends the quotes that end within these lines.
    var shortest: Slice<UnsafeBufferPointer<UInt8>>
    var hasMarker = false
  }

  /// Appends a document without its markers.
  ///
  /// - Parameter lines: the lines with markers, as in ``DocumentHTML/markerLines``.
  package static func append(
    _ markdown: ArraySlice<UInt8>, without lines: [Int], to output: inout UTF8Buffer
  ) {
    markdown.withUnsafeBufferPointer { markdown in
      // The buffer is moved into the value and back, so that it is never copied.
      var removal = MarkerRemoval(markdown, after: output)
      output = UTF8Buffer()
      removal.run(lines)
      output = removal.output
    }
  }

  private init(_ markdown: UnsafeBufferPointer<UInt8>, after output: UTF8Buffer) {
    self.markdown = markdown
    self.output = output
    outputStart = output.count
  }

  private mutating func run(_ markerLines: [Int]) {
    let lines = MarkdownLines(of: markdown)
    var start = 0
    var line = 1
    var next = 0
    while start < markdown.count {
      let end = lines.end(from: start)
      let text = markdown[start..<end]
      if next < markerLines.count, markerLines[next] == line {
        removeMarkers(from: text)
        next += 1
      } else if text.allSatisfy(Self.isBlank) {
        add(text, to: start)
      } else {
        endBlanks(at: start)
      }
      start = lines.start(after: end)
      line += 1
    }
    if let blanks, blanks.hasMarker { copy(to: blanks.start) } else { copy(to: markdown.count) }
  }

  private mutating func removeMarkers(from text: Slice<UnsafeBufferPointer<UInt8>>) {
    let pieces = Self.pieces(of: text)
    if pieces.allSatisfy({ $0.allSatisfy(Self.isBlank) }) {
      add(pieces[0], to: text.startIndex)
      blanks?.hasMarker = true
    } else {
      endBlanks(at: text.startIndex)
      copy(to: text.startIndex)
      for piece in pieces { output.append(UnsafeBufferPointer(rebasing: piece)) }
      // The space before a marker at the end of the line.
      if let last = pieces.last, last.allSatisfy(Self.isSpace) { trimLine() }
      position = text.endIndex
    }
  }

  /// Adds a line to the blank lines, or begins them at `start`.
  private mutating func add(_ text: Slice<UnsafeBufferPointer<UInt8>>, to start: Int) {
    let text = text.dropLast(text.reversed().prefix(while: Self.isSpace).count)
    if let shortest = blanks?.shortest {
      if text.count < shortest.count { blanks?.shortest = text }
    } else {
      blanks = Blanks(start: start, shortest: text)
    }
  }

  /// Writes the blank lines that end at `end` as one line, if a marker was among them.
  private mutating func endBlanks(at end: Int) {
    guard let blanks else { return }
    self.blanks = nil
    guard blanks.hasMarker else { return }
    copy(to: blanks.start)
    if output.count > outputStart {
      output.append(UnsafeBufferPointer(rebasing: blanks.shortest))
      output.append(UInt8(ascii: "\n"))
    }
    position = end
  }

  /// Writes the document up to `end` unchanged.
  private mutating func copy(to end: Int) {
    output.append(UnsafeBufferPointer(rebasing: markdown[position..<end]))
    position = end
  }

  private mutating func trimLine() {
    while output.count > outputStart, let last = output.bytes.last, Self.isSpace(last) {
      output.bytes.removeLast()
    }
  }

  /// Returns the parts of a line before, between and after its markers.
  private static func pieces(
    of line: Slice<UnsafeBufferPointer<UInt8>>
  ) -> [Slice<UnsafeBufferPointer<UInt8>>] {
    var pieces: [Slice<UnsafeBufferPointer<UInt8>>] = []
    var rest = line
    var search = line
    while let opening = search.firstIndex(of: UInt8(ascii: "<")) {
      search = search[(opening + 1)...]
      guard let closing = search.firstIndex(of: UInt8(ascii: ">")) else { break }
      let comment = UnsafeBufferPointer(rebasing: line[opening...closing])
      // An invalid marker becomes an error when the document is converted to HTML.
      guard (try? Marker(comment, line: 1)) != nil else { continue }
      pieces.append(rest[..<opening])
      search = search[(closing + 1)...]
      rest = search
    }
    return pieces + [rest]
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// Whether a byte may be in a blank line, including a blank line of a block quote.
  private static func isBlank(_ byte: UInt8) -> Bool { isSpace(byte) || byte == UInt8(ascii: ">") }
}
