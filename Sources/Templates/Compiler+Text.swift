extension Compiler {
  /// Compiles the text up to a tag, and the tag's whole line away if it stands alone there.
  mutating func emitLine(_ token: Token) {
    if let lineStart = token.lineStart, let nextLine = token.nextLine {
      emitText(to: lineStart, beforeTag: false)
      textStart = nextLine
    } else {
      emitInline(token)
    }
  }

  /// Compiles the text up to a tag that stays on its line.
  mutating func emitInline(_ token: Token) {
    emitText(to: token.range.lowerBound, beforeTag: true)
    textStart = token.range.upperBound
  }

  /// Compiles the text up to `end`. Directly within a parent tag text means nothing.
  mutating func emitText(to end: Int, beforeTag: Bool) {
    let start = textStart
    textStart = max(start, end)
    if scopes.last?.isParent == true { return }
    var position = start
    while position < end {
      let lineEnd = lexer.bytes[position..<end].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? end
      let startsLine = startsLine(position)
      if startsLine { position = skipRemovedIndentation(position, to: lineEnd) }
      emitLiteral(lexer.bytes[position..<lineEnd], startsLine: startsLine)
      position = lineEnd
    }
    // A line that begins with a tag has no literal to tell where it starts.
    if beforeTag, start <= end, startsWithTag(end) { program.code.append(.indent) }
  }

  private func startsLine(_ position: Int) -> Bool {
    position == 0 || lexer.bytes[position - 1] == UInt8(ascii: "\n")
  }

  /// Whether nothing of the line stays before the tag at `end`.
  private func startsWithTag(_ end: Int) -> Bool {
    guard let lineStart = lexer.lineStart(before: end, 0) else { return false }
    return skipRemovedIndentation(lineStart, to: end) == end
  }

  private func skipRemovedIndentation(_ start: Int, to end: Int) -> Int {
    var position = start
    for blank in removedIndentation {
      guard position < end, lexer.bytes[position] == blank else { break }
      position += 1
    }
    return position
  }

  /// Adds text to the literal before it, where nothing is between them.
  mutating func emitLiteral(_ text: ArraySlice<UInt8>, startsLine: Bool) {
    guard !text.isEmpty else { return }
    let start = program.literals.count
    program.literals.append(contentsOf: text)
    let end = program.literals.count
    if program.code.count > label, case .literal(let range, let first) = program.code[program.code.count - 1],
      range.upperBound == start, startsLine == (program.literals[start - 1] == UInt8(ascii: "\n"))
    {
      program.code[program.code.count - 1] = .literal(range.lowerBound..<end, startsLine: first)
    } else {
      program.code.append(.literal(start..<end, startsLine: startsLine))
    }
  }

  /// The blanks before a tag that is the first on its line, without those that are removed from every line.
  func blanks(before token: Token) -> ArraySlice<UInt8> {
    guard let lineStart = token.lineStart else { return [] }
    let start = token.range.lowerBound
    return lexer.bytes[skipRemovedIndentation(lineStart, to: start)..<start]
  }

  /// Puts bytes among the literals.
  mutating func store(_ bytes: ArraySlice<UInt8>) -> Range<Int> {
    let start = program.literals.count
    program.literals.append(contentsOf: bytes)
    return start..<program.literals.count
  }
}
