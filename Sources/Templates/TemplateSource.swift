package import Basics

/// The output language of a template, which determines how `{{name}}` is escaped. `{{{name}}}` and `{{&name}}` are never escaped.
package enum TemplateKind: Sendable {
  /// Escapes for HTML or XML, in text and in quoted attributes. URLs are not checked, so values in `href` or `src` must be safe.
  case html
  /// Escapes for CommonMark, anywhere on a line.
  case markdown
  /// Does not escape.
  case text
}

/// The handling of partials and parents that do not exist.
package enum MissingPartials: Sendable {
  /// They are errors: when the set is compiled, or, for a name in a value (`{{>*name}}`), when it is rendered.
  case error
  /// They are rendered as nothing, as in the specification.
  case empty
}

/// A template before it is compiled.
package struct TemplateSource: Sendable {
  /// The name with which other templates refer to it: `{{>name}}`.
  package let name: String
  /// The template's file, for error messages.
  package let file: String
  package let text: String

  package init(name: String, file: String, text: String) {
    self.name = name
    self.file = file
    self.text = text
  }
}

/// A name that can be compared quickly. Its beginning and its length are stored in two integers, which contain nearly all names completely.
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

/// Texts that templates insert by name, `{{words.replies}}`, so that the templates themselves do not depend on a language.
///
/// Words are inserted when templates are compiled. So a page that is rendered a thousand times has them in its literals, and an unknown
/// name is an error in the template instead of a gap in the page. Words may contain names of values, as in `Page {page} of {pages}`, which
/// are looked up at the tag.
package struct TemplateWords: Sendable {
  /// The first part of the names that refer to words.
  static let namespace = "words"

  let words: [String: BracedText]

  package static let none = TemplateWords([:])

  /// - Parameter words: the texts by their names.
  package init(_ words: [String: BracedText]) { self.words = words }
}
