package import Basics

/// Runs a compiled template with values, and appends the result to a buffer.
///
/// The renderer has explicit stacks instead of recursion. So deeply nested templates and data require memory, but not the call stack of a
/// small thread. A renderer may run many times, and reuses the memory of its stacks.
struct Renderer {
  /// The maximum nesting level of calls of templates and blocks.
  static let deepestCalls = 1000

  /// The reason why rendering stopped, and the position of the tag.
  struct Failure {
    enum Reason {
      case tooDeep
      case noTemplate(String)
    }

    let reason: Reason
    let site: Site
  }

  /// The position at which to continue after a template, block or argument, and the state to restore then.
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

  /// The arguments of one parent tag, and the environment in which they are evaluated.
  struct Environment {
    /// The environment at the parent tag, as an index of `environments`; -1 for none.
    let outer: Int
    let call: Int
  }

  let program: Program
  let kind: TemplateKind
  let missingPartials: MissingPartials
  var output = UTF8Buffer()
  /// The places of traced markup in the output.
  private(set) var traces: [TracedMarkup] = []
  private var contexts: [TemplateValue] = []
  private var sections: [Section] = []
  private var frames: [Frame] = []
  /// The indentation of every line of the template that is being rendered.
  var indentation: [UInt8] = []
  private var environments: [Environment] = []
  private var environment = -1

  init(program: Program, kind: TemplateKind, missingPartials: MissingPartials) {
    self.program = program
    self.kind = kind
    self.missingPartials = missingPartials
  }

  /// Renders the template that starts at `start`, appending to `output`. Returns `nil` if rendering succeeded.
  mutating func run(from start: Int, root: TemplateValue, into output: inout UTF8Buffer) -> Failure? {
    contexts.append(root)
    swap(&self.output, &output)
    // Local copies, so that the loop does not retain and release the tables at every instruction.
    let code = program.code
    let literals = program.literals
    let failure = code.withUnsafeBufferPointer { code in
      literals.withUnsafeBufferPointer { literals in run(from: start, code, literals) }
    }
    swap(&self.output, &output)
    if failure != nil { reset() }
    // Removed one by one: only the root is left, unless rendering stopped.
    while contexts.popLast() != nil {}
    return failure
  }

  /// Resets the state after a failure.
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

  /// Enters the template of a partial or parent tag; returns the position at which to continue.
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

  /// Enters the replacement of a block: an argument or, without one, the default, which starts at `default`.
  private mutating func fill(_ index: Int, default start: Int) -> Int {
    let block = program.blocks[index]
    push(returnTo: block.end)
    guard let (argument, outer) = argument(block.name) else {
      // The default is part of the template, so a block without indentation keeps the template's indentation.
      if block.indentation != nil { indent(block.indentation) }
      return start
    }
    indent(block.indentation)
    environment = outer
    if block.indentation != nil, !argument.startsLine { appendIndentation() }
    return argument.start
  }

  /// Returns the argument for a block, and the environment in which it is evaluated. The outermost parent tag with such an argument takes precedence,
  /// because a template overrides the templates from which it inherits. `nil` if there is no argument.
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

  /// Adds a range of literals to the indentation. For a tag that does not stand alone, the range is `nil`, and the inserted text is not
  /// indented at all: the specification indents only lines of the calling template.
  private mutating func indent(_ range: Range<Int>?) {
    if let range {
      if !range.isEmpty { indentation += program.literals[range] }
    } else if !indentation.isEmpty {
      indentation = []
    }
  }

  /// Returns the template name that a value contains; `nil` if the value is not text.
  private func name(_ value: TemplateValue) -> String? {
    switch value {
    case .text(let text): text
    case .markup(let buffer): buffer.string
    default: nil
    }
  }

  /// Returns the value of a path: the head is looked up in the innermost object that has such a field, and the tail only in the head's value.
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
    case .traced(let buffer, let number):
      traces.append(TracedMarkup(number: number, range: output.count..<output.count + buffer.count))
      output.append(buffer)
    case .integer(let integer): output.append(integer: integer)
    case .bool(let bool): output.append(bool ? "true" as StaticString : "false")
    case .missing, .list, .object: break
    }
  }

  /// Enters a section; returns `false` if the section is not rendered.
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

  /// Moves to the next item of the innermost section's list and returns the start of the section's body. Leaves the section after the last
  /// item.
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

  /// Appends text of a template with the indentation before each of its non-empty lines. Only newlines of the template start lines; values
  /// are never indented.
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

/// The place of a traced value in the output of a template.
package struct TracedMarkup: Sendable, Equatable {
  /// The number of the value.
  package let number: Int
  /// In bytes.
  package let range: Range<Int>

  package init(number: Int, range: Range<Int>) {
    self.number = number
    self.range = range
  }
}

/// Renders templates of one set, one after another, and reuses the renderer's memory.
package struct TemplateRenderer {
  private let set: TemplateSet
  private var renderer: Renderer

  /// The places of all traced markup in the output so far.
  var traces: [TracedMarkup] { renderer.traces }

  package init(_ set: TemplateSet) {
    self.set = set
    renderer = Renderer(program: set.program, kind: set.kind, missingPartials: set.missingPartials)
  }

  /// Renders a template of the set with `value`, and appends the result to `output`.
  ///
  /// Throws `TemplateErrors`, with the partial result in `output`, if templates call each other too deeply, or if a value names a template that does not
  /// exist.
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
