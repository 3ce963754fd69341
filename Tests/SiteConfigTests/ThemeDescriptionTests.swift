import Foundation
import SiteConfig
import TestSupport
import Testing

/// theme.yml, and the values that a site may give to its options.
@Suite struct ThemeDescriptionTests {
  private func read(_ yaml: String) throws -> ThemeDescription {
    try DecodedThemeDescription(bytes: yaml.utf8, file: "theme.yml").description
  }

  private static let options = """
    extends: paper
    options:
      accent: { type: choice, values: [blue, green], default: green, description: The colour of links. }
      wide: { type: flag }
      motto: { type: text, default: "yes" }
      columns: { type: number, min: 1, max: 3 }
      shift: { type: number, default: -2 }
    """

  @Test func everyTypeHasADefault() throws {
    let description = try read(Self.options)
    #expect(description.base == "paper")
    #expect(description.options.map(\.name) == ["accent", "wide", "motto", "columns", "shift"])
    #expect(description.options[0].summary == "The colour of links.")
    #expect(
      description.options.map(\.standard) == [
        .text("green"), .flag(false), .text("yes"), .number(1), .number(-2),
      ])
  }

  @Test func usesTheOptionsOfASite() throws {
    let (values, mistakes) = ThemeOptionValues.resolve(
      ["accent": .text("blue"), "wide": .flag(true), "columns": .text("2"), "motto": .text("a b")],
      by: try read(Self.options).options, of: "mine")
    #expect(mistakes.isEmpty)
    #expect(values.values["columns"] == .number(2))
    #expect(values.values["shift"] == .number(-2))
    #expect(values.classes == ["accent-blue", "wide", "columns-2"])
  }

  @Test func defaultsHaveNoClass() throws {
    let options = try read(Self.options + "\n  shown: { type: flag, default: true }").options
    #expect(ThemeOptionValues.resolve([:], by: options, of: "mine").values.classes == [])
    #expect(
      ThemeOptionValues.resolve(["shown": .flag(false)], by: options, of: "mine").values.classes == [
        "no-shown"
      ])
  }

  @Test func mistakesOfASiteNameTheExpectedValues() throws {
    let given: [String: ThemeOption] = [
      "acent": .text("blue"), "accent": .text("bleu"), "wide": .text("yes"), "motto": .flag(true),
      "columns": .text("4"), "shift": .text("far"), "other": .flag(true),
    ]
    let mistakes = ThemeOptionValues.resolve(given, by: try read(Self.options).options, of: "mine").mistakes
    let known = "Its options: accent, wide, motto, columns, shift"
    #expect(
      mistakes.map { "\($0.keyPath): \($0.message)" } == [
        "theme_options.accent: expected blue or green, found \"bleu\"; did you mean \"blue\"?",
        "theme_options.acent: the theme \"mine\" has no option \"acent\"; did you mean \"accent\"? " + known,
        "theme_options.columns: expected a number from 1 to 3, found 4",
        "theme_options.motto: expected text, found true; put it in quotes if it is text",
        "theme_options.other: the theme \"mine\" has no option \"other\". " + known,
        "theme_options.shift: expected a whole number, found \"far\"",
        "theme_options.wide: expected true or false, found \"yes\"; did you mean true, without quotes?",
      ])
    let none = ThemeOptionValues.resolve(["a": .flag(true)], by: [], of: "mine").mistakes
    #expect(none.first?.message == "the theme \"mine\" has no option \"a\". It has no options.")
  }

  @Test func reportsAllMistakesOfAThemeTogether() throws {
    let yaml = """
      name: [a]
      extneds: paper
      extends: ../paper
      options:
        a: { type: colour }
        b: { type: choice }
        c: { type: flag, values: [x] }
        d: { type: text, min: 3 }
        e: { type: number, min: 3, max: 1 }
        f: { type: choice, values: [x, "a b"], default: z }
        g: { type: flag, default: "true" }
        h: { default: 1 }
        i: choice
        "j k": { type: text }
      """
    let error = #expect(throws: SiteConfigError.self) { try read(yaml) }
    try Golden.compare(
      (error?.description ?? "") + "\n",
      with: ProjectFolders.fixtures(of: "SiteConfigTests").appending(path: "themes/wrong.errors"))
  }
}
