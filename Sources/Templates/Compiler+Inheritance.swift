// The rules of lines for `{{<parent}}`, `{{$block}}` and their closing tags, which the specification shows by example:
//
// - A parent tag that is first on its line, and whose closing tag is last on its line, stands alone: both lines go, and
//   the blanks before it indent the parent. What is between the two tags does not matter.
// - Within a parent tag only the blocks count. A block that opens at a line's end starts with the next line; blanks
//   before a closing tag that is first on its line are dropped.
// - The indentation of such a block's first line is removed from all its lines, where it is defined.
// - A block elsewhere whose tags stand alone on their lines, or share one line that holds nothing else, indents what
//   fills it as its default's first line is indented or, if it has none, as the tag is. In one line, the newline stays.
extension Compiler {
  mutating func openParent(_ token: Token) {
    var blanksIndex: Int?
    if let lineStart = token.lineStart {
      emitText(to: lineStart, beforeTag: false)
      // Whether these are text or indentation the closing tag will tell.
      let blanks = blanks(before: token)
      blanksIndex = program.code.count
      program.code.append(blanks.isEmpty ? .indent : .literal(store(blanks), startsLine: true))
      textStart = token.range.upperBound
    } else {
      emitInline(token)
    }
    addCall(token, indentation: nil)
    open(.parent(call: program.calls.count - 1, blanks: blanksIndex), token)
  }

  mutating func closeParent(_ call: Int, blanks: Int?, _ token: Token) {
    program.calls[call].end = program.code.count
    textStart = token.range.upperBound
    guard let nextLine = token.nextLine else { return }
    if let blanks {
      if case .literal(let range, _) = program.code[blanks] {
        program.calls[call].indentation = range
      } else {
        program.calls[call].indentation = 0..<0
      }
      program.code[blanks] = .nothing
      textStart = nextLine
    } else if token.lineStart != nil {
      textStart = nextLine
    }
  }

  mutating func openArgument(_ token: Token) {
    var startsLine = false
    textStart = token.range.upperBound
    let outer = removedIndentation
    if let nextLine = token.nextLine {
      textStart = nextLine
      startsLine = true
      removedIndentation = lexer.indentationOfFirstLine(from: nextLine).map { lexer.bytes[$0] } ?? []
    }
    scopes.append(Scope(kind: .argument, token: token, removedIndentation: outer))
    label = program.code.count
    guard case .parent(let call, _) = scopes[scopes.count - 2].kind else { return }
    program.calls[call].arguments.append(
      Argument(name: TemplateName(token.name), start: program.code.count, startsLine: startsLine))
  }

  mutating func closeArgument(_ token: Token) {
    emitText(to: token.lineStart ?? token.range.lowerBound, beforeTag: false)
    textStart = token.range.upperBound
    program.code.append(.return)
  }

  mutating func openBlock(_ token: Token) {
    let outer = removedIndentation
    let onOneLine = token.lineStart != nil && lexer.isClosedAtOnce(after: token.range.upperBound)
    var indentation: ArraySlice<UInt8>?
    if token.isAlone {
      emitLine(token)
      let own = token.lineStart.map { lexer.bytes[$0..<token.range.lowerBound] } ?? []
      let whole = lexer.indentationOfFirstLine(from: textStart).map { lexer.bytes[$0] } ?? own
      removedIndentation = whole
      indentation = whole.dropFirst(zip(whole, outer).prefix { $0 == $1 }.count)
    } else if onOneLine, let lineStart = token.lineStart {
      emitText(to: lineStart, beforeTag: false)
      textStart = token.range.upperBound
      indentation = blanks(before: token)
    } else {
      emitInline(token)
    }
    program.code.append(.block(program.blocks.count))
    scopes.append(
      Scope(
        kind: .block(program.blocks.count, onOneLine: onOneLine), token: token, removedIndentation: outer))
    program.blocks.append(
      Block(name: TemplateName(token.name), indentation: indentation.map { store($0) }, end: 0))
    label = program.code.count
  }

  mutating func closeBlock(_ block: Int, onOneLine: Bool, _ token: Token) {
    if onOneLine {
      textStart = token.range.upperBound
    } else {
      emitLine(token)
    }
    program.code.append(.return)
    program.blocks[block].end = program.code.count
  }
}
