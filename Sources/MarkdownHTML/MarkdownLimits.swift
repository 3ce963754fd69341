/// Limits on documents, so that the time for every document is proportional to its length.
///
/// libcmark 0.30.2 (Debian 12) takes quadratic time for brackets in one block (`![[]()` repeatedly, CVE-2023-22486) and for nested
/// containers (`> > >`, `- - -`, CVE-2023-22484). A post's text cannot contain either, because its brackets and markers are escaped;
/// templates nest only a handful.
struct MarkdownLimits {
  /// The maximum number of block quotes and lists that begin on one line.
  private static let nesting = 100
  /// The maximum column of a marker. A list can also be nested by indentation, by at least two columns per level.
  private static let markerColumn = 400
  /// The maximum number of `[` without a backslash between two blank lines.
  private static let brackets = 10_000

  private let markdown: UnsafeBufferPointer<UInt8>

  static func check(_ markdown: UnsafeBufferPointer<UInt8>) throws(MarkdownHTMLError) {
    guard markdown.count <= MarkdownHTML.maximumLength else {
      throw MarkdownHTMLError(
        line: nil,
        message: "The document has \(markdown.count) bytes; "
          + "\(MarkdownHTML.maximumLength) is the most that is rendered.", isTooLong: true)
    }
    try MarkdownLimits(markdown: markdown).check()
  }

  private init(markdown: UnsafeBufferPointer<UInt8>) {
    self.markdown = markdown
  }

  private func check() throws(MarkdownHTMLError) {
    // Hardly any document has that many brackets in total.
    let countsBrackets = bracketCount(in: 0..<markdown.count) > Self.brackets
    var bracketsInBlock = 0
    let lines = MarkdownLines(of: markdown)
    var start = 0
    var line = 1
    while start < markdown.count {
      let end = lines.end(from: start)
      let text = try checkNesting(of: start..<end, line: line)
      if countsBrackets {
        bracketsInBlock = text == end ? 0 : bracketsInBlock + bracketCount(in: text..<end)
        guard bracketsInBlock <= Self.brackets else {
          throw MarkdownHTMLError(
            line: line,
            message:
              "More than \(Self.brackets) brackets stand in one paragraph; put a blank line between them.")
        }
      }
      start = lines.start(after: end)
      line += 1
    }
  }

  /// Counts the markers at the beginning of a line, including all that cmark might accept. Returns their end.
  private func checkNesting(of range: Range<Int>, line: Int) throws(MarkdownHTMLError) -> Int {
    var depth = 0
    var column = 0
    var isAfterDigit = false
    for position in range {
      let byte = markdown[position]
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        isAfterDigit = true
        column += 1
        continue
      case UInt8(ascii: "."), UInt8(ascii: ")"):
        guard isAfterDigit, isSpace(at: position + 1) else { return position }
      // Digits without a dot are text, and no container begins after text.
      case _ where isAfterDigit:
        return position
      case 0x20, 0x09:
        column += byte == 0x09 ? 4 : 1
        continue
      case UInt8(ascii: ">"):
        break
      case UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "+"):
        guard isSpace(at: position + 1) else { return position }
      default:
        return position
      }
      isAfterDigit = false
      column += 1
      depth += 1
      guard depth <= Self.nesting, column <= Self.markerColumn else {
        throw MarkdownHTMLError(
          line: line,
          message:
            "Block quotes or lists are nested too deep here; \(Self.nesting) is the most that is rendered.")
      }
    }
    return range.upperBound
  }

  /// Whether there is white space, or the end of a line or of the document.
  private func isSpace(at position: Int) -> Bool {
    position >= markdown.count || markdown[position] <= 0x20
  }

  /// Returns the number of brackets without a backslash. The number of escaped brackets in a post is not limited.
  private func bracketCount(in range: Range<Int>) -> Int {
    var count = 0
    var position = MarkdownLines.find(UInt8(ascii: "["), in: markdown, range)
    while position < range.upperBound {
      if !isEscaped(at: position) { count += 1 }
      position = MarkdownLines.find(UInt8(ascii: "["), in: markdown, (position + 1)..<range.upperBound)
    }
    return count
  }

  /// Whether an odd number of backslashes precedes the position. Two are an escaped backslash.
  private func isEscaped(at position: Int) -> Bool {
    var start = position
    while start > 0, markdown[start - 1] == UInt8(ascii: "\\") { start -= 1 }
    return !(position - start).isMultiple(of: 2)
  }
}
