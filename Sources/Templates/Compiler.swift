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
  static let deepestNesting = 200
  /// Of one template no more mistakes are reported.
  static let mostMistakes = 20

  let source: Int
  let kind: TemplateKind
  let words: TemplateWords
  /// Names of the words that the template puts in.
  var usedWords: Set<String> = []
  var lexer: Lexer
  var program: Program
  /// Indices of paths that the program has already.
  var pathIndices: [Path: Int]
  var scopes: [Scope] = []
  var mistakes: [Mistake] = []
  /// The names of values that tags look up, with their places.
  var lookups: [(name: String, offset: Int)] = []
  /// Where the text that is not yet compiled starts.
  var textStart = 0
  /// What is removed from the start of every line: the indentation of the block where it is defined.
  var removedIndentation: ArraySlice<UInt8> = []
  /// Below this index no literal may be extended, because something jumps to what follows it.
  var label = 0

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

  mutating func open(_ kind: Scope.Kind, _ token: Token) {
    scopes.append(Scope(kind: kind, token: token, removedIndentation: removedIndentation))
  }
}
