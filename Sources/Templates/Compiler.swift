import Basics

/// Compiles one template into a program.
///
/// Mustache's rules of lines: a section, comment, partial or delimiter tag that stands alone on its line takes the whole
/// line with it. For inheritance the specification speaks in examples; the rules that they come to are at
/// `Compiler+Inheritance.swift`.
struct Compiler {
  /// A tag that waits for its closing tag.
  struct Scope {
    enum Kind {
      /// The instruction to complete.
      case section(Int)
      /// A call's index, and the instruction that holds the blanks before the tag if it is first on its line.
      case parent(call: Int, blanks: Int?)
      /// A block's index; whether it stands on one line with its closing tag and nothing else.
      case block(Int, onOneLine: Bool)
      /// An argument of the parent tag in the scope around.
      case argument
    }

    let kind: Kind
    let token: Token
    /// The indentation that is removed around it.
    let removedIndentation: ArraySlice<UInt8>

    var isParent: Bool { if case .parent = kind { true } else { false } }
  }

  /// How deep tags may be nested in one template: a limit for mistakes, not for authors.
  private static let deepestNesting = 200
  /// Of one template no more mistakes are reported.
  static let mostMistakes = 20

  let source: Int
  let kind: TemplateKind
  let words: TemplateWords
  /// Names of the words that the template puts in.
  var usedWords: Set<String> = []
  private var lexer: Lexer
  var program: Program
  /// Indices of paths that the program has already.
  var pathIndices: [Path: Int]
  private var scopes: [Scope] = []
  var mistakes: [Mistake] = []
  /// The names of values that tags look up, with their places.
  var lookups: [(name: String, offset: Int)] = []
  /// Where the text that is not yet compiled starts.
  var textStart = 0
  /// What is removed from the start of every line: the indentation of the block where it is defined.
  private var removedIndentation: ArraySlice<UInt8> = []
  /// Below this index no literal may be extended, because something jumps to what follows it.
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

  /// Compiles the template; returns where it starts.
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

  // The rules of lines for `{{<parent}}`, `{{$block}}` and their closing tags, which the specification shows by example:
  //
  // - A parent tag that is first on its line, and whose closing tag is last on its line, stands alone: both lines go, and
  //   the blanks before it indent the parent. What is between the two tags does not matter.
  // - Within a parent tag only the blocks count. A block that opens at a line's end starts with the next line; blanks
  //   before a closing tag that is first on its line are dropped.
  // - The indentation of such a block's first line is removed from all its lines, where it is defined.
  // - A block elsewhere whose tags stand alone on their lines, or share one line that holds nothing else, indents what
  //   fills it as its default's first line is indented or, if it has none, as the tag is. In one line, the newline stays.

  private mutating func openParent(_ token: Token) {
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

  /// Compiles `{{words.name}}` to the words themselves.
  ///
  /// - Returns: `false` for a tag that names a value.
  private mutating func compileWords(_ token: Token) -> Bool {
    guard let name = wordName(of: token) else { return false }
    emitInline(token)
    guard let text = words.words[name] else {
      let suggestion = Suggestion.text(for: name, among: words.words.keys)
      report(token, "there are no words `\(name)` in the strings files.\(suggestion)")
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

  /// Words are always there, so a section of them would say nothing.
  private mutating func refuseWords(_ token: Token) {
    guard let name = wordName(of: token) else { return }
    report(
      token, "words are put in by {{words.\(name)}}; they are no value that \(describe(token)) could ask for")
  }

  private func wordName(of token: Token) -> String? {
    let parts = token.name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == TemplateWords.namespace else { return nil }
    return String(parts[1])
  }

  /// - Parameter place: whether the text stands at the ends of its words, and not beside a value.
  private func literal(
    _ text: String, escaped: Bool, _ place: (isFirst: Bool, isLast: Bool)
  ) -> ArraySlice<UInt8> {
    var buffer = UTF8Buffer(capacity: text.utf8.count + 16)
    switch escaped ? kind : .text {
    case .html: buffer.appendEscapingHTML(text)
    case .markdown:
      // A blank at an end would be written as a reference, so that Markdown keeps it; beside a value it is within a line.
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

  /// Compiles the text up to a tag, and the tag's whole line away if it stands alone there.
  private mutating func emitLine(_ token: Token) {
    if let lineStart = token.lineStart, let nextLine = token.nextLine {
      emitText(to: lineStart, beforeTag: false)
      textStart = nextLine
    } else {
      emitInline(token)
    }
  }

  /// Compiles the text up to a tag that stays on its line.
  private mutating func emitInline(_ token: Token) {
    emitText(to: token.range.lowerBound, beforeTag: true)
    textStart = token.range.upperBound
  }

  /// Compiles the text up to `end`. Directly within a parent tag text means nothing.
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

  /// The blanks before a tag that is the first on its line, without those that are removed from every line.
  private func blanks(before token: Token) -> ArraySlice<UInt8> {
    guard let lineStart = token.lineStart else { return [] }
    let start = token.range.lowerBound
    return lexer.bytes[skipRemovedIndentation(lineStart, to: start)..<start]
  }

  /// Puts bytes among the literals.
  private mutating func store(_ bytes: ArraySlice<UInt8>) -> Range<Int> {
    let start = program.literals.count
    program.literals.append(contentsOf: bytes)
    return start..<program.literals.count
  }

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

  /// A tag as its author wrote it, more or less.
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

  /// The closing tag of an opening one.
  func closing(_ token: Token) -> String {
    "`{{/\(token.isDynamic ? "*" : "")\(token.name)}}`"
  }

  func line(of token: Token) -> Int {
    lexer.bytes[..<token.range.lowerBound].count { $0 == UInt8(ascii: "\n") } + 1
  }
}
