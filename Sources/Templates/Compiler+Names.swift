extension Compiler {
  /// The index of the path that a tag names.
  mutating func path(of token: Token) -> Int {
    lookups.append((token.name, token.range.lowerBound))
    return path(named: token.name, token)
  }

  /// The same for a name that stands in words which the tag puts in.
  mutating func path(named name: String, _ token: Token) -> Int {
    if name == "." { return Program.currentPath }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map {
      TemplateName(String($0))
    }
    if parts.contains(where: \.string.isEmpty) {
      report(token, "`\(name)` has an empty part: names are joined by single full stops")
    }
    return index(of: Path(head: parts[0], tail: Array(parts.dropFirst())))
  }

  private mutating func index(of path: Path) -> Int {
    if let index = pathIndices[path] { return index }
    let index = program.paths.count
    program.paths.append(path)
    pathIndices[path] = index
    return index
  }

  /// Adds the call of a partial or parent tag.
  mutating func addCall(_ token: Token, indentation: Range<Int>?) {
    let target = token.isDynamic ? Call.Target.dynamic(path: path(of: token)) : .name(token.name)
    let site = Site(source: source, offset: token.range.lowerBound)
    program.code.append(.call(program.calls.count))
    program.calls.append(Call(target: target, site: site, indentation: indentation, end: program.code.count))
  }

  func matches(_ opening: Token, _ closing: Token) -> Bool {
    opening.name == closing.name && opening.isDynamic == closing.isDynamic
  }

  mutating func report(_ token: Token, _ message: String) {
    mistakes.append(Mistake(offset: token.range.lowerBound, message: message))
  }

  /// A tag as its author wrote it, more or less.
  func describe(_ token: Token) -> String {
    let sigil =
      switch token.kind {
      case .section: "#"
      case .inverted: "^"
      case .close: "/"
      case .partial: ">"
      case .parent: "<"
      case .block: "$"
      case .variable, .unescaped, .comment, .delimiters: ""
      }
    return "`{{\(sigil)\(token.isDynamic ? "*" : "")\(token.name)}}`"
  }

  /// The closing tag of an opening one.
  func closing(_ token: Token) -> String {
    "`{{/\(token.isDynamic ? "*" : "")\(token.name)}}`"
  }

  func line(of token: Token) -> Int {
    lexer.bytes[..<token.range.lowerBound].count { $0 == UInt8(ascii: "\n") } + 1
  }
}
