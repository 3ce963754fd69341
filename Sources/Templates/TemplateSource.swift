package import Basics

/// What language a template writes: how `{{name}}` escapes. `{{{name}}}` and `{{&name}}` never escape.
package enum TemplateKind: Sendable {
  /// For HTML or XML, in text and in quoted attributes. Whether an address is safe to link is not asked: a value that is
  /// put into `href` or `src` has to be.
  case html
  /// For CommonMark, anywhere on a line.
  case markdown
  /// Not at all.
  case text
}

/// What becomes of a partial or parent that does not exist.
package enum MissingPartials: Sendable {
  /// An error, when the set is made; for a name that a value gives (`{{>*name}}`), when it is rendered.
  case error
  /// Nothing is written for it, as the specification has it.
  case empty
}

/// A template before it is compiled.
package struct TemplateSource: Sendable {
  /// What other templates call it: `{{>name}}`.
  package let name: String
  /// Where it came from, for errors.
  package let file: String
  package let text: String

  package init(name: String, file: String, text: String) {
    self.name = name
    self.file = file
    self.text = text
  }
}

/// A name in a form that is quickly compared: what it starts with and how long it is fit into two words, and nearly all
/// names fit into them whole.
package struct TemplateName: Sendable, Hashable {
  let string: String
  /// The first eight bytes.
  private let head: UInt64
  /// The next seven bytes, and the number of bytes up to 255 in the lowest byte.
  private let tail: UInt64

  init(_ string: String) {
    self.string = string
    (head, tail) =
      string.utf8.withContiguousStorageIfAvailable(Self.digest)
      ?? Array(string.utf8).withUnsafeBufferPointer(Self.digest)
  }

  private static func digest(of utf8: UnsafeBufferPointer<UInt8>) -> (UInt64, UInt64) {
    var head: UInt64 = 0
    var tail: UInt64 = 0
    for index in 0..<min(utf8.count, 8) { head = head << 8 | UInt64(utf8[index]) }
    if utf8.count > 8 {
      for index in 8..<min(utf8.count, 15) { tail = tail << 8 | UInt64(utf8[index]) }
    }
    return (head, tail << 8 | UInt64(min(utf8.count, 255)))
  }

  package static func == (first: TemplateName, second: TemplateName) -> Bool {
    guard first.head == second.head, first.tail == second.tail else { return false }
    return first.tail & 0xFF <= 15 || first.string == second.string
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(head)
    hasher.combine(tail)
  }
}

extension TemplateName: ExpressibleByStringLiteral {
  package init(stringLiteral name: String) { self.init(name) }
}

/// Words that stand in templates by name, `{{words.replies}}`, so that the templates themselves are of no language.
///
/// They are put in when templates are compiled: a page that is rendered a thousand times finds them in its literals, and a
/// name that nobody has words for is a mistake in the template, not a hole in the page. A word may hold the names of values,
/// `Page {page} of {pages}`, which are looked up where it stands.
package struct TemplateWords: Sendable {
  /// What the first part of a name is that means words.
  static let namespace = "words"

  let words: [String: BracedText]

  package static let none = TemplateWords([:])

  /// - Parameter words: the text of each, by its name.
  package init(_ words: [String: BracedText]) { self.words = words }
}
