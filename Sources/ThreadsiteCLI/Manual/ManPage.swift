import MarkdownHTML

/// A page for man(1), in the macros of man(7), which every system has.
package struct ManPage: Sendable {
  /// The file's name: `threadsite-build.1`.
  package let fileName: String
  package private(set) var text: String

  /// - Parameters:
  ///   - date: the date of the described version, in the form 2026-11-22; empty if it is unknown.
  ///   - summary: the text after the name, which apropos(1) searches.
  package init(name: String, section: Int, date: String, version: String, summary: String) {
    fileName = "\(name).\(section)"
    text = """
      .TH \(Self.argument(name.uppercased())) \(section) "\(date)" \(Self.argument("threadsite " + version)) \
      \(Self.argument("threadsite"))
      .nh
      .ad l

      """
    heading("NAME")
    // The only hyphen that is written with a backslash is the one between the names and the summary.
    line("\(Self.escaped(name)) \\- \(Self.escaped(summary))")
  }

  /// A page of the documentation.
  package init(of topic: HelpTopics.Topic, among topics: HelpTopics, date: String, version: String) {
    let name = Self.name(of: topic)
    self.init(name: name.name, section: name.section, date: date, version: version, summary: topic.title)
    var blocks = topic.blocks
    if case .heading(1, _)? = blocks.first { blocks.removeFirst() }
    if case .heading(let level, _)? = blocks.first, level <= 2 {
    } else if !blocks.isEmpty {
      heading("DESCRIPTION")
    }
    let writer = MarkdownToMan { address in
      guard let place = topics.place(of: address, on: topic) else { return nil }
      guard place.hasPrefix("threadsite help "), let other = topics.topic(String(place.dropFirst(16))) else {
        return place
      }
      let name = Self.name(of: other)
      return "\(name.name)(\(name.section))"
    }
    text += writer.text(of: blocks)
    heading("SEE ALSO")
    line("\\fBthreadsite\\fR(1)")
  }

  /// site.yml is a file format; the other pages are about procedures.
  static func name(of topic: HelpTopics.Topic) -> (name: String, section: Int) {
    ("threadsite-" + topic.name.replacing("/", with: "-"), topic.name == "configuration" ? 5 : 7)
  }

  package mutating func heading(_ words: String) { text += ".SH \(Self.argument(words))\n" }

  /// Adds a line of roff unchanged.
  package mutating func line(_ line: String) { text += line + "\n" }

  /// Adds text written for a terminal: paragraphs between empty lines. Lines that begin with spaces stay lines.
  package mutating func paragraphs(_ words: String) {
    for (index, paragraph) in words.split(separator: "\n\n").enumerated() {
      let lines = paragraph.split(separator: "\n")
      if index > 0 { text += ".PP\n" }
      if lines.contains(where: { $0.hasPrefix(" ") }) {
        text += ".nf\n" + lines.map { Self.escapedLine($0) + "\n" }.joined() + ".fi\n"
      } else {
        text += Self.escapedLine(lines.joined(separator: " ")) + "\n"
      }
    }
  }

  /// Adds an item with its description, both as roff.
  package mutating func item(_ term: String, _ body: String) { text += ".TP\n\(term)\n\(body)\n" }

  // MARK: Escaping

  /// Returns text for use within a line. Backslashes begin commands, and ASCII's hyphen and quotes would be shown as other characters,
  /// which cannot be copied (groff_char(7)).
  package static func escaped(_ text: some StringProtocol) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case "\"": result += "\\(dq"
      default: result.append(character)
      }
    }
    return result
  }

  /// The same for the beginning of a line, where a full stop or an apostrophe begins a request.
  static func escapedLine(_ text: some StringProtocol) -> String {
    let escaped = escaped(text)
    return escaped.hasPrefix(".") ? "\\&" + escaped : escaped
  }

  private static func argument(_ text: String) -> String { "\"\(escaped(text))\"" }
}

/// Blocks of Markdown as roff.
private struct MarkdownToMan {
  /// Returns the text after the words of a link to a URL.
  let place: (String) -> String?

  func text(of blocks: [MarkdownBlock]) -> String {
    var result = ""
    for (index, block) in blocks.enumerated() {
      switch block {
      case .heading(let level, let inlines):
        let words = ManPage.escaped(MarkdownInline.words(of: inlines))
        result += ".\(level <= 2 ? "SH" : "SS") \"\(words)\"\n"
      case .paragraph(let inlines):
        if index > 0, !isHeading(blocks[index - 1]) { result += ".PP\n" }
        result += line(inlines) + "\n"
      case .code(let code):
        var lines = code.split(separator: "\n", omittingEmptySubsequences: false)
        if lines.last == "" { lines.removeLast() }
        // The space before it is part of the block, because a paragraph without text produces no space.
        if index > 0, !isHeading(blocks[index - 1]) { result += ".sp\n" }
        result += ".RS 4\n.nf\n"
        result += lines.map { ($0.isEmpty ? "\\&" : ManPage.escapedLine($0)) + "\n" }.joined()
        result += ".fi\n.RE\n"
      case .quote(let inner): result += ".RS 4\n" + text(of: inner) + ".RE\n"
      case .list(let start, _, let items):
        for (number, item) in items.enumerated() {
          let marker = start.map { "\($0 + number)." } ?? "\\(bu"
          result += ".IP \"\(marker)\" \(start == nil ? 2 : 4)\n" + nested(item, inset: start == nil ? 2 : 4)
        }
      case .table(let header, let rows): result += table(header, rows)
      case .rule: result += ".PP\n* * *\n"
      }
    }
    return result
  }

  /// Returns the content of an item: the first paragraph after the marker, everything else below it.
  private func nested(_ blocks: [MarkdownBlock], inset: Int) -> String {
    guard case .paragraph(let inlines)? = blocks.first else {
      return blocks.isEmpty ? "\\&\n" : "\\&\n.RS \(inset)\n" + text(of: blocks) + ".RE\n"
    }
    let rest = Array(blocks.dropFirst())
    return line(inlines) + "\n" + (rest.isEmpty ? "" : ".RS \(inset)\n" + text(of: rest) + ".RE\n")
  }

  /// Returns the table row by row, because columns side by side would need a known width.
  private func table(_ header: [[MarkdownInline]], _ rows: [[[MarkdownInline]]]) -> String {
    var result = ""
    for row in rows {
      let term = row.first.map { inline($0, .bold) } ?? ""
      result += ".TP\n" + (term.isEmpty ? "\\&" : atLineStart(term)) + "\n"
      var cells: [String] = []
      for (head, cell) in zip(header, row).dropFirst() where !cell.isEmpty {
        let name = MarkdownInline.words(of: head)
        cells.append(line(header.count > 2 && !name.isEmpty ? [.text(name + ": ")] + cell : cell))
      }
      result += (cells.isEmpty ? "\\&" : cells.joined(separator: "\n.br\n")) + "\n"
    }
    return result
  }

  private func isHeading(_ block: MarkdownBlock) -> Bool {
    if case .heading = block { true } else { false }
  }

  private enum Font: String {
    case roman = "\\fR"
    case bold = "\\fB"
    case italic = "\\fI"
  }

  private func line(_ inlines: [MarkdownInline]) -> String { atLineStart(inline(inlines, .roman)) }

  private func atLineStart(_ text: String) -> String { text.hasPrefix(".") ? "\\&" + text : text }

  private func inline(_ inlines: [MarkdownInline], _ font: Font) -> String {
    var result = ""
    for inline in inlines {
      switch inline {
      case .text(let text): result += set(font, ManPage.escaped(text))
      case .code(let text): result += set(.bold, ManPage.escaped(text))
      case .emphasis(let parts): result += self.inline(parts, .italic)
      case .strong(let parts): result += self.inline(parts, .bold)
      case .image(_, let description): result += set(font, ManPage.escaped("[picture: \(description)]"))
      case .link(let address, let parts):
        result += self.inline(parts, font)
        if let place = place(address), place != MarkdownInline.words(of: parts) {
          result += ManPage.escaped(" (\(place))")
        }
      case .lineBreak: result += "\n.br\n"
      }
    }
    return result
  }

  private func set(_ font: Font, _ text: String) -> String {
    font == .roman || text.isEmpty ? text : font.rawValue + text + Font.roman.rawValue
  }
}
