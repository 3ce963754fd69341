import Basics

/// Checks the names of values in templates by following each template through its sections, partials, parents and blocks.
///
/// A partial that several templates use may name values that only some of them have. So a name is a mistake only if no path to it has a
/// value of that name. Templates that no checked template reaches are not checked.
struct NameCheck {
  /// A tag that looks up a value.
  struct Lookup: Sendable {
    /// The tag's instruction in the program.
    let instruction: Int
    let name: String
    let source: Int
    let offset: Int
  }

  /// Recursive templates, such as replies to replies, are followed to this depth.
  private static let deepestRecursion = 2
  /// More names than this are not listed in a message.
  private static let mostNames = 60

  private let program: Program
  private let lookups: [Int: Lookup]
  /// The shapes of the values around the current tag, the innermost last.
  private var contexts: [ValueShape] = []
  /// The parent tags around the current template, the innermost last, with their own environments.
  private var environments: [(call: Int, outer: Int)] = []
  private var environment = -1
  /// The templates that are being followed.
  private var active: [Int] = []
  private var layout = ""
  /// The instructions whose name exists on some path to them.
  private var found: Set<Int> = []
  /// The message for an instruction whose name was missing on the first path to it.
  private var missing: [Int: String] = [:]

  init(_ program: Program, _ lookups: [Lookup]) {
    self.program = program
    self.lookups = Dictionary(lookups.map { ($0.instruction, $0) }) { first, _ in first }
  }

  /// Follows a template that receives values of this shape.
  mutating func follow(_ name: String, _ shape: ValueShape) {
    guard let start = program.templates[name] else { return }
    layout = name
    contexts = [shape]
    run(from: start)
  }

  /// The mistakes in all templates that were followed, in the order of the program.
  var mistakes: [(source: Int, mistake: Mistake)] {
    missing.keys.filter { !found.contains($0) }.sorted().compactMap { instruction in
      guard let lookup = lookups[instruction], let message = missing[instruction] else { return nil }
      return (lookup.source, Mistake(offset: lookup.offset, message: message))
    }
  }

  /// Follows the instructions up to the end of the template, block or argument.
  private mutating func run(from start: Int) {
    var position = start
    while true {
      switch program.code[position] {
      case .return: return
      case .variable:
        _ = value(at: position)
        position += 1
      case .inverted:
        _ = value(at: position)
        position += 1
      case .section(_, let end):
        guard let shape = value(at: position) else {
          position = end
          continue
        }
        contexts.append(shape)
        position += 1
      case .endSection:
        contexts.removeLast()
        position += 1
      case .call(let index):
        call(index, at: position)
        position = program.calls[index].end
      case .block(let index):
        fill(index, default: position + 1)
        position = program.blocks[index].end
      case .literal, .indent, .nothing: position += 1
      }
    }
  }

  private mutating func call(_ index: Int, at position: Int) {
    switch program.calls[index].target {
    case .dynamic: _ = value(at: position)
    case .name, .nothing: break
    case .template(let start):
      guard active.count(where: { $0 == start }) < Self.deepestRecursion else { return }
      active.append(start)
      let outer = environment
      if !program.calls[index].arguments.isEmpty {
        environments.append((index, outer))
        environment = environments.count - 1
      }
      run(from: start)
      if environment != outer { environments.removeLast() }
      environment = outer
      active.removeLast()
    }
  }

  /// Follows the replacement of a block: the argument of the outermost parent tag that has one, or else the default, as the renderer does.
  private mutating func fill(_ index: Int, default start: Int) {
    let name = program.blocks[index].name
    var target = (start: start, environment: environment)
    var place = environment
    while place >= 0 {
      let (call, outer) = environments[place]
      if let argument = program.calls[call].arguments.last(where: { $0.name == name }) {
        target = (argument.start, outer)
      }
      place = outer
    }
    let outer = environment
    environment = target.environment
    run(from: target.start)
    environment = outer
  }

  /// Returns the shape of the value that an instruction looks up; `nil` if there is no such value, which is noted.
  private mutating func value(at position: Int) -> ValueShape? {
    // Names in interface texts have their own check.
    guard let lookup = lookups[position] else { return .value }
    guard lookup.name != "." else { return contexts[contexts.count - 1] }
    let parts = lookup.name.split(separator: ".").map(String.init)
    guard var shape = contexts.reversed().lazy.compactMap({ $0.field(parts[0]) }).first else {
      let known = Set(contexts.flatMap { $0.fields.keys })
      note(position, parts[0], in: "the layout `\(layout)`", known)
      return nil
    }
    for (number, part) in parts.enumerated().dropFirst() {
      guard let field = shape.field(part) else {
        note(position, part, in: "`\(parts[..<number].joined(separator: "."))`", Set(shape.fields.keys))
        return nil
      }
      shape = field
    }
    found.insert(position)
    return shape
  }

  private mutating func note(_ position: Int, _ name: String, in place: String, _ known: Set<String>) {
    guard missing[position] == nil else { return }
    let sorted = known.sorted()
    var advice = Suggestion.sentence(for: name, among: sorted)
    if advice.isEmpty, !sorted.isEmpty {
      let rest = sorted.count > Self.mostNames ? ", …" : ""
      advice =
        " It has: " + sorted.prefix(Self.mostNames).map { "`\($0)`" }.joined(separator: ", ") + rest + "."
    }
    missing[position] = "\(place) has no value `\(name)`.\(advice)"
  }
}
