/// An instruction of a compiled template. Positions are indices of `Program.code`.
enum Instruction: Sendable {
  /// Appends a range of `Program.literals`. `startsLine`: whether the first byte is at the start of a line of the template, which is
  /// indented. Every newline within the range starts a further line.
  case literal(Range<Int>, startsLine: Bool)
  /// The start of a line that begins with a tag: appends the indentation.
  case indent
  /// Appends the value of a path.
  case variable(path: Int, escaped: Bool)
  /// Runs the instructions up to `endSection` once for each item of a path's value, or continues at `end`.
  case section(path: Int, end: Int)
  case endSection
  /// Continues at `end` if a path's value is true.
  case inverted(path: Int, end: Int)
  /// Runs a template of `Program.calls`, then continues at the call's `end`.
  case call(Int)
  /// Runs the replacement of a block of `Program.blocks`, then continues at the block's `end`.
  case block(Int)
  /// Ends a template, the default of a block, or an argument.
  case `return`
  /// Replaces a literal that turned out to be indentation.
  case nothing
}

/// A name to look up: the first part in the whole context, each further part in the value of the previous part.
struct Path: Sendable, Hashable {
  let head: TemplateName
  let tail: [TemplateName]
}

/// A position in a template, for errors during rendering.
struct Site: Sendable {
  let source: Int
  let offset: Int
}

/// A call of a template by `{{>name}}` or `{{<name}}…{{/name}}`.
struct Call: Sendable {
  enum Target: Sendable {
    /// A name that is not resolved yet.
    case name(String)
    /// The index of a template's first instruction.
    case template(Int)
    /// A path whose value is the name of the template.
    case dynamic(path: Int)
    /// A template that does not exist, which is allowed.
    case nothing
  }

  var target: Target
  let site: Site
  /// The blanks before a tag that stands alone on its line, as a range of `Program.literals`; `nil` if the tag does not stand alone, so
  /// that the template's lines are not indented.
  var indentation: Range<Int>?
  var arguments: [Argument] = []
  var end: Int
}

/// The argument for a block of the parent: `{{$name}}…{{/name}}` within a parent tag.
struct Argument: Sendable {
  let name: TemplateName
  let start: Int
  /// Whether the argument's content starts on a new line, which is indented where it is inserted.
  let startsLine: Bool
}

/// A block `{{$name}}…{{/name}}` elsewhere, which inheriting templates can replace. Its default follows the instruction.
struct Block: Sendable {
  let name: TemplateName
  /// The indentation of every line that replaces the block, as a range of `Program.literals`; `nil` if the tag does not stand alone on its line.
  let indentation: Range<Int>?
  var end: Int
}

/// A compiled set of templates: one list of instructions with its tables.
struct Program: Sendable {
  var code: [Instruction] = []
  var literals: [UInt8] = []
  /// The first path is `.`, the current value.
  var paths: [Path] = [Path(head: TemplateName("."), tail: [])]
  var calls: [Call] = []
  var blocks: [Block] = []
  /// The index of the first instruction of each template.
  var templates: [String: Int] = [:]

  /// The index of the path `.`.
  static let currentPath = 0
}
