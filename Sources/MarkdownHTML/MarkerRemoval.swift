package import Basics

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

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
  private let start: Int
  /// The lines since the last line with text, all of them blank or with only a marker; they end where the current line begins.
  private var blanks: Blanks?

  private struct Blanks {
    let start: Int
    /// The line with the fewest signs of block quotes: it ends the quotes that end within these lines.
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
      // The buffer moves into the value and back, so that it is never copied.
      var removal = MarkerRemoval(markdown, after: output)
      output = UTF8Buffer()
      removal.run(lines)
      output = removal.output
    }
  }

  private init(_ markdown: UnsafeBufferPointer<UInt8>, after output: UTF8Buffer) {
    self.markdown = markdown
    self.output = output
    start = output.count
  }

  private mutating func run(_ markerLines: [Int]) {
    var position = 0
    var line = 1
    var next = 0
    while position < markdown.count {
      let end = lineEnd(from: position)
      let text = markdown[position..<end]
      let hasMarkers = next < markerLines.count && markerLines[next] == line
      if hasMarkers { next += 1 }
      let pieces = hasMarkers ? Self.pieces(of: text) : [text]
      if pieces.allSatisfy({ $0.allSatisfy(Self.isBlank) }) {
        addBlank(pieces[0], at: position, hasMarker: hasMarkers)
      } else {
        writeBlanks(before: position)
        for piece in pieces { output.append(UnsafeBufferPointer(rebasing: piece)) }
        // The space before a marker at the end of the line.
        if let last = pieces.last, last.allSatisfy(Self.isSpace) { trimLine() }
      }
      let nextPosition = lineStart(after: end)
      if blanks == nil { output.append(UnsafeBufferPointer(rebasing: markdown[end..<nextPosition])) }
      position = nextPosition
      line += 1
    }
    if !(blanks?.hasMarker ?? false) { writeBlanks(before: markdown.count) }
  }

  private mutating func addBlank(_ text: Slice<UnsafeBufferPointer<UInt8>>, at position: Int, hasMarker: Bool)
  {
    let text = text.dropLast(text.reversed().prefix(while: Self.isSpace).count)
    if blanks == nil { blanks = Blanks(start: position, shortest: text) }
    if text.count < blanks?.shortest.count ?? 0 { blanks?.shortest = text }
    if hasMarker { blanks?.hasMarker = true }
  }

  /// Writes the blank lines unchanged or, if a marker was among them, as one line.
  private mutating func writeBlanks(before end: Int) {
    guard let blanks else { return }
    self.blanks = nil
    guard blanks.hasMarker else {
      return output.append(UnsafeBufferPointer(rebasing: markdown[blanks.start..<end]))
    }
    guard output.count > start else { return }
    output.append(UnsafeBufferPointer(rebasing: blanks.shortest))
    output.append(UInt8(ascii: "\n"))
  }

  private mutating func trimLine() {
    while output.count > start, let last = output.bytes.last, Self.isSpace(last) { output.bytes.removeLast() }
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
      // An invalid marker is an error when the document becomes HTML.
      guard (try? Marker(comment, line: 1)) != nil else { continue }
      pieces.append(rest[..<opening])
      search = search[(closing + 1)...]
      rest = search
    }
    return pieces + [rest]
  }

  /// Returns the position of the end of a line: of LF, CR LF or CR, as in CommonMark.
  private func lineEnd(from position: Int) -> Int {
    var end = position
    while end < markdown.count, markdown[end] != 0x0A, markdown[end] != 0x0D { end += 1 }
    return end
  }

  private func lineStart(after end: Int) -> Int {
    guard end < markdown.count else { return end }
    let isPair = markdown[end] == 0x0D && end + 1 < markdown.count && markdown[end + 1] == 0x0A
    return end + (isPair ? 2 : 1)
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// Whether a byte may be in a blank line, also in one of a block quote.
  private static func isBlank(_ byte: UInt8) -> Bool { isSpace(byte) || byte == UInt8(ascii: ">") }
}
