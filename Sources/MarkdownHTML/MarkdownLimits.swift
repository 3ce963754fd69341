/// What a document may not exceed, so that every document costs time in proportion to its length.
///
/// libcmark 0.30.2 (Debian 12) needs time in the square of it for brackets in one block (`![[]()` again and again,
/// CVE-2023-22486) and for containers nested in each other (`> > >`, `- - -`, CVE-2023-22484). Nothing a post says can
/// be either, because its brackets and markers are escaped; templates nest a handful.
enum MarkdownLimits {
  /// Block quotes and lists that begin on one line.
  static let nesting = 100
  /// A list can also be nested by indentation, two columns a level at least.
  static let markerColumn = 400
  /// `[` between two blank lines.
  static let brackets = 10_000

  static func check(_ markdown: UnsafeBufferPointer<UInt8>) throws(MarkdownHTMLError) {
    guard markdown.count <= MarkdownHTML.maximumLength else {
      throw MarkdownHTMLError(
        line: nil,
        message:
          "The document has \(markdown.count) bytes; \(MarkdownHTML.maximumLength) is the most that is rendered."
      )
    }
    // Counted at once, since hardly any document has so many in all of it.
    var total = 0
    for byte in markdown where byte == UInt8(ascii: "[") { total += 1 }
    let countsBrackets = total > brackets
    var start = 0
    var line = 1
    var inBlock = 0
    while start < markdown.count {
      let rest = markdown[start...]
      let end = rest.firstIndex { $0 == 0x0A || $0 == 0x0D } ?? markdown.count
      try checkNesting(markdown[start..<end], line: line)
      if countsBrackets {
        if rest[..<end].allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { inBlock = 0 }
        for byte in rest[..<end] where byte == UInt8(ascii: "[") { inBlock += 1 }
        guard inBlock <= brackets else {
          throw MarkdownHTMLError(
            line: line,
            message: "More than \(brackets) brackets stand in one paragraph; put a blank line between them.")
        }
      }
      let isCRLF = end + 1 < markdown.count && markdown[end] == 0x0D && markdown[end + 1] == 0x0A
      start = end + (isCRLF ? 2 : 1)
      line += 1
    }
  }

  /// Counts the markers that a line begins with, wherever cmark could take them for such.
  private static func checkNesting(
    _ line: Slice<UnsafeBufferPointer<UInt8>>, line number: Int
  ) throws(MarkdownHTMLError) {
    var depth = 0
    var column = 0
    var index = line.startIndex
    var isAfterDigit = false
    while index < line.endIndex {
      let byte = line[index]
      index += 1
      column += byte == UInt8(ascii: "\t") ? 4 : 1
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"):
        isAfterDigit = false
        continue
      case _ where isDigit(byte):
        isAfterDigit = true
        continue
      case UInt8(ascii: ">"):
        break
      case UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "+"):
        guard index == line.endIndex || line[index] == 0x20 || line[index] == 0x09 else { return }
      case UInt8(ascii: "."), UInt8(ascii: ")"):
        guard isAfterDigit, index == line.endIndex || line[index] == 0x20 || line[index] == 0x09 else {
          return
        }
      default:
        return
      }
      depth += 1
      guard depth <= nesting, column <= markerColumn else {
        throw MarkdownHTMLError(
          line: number,
          message: "Block quotes or lists are nested too deep here; \(nesting) is the most that is rendered.")
      }
    }
  }
}
