package import Basics

/// Runs a compiled template over values, appending to a buffer.
///
/// It keeps its own stacks instead of calling itself, so the depth of templates and data costs memory, never the stack of
/// a small thread. One renderer may run many times, and keeps the room of its stacks.
struct Renderer {
  /// How deep templates and blocks may call each other.
  static let deepestCalls = 1000

  /// Why and at which tag rendering stopped.
  struct Failure {
    enum Reason {
      case tooDeep
      case noTemplate(String)
    }

    let reason: Reason
    let site: Site
  }

  /// Where to go on after a template, block or argument, and what to restore then.
  struct Frame {
    let returnTo: Int
    let indentation: [UInt8]
    let environment: Int
    let environments: Int
  }

  /// A section that is being rendered.
  struct Section {
    /// The items of a list; otherwise empty.
    let items: [TemplateValue]
    var index: Int
    let body: Int
    let pushedContext: Bool
  }

  /// The arguments of one parent tag. They are evaluated among those that were in force where the tag stands.
  struct Environment {
    /// An index of `environments`, -1 for none.
    let outer: Int
    let call: Int
  }

  let program: Program
  let kind: TemplateKind
  let missingPartials: MissingPartials
  var output = UTF8Buffer()
  private var contexts: [TemplateValue] = []
  private var sections: [Section] = []
  private var frames: [Frame] = []
  /// What is put before every line of the template that is being rendered.
  var indentation: [UInt8] = []
  private var environments: [Environment] = []
  private var environment = -1

  init(program: Program, kind: TemplateKind, missingPartials: MissingPartials) {
    self.program = program
    self.kind = kind
    self.missingPartials = missingPartials
  }

  /// Renders the template that starts at `start`, appending to `output`.
  mutating func run(from start: Int, root: TemplateValue, into output: inout UTF8Buffer) -> Failure? {
    contexts.append(root)
    swap(&self.output, &output)
    // Held apart from self, so that the loop does not retain and release the tables at every step.
    let code = program.code
    let literals = program.literals
    let failure = code.withUnsafeBufferPointer { code in
      literals.withUnsafeBufferPointer { literals in run(from: start, code, literals) }
    }
    swap(&self.output, &output)
    if failure != nil { reset() }
    // One by one: what is left is the root, unless rendering stopped.
    while contexts.popLast() != nil {}
    return failure
  }

  /// Forgets where it stopped.
  private mutating func reset() {
    sections = []
    frames = []
    indentation = []
    environments = []
    environment = -1
  }

  private mutating func run(
    from start: Int, _ code: UnsafeBufferPointer<Instruction>, _ literals: UnsafeBufferPointer<UInt8>
  ) -> Failure? {
    var position = start
    while true {
      switch code[position] {
      case .literal(let range, let startsLine):
        let text = UnsafeBufferPointer(rebasing: literals[range])
        if indentation.isEmpty { output.append(text) } else { appendIndented(text, startsLine: startsLine) }
      case .indent:
        if !indentation.isEmpty { appendIndentation() }
      case .variable(let path, let escaped):
        append(value(of: path), escaped: escaped)
      case .section(let path, let end):
        if !openSection(value(of: path), body: position + 1) {
          position = end
          continue
        }
      case .endSection:
        if let body = nextItem() {
          position = body
          continue
        }
      case .inverted(let path, let end):
        if value(of: path).isTrue {
          position = end
          continue
        }
      case .call(let index):
        switch call(index) {
        case .success(let next): position = next
        case .failure(let failure): return failure
        }
        continue
      case .block(let index):
        position = fill(index, default: position + 1)
        continue
      case .return:
        guard let frame = frames.popLast() else { return nil }
        indentation = frame.indentation
        environment = frame.environment
        if environments.count > frame.environments {
          environments.removeLast(environments.count - frame.environments)
        }
        position = frame.returnTo
        continue
      case .nothing:
        break
      }
      position += 1
    }
  }

  enum Continuation {
    case success(Int)
    case failure(Failure)
  }

  /// Enters the template of a partial or parent tag; returns where to go on.
  mutating func call(_ index: Int) -> Continuation {
    let call = program.calls[index]
    let start: Int
    switch call.target {
    case .template(let target): start = target
    case .nothing, .name: return .success(call.end)
    case .dynamic(let path):
      guard let name = name(value(of: path)) else { return .success(call.end) }
      guard let target = program.templates[name] else {
        return missingPartials == .empty
          ? .success(call.end) : .failure(Failure(reason: .noTemplate(name), site: call.site))
      }
      start = target
    }
    guard frames.count < Self.deepestCalls else {
      return .failure(Failure(reason: .tooDeep, site: call.site))
    }
    push(returnTo: call.end)
    indent(call.indentation)
    if !call.arguments.isEmpty {
      environments.append(Environment(outer: environment, call: index))
      environment = environments.count - 1
    }
    return .success(start)
  }

  /// Enters what fills a block: an argument, or else its default, which starts at `default`.
  private mutating func fill(_ index: Int, default start: Int) -> Int {
    let block = program.blocks[index]
    push(returnTo: block.end)
    guard let (argument, outer) = argument(block.name) else {
      // The default is part of the template, so without an indentation of its own it keeps the template's.
      if block.indentation != nil { indent(block.indentation) }
      return start
    }
    indent(block.indentation)
    environment = outer
    if block.indentation != nil, !argument.startsLine { appendIndentation() }
    return argument.start
  }

  /// The argument for a block: that of the outermost parent tag which has one, as what inherits overrides what it
  /// inherits from. Also the environment in which it is evaluated.
  private func argument(_ name: TemplateName) -> (Argument, Int)? {
    var found: (Argument, Int)?
    var index = environment
    while index >= 0 {
      let environment = environments[index]
      if let argument = program.calls[environment.call].arguments.last(where: { $0.name == name }) {
        found = (argument, environment.outer)
      }
      index = environment.outer
    }
    return found
  }

  private mutating func push(returnTo position: Int) {
    frames.append(
      Frame(
        returnTo: position, indentation: indentation, environment: environment,
        environments: environments.count))
  }

  /// Adds a range of literals to the indentation. A tag that does not stand alone has none, and what it brings is not
  /// indented at all: by the specification only the lines of the template that calls it are.
  private mutating func indent(_ range: Range<Int>?) {
    if let range {
      if !range.isEmpty { indentation += program.literals[range] }
    } else if !indentation.isEmpty {
      indentation = []
    }
  }

  /// The template that a value names.
  private func name(_ value: TemplateValue) -> String? {
    switch value {
    case .text(let text): text
    case .markup(let buffer): buffer.string
    default: nil
    }
  }

  /// The value of a path: its head from the innermost object that has it, the rest from there on or not at all.
  func value(of index: Int) -> TemplateValue {
    if index == Program.currentPath { return contexts[contexts.count - 1] }
    return program.paths.withUnsafeBufferPointer { paths in
      contexts.withUnsafeBufferPointer { contexts in
        for position in contexts.indices.reversed() {
          guard let found = contexts[position].field(paths[index].head) else { continue }
          return paths[index].tail.isEmpty ? found : value(of: paths[index].tail, in: found)
        }
        return .missing
      }
    }
  }

  private func value(of names: [TemplateName], in value: TemplateValue) -> TemplateValue {
    var value = value
    for name in names {
      guard let field = value.field(name) else { return .missing }
      value = field
    }
    return value
  }

  /// Appends a value as a variable tag writes it.
  mutating func append(_ value: TemplateValue, escaped: Bool) {
    switch value {
    case .text(let text):
      guard escaped else {
        output.append(text)
        return
      }
      switch kind {
      case .html: output.appendEscapingHTML(text)
      case .markdown: output.appendEscapingMarkdown(text)
      case .text: output.append(text)
      }
    case .markup(let buffer): output.append(buffer)
    case .integer(let integer): output.append(integer: integer)
    case .bool(let bool): output.append(bool ? "true" as StaticString : "false")
    case .missing, .list, .object: break
    }
  }

  /// Enters a section; `false` if it is not to be rendered.
  private mutating func openSection(_ value: TemplateValue, body: Int) -> Bool {
    guard value.isTrue else { return false }
    switch value {
    case .list(let items):
      contexts.append(items[0])
      sections.append(Section(items: items, index: 0, body: body, pushedContext: true))
    case .bool:
      sections.append(Section(items: [], index: 0, body: body, pushedContext: false))
    default:
      contexts.append(value)
      sections.append(Section(items: [], index: 0, body: body, pushedContext: true))
    }
    return true
  }

  /// Goes on to the next item of the innermost section's list and returns where its body starts, or leaves the section.
  private mutating func nextItem() -> Int? {
    let last = sections.count - 1
    let next = sections[last].index + 1
    if next < sections[last].items.count {
      sections[last].index = next
      contexts[contexts.count - 1] = sections[last].items[next]
      return sections[last].body
    }
    if sections.removeLast().pushedContext { contexts.removeLast() }
    return nil
  }

  /// Appends text of a template with the indentation before each of its lines that is not empty. Lines end at newlines of
  /// the template only: values are never indented.
  private mutating func appendIndented(_ text: UnsafeBufferPointer<UInt8>, startsLine: Bool) {
    var startsLine = startsLine
    var start = 0
    while start < text.count {
      let end = text[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? text.count
      let isEmpty =
        text[start] == UInt8(ascii: "\n") || (text[start] == UInt8(ascii: "\r") && end == start + 2)
      if startsLine, !isEmpty { appendIndentation() }
      output.append(UnsafeBufferPointer(rebasing: text[start..<end]))
      startsLine = true
      start = end
    }
  }

  private mutating func appendIndentation() {
    indentation.withUnsafeBufferPointer { output.append($0) }
  }
}

/// Renders templates of one set, one after another: what a render needs beside its values is made only once.
package struct TemplateRenderer {
  private let set: TemplateSet
  private var renderer: Renderer

  package init(_ set: TemplateSet) {
    self.set = set
    renderer = Renderer(program: set.program, kind: set.kind, missingPartials: set.missingPartials)
  }

  /// Appends what a template of the set makes of `value` to `output`.
  ///
  /// Throws, with `output` as far as it got, if templates call each other without end, or if a value names a template that
  /// does not exist.
  package mutating func render(
    _ entry: TemplateSet.Entry, _ value: TemplateObject, into output: inout UTF8Buffer
  ) throws(TemplateErrors) {
    try render(entry, root: .object(value), into: &output)
  }

  mutating func render(
    _ entry: TemplateSet.Entry, root value: TemplateValue, into output: inout UTF8Buffer
  ) throws(TemplateErrors) {
    if let failure = renderer.run(from: entry.position, root: value, into: &output) {
      try set.report(failure)
    }
  }
}
