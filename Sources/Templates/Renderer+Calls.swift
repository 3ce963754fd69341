import UTF8Text

extension Renderer {
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
  mutating func fill(_ index: Int, default start: Int) -> Int {
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
}
