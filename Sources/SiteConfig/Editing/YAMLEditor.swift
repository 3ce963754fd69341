/// Edits a site.yml as text, line by line, so that comments, order and formatting are unchanged.
///
/// The editor supports only YAML's usual block style: lists and mappings with one entry or key per line. Callers must not rely on the result:
/// they decode the new text and compare it with the intended configuration.
struct YAMLEditor {
  /// The lines without their LF; a CR stays at the end of its line.
  private var lines: [[UInt8]]
  private let root: ConfigNode
  private let hasByteOrderMark: Bool
  /// The bytes before the LF at the end of lines: CR or none.
  private let ending: [UInt8]

  private static let space = UInt8(ascii: " ")
  private static let dash = UInt8(ascii: "-")
  private static let hash = UInt8(ascii: "#")
  private static let carriageReturn = UInt8(ascii: "\r")

  /// - Returns: `nil` if the file is not a mapping, or if its lines do not end with LF or CR LF.
  init?(_ bytes: [UInt8]) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    hasByteOrderMark = bytes.starts(with: mark)
    let text = hasByteOrderMark ? Array(bytes.dropFirst(mark.count)) : bytes
    lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init)
    let source = SourceText(bytes: text)
    // The parser also counts other line breaks. Its marks would then refer to other lines.
    guard source.lineCount == lines.count else { return nil }
    ending = lines.first?.last == Self.carriageReturn ? [Self.carriageReturn] : []
    var problems = ProblemList()
    root =
      YAMLDocument.compose(source, problems: &problems)
      ?? ConfigNode(content: .mapping([]), mark: .start)
    guard !problems.hasErrors, root.isNull || root.entries != nil else { return nil }
  }

  var bytes: [UInt8] {
    (hasByteOrderMark ? [0xEF, 0xBB, 0xBF] : []) + lines.joined(separator: [UInt8(ascii: "\n")])
  }

  // MARK: Lists

  /// Adds an entry to the end of one of the file's lists; creates the list if it is missing. The entry's lines have no indentation.
  mutating func append(_ entry: [String], to list: String) -> Bool {
    guard let key = root.entries?.first(where: { $0.key == list }) else {
      return appendList(list, [entry])
    }
    if key.value.isNull || key.value.elements?.isEmpty == true {
      // `threads:` or `threads: []`, with or without a comment.
      guard key.keyMark.column == 1, let line = line(key.keyMark.line) else { return false }
      let value = Self.trimmed(Self.beforeComment(line.dropFirst(list.utf8.count + 1)))
      guard value.isEmpty || value == Array("[]".utf8) else { return false }
      let comment = Self.comment(of: line)
      lines[key.keyMark.line - 1] = Array("\(list):".utf8) + comment + ending(of: line)
      lines.insert(contentsOf: item(entry, indent: 2), at: key.keyMark.line)
      return true
    }
    guard let last = key.value.elements?.last, let dash = dash(of: last) else { return false }
    lines.insert(contentsOf: item(entry, indent: dash), at: end(below: dash, from: last.mark.line))
    return true
  }

  private mutating func appendList(_ list: String, _ entries: [[String]]) -> Bool {
    let added = [Array("\(list):".utf8) + ending] + entries.flatMap { item($0, indent: 2) }
    // After the last line that is not blank.
    while let last = lines.last, Self.trimmed(last).isEmpty { lines.removeLast() }
    if !lines.isEmpty { lines.append(ending) }
    lines += added + [[]]
    return true
  }

  /// Returns the lines of a list entry.
  private func item(_ entry: [String], indent: Int) -> [[UInt8]] {
    let blanks = [UInt8](repeating: Self.space, count: indent)
    return entry.enumerated().map { index, text in
      blanks + Array((index == 0 ? "- " : "  ").utf8) + Array(text.utf8) + ending
    }
  }

  /// Removes entries from the file's lists. Returns `false` if an entry cannot be removed.
  mutating func remove(_ entries: Set<ConfigEntry>) -> Bool {
    // Entries are removed from the end, so that the marks of the other entries stay valid.
    let found = entries.map { ($0, element($0)) }
    guard found.allSatisfy({ $0.1 != nil }) else { return false }
    let nodes = found.compactMap(\.1).sorted { $1.mark < $0.mark }
    for node in nodes {
      if let dash = dash(of: node) {
        lines.removeSubrange((node.mark.line - 1)..<end(below: dash, from: node.mark.line))
      } else if !removeInBrackets(node) {
        return false
      }
    }
    return true
  }

  /// Returns the lines of an entry of `sources` or `threads`, without the spaces before its dash; `nil` for other entries.
  func lines(of entry: ConfigEntry) -> [String]? {
    switch entry {
    case .source, .thread: break
    case .sameAs, .collected, .tag, .hidden: return nil
    }
    guard let node = element(entry), let dash = dash(of: node) else { return nil }
    let range = (node.mark.line - 1)..<end(below: dash, from: node.mark.line)
    return lines[range].map { line in
      let blanks = line.prefix(dash).prefix { $0 == Self.space }.count
      let text = line.dropFirst(blanks)
      return String(decoding: text.last == Self.carriageReturn ? text.dropLast() : text, as: UTF8.self)
    }
  }

  private func element(_ entry: ConfigEntry) -> ConfigNode? {
    switch entry {
    case .source(let index): root.list("sources").element(index)
    case .thread(let index): root.list("threads").element(index)
    case .sameAs(let thread, let index): list("same_as", ofThread: thread).element(index)
    case .tag(let thread, let index): list("tags", ofThread: thread).element(index)
    case .hidden(let thread, let index): list("hide", ofThread: thread).element(index)
    case .collected(let collection, let index):
      root.list("collections").element(collection)?.list("threads").element(index)
    }
  }

  private func list(_ key: String, ofThread index: Int) -> [ConfigNode] {
    root.list("threads").element(index)?.list(key) ?? []
  }

  /// Returns the tags of an entry of `threads` as the file lists them, with duplicates, so that their positions are those of ``ConfigEntry``.
  func tags(ofThread index: Int) -> [String] {
    list("tags", ofThread: index).map { node in
      guard case .scalar(let text, _) = node.content else { return "" }
      return ThreadEntry.tag(text)
    }
  }

  /// Removes one scalar from a list such as `[a, b]` on one line.
  private mutating func removeInBrackets(_ node: ConfigNode) -> Bool {
    guard case .scalar = node.content, var line = line(node.mark.line),
      let start = Self.byte(ofColumn: node.mark.column, in: line)
    else { return false }
    var end = start
    if let quote = [UInt8(ascii: "\""), UInt8(ascii: "'")].first(where: { $0 == line[start] }) {
      guard let close = line[(start + 1)...].firstIndex(of: quote) else { return false }
      end = close + 1
    }
    while end < line.count, line[end] != UInt8(ascii: ","), line[end] != UInt8(ascii: "]") { end += 1 }
    guard end < line.count else { return false }
    if line[end] == UInt8(ascii: ",") {
      end += 1
      while end < line.count, line[end] == Self.space { end += 1 }
      line.removeSubrange(start..<end)
    } else {
      // The last element is removed with the comma before it.
      var first = start
      while first > 0, line[first - 1] == Self.space { first -= 1 }
      if first > 0, line[first - 1] == UInt8(ascii: ",") { first -= 1 } else { first = start }
      line.removeSubrange(first..<end)
    }
    lines[node.mark.line - 1] = line
    return true
  }

  // MARK: Keys of an entry

  /// Sets a key of a list entry. The value is the text after the colon.
  mutating func set(_ key: String, to value: String, inEntry position: Int, of list: String) -> Bool {
    guard let place = entry(position, of: list) else { return false }
    guard let known = place.entries.first(where: { $0.key == key }) else {
      return addKey(["\(key): \(value)"], to: place)
    }
    guard let range = lines(of: known, in: place), let line = line(known.keyMark.line) else { return false }
    let start = Array(line.prefix(known.keyMark.column - 1))
    // A comment on the line of a value describes the key, so it is kept.
    let comment =
      range.count == 1 && known.value.mark.line == known.keyMark.line ? Self.comment(of: line) : []
    lines.replaceSubrange(
      range, with: [start + Array("\(key): \(value)".utf8) + comment + ending(of: line)])
    return true
  }

  /// Sets a key of a mapping that is the value of a key in a list entry, such as a picture in `alt`; `nil` removes it.
  mutating func set(
    _ key: String, in mapping: String, to value: String?, inEntry position: Int, of list: String
  ) -> Bool {
    guard let place = entry(position, of: list) else { return false }
    guard let known = place.entries.first(where: { $0.key == mapping }), !known.value.isNull else {
      guard let value, !place.entries.contains(where: { $0.key == mapping }) else { return false }
      return addKey(["\(mapping):", "  \(key): \(value)"], to: place)
    }
    // A mapping in braces is not supported.
    guard let entries = known.value.entries, let first = entries.first,
      first.keyMark.line > known.keyMark.line, let range = lines(of: known, in: place)
    else { return false }
    let indent = first.keyMark.column - 1
    let line = value.map {
      [UInt8](repeating: Self.space, count: indent) + Array("\(key): \($0)".utf8) + ending
    }
    guard let old = entries.first(where: { $0.key == key }) else {
      if let line { lines.insert(line, at: range.upperBound) }
      return true
    }
    let start = old.keyMark.line - 1
    let end = min(range.upperBound, end(below: indent, from: start + 1))
    lines.replaceSubrange(start..<end, with: line.map { [$0] } ?? [])
    return true
  }

  /// Adds texts to the list under a key of a list entry.
  mutating func append(
    _ texts: [String], to key: String, inEntry position: Int, of list: String, isFlow: Bool
  ) -> Bool {
    guard let place = entry(position, of: list) else { return false }
    guard let known = place.entries.first(where: { $0.key == key }), !known.value.isNull else {
      // A key without a value is replaced.
      if place.entries.contains(where: { $0.key == key }) {
        return set(key, to: "[\(texts.joined(separator: ", "))]", inEntry: position, of: list)
      }
      return addKey(
        isFlow ? ["\(key): [\(texts.joined(separator: ", "))]"] : ["\(key):"] + texts.map { "  - \($0)" },
        to: place)
    }
    guard let elements = known.value.elements, let range = lines(of: known, in: place) else { return false }
    if let last = elements.last, let dash = dash(of: last) {
      lines.insert(
        contentsOf: texts.flatMap { item([$0], indent: dash) }, at: end(below: dash, from: last.mark.line))
      return true
    }
    // A list such as `[a, b]` on one line.
    guard range.count == 1, let line = line(known.keyMark.line),
      let bracket = Self.beforeComment(line[...]).lastIndex(of: UInt8(ascii: "]"))
    else { return false }
    let added = (elements.isEmpty ? "" : ", ") + texts.joined(separator: ", ")
    lines[known.keyMark.line - 1].insert(contentsOf: Array(added.utf8), at: bracket)
    return true
  }

  /// Removes a key from a list entry. Returns `false` if the key is missing or is on the line of the entry's dash.
  mutating func remove(_ key: String, inEntry position: Int, of list: String) -> Bool {
    guard let place = entry(position, of: list), let known = place.entries.first(where: { $0.key == key }),
      let range = lines(of: known, in: place), known.keyMark.line != place.line
    else { return false }
    lines.removeSubrange(range)
    return true
  }

  /// An entry of a list in block style.
  private struct Place {
    /// The line of its dash, from 1.
    let line: Int
    /// The number of spaces before the dash.
    let dash: Int
    /// The number of spaces before its keys.
    let indent: Int
    let entries: [ConfigNode.Entry]
    /// The index after its last line that is neither blank nor a comment, from 0.
    let end: Int
  }

  /// Returns the entry at an index; an entry that is only a URL is turned into a mapping with the key `url`.
  private mutating func entry(_ position: Int, of list: String) -> Place? {
    guard let elements = root.entries?.first(where: { $0.key == list })?.value.elements,
      elements.indices.contains(position), let dash = dash(of: elements[position])
    else { return nil }
    let node = elements[position]
    let end = end(below: dash, from: node.mark.line)
    let indent = node.mark.column - 1
    if let entries = node.entries {
      // An entry such as `- {url: …}` is in flow style, which is not supported.
      guard lines[node.mark.line - 1][indent] != UInt8(ascii: "{") else { return nil }
      return Place(line: node.mark.line, dash: dash, indent: indent, entries: entries, end: end)
    }
    guard case .scalar = node.content, end == node.mark.line else { return nil }
    lines[node.mark.line - 1].insert(contentsOf: Array("url: ".utf8), at: indent)
    return Place(line: node.mark.line, dash: dash, indent: indent, entries: [], end: end)
  }

  private mutating func addKey(_ text: [String], to place: Place) -> Bool {
    let blanks = [UInt8](repeating: Self.space, count: place.indent)
    lines.insert(contentsOf: text.map { blanks + Array($0.utf8) + ending }, at: place.end)
    // Joining the lines adds the line end that the file's last line may have lacked.
    return true
  }

  // MARK: Lines

  private func line(_ number: Int) -> [UInt8]? {
    lines.indices.contains(number - 1) ? lines[number - 1] : nil
  }

  /// Returns the index of the byte at a column; `nil` after the line's end. Columns count scalars, from 1.
  private static func byte(ofColumn column: Int, in line: [UInt8]) -> Int? {
    var scalars = 0
    return line.indices.first { index in
      // A byte that does not continue a scalar begins the next one.
      if line[index] & 0xC0 != 0x80 { scalars += 1 }
      return scalars == column
    }
  }

  private func ending(of line: [UInt8]) -> [UInt8] {
    line.last == Self.carriageReturn ? [Self.carriageReturn] : []
  }

  /// Returns the number of spaces before the dash of a list's element; `nil` if the dash is not the first character of its line.
  private func dash(of element: ConfigNode) -> Int? {
    guard let line = line(element.mark.line),
      let dash = line.firstIndex(where: { $0 != Self.space }), line[dash] == Self.dash,
      dash < element.mark.column - 1,
      line[(dash + 1)..<min(line.count, element.mark.column - 1)].allSatisfy({ $0 == Self.space })
    else { return nil }
    return dash
  }

  /// Returns the index, from 0, after the last line of an element that begins on line `line` (from 1) after `indent` spaces. Comments and empty
  /// lines after the element belong to the next element.
  private func end(below indent: Int, from line: Int) -> Int {
    var end = line
    for index in line..<max(line, lines.count) {
      let content = lines[index].drop { $0 == Self.space || $0 == Self.carriageReturn }
      guard let first = content.first, first != Self.hash else { continue }
      guard lines[index].prefix(while: { $0 == Self.space }).count > indent else { break }
      end = index + 1
    }
    return end
  }

  /// Returns the line indices, from 0, of a key and its value; `nil` if they share the first line with a different key.
  private func lines(of entry: ConfigNode.Entry, in place: Place) -> Range<Int>? {
    let start = entry.keyMark.line - 1
    // A list may have the same indentation as its key.
    let isList = entry.value.elements?.first.flatMap(dash) == place.indent
    let end = min(
      place.end, isList ? endOfList(entry, in: place) : self.end(below: place.indent, from: start + 1))
    guard end > start, !place.entries.contains(where: { $0.key != entry.key && $0.keyMark.line == start + 1 })
    else {
      return nil
    }
    return start..<end
  }

  private func endOfList(_ entry: ConfigNode.Entry, in place: Place) -> Int {
    guard let last = entry.value.elements?.last else { return entry.keyMark.line }
    return end(below: place.indent, from: last.mark.line)
  }

  /// Returns the part of a line before its comment, which begins with a `#` after a blank, outside of quotes.
  private static func beforeComment(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var quote: UInt8?
    var previous = space
    for (index, byte) in zip(line.indices, line) {
      if let open = quote {
        if byte == open, previous != UInt8(ascii: "\\") || open == UInt8(ascii: "'") { quote = nil }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'"), " [,:-".utf8.contains(previous) {
        quote = byte
      } else if byte == hash, previous == space || previous == UInt8(ascii: "\t") {
        return line[..<index]
      }
      previous = byte
    }
    return line
  }

  /// Returns the comment at the end of a line, with the blanks before it; empty if the line has no comment.
  private static func comment(of line: [UInt8]) -> [UInt8] {
    let before = beforeComment(line[...])
    guard before.count < line.count else { return [] }
    let value =
      before.lastIndex { $0 != space && $0 != UInt8(ascii: "\t") }.map { $0 + 1 } ?? before.startIndex
    let comment = line[value...]
    return Array(comment.last == carriageReturn ? comment.dropLast() : comment)
  }

  private static func trimmed(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    bytes.filter { $0 != space && $0 != UInt8(ascii: "\t") && $0 != carriageReturn }
  }
}

extension ConfigNode {
  fileprivate var entries: [Entry]? { if case .mapping(let entries) = content { entries } else { nil } }

  fileprivate var elements: [ConfigNode]? { if case .list(let elements) = content { elements } else { nil } }

  /// Returns the elements of the list under a key; empty if there is no such list.
  fileprivate func list(_ key: String) -> [ConfigNode] {
    entries?.first { $0.key == key }?.value.elements ?? []
  }
}

extension [ConfigNode] {
  fileprivate func element(_ index: Int) -> ConfigNode? { indices.contains(index) ? self[index] : nil }
}
