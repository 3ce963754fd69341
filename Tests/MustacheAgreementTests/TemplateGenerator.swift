import Mustache
import Templates

/// A value in the forms of both engines.
struct GeneratedValue {
  let ours: TemplateValue
  let theirs: Any
}

/// A list that writes nothing as a variable, like ours.
private struct SilentList: MustacheSequence, MustacheCustomRenderable {
  let items: [Any]
  let renderText = ""
  let isNull = false

  func makeIterator() -> [Any].Iterator { items.makeIterator() }
}

/// An object that writes nothing as a variable, like ours.
private struct SilentObject: MustacheParent, MustacheCustomRenderable {
  let fields: [String: Any]
  let renderText = ""
  let isNull = false

  func child(named name: String) -> Any? { fields[name] }
}

/// Random templates and values from a seed, the same on every machine.
struct TemplateGenerator {
  private var state: UInt64
  /// Whether `.` may be written.
  private var allowsCurrent = false
  /// Whether other templates indent this one.
  private var isLeaf = false

  init(seed: UInt64) {
    state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
  }

  private static let names = ["a", "b", "c", "name", "title"]
  private static let words = [
    "x", "hello", "é", "日本", "👩‍👩‍👧", "{ ", "} ", "{ { ", "<b>", "&", "|", "=", "  ", "'\"",
  ]

  /// `main` and the partials that it uses. A partial uses only later partials, so none includes itself. Only
  /// `leaf`, which uses none, is ever indented.
  mutating func templates() -> [TemplateSource] {
    let partials = ["one", "two", "three"]
    var sources = [source("main", partials)]
    sources.append(source("leaf", []))
    for index in partials.indices { sources.append(source(partials[index], Array(partials[(index + 1)...]))) }
    return sources
  }

  private mutating func source(_ name: String, _ partials: [String]) -> TemplateSource {
    allowsCurrent = name == "main"
    isLeaf = name == "leaf"
    // According to the list in `AgreementTests`, an indented partial must not be empty or start with an empty
    // line.
    var text = (isLeaf ? "=\n" : "") + lines(partials, depth: 0)
    if chance(3), text.hasSuffix("\n") { text.removeLast() }
    return TemplateSource(name: name, file: name, text: text)
  }

  /// Whole lines, each with its newline.
  private mutating func lines(_ partials: [String], depth: Int) -> String {
    var text = ""
    for _ in 0..<1 + below(4) {
      let indentation = ["", "  ", "\t", " \t "][below(4)]
      let end = chance(3) && !isLeaf ? "\r\n" : "\n"
      switch below(8) {
      case 0 where depth < 4 && !isLeaf:
        let name = path()
        text += "\(indentation){{\(sigil())\(name)}}\(end)" + lines(partials, depth: depth + 1)
        text += "\(indentation){{/\(name)}}\(end)"
      case 1 where !partials.isEmpty:
        text += "{{> \(partials[below(partials.count)])}}\(end)"
      case 2 where !isLeaf:
        text += "\(indentation){{>leaf}}\(end)"
      case 3:
        text += "\(indentation){{! a comment\(chance(2) ? "\n  of two lines" : "") }}\(end)"
      case 4 where chance(4):
        text += "\(indentation){{=<< >>=}}\(end)<<\(path())>> {{a}}\(end)<<={{ }}=>>\(end)"
      default:
        text += indentation + inline(partials, depth: depth) + "." + end
      }
    }
    return text
  }

  /// A part of a line with tags and text.
  private mutating func inline(_ partials: [String], depth: Int) -> String {
    var text = "-"
    for _ in 0..<1 + below(4) {
      switch below(8) {
      case 0: text += "{{\(path())}}"
      case 1: text += "{{{ \(path()) }}}"
      case 2: text += "{{& \(path())}}"
      case 3 where depth < 4:
        let name = path()
        text += "{{\(sigil())\(name)}}\(inline(partials, depth: depth + 1)){{/ \(name) }}"
      case 4 where !partials.isEmpty: text += "{{>\(partials[below(partials.count)])}}"
      case 5: text += "{{! no }}"
      default: text += Self.words[below(Self.words.count)]
      }
    }
    return text + "-"
  }

  /// The sign of a section or an inverted section.
  private mutating func sigil() -> String {
    guard chance(3) else { return "#" }
    allowsCurrent = false
    return "^"
  }

  private mutating func path() -> String {
    switch below(8) {
    case 0 where allowsCurrent: "."
    case 1, 2: "\(name()).\(name())"
    default: name()
    }
  }

  private mutating func name() -> String {
    Self.names[below(Self.names.count)]
  }

  mutating func object(depth: Int) -> GeneratedValue {
    var ours = TemplateObject()
    var theirs: [String: Any] = [:]
    for name in Self.names where !chance(3) {
      let value = value(depth: depth + 1)
      ours[name] = value.ours
      theirs[name] = value.theirs
    }
    return GeneratedValue(ours: .object(ours), theirs: SilentObject(fields: theirs))
  }

  private mutating func value(depth: Int) -> GeneratedValue {
    switch below(depth < 3 ? 6 : 3) {
    case 0:
      let bool = chance(2)
      return GeneratedValue(ours: .bool(bool), theirs: bool)
    case 1:
      let integer = below(2000) - 1000
      return GeneratedValue(ours: .integer(integer), theirs: integer)
    case 2:
      let text = Self.words[below(Self.words.count)] + (chance(2) ? "{{a}}" : "\n<i>")
      return GeneratedValue(ours: .text(text), theirs: text)
    case 3:
      let items = (0..<below(4)).map { _ in value(depth: depth + 1) }
      return GeneratedValue(ours: .list(items.map(\.ours)), theirs: SilentList(items: items.map(\.theirs)))
    default:
      return object(depth: depth)
    }
  }

  /// True once in `n` times on average.
  private mutating func chance(_ n: Int) -> Bool { below(n) == 0 }

  private mutating func below(_ limit: Int) -> Int {
    // SplitMix64, by Sebastiano Vigna.
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(limit))
  }
}
