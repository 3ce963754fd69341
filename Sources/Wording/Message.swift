package import UTF8Text

/// A text of the interface, with places for values: `{sentence}, found {date}`. One that counts has a text for each form of
/// the number.
package struct Message: Sendable, Hashable {
  private let other: BracedText
  private let forms: [PluralForm: BracedText]

  /// The place of the number in a text that counts.
  package static let number = "n"

  package init(_ other: BracedText, forms: [PluralForm: BracedText] = [:]) {
    self.other = other
    self.forms = forms
  }

  /// Whether it has a text for each form of the number.
  package var isPlural: Bool { !forms.isEmpty }

  /// The text that goes with a number; of a message without forms the only one.
  package func text(_ form: PluralForm = .other) -> BracedText { forms[form] ?? other }

  /// The forms that it has texts for.
  package var writtenForms: [PluralForm] { PluralForm.allCases.filter { $0 == .other || forms[$0] != nil } }

  /// Names of the values that it has places for, in any form.
  package var names: Set<String> { forms.values.reduce(into: other.names) { $0.formUnion($1.names) } }
}
