/// What a document may not exceed, so that every document costs time in proportion to its length.
///
/// libcmark 0.30.2 (Debian 12) needs time in the square of it for brackets in one block (`![[]()` again and again,
/// CVE-2023-22486) and for containers nested in each other (`> > >`, `- - -`, CVE-2023-22484). Nothing a post says can
/// be either, because its brackets and markers are escaped; templates nest a handful.
struct MarkdownLimits {
  /// Block quotes and lists that begin on one line.
  static let nesting = 100
  /// A list can also be nested by indentation, two columns a level at least.
  static let markerColumn = 400
  /// `[` between two blank lines.
  static let brackets = 10_000

  private let markdown: UnsafeBufferPointer<UInt8>
  private var position = 0
  /// 1-based.
  private var line = 1

  static func check(_ markdown: UnsafeBufferPointer<UInt8>) throws(MarkdownHTMLError) {
    guard markdown.count <= MarkdownHTML.maximumLength else {
      throw MarkdownHTMLError(
        line: nil,
        message: "The document has \(markdown.count) bytes; "
          + "\(MarkdownHTML.maximumLength) is the most that is rendered.")
    }
    var limits = MarkdownLimits(markdown: markdown)
    try limits.check()
  }

  private init(markdown: UnsafeBufferPointer<UInt8>) {
    self.markdown = markdown
  }

  private mutating func check() throws(MarkdownHTMLError) {
    var bracketsInBlock = 0
    while position < markdown.count {
      try checkNesting()
      if isAtLineEnd { bracketsInBlock = 0 }
      while !isAtLineEnd {
        if markdown[position] == UInt8(ascii: "[") { bracketsInBlock += 1 }
        position += 1
      }
      guard bracketsInBlock <= Self.brackets else {
        throw MarkdownHTMLError(
          line: line,
          message:
            "More than \(Self.brackets) brackets stand in one paragraph; put a blank line between them.")
      }
      skipLineEnd()
    }
  }

  private var isAtLineEnd: Bool {
    position >= markdown.count || markdown[position] == 0x0A || markdown[position] == 0x0D
  }

  private mutating func skipLineEnd() {
    let isCarriageReturn = position < markdown.count && markdown[position] == 0x0D
    position += 1
    if isCarriageReturn, position < markdown.count, markdown[position] == 0x0A { position += 1 }
    line += 1
  }

  /// Goes over the markers and the white space that the line begins with, wherever cmark could take them for such, and
  /// counts the markers.
  private mutating func checkNesting() throws(MarkdownHTMLError) {
    var depth = 0
    var column = 0
    var isAfterDigit = false
    while !isAtLineEnd {
      let byte = markdown[position]
      switch byte {
      case 0x20, 0x09, UInt8(ascii: "0")...UInt8(ascii: "9"):
        isAfterDigit = byte >= UInt8(ascii: "0")
        column += byte == 0x09 ? 4 : 1
        position += 1
        continue
      case UInt8(ascii: ">"):
        break
      case UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "+"):
        guard isBeforeSpace else { return }
      case UInt8(ascii: "."), UInt8(ascii: ")"):
        guard isAfterDigit, isBeforeSpace else { return }
      default:
        return
      }
      isAfterDigit = false
      position += 1
      column += 1
      depth += 1
      guard depth <= Self.nesting, column <= Self.markerColumn else {
        throw MarkdownHTMLError(
          line: line,
          message:
            "Block quotes or lists are nested too deep here; \(Self.nesting) is the most that is rendered.")
      }
    }
  }

  private var isBeforeSpace: Bool {
    let next = position + 1
    guard next < markdown.count else { return true }
    return markdown[next] <= 0x20
  }
}
