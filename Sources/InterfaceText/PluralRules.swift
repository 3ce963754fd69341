/// The plural forms of a word with a number (Unicode CLDR, plural rules).
package enum PluralForm: String, CaseIterable, Sendable, Hashable {
  case zero, one, two, few, many, other
}

/// The rules of one language for the plural form of a number, in CLDR's notation: `one: i = 1 and v = 0`.
///
/// Numbers are whole and not negative, so CLDR's operands are of two kinds: `n` and `i` are the number, and those of decimals
/// and of compact notation (`v w f t c e`) are 0. https://unicode.org/reports/tr35/tr35-numbers.html#Language_Plural_Rules
package struct PluralRules: Sendable, Hashable {
  /// The conditions of all forms but `other`, in the order of the forms.
  private let rules: [Rule]

  struct Rule: Sendable, Hashable {
    let form: PluralForm
    let condition: PluralCondition
  }

  package init(_ conditions: [PluralForm: PluralCondition]) {
    rules = PluralForm.allCases.compactMap { form in
      conditions[form].map { Rule(form: form, condition: $0) }
    }
  }

  /// The forms of the language, `other` last.
  package var forms: [PluralForm] { rules.map(\.form) + [.other] }

  package func form(of number: Int) -> PluralForm {
    rules.first { $0.condition.holds(for: number.magnitude) }?.form ?? .other
  }
}

/// A condition of CLDR's plural rules: `n % 10 = 2..4 and n % 100 != 12..14`.
package struct PluralCondition: Sendable, Hashable {
  /// The alternatives; for an alternative to hold, all its relations must hold.
  private let alternatives: [[Relation]]

  private struct Relation: Sendable, Hashable {
    /// Whether the left side is the number, and not one of the operands that are always 0.
    let isNumber: Bool
    let modulus: UInt?
    let isEqual: Bool
    let ranges: [ClosedRange<UInt>]

    func holds(for number: UInt) -> Bool {
      let value = isNumber ? modulus.map { number % $0 } ?? number : 0
      return ranges.contains { $0.contains(value) } == isEqual
    }
  }

  func holds(for number: UInt) -> Bool {
    alternatives.contains { $0.allSatisfy { $0.holds(for: number) } }
  }

  /// - Returns: `nil` if the text is not a valid condition.
  package init?(_ text: String) {
    var alternatives: [[Relation]] = [[]]
    var words = Self.words(of: text)[...]
    while true {
      guard let relation = Self.relation(&words) else { return nil }
      alternatives[alternatives.count - 1].append(relation)
      guard let word = words.popFirst() else { break }
      if word == "or" { alternatives.append([]) } else if word != "and" { return nil }
    }
    self.alternatives = alternatives
  }

  /// Splits a condition into words: `n % 10 = 2..4` into n, %, 10, =, 2..4.
  private static func words(of text: String) -> [Substring] {
    text.split { $0 == " " || $0 == "\t" || $0 == "\n" }
  }

  private static func relation(_ words: inout ArraySlice<Substring>) -> Relation? {
    guard let operand = words.popFirst(), "nivwftce".contains(operand), operand.count == 1 else { return nil }
    var modulus: UInt?
    var sign = words.popFirst()
    if sign == "%" {
      guard let number = words.popFirst().flatMap({ UInt($0) }), number > 0 else { return nil }
      modulus = number
      sign = words.popFirst()
    }
    guard sign == "=" || sign == "!=", let list = words.popFirst() else { return nil }
    var ranges: [ClosedRange<UInt>] = []
    for part in list.split(separator: ",", omittingEmptySubsequences: false) {
      guard let range = range(part) else { return nil }
      ranges.append(range)
    }
    return Relation(
      isNumber: operand == "n" || operand == "i", modulus: modulus, isEqual: sign == "=", ranges: ranges)
  }

  /// Parses a number or a range: `3`, `3..10`.
  private static func range(_ text: Substring) -> ClosedRange<UInt>? {
    guard let dots = text.firstRange(of: "..") else { return UInt(text).map { $0...$0 } }
    guard let first = UInt(text[..<dots.lowerBound]), let last = UInt(text[dots.upperBound...]), first <= last
    else { return nil }
    return first...last
  }
}
