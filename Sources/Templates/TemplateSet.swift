package import Basics

/// Templates that refer to each other by name and are compiled together: the components of a thread, the pages of a theme.
///
/// The language is Mustache as specified, with inheritance and dynamic names and without lambdas. Inserted values are never parsed as templates.
package struct TemplateSet: Sendable {
  let kind: TemplateKind
  let missingPartials: MissingPartials
  private let sources: [TemplateSource]
  let program: Program
  /// The names of the words that any template uses.
  package let usedWords: Set<String>

  /// Compiles `sources`. If several sources have the same name, the last one is used, so that a user's templates can follow the built-in
  /// ones.
  ///
  /// Throws `TemplateErrors` with all mistakes: tags and sections that are not closed, invalid names, unknown words, and, unless
  /// `missingPartials` allows them, partials and parents that do not exist.
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
    var lookups: [NameCheck.Lookup] = []
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
      lookups += compiler.lookups
    }
    calledTemplates = Set(
      program.calls.compactMap { call in if case .name(let name) = call.target { name } else { nil } })
    mistakes += Self.link(&program, missingPartials)
    guard mistakes.isEmpty else { throw Self.errors(mistakes, in: self.sources) }
    self.program = program
    self.usedWords = usedWords
    self.lookups = lookups
  }

  private let lookups: [NameCheck.Lookup]

  /// Checks the names of the values that templates look up, because Mustache would silently write nothing for unknown ones.
  ///
  /// - Parameter shapes: the values that a template receives, by its name. Names without a template are ignored.
  /// - Throws: all names that have no value wherever their tag is used.
  package func check(_ shapes: [String: ValueShape]) throws(TemplateErrors) {
    var check = NameCheck(program, lookups)
    for (name, shape) in shapes.sorted(by: { $0.key < $1.key }) { check.follow(name, shape) }
    let mistakes = check.mistakes
    guard mistakes.isEmpty else { throw Self.errors(mistakes, in: sources) }
  }

  /// Returns warnings for names that are not names of values, because Mustache would silently write nothing for them.
  ///
  /// - Parameters:
  ///   - known: the names of all values, split at full stops. The place of a name is not checked, because it depends on the sections and
  ///     partials around it.
  ///   - isWanted: whether to check a template's file.
  /// - Returns: one warning for each mistake, with file, line and column.
  package func warnings(
    ofNamesBeside known: Set<String>, in isWanted: (String) -> Bool
  ) -> [String] {
    lookups.compactMap { lookup in
      let source = sources[lookup.source]
      guard lookup.name != ".", isWanted(source.file),
        let part = lookup.name.split(separator: ".").map({ String($0) }).first(where: { !known.contains($0) })
      else { return nil }
      let suggestion = Suggestion.sentence(for: part, among: known.sorted())
      let error = TemplateError(
        at: lookup.offset, of: source,
        message: "no value is called `\(part)`, so it is empty.\(suggestion)")
      return error.warning
    }
  }

  /// The names of the templates that other templates call as partials or parents.
  package let calledTemplates: Set<String>

  /// Whether the set contains a template with this name.
  package func contains(_ name: String) -> Bool {
    program.templates[name] != nil
  }

  /// Whether any template looks up a value of this name, so that expensive values are computed only if they are shown.
  package func mentions(_ name: String) -> Bool {
    let name = TemplateName(name)
    return program.paths.contains { $0.head == name || $0.tail.contains(name) }
  }

  /// Renders the template `name` with `value`, and appends the result to `output`.
  ///
  /// Throws `TemplateErrors`, with the partial result in `output`, if the template does not exist, if templates call each other too deeply, or if a value
  /// names a template that does not exist.
  ///
  /// - Returns: the places of traced markup in the output.
  @discardableResult
  package func render(
    _ name: String, _ value: TemplateObject, into output: inout UTF8Buffer
  ) throws(TemplateErrors) -> [TracedMarkup] {
    try render(name, root: .object(value), into: &output)
  }

  /// Renders the template `name` with a value of any kind.
  @discardableResult
  package func render(
    _ name: String, root value: TemplateValue, into output: inout UTF8Buffer
  ) throws(TemplateErrors) -> [TracedMarkup] {
    guard let start = program.templates[name] else {
      let suggestion = Suggestion.sentence(for: name, among: program.templates.keys.sorted())
      throw TemplateErrors(errors: [
        TemplateError(file: name, message: "there is no template `\(name)`.\(suggestion)")
      ])
    }
    var renderer = TemplateRenderer(self)
    try renderer.render(Entry(position: start), root: value, into: &output)
    return renderer.traces
  }

  /// A template that was looked up once and can be rendered many times.
  package struct Entry: Sendable {
    /// The index of its first instruction.
    let position: Int
  }

  /// Returns the template with this name; `nil` if it does not exist.
  package func entry(_ name: String) -> Entry? {
    program.templates[name].map { Entry(position: $0) }
  }

  /// Resolves the names of partials and parents to templates.
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
      let suggestion = Suggestion.sentence(for: name, among: program.templates.keys.sorted())
      let site = program.calls[index].site
      mistakes.append(
        (site.source, Mistake(offset: site.offset, message: "there is no template `\(name)`.\(suggestion)")))
    }
    return mistakes
  }

  /// Returns the first mistakes of each template, in their order, with a note if there may be more.
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

  /// Throws the reason why the renderer stopped.
  func report(_ failure: Renderer.Failure) throws(TemplateErrors) {
    let message =
      switch failure.reason {
      case .tooDeep:
        "templates call each other more than \(Renderer.deepestCalls) deep here: does one call itself without end?"
      case .noTemplate(let name):
        "a value names the template `\(name)`, which does not exist."
          + Suggestion.sentence(for: name, among: program.templates.keys.sorted())
      }
    throw TemplateErrors(errors: [
      TemplateError(at: failure.site.offset, of: sources[failure.site.source], message: message)
    ])
  }
}
