import MarkdownHTML

/// A page of the documentation for a terminal: wrapped to a width, with tables in columns if they fit, and URLs after their links.
package struct TerminalText {
  /// The number of columns of the terminal.
  private let width: Int
  /// Whether headings are bold. If not, as in a file, headings are underlined by a line below, and code keeps its backticks.
  private let isStyled: Bool
  /// Returns the text after the words of a link to a URL.
  private let place: (String) -> String?

  /// Returns the text of a page, with lines that end with line feeds.
  package static func text(
    of topic: HelpTopics.Topic, among topics: HelpTopics, width: Int, isStyled: Bool
  ) -> String {
    let writer = TerminalText(
      width: max(width, 20), isStyled: isStyled, place: { topics.place(of: $0, on: topic) })
    return writer.lines(of: topic.blocks, indent: 0).joined(separator: "\n") + "\n"
  }

  // MARK: Words

  private enum Style {
    case plain, strong, emphasis

    func wrapped(_ text: String) -> String {
      switch self {
      case .plain: text
      case .strong: "\u{1B}[1m\(text)\u{1B}[0m"
      case .emphasis: "\u{1B}[4m\(text)\u{1B}[0m"
      }
    }
  }

  /// A piece of text in which no line is broken.
  private struct Word {
    var text = ""
    var width = 0

    mutating func append(_ part: some StringProtocol, _ style: Style) {
      guard !part.isEmpty else { return }
      text += style.wrapped(String(part))
      width += TerminalText.columns(of: part)
    }
  }

  /// Returns the number of columns of a text: two for East Asian characters and for emoji.
  static func columns(of text: some StringProtocol) -> Int {
    text.reduce(0) { count, character in
      switch character.unicodeScalars.first?.value ?? 0 {
      case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
        0xFF00...0xFF60,
        0x1F300...0x1FAFF:
        count + 2
      default: count + 1
      }
    }
  }

  /// Returns the words of a text; `nil` stands for the end of a line.
  private func words(of inlines: [MarkdownInline], _ style: Style = .plain) -> [Word?] {
    var words: [Word?] = []
    var current = Word()
    func end() {
      if current.width > 0 { words.append(current) }
      current = Word()
    }
    func add(_ text: String, _ style: Style) {
      var isFirst = true
      for part in text.split(separator: " ", omittingEmptySubsequences: false) {
        if !isFirst { end() }
        isFirst = false
        current.append(part, style)
      }
    }
    func walk(_ inlines: [MarkdownInline], _ style: Style) {
      for inline in inlines {
        switch inline {
        case .text(let text): add(text, style)
        case .code(let text): isStyled ? add(text, .strong) : add("`\(text)`", .plain)
        case .emphasis(let parts): walk(parts, isStyled ? .emphasis : .plain)
        case .strong(let parts): walk(parts, isStyled ? .strong : .plain)
        case .image(_, let description): add("[image: \(description)]", style)
        case .link(let address, let parts):
          walk(parts, style)
          if let place = place(address), place != MarkdownInline.words(of: parts) {
            add(" (\(place))", .plain)
          }
        case .lineBreak:
          end()
          words.append(nil)
        }
      }
    }
    walk(inlines, isStyled ? style : .plain)
    end()
    return words
  }

  /// Returns lines of words. A word that is longer than a line has a separate line.
  private func wrapped(_ words: [Word?], to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    var count = 0
    for word in words {
      guard let word, count == 0 || count + 1 + word.width <= width else {
        lines.append(line)
        (line, count) = (word?.text ?? "", word?.width ?? 0)
        continue
      }
      line += count == 0 ? word.text : " " + word.text
      count += (count == 0 ? 0 : 1) + word.width
    }
    if count > 0 { lines.append(line) }
    return lines
  }

  // MARK: Blocks

  private func lines(of blocks: [MarkdownBlock], indent: Int, isTight: Bool = false) -> [String] {
    var result: [String] = []
    for block in blocks {
      if !result.isEmpty, !isTight { result.append("") }
      result += lines(of: block, indent: indent)
    }
    return result
  }

  private func lines(of block: MarkdownBlock, indent: Int) -> [String] {
    let room = max(width - indent, 20)
    let margin = String(repeating: " ", count: indent)
    switch block {
    case .heading(let level, let inlines):
      let words = wrapped(words(of: inlines, .strong), to: room)
      guard !isStyled, level <= 2 else { return words.map { margin + $0 } }
      let longest = words.map { Self.columns(of: $0) }.max() ?? 0
      let rule = String(repeating: level == 1 ? "=" : "-", count: longest)
      return (words + [rule]).map { margin + $0 }
    case .paragraph(let inlines): return wrapped(words(of: inlines), to: room).map { margin + $0 }
    case .code(let text):
      var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      if lines.last == "" { lines.removeLast() }
      return lines.map { $0.isEmpty ? "" : margin + "    " + $0 }
    case .quote(let blocks):
      // The sign takes the place of two spaces of the indentation.
      return lines(of: blocks, indent: indent + 2).map { margin + "| " + $0.dropFirst(indent + 2) }
    case .list(let start, let isTight, let items):
      var result: [String] = []
      for (index, item) in items.enumerated() {
        let marker = start.map { "\($0 + index). " } ?? "- "
        var lines = lines(of: item, indent: indent + marker.count, isTight: isTight)
        let first = lines.isEmpty ? "" : String(lines.removeFirst().dropFirst(indent + marker.count))
        if index > 0, !isTight { result.append("") }
        result += [margin + marker + first] + lines
      }
      return result
    case .table(let header, let rows):
      return
        (columns(header: header, rows: rows, room: room) ?? entries(header: header, rows: rows, room: room))
        .map { $0.isEmpty ? "" : margin + $0 }
    case .rule: return [margin + String(repeating: "-", count: min(room, 20))]
    }
  }

  // MARK: Tables

  /// The minimum width of a column of long texts; narrower columns are hard to read.
  private static let narrowest = 32

  /// Returns a table with its columns side by side; `nil` if they do not fit.
  private func columns(
    header: [[MarkdownInline]], rows: [[[MarkdownInline]]], room: Int
  ) -> [String]? {
    let heads = header.map { words(of: $0, .strong) }
    let cells = rows.map { $0.map { words(of: $0) } }
    let natural = header.indices.map { column in
      ([heads[column]] + cells.map { $0[column] }).map { width(of: $0) }.max() ?? 0
    }
    let longest = header.indices.map { column in
      ([heads[column]] + cells.map { $0[column] }).joined().map { $0?.width ?? 0 }.max() ?? 0
    }
    let gap = 2
    guard let widths = shared(room - gap * (header.count - 1), natural: natural, longest: longest) else {
      return nil
    }
    var result: [String] = []
    func add(_ row: [[Word?]]) {
      let wrapped = row.indices.map { self.wrapped(row[$0], to: widths[$0]) }
      for line in 0..<max(1, wrapped.map(\.count).max() ?? 1) {
        var text = ""
        var missing = 0
        for column in row.indices {
          let part = line < wrapped[column].count ? wrapped[column][line] : ""
          if !part.isEmpty {
            text += String(repeating: " ", count: missing) + part
            missing = 0
          }
          missing += widths[column] - shownWidth(of: part) + gap
        }
        result.append(text)
      }
    }
    if heads.contains(where: { !$0.isEmpty }) {
      add(heads)
      result.append(
        widths.map { String(repeating: "-", count: $0) }.joined(separator: String(repeating: " ", count: gap))
      )
    }
    // Rows of several lines need blank lines between them.
    let isTall = zip(natural, widths).contains { $0 > $1 }
    for (index, row) in cells.enumerated() {
      if isTall, index > 0 { result.append("") }
      add(row)
    }
    return result
  }

  /// Returns the width of each column: the desired width if all fit. Otherwise the width of its longest word, plus a share of the rest by
  /// the root of its additional demand, so that neither a long column nor a short one takes everything. `nil` if the longest column would
  /// be a narrow strip.
  private func shared(_ room: Int, natural: [Int], longest: [Int]) -> [Int]? {
    if natural.reduce(0, +) <= room { return natural }
    var widths = longest.map { min($0, room / 2) }
    var left = room - widths.reduce(0, +)
    guard left >= 0 else { return nil }
    while left > 0 {
      let wishes = natural.indices.map { Double(natural[$0] - widths[$0]).squareRoot() }
      let sum = wishes.reduce(0, +)
      let before = left
      for column in natural.indices where wishes[column] > 0 {
        let more = min(
          natural[column] - widths[column], Int(Double(before) * wishes[column] / sum), left)
        widths[column] += more
        left -= more
      }
      // The indivisible remainder goes to the longest column.
      if left == before, let most = natural.indices.max(by: { natural[$0] < natural[$1] }) {
        widths[most] += left
        left = 0
      }
    }
    for column in natural.indices where natural[column] > 2 * room {
      guard widths[column] >= Self.narrowest else { return nil }
    }
    return widths
  }

  /// Returns a table row by row: the first cell, and the other cells below it after the names of their columns.
  private func entries(
    header: [[MarkdownInline]], rows: [[[MarkdownInline]]], room: Int
  ) -> [String] {
    var result: [String] = []
    for (index, row) in rows.enumerated() {
      if index > 0 { result.append("") }
      result += row.first.map { wrapped(words(of: $0, .strong), to: room) } ?? []
      for (head, cell) in zip(header, row).dropFirst() where !cell.isEmpty {
        let name = MarkdownInline.words(of: head)
        let named = header.count > 2 && !name.isEmpty ? [.text(name + ": ")] + cell : cell
        result += wrapped(words(of: named), to: room - 4).map { "    " + $0 }
      }
    }
    return result
  }

  private func width(of words: [Word?]) -> Int {
    words.reduce(-1) { $0 + 1 + ($1?.width ?? 0) }
  }

  /// Returns the number of columns of a line that may contain styles.
  private func shownWidth(of line: String) -> Int {
    guard isStyled else { return Self.columns(of: line) }
    var count = 0
    var isStyle = false
    for character in line {
      if character == "\u{1B}" {
        isStyle = true
      } else if isStyle {
        if character == "m" { isStyle = false }
      } else {
        count += Self.columns(of: String(character))
      }
    }
    return count
  }
}
