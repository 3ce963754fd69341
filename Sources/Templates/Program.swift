/// One step of a compiled template. Positions are indices of `Program.code`.
enum Instruction: Sendable {
  /// Appends a range of `Program.literals`. `startsLine` says whether the first byte starts a line of the template, where
  /// indentation belongs; behind every newline within the range another line starts.
  case literal(Range<Int>, startsLine: Bool)
  /// The start of a line that begins with a tag: indentation belongs here.
  case indent
  /// Appends the value of a path.
  case variable(path: Int, escaped: Bool)
  /// Does what follows, up to an `endSection`, once for every item of a path's value, or continues at `end`.
  case section(path: Int, end: Int)
  case endSection
  /// Continues at `end` if a path's value is true.
  case inverted(path: Int, end: Int)
  /// Does a template of `Program.calls`, then continues at the call's `end`.
  case call(Int)
  /// Does what fills a block of `Program.blocks`, then continues at the block's `end`.
  case block(Int)
  /// Ends a template, a block's default or an argument.
  case `return`
  /// Where a literal stood that turned out to be indentation.
  case nothing
}

/// A name as it is looked up: the first part in the whole context, the others each in the one before.
struct Path: Sendable, Hashable {
  let head: TemplateName
  let tail: [TemplateName]
}

/// A place in a template, for errors while rendering.
struct Site: Sendable {
  let source: Int
  let offset: Int
}

/// `{{>name}}` or `{{<name}}…{{/name}}`.
struct Call: Sendable {
  enum Target: Sendable {
    /// A name yet to be resolved.
    case name(String)
    /// The position of a template's first instruction.
    case template(Int)
    /// A path whose value names the template.
    case dynamic(path: Int)
    /// A template that does not exist, and need not.
    case nothing
  }

  var target: Target
  let site: Site
  /// What stood before the tag on a line of its own, a range of `Program.literals`; `nil` if the tag does not stand
  /// alone, and the template's lines are not indented.
  var indentation: Range<Int>?
  var arguments: [Argument] = []
  var end: Int
}

/// `{{$name}}…{{/name}}` within a parent tag: what fills a block of the parent.
struct Argument: Sendable {
  let name: TemplateName
  let start: Int
  /// Whether its content starts on a line of its own, which is indented where it is put.
  let startsLine: Bool
}

/// `{{$name}}…{{/name}}` elsewhere: a place that a template which inherits can fill. Its default follows the instruction.
struct Block: Sendable {
  let name: TemplateName
  /// What is put before every line that fills the block, a range of `Program.literals`; `nil` if the tag does not stand
  /// alone on its line.
  let indentation: Range<Int>?
  var end: Int
}

/// A set of templates, compiled: one flat list of instructions with its tables.
struct Program: Sendable {
  var code: [Instruction] = []
  var literals: [UInt8] = []
  /// The first is `.`, the current value.
  var paths: [Path] = [Path(head: TemplateName("."), tail: [])]
  var calls: [Call] = []
  var blocks: [Block] = []
  /// Where each template starts.
  var templates: [String: Int] = [:]

  /// The index of the path `.`.
  static let currentPath = 0
}
