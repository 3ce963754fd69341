import UTF8Text

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
  var contexts: [TemplateValue] = []
  var sections: [Section] = []
  var frames: [Frame] = []
  /// What is put before every line of the template that is being rendered.
  var indentation: [UInt8] = []
  var environments: [Environment] = []
  var environment = -1

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
}
