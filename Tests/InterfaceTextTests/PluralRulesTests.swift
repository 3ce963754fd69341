import InterfaceText
import Testing

/// Plural forms with conditions of Unicode CLDR.
@Suite struct PluralRulesTests {
  private func rules(_ conditions: [PluralForm: String]) throws -> PluralRules {
    PluralRules(try conditions.mapValues { try #require(PluralCondition($0)) })
  }

  @Test func russianHasFourForms() throws {
    let rules = try rules([
      .one: "v = 0 and i % 10 = 1 and i % 100 != 11",
      .few: "v = 0 and i % 10 = 2..4 and i % 100 != 12..14",
      .many: "v = 0 and i % 10 = 0 or v = 0 and i % 10 = 5..9 or v = 0 and i % 100 = 11..14",
    ])
    #expect([1, 21, 101].allSatisfy { rules.form(of: $0) == .one })
    #expect([2, 3, 24, 102].allSatisfy { rules.form(of: $0) == .few })
    #expect([0, 5, 11, 12, 14, 111, 20].allSatisfy { rules.form(of: $0) == .many })
    #expect(rules.forms == [.one, .few, .many, .other])
  }

  /// The operands for decimals and compact notation are 0 for every integer.
  @Test func operandsOfDecimalsAreZero() throws {
    let rules = try rules([.many: "e = 0 and i != 0 and i % 1000000 = 0 and v = 0 or e != 0..5"])
    #expect(rules.form(of: 1_000_000) == .many)
    #expect(rules.form(of: 0) == .other)
    #expect(rules.form(of: 5) == .other)
  }

  @Test func withoutRulesEveryNumberIsOther() throws {
    #expect([0, 1, 2, -1].allSatisfy { PluralRules([:]).form(of: $0) == .other })
  }

  @Test(arguments: [
    "", "n", "n =", "n = x", "n = 1 and", "x = 1", "n % 0 = 1", "n = 3..1", "n = 1,", "n == 1", "nn = 1",
  ])
  func rejectsInvalidConditions(_ text: String) {
    #expect(PluralCondition(text) == nil)
  }
}
