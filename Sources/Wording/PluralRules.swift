/// The forms that a word with a number takes (Unicode CLDR, plural rules).
package enum PluralForm: String, CaseIterable, Sendable, Hashable {
  case zero, one, two, few, many, other
}

/// Which form goes with which number in one language, in CLDR's own notation: `one: i = 1 and v = 0`.
///
/// Numbers are whole and not negative, so CLDR's operands come to two kinds: `n` and `i` are the number, and those of decimals
/// and of compact notation (`v w f t c e`) are 0. https://unicode.org/reports/tr35/tr35-numbers.html#Language_Plural_Rules
package struct PluralRules: Sendable, Hashable {
  /// A condition for every form but `other`, in the order of the forms.
  let rules: [Rule]

  struct Rule: Sendable, Hashable {
    let form: PluralForm
    let condition: PluralCondition
  }

  package init(_ conditions: [PluralForm: PluralCondition]) {
    rules = PluralForm.allCases.compactMap { form in
      conditions[form].map { Rule(form: form, condition: $0) }
    }
  }

  /// Every form that a number can take, `other` last.
  package var forms: [PluralForm] { rules.map(\.form) + [.other] }

  package func form(of number: Int) -> PluralForm {
    rules.first { $0.condition.holds(for: number.magnitude) }?.form ?? .other
  }
}
