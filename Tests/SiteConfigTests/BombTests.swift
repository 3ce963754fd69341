import SiteConfig
import TestSupport
import Testing

/// Files made to be slow or large. Each must be rejected quickly.
@Suite(.timeLimit(.minutes(20))) struct BombTests {
  func problems(_ yaml: String) -> [ConfigProblem] {
    do {
      _ = try SiteConfig.decode(yaml: yaml, file: "site.yml")
      return []
    } catch {
      return error.problems
    }
  }

  /// Each level repeats the previous one ten times: as values, as keys, and as both.
  @Test(arguments: [
    "a%: &a% [*a#, *a#, *a#, *a#, *a#, *a#, *a#, *a#, *a#, *a#]", "&a% {*a# : *a#} : *a#",
    "? &a% {? *a# : *a#}\n: *a#",
  ])
  func rejectsBillionLaughs(_ level: String) {
    var yaml = "a0: &a0 lol\n"
    for depth in 1...100 {
      yaml += level.replacing("%", with: "\(depth)").replacing("#", with: "\(depth - 1)") + "\n"
    }
    let words = level.hasPrefix("a") ? "YAML a" : "a key must be text"
    #expect(problems(yaml).map(\.message).contains { $0.hasPrefix(words) })
  }

  @Test(arguments: ["[", "{a: ", "- ", "? ", "{? "])
  func rejectsDeepNesting(_ opening: String) {
    for depth in [20, 900, 100_000] {
      let found = problems(
        "theme_options: " + (opening == "- " || opening == "? " ? "\n  " : "")
          + String(repeating: opening, count: depth))
      #expect(!found.isEmpty)
    }
  }

  @Test func rejectsClosedNesting() {
    let yaml = "title: " + String(repeating: "[", count: 900) + String(repeating: "]", count: 900)
    #expect(problems(yaml).contains { $0.message == "lists and mappings are nested too deeply" })
  }

  /// Each key contains the keys below it, and the search for duplicates compares them all, level by level.
  @Test func rejectsLargeKeysInKeys() {
    let payload = String(repeating: "a,", count: TestDepth.cases(fast: 60_000, deep: 450_000))
    #expect(!problems(String(repeating: "{? ", count: 900) + "[\(payload)]").isEmpty)
    #expect(
      !problems(String(repeating: "{? ", count: 300) + "[\(payload)]" + String(repeating: "}", count: 300))
        .isEmpty)
  }

  /// The largest and deepest keys without the `?` indicator.
  @Test func rejectsNestedImplicitKeys() {
    let (opening, closing) = (String(repeating: "{", count: 150), String(repeating: "}: 1", count: 150))
    let yaml = (0..<900).map { "\(opening)a\($0): 1\(closing)" }.joined(separator: "\n")
    #expect(problems(yaml).map(\.message) == ["a key must be text, written \"key: value\""])
  }

  @Test func rejectsTooLargeFiles() {
    let yaml = "title: Threads\n" + String(repeating: "# more\n", count: SiteConfig.largestFile / 7)
    #expect(problems(yaml).map(\.message) == ["the file is larger than 1 MB, the limit for site.yml"])
  }

  @Test func limitsTheNumberOfReportedMistakes() {
    let count = TestDepth.cases(fast: 10_050, deep: 20_000)
    // Not unknown keys: for each, the names of all keys are compared.
    let yaml = "threads:\n" + (1...count).map { "  - thread\($0)\n" }.joined()
    let found = problems(yaml)
    #expect(found.count == 10_001)
    #expect(found.last?.message == "there are \(count - 10_000) more problems (not shown)")
    #expect(found[9_999].line == 10_001 && found[9_999].location?.sourceLine == "  - thread10000")
  }

  /// All mistakes are on one line, which is not repeated for each.
  @Test(.timeLimit(.minutes(20))) func limitsReportedMistakesOnOneLine() {
    let yaml = "{" + (0..<1_000).map { "key\($0): value" }.joined(separator: ", ") + "}"
    let found = problems(yaml)
    #expect(found.count == 1_000)
    #expect(found.count { $0.location?.sourceLine.isEmpty == false } == 100)
    #expect(found.reduce(0) { $0 + "\($1)".utf8.count } < 700_000)
  }

  @Test func limitsReportedDuplicateKeys() {
    let yaml = String(repeating: "title: Threads\n", count: 100)
    #expect(problems(yaml).contains { $0.message.contains("set twice") })
  }

  @Test func acceptsTenThousandThreads() throws {
    let yaml = "threads:\n" + (1...10_000).map { "  - https://x.com/ada/status/\($0)\n" }.joined()
    #expect(try SiteConfig.decode(yaml: yaml, file: "site.yml").config.threads.count == 10_000)
  }
}
