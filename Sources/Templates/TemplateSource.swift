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
