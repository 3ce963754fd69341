import CCmark

/// A table in GitHub's dialect (https://github.github.com/gfm/#tables-extension-):
///
///     | Key | Value |
///     |-----|------:|
///     | a   |     1 |
///
/// libcmark parses such a table as a paragraph. Its lines are split here, and libcmark parses the content of each cell. libcmark-gfm is not
/// used: it exports the same symbols as libcmark, and Debian's version has known inputs that take quadratic time (CVE-2023-22483 to
/// CVE-2023-22486).
///
/// Differences from GitHub's dialect: a table begins after an empty line and is not in a block quote, and cells contain no reference links.
struct PipeTable {
  enum Alignment: Sendable {
    case left, center, right
  }

  struct Row {
    /// 1-based line of the document.
    let line: Int
    /// The Markdown of each cell, without spaces at its ends. At most as many as there are columns.
    let cells: [String]
  }

  /// One element per column; `nil` for the theme's alignment.
  let alignments: [Alignment?]
  let header: Row
  let rows: [Row]

  /// The maximum number of columns, which is also HTML's for cells that span columns. Wider tables stay paragraphs.
  static let mostColumns = 1000

  /// Returns the table in a paragraph; `nil` if the paragraph is not a table.
  ///
  /// - Parameter lines: all lines of the document.
  init?(_ paragraph: CmarkNode, in lines: [String]) {
    let (first, last) = (paragraph.line - 1, paragraph.lastLine - 1)
    guard first >= 0, last > first, last < lines.count, lines[first + 1].utf8.contains(UInt8(ascii: "|")),
      let alignments = Self.alignments(of: lines[first + 1]), alignments.count <= Self.mostColumns
    else { return nil }
    // Before the paragraph's first column stand the markers of lists.
    let header = Self.cells(
      of: String(decoding: lines[first].utf8.dropFirst(paragraph.column - 1), as: UTF8.self))
    guard header.count == alignments.count else { return nil }
    self.alignments = alignments
    self.header = Row(line: first + 1, cells: header)
    rows = (first + 2..<last + 1).map { index in
      Row(line: index + 1, cells: Array(Self.cells(of: lines[index]).prefix(alignments.count)))
    }
  }

  /// The header and all other rows.
  var allRows: [Row] { [header] + rows }

  /// Returns the lines of a document, which end as in libcmark.
  static func lines(of markdown: UnsafeBufferPointer<UInt8>) -> [String] {
    var found: [String] = []
    let lines = MarkdownLines(of: markdown)
    var start = 0
    while start < markdown.count {
      let end = lines.end(from: start)
      found.append(String(decoding: UnsafeBufferPointer(rebasing: markdown[start..<end]), as: UTF8.self))
      start = lines.start(after: end)
    }
    return found
  }

  /// Returns the alignments in the row below the header; `nil` if the line is not such a row.
  private static func alignments(of line: String) -> [Alignment?]? {
    var alignments: [Alignment?] = []
    for cell in cells(of: line) {
      let isLeft = cell.hasPrefix(":")
      let isRight = cell.count > 1 && cell.hasSuffix(":")
      let hyphens = cell.dropFirst(isLeft ? 1 : 0).dropLast(isRight ? 1 : 0)
      guard !hyphens.isEmpty, hyphens.allSatisfy({ $0 == "-" }) else { return nil }
      alignments.append(isLeft && isRight ? .center : isRight ? .right : isLeft ? .left : nil)
    }
    return alignments
  }

  /// Returns a row's cells. The pipes at its ends are optional.
  private static func cells(of line: String) -> [String] {
    // A pipe with a combining character is one `Character`, so scalars are compared.
    var scalars = line.unicodeScalars[...]
    while let first = scalars.first, isSpace(first) { scalars.removeFirst() }
    while let last = scalars.last, isSpace(last) { scalars.removeLast() }
    if scalars.first == "|" { scalars.removeFirst() }
    var cells = [String.UnicodeScalarView()]
    var isEscaped = false
    var endsWithPipe = false
    for scalar in scalars {
      endsWithPipe = scalar == "|" && !isEscaped
      if endsWithPipe {
        cells.append(String.UnicodeScalarView())
      } else {
        // The backslash before a pipe belongs to the table and is removed. Backslashes before other characters stay.
        if scalar == "|" { cells[cells.count - 1].removeLast() }
        cells[cells.count - 1].append(scalar)
      }
      isEscaped = scalar == "\\" && !isEscaped
    }
    if endsWithPipe { cells.removeLast() }
    return cells.map { cell in
      var cell = cell[...]
      while let first = cell.first, isSpace(first) { cell.removeFirst() }
      while let last = cell.last, isSpace(last) { cell.removeLast() }
      return String(cell)
    }
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }
}
