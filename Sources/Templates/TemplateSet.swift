package import Basics

/// Templates that know each other by name, compiled together: the components of a thread, the pages of a theme.
///
/// The language is Mustache by its specification, with inheritance and dynamic names and without lambdas. Values are
/// written once and never parsed.
package struct TemplateSet: Sendable {
  let kind: TemplateKind
  let missingPartials: MissingPartials
  private let sources: [TemplateSource]
  let program: Program
  /// Names of the words that any template puts in.
  package let usedWords: Set<String>

  /// Compiles `sources`. Of several with one name the last counts, so that a user's own may follow the built-in ones.
  ///
  /// Throws everything that is wrong with them: tags and sections that are not closed, names that cannot be, words that
  /// there are none of, and, unless `missingPartials` allows it, partials and parents that do not exist.
  package init(
    kind: TemplateKind, _ sources: [TemplateSource], words: TemplateWords = .none,
    missingPartials: MissingPartials = .error
  ) throws(TemplateErrors) {
    self.kind = kind
    self.missingPartials = missingPartials
    self.sources = Self.lastOfEachName(sources)
    var program = Program()
    var pathIndices: [Path: Int] = [:]
    var usedWords: Set<String> = []
    var mistakes: [(source: Int, mistake: Mistake)] = []
    var lookups: [(source: Int, name: String, offset: Int)] = []
    for (index, source) in self.sources.enumerated() {
      var compiler = Compiler(
        source: index, text: source.text, kind: kind, words: words, program: program, pathIndices: pathIndices
      )
      let start = compiler.compile()
      usedWords.formUnion(compiler.usedWords)
      program = compiler.program
      pathIndices = compiler.pathIndices
      program.templates[source.name] = start
      mistakes += compiler.mistakes.map { (index, $0) }
      lookups += compiler.lookups.map { (index, $0.name, $0.offset) }
    }
    calledTemplates = Set(
      program.calls.compactMap { call in if case .name(let name) = call.target { name } else { nil } })
    mistakes += Self.link(&program, missingPartials)
    guard mistakes.isEmpty else { throw Self.errors(mistakes, in: self.sources) }
    self.program = program
    self.usedWords = usedWords
    self.lookups = lookups
  }

  /// The names of values that templates look up.
  private let lookups: [(source: Int, name: String, offset: Int)]

  /// What templates look up and no value is called: Mustache writes nothing for it, and nobody notices.
  ///
  /// - Parameters:
  ///   - known: the names of all values, each a part between full stops. Where a name may stand is not asked, as sections within each
  ///     other, and partials, may be given any of them.
  ///   - openNames: what names of a user's own choosing begin with, such as `theme.options.`.
  ///   - isWanted: whether a template's file is to be looked at.
  /// - Returns: a warning for each, with file, line and column.
  package func warnings(
    ofNamesBeside known: Set<String>, openNames: [String] = [], in isWanted: (String) -> Bool
  ) -> [String] {
    lookups.compactMap { lookup in
      let source = sources[lookup.source]
      guard lookup.name != ".", isWanted(source.file), !openNames.contains(where: lookup.name.hasPrefix),
        let part = lookup.name.split(separator: ".").map({ String($0) }).first(where: { !known.contains($0) })
      else { return nil }
      let suggestion = Suggestion.text(for: part, among: known)
      let error = TemplateError(
        at: lookup.offset, of: source,
        message: "no value is called `\(part)`, so that nothing is written here.\(suggestion)")
      return error.warning
    }
  }

  /// Names of templates that others call as partials or parents.
  package let calledTemplates: Set<String>

  /// Whether there is a template of this name.
  package func contains(_ name: String) -> Bool {
    program.templates[name] != nil
  }

  /// Whether any template looks up a value of this name, so that what is costly to make is made only where it is shown.
  package func mentions(_ name: String) -> Bool {
    let name = TemplateName(name)
    return program.paths.contains { $0.head == name || $0.tail.contains(name) }
  }

  /// Appends what the template `name` makes of `value` to `output`.
  ///
  /// Throws, with `output` as far as it got, if there is no such template, if templates call each other without end, or if
  /// a value names a template that does not exist.
  package func render(
    _ name: String, _ value: TemplateObject, into output: inout UTF8Buffer
  ) throws(TemplateErrors) {
    try render(name, root: .object(value), into: &output)
  }

  /// The same for a value of any kind.
  package func render(
    _ name: String, root value: TemplateValue, into output: inout UTF8Buffer
  ) throws(TemplateErrors) {
    guard let start = program.templates[name] else {
      let suggestion = Suggestion.text(for: name, among: program.templates.keys)
      throw TemplateErrors(errors: [
        TemplateError(file: name, message: "there is no template `\(name)`.\(suggestion)")
      ])
    }
    var renderer = TemplateRenderer(self)
    try renderer.render(Entry(position: start), root: value, into: &output)
  }

  /// A template that was looked up once, to be rendered often.
  package struct Entry: Sendable {
    /// Its first instruction.
    let position: Int
  }

  /// The template of this name; `nil` where there is none.
  package func entry(_ name: String) -> Entry? {
    program.templates[name].map { Entry(position: $0) }
  }

  /// Resolves the names of partials and parents.
  private static func link(
    _ program: inout Program, _ missing: MissingPartials
  ) -> [(source: Int, mistake: Mistake)] {
    var mistakes: [(source: Int, mistake: Mistake)] = []
    for index in program.calls.indices {
      guard case .name(let name) = program.calls[index].target else { continue }
      if let start = program.templates[name] {
        program.calls[index].target = .template(start)
        continue
      }
      program.calls[index].target = .nothing
      guard missing == .error else { continue }
      let suggestion = Suggestion.text(for: name, among: program.templates.keys)
      let site = program.calls[index].site
      mistakes.append(
        (site.source, Mistake(offset: site.offset, message: "there is no template `\(name)`.\(suggestion)")))
    }
    return mistakes
  }

  /// The first mistakes of each template, in order, and whether there may be more: nobody looks further.
  private static func errors(
    _ mistakes: [(source: Int, mistake: Mistake)], in sources: [TemplateSource]
  ) -> TemplateErrors {
    let ofEach = Dictionary(grouping: mistakes, by: \.source).sorted { $0.key < $1.key }
    return TemplateErrors(
      errors: ofEach.flatMap { index, mistakes in
        let most = Compiler.mostMistakes
        let shown = mistakes.map(\.mistake).sorted { $0.offset < $1.offset }.prefix(most).map {
          TemplateError(at: $0.offset, of: sources[index], message: $0.message)
        }
        guard mistakes.count >= most else { return shown }
        let more = "these are the first \(most) mistakes of the template; there may be more"
        return shown + [TemplateError(file: sources[index].file, message: more)]
      })
  }

  private static func lastOfEachName(_ sources: [TemplateSource]) -> [TemplateSource] {
    var last: [String: Int] = [:]
    for (index, source) in sources.enumerated() { last[source.name] = index }
    return sources.enumerated().filter { last[$0.element.name] == $0.offset }.map(\.element)
  }

  /// Throws what stopped the renderer.
  func report(_ failure: Renderer.Failure) throws(TemplateErrors) {
    let message =
      switch failure.reason {
      case .tooDeep:
        "templates call each other more than \(Renderer.deepestCalls) deep here: does one call itself without end?"
      case .noTemplate(let name):
        "a value names the template `\(name)`, which does not exist."
          + Suggestion.text(for: name, among: program.templates.keys)
      }
    throw TemplateErrors(errors: [
      TemplateError(at: failure.site.offset, of: sources[failure.site.source], message: message)
    ])
  }
}
