import Basics

/// Compiles one template into a program.
///
/// Mustache's rules for lines: a section, comment, partial or delimiter tag that stands alone on its line removes the whole line. For
/// inheritance, the specification gives only examples. The rules that follow from them are listed in this file, before `openParent`.
struct Compiler {
  /// An open tag that waits for its closing tag.
  struct Scope {
    enum Kind {
      /// With the index of the instruction that is completed at the end.
      case section(Int)
      /// With a call's index, and the index of the instruction for the blanks before the tag if the tag is first on its line.
      case parent(call: Int, blanks: Int?)
      /// With a block's index. `onOneLine`: whether the block and its closing tag are alone on one line.
      case block(Int, onOneLine: Bool)
      /// An argument of the parent tag in the enclosing scope.
      case argument
    }

    let kind: Kind
    let token: Token
    /// The indentation that is removed from the lines around the tag.
    let removedIndentation: ArraySlice<UInt8>

    var isParent: Bool { if case .parent = kind { true } else { false } }
  }

  /// The maximum nesting level of tags in one template, which only mistakes exceed.
  private static let deepestNesting = 200
  /// The maximum number of reported mistakes in one template.
  static let mostMistakes = 20

  let source: Int
  let kind: TemplateKind
  let words: TemplateWords
  /// The names of the words that the template uses.
  var usedWords: Set<String> = []
  private var lexer: Lexer
  var program: Program
  /// The indices of the paths that the program contains.
  var pathIndices: [Path: Int]
  private var scopes: [Scope] = []
  var mistakes: [Mistake] = []
  /// The tags that look up values.
  var lookups: [NameCheck.Lookup] = []
  /// The byte offset of the text that is not compiled yet.
  var textStart = 0
  /// The indentation that is removed from the start of every line: that of the block where the block is defined.
  private var removedIndentation: ArraySlice<UInt8> = []
  /// The first index of an instruction that may be extended as a literal. Jumps lead to the instruction at this index.
  private var label = 0

  init(
    source: Int, text: String, kind: TemplateKind, words: TemplateWords, program: consuming Program,
    pathIndices: [Path: Int]
  ) {
    self.source = source
    self.kind = kind
    self.words = words
    self.program = program
    self.pathIndices = pathIndices
    lexer = Lexer(text)
    label = self.program.code.count
  }

  /// Compiles the template; returns the index of its first instruction.
  mutating func compile() -> Int {
    let start = program.code.count
    while mistakes.count < Self.mostMistakes {
      do {
        guard let token = try lexer.next() else { break }
        compile(token)
      } catch {
        mistakes.append(error)
        continue
      }
      guard scopes.count <= Self.deepestNesting else {
        report(scopes[scopes.count - 1].token, "tags are nested more than \(Self.deepestNesting) deep here")
        return start
      }
    }
    emitText(to: lexer.bytes.count, beforeTag: false)
    for scope in scopes where mistakes.count < Self.mostMistakes {
      report(scope.token, "\(describe(scope.token)) is never closed: \(closing(scope.token)) was expected")
    }
    program.code.append(.return)
    return start
  }

  private mutating func compile(_ token: Token) {
    switch token.kind {
    case .variable, .unescaped:
      if compileWords(token) { return }
      emitInline(token)
      let path = path(of: token)
      program.code.append(.variable(path: path, escaped: token.kind == .variable))
    case .comment, .delimiters:
      emitLine(token)
    case .section, .inverted:
      refuseWords(token)
      emitLine(token)
      let path = path(of: token)
      open(.section(program.code.count), token)
      program.code.append(
        token.kind == .section ? .section(path: path, end: 0) : .inverted(path: path, end: 0))
      label = program.code.count
    case .partial:
      compilePartial(token)
    case .parent:
      openParent(token)
    case .block:
      if scopes.last?.isParent == true { openArgument(token) } else { openBlock(token) }
    case .close:
      compileClose(token)
    }
  }

  private mutating func compilePartial(_ token: Token) {
    let indentation = token.isAlone ? blanks(before: token) : nil
    emitLine(token)
    addCall(token, indentation: indentation.map { store($0) })
    program.calls[program.calls.count - 1].end = program.code.count
  }

  private mutating func compileClose(_ token: Token) {
    guard let index = scopes.lastIndex(where: { matches($0.token, token) }) else {
      emitLine(token)
      let expected = scopes.last.map { "; \(describe($0.token)) of line \(line(of: $0.token)) is open" } ?? ""
      report(token, "\(describe(token)) closes nothing\(expected)")
      return
    }
    for scope in scopes[(index + 1)...] {
      report(
        scope.token,
        "\(describe(scope.token)) is not closed before \(describe(token)): \(closing(scope.token)) was expected"
      )
    }
    scopes.removeSubrange((index + 1)...)
    close(scopes[index], token)
    let scope = scopes.removeLast()
    removedIndentation = scope.removedIndentation
    label = program.code.count
  }

  private mutating func close(_ scope: Scope, _ token: Token) {
    switch scope.kind {
    case .section(let index):
      emitLine(token)
      switch program.code[index] {
      case .section(let path, _):
        program.code.append(.endSection)
        program.code[index] = .section(path: path, end: program.code.count)
      case .inverted(let path, _):
        program.code[index] = .inverted(path: path, end: program.code.count)
      default:
        break
      }
    case .parent(let call, let blanks):
      closeParent(call, blanks: blanks, token)
    case .block(let block, let onOneLine):
      closeBlock(block, onOneLine: onOneLine, token)
    case .argument:
      closeArgument(token)
    }
  }

  private mutating func open(_ kind: Scope.Kind, _ token: Token) {
    scopes.append(Scope(kind: kind, token: token, removedIndentation: removedIndentation))
  }

  // The rules for lines with `{{<parent}}`, `{{$block}}` and their closing tags, which the specification shows only with examples:
  //
  // - A parent tag that is first on its line, and whose closing tag is last on its line, counts as standing alone: both lines are removed,
  //   and the blanks before the parent tag indent the parent. The content between the two tags does not matter.
  // - Within a parent tag, only the blocks count. A block that opens at the end of a line starts with the next line. Blanks before a
  //   closing tag that is first on its line are removed.
  // - The indentation of such a block's first line is removed from all lines of the block where it is defined.
  // - If the tags of a block elsewhere stand alone on their lines, or share a line with no other content, the block indents its replacement
  //   like the first line of its default or, without a default, like the tag. If the tags share a line, the newline stays.

  private mutating func openParent(_ token: Token) {
    var blanksIndex: Int?
    if let lineStart = token.lineStart {
      emitText(to: lineStart, beforeTag: false)
      // The closing tag determines whether these blanks are text or indentation.
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

  private mutating func closeParent(_ call: Int, blanks: Int?, _ token: Token) {
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

  private mutating func openArgument(_ token: Token) {
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

  private mutating func closeArgument(_ token: Token) {
    emitText(to: token.lineStart ?? token.range.lowerBound, beforeTag: false)
    textStart = token.range.upperBound
    program.code.append(.return)
  }

  private mutating func openBlock(_ token: Token) {
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

  private mutating func closeBlock(_ block: Int, onOneLine: Bool, _ token: Token) {
    if onOneLine {
      textStart = token.range.upperBound
    } else {
      emitLine(token)
    }
    program.code.append(.return)
    program.blocks[block].end = program.code.count
  }

  /// Compiles `{{words.name}}` to the text of these words.
  ///
  /// - Returns: `false` if the tag names a value.
  private mutating func compileWords(_ token: Token) -> Bool {
    guard let name = wordName(of: token) else { return false }
    emitInline(token)
    guard let text = words.words[name] else {
      let suggestion = Suggestion.sentence(for: name, among: words.words.keys.sorted())
      report(token, "there is no text `\(name)` in the strings files.\(suggestion)")
      return true
    }
    usedWords.insert(name)
    let isEscaped = token.kind == .variable
    for (index, piece) in text.pieces.enumerated() {
      switch piece {
      case .text(let piece):
        let place = (isFirst: index == 0, isLast: index == text.pieces.count - 1)
        emitLiteral(literal(piece, escaped: isEscaped, place), startsLine: false)
      case .name(let name):
        program.code.append(.variable(path: path(named: name, token), escaped: isEscaped))
      }
    }
    return true
  }

  /// Reports sections of words, which would be useless because words always exist.
  private mutating func refuseWords(_ token: Token) {
    guard let name = wordName(of: token) else { return }
    report(
      token, "use {{words.\(name)}} to insert a text; \(describe(token)) does not support texts")
  }

  private func wordName(of token: Token) -> String? {
    let parts = token.name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == TemplateWords.namespace else { return nil }
    return String(parts[1])
  }

  /// - Parameter place: whether the text is at the beginning or the end of its words, and not beside a value.
  private func literal(
    _ text: String, escaped: Bool, _ place: (isFirst: Bool, isLast: Bool)
  ) -> ArraySlice<UInt8> {
    var buffer = UTF8Buffer(capacity: text.utf8.count + 16)
    switch escaped ? kind : .text {
    case .html: buffer.appendEscapingHTML(text)
    case .markdown:
      // Escaping would turn a blank at an end into a reference, to preserve it in Markdown. A blank beside a value is inside a line and
      // needs no reference.
      var inner = text[...]
      let before = place.isFirst ? "" : inner.prefix { $0 == " " }
      inner = inner.dropFirst(before.count)
      let after = place.isLast ? "" : Substring(String(inner.reversed().prefix { $0 == " " }))
      buffer.append(String(before))
      buffer.appendEscapingMarkdown(String(inner.dropLast(after.count)))
      buffer.append(String(after))
    case .text: buffer.append(text)
    }
    return buffer.bytes[...]
  }

  /// Compiles the text before a tag. Removes the tag's whole line if the tag stands alone on it.
  private mutating func emitLine(_ token: Token) {
    if let lineStart = token.lineStart, let nextLine = token.nextLine {
      emitText(to: lineStart, beforeTag: false)
      textStart = nextLine
    } else {
      emitInline(token)
    }
  }

  /// Compiles the text before a tag that stays on its line.
  private mutating func emitInline(_ token: Token) {
    emitText(to: token.range.lowerBound, beforeTag: true)
    textStart = token.range.upperBound
  }

  /// Compiles the text up to `end`. Text directly inside a parent tag is ignored.
  private mutating func emitText(to end: Int, beforeTag: Bool) {
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
    // A line that begins with a tag has no literal that marks its start.
    if beforeTag, start <= end, startsWithTag(end) { program.code.append(.indent) }
  }

  private func startsLine(_ position: Int) -> Bool {
    position == 0 || lexer.bytes[position - 1] == UInt8(ascii: "\n")
  }

  /// Whether the tag at `end` is first on its line after the removed indentation.
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

  /// Appends text to the previous literal if nothing is between them; otherwise adds a literal.
  private mutating func emitLiteral(_ text: ArraySlice<UInt8>, startsLine: Bool) {
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

  /// Returns the blanks before a tag that is first on its line, without the indentation that is removed from every line.
  private func blanks(before token: Token) -> ArraySlice<UInt8> {
    guard let lineStart = token.lineStart else { return [] }
    let start = token.range.lowerBound
    return lexer.bytes[skipRemovedIndentation(lineStart, to: start)..<start]
  }

  /// Appends bytes to the literals and returns their range.
  private mutating func store(_ bytes: ArraySlice<UInt8>) -> Range<Int> {
    let start = program.literals.count
    program.literals.append(contentsOf: bytes)
    return start..<program.literals.count
  }

  /// Returns the index of the path that a tag names, and records the lookup for the instruction that is added next.
  mutating func path(of token: Token) -> Int {
    lookups.append(
      NameCheck.Lookup(
        instruction: program.code.count, name: token.name, source: source, offset: token.range.lowerBound))
    return path(named: token.name, token)
  }

  /// Returns the index of a path for a name in words that the tag inserts.
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
  private mutating func addCall(_ token: Token, indentation: Range<Int>?) {
    let target = token.isDynamic ? Call.Target.dynamic(path: path(of: token)) : .name(token.name)
    let site = Site(source: source, offset: token.range.lowerBound)
    program.code.append(.call(program.calls.count))
    program.calls.append(Call(target: target, site: site, indentation: indentation, end: program.code.count))
  }

  private func matches(_ opening: Token, _ closing: Token) -> Bool {
    opening.name == closing.name && opening.isDynamic == closing.isDynamic
  }

  mutating func report(_ token: Token, _ message: String) {
    mistakes.append(Mistake(offset: token.range.lowerBound, message: message))
  }

  /// Returns a tag approximately as its author wrote it.
  private func describe(_ token: Token) -> String {
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

  /// Returns the closing tag of an opening tag.
  func closing(_ token: Token) -> String {
    "`{{/\(token.isDynamic ? "*" : "")\(token.name)}}`"
  }

  func line(of token: Token) -> Int {
    lexer.bytes[..<token.range.lowerBound].count { $0 == UInt8(ascii: "\n") } + 1
  }
}
