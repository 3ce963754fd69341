import Basics
import Foundation
import InterfaceText
import SiteConfig
import TestSupport
import Testing
import ThreadModel

/// Strings files in several folders, valid and invalid.
@Suite struct StringsFileTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("", to: "own/empty")
  }

  private func load(_ language: String) throws -> LoadedLocalization {
    let installed = ProjectFolders.repository.appending(path: "templates/strings").path
    return try LoadedLocalization(language: language, folders: [installed, folder.path + "/own"])
  }

  private func failure(_ language: String) -> String {
    do {
      return "no error, but \(try load(language).warnings)"
    } catch {
      return "\(error)".replacing(folder.path + "/", with: "")
    }
  }

  private func word(_ name: String, _ loaded: LoadedLocalization) -> String? {
    loaded.localization.words[name]?.source
  }

  @Test func siteChangesOneWord() throws {
    try folder.write("words:\n  threads: Essays\n", to: "own/en.yml")
    let loaded = try load("en")
    #expect(word("threads", loaded) == "Essays")
    #expect(word("tags", loaded) == "Tags")
    #expect(loaded.warnings == [])
    #expect(loaded.localization.text(.threads) == "Essays")
  }

  @Test func siteRenamesACountry() throws {
    try folder.write("regions: { TR: Turkey, \"NO\": Norge }\n", to: "own/en.yml")
    let loaded = try load("en")
    #expect(loaded.warnings == [])
    #expect(
      ["TR", "NO", "DE", "QQ"].map(loaded.localization.region) == ["Turkey", "Norge", "Germany", "QQ"])
    try folder.write("regions:\n  tr: Turkey\n", to: "own/en.yml")
    #expect(failure("en").hasPrefix("own/en.yml:2:3: error: "))
    #expect(
      failure("en").contains("\"tr\" is not a country code: expected two capital letters, such as DE"))
  }

  @Test func regionInheritsTheWordsOfItsLanguage() throws {
    try folder.write("words: { archive: Estrich }\n", to: "own/de-CH.yml")
    let loaded = try load("de-CH")
    #expect(loaded.localization.language == "de-CH")
    #expect(word("archive", loaded) == "Estrich")
    #expect(word("authors", loaded) == "Autoren")
    #expect(loaded.warnings == [])
  }

  @Test func languageWithoutWordsFallsBackToEnglishWithAWarning() throws {
    let loaded = try load("nl")
    #expect(loaded.localization.language == "en")
    #expect(loaded.warnings.count == 1 && loaded.warnings[0].contains("nl.yml"))
  }

  @Test func newLanguageReportsMissingWords() throws {
    try folder.write(
      """
      language: pl
      plurals:
        one: i = 1 and v = 0
        few: v = 0 and i % 10 = 2..4 and i % 100 != 12..14
        many: v = 0 and i != 1 and i % 10 = 0..1 or v = 0 and i % 10 = 5..9 or v = 0 and i % 100 = 12..14
      numbers: { group: "\u{A0}", groups_from: 10000 }
      dates:
        months: [stycznia, lutego, marca, kwietnia, maja, czerwca, lipca, sierpnia, września, października, listopada, grudnia]
        standalone_months: [styczeń, luty, marzec, kwiecień, maj, czerwiec, lipiec, sierpień, wrzesień, październik, listopad, grudzień]
        day: "{day} {month} {year}"
        month: "{month} {year}"
        year: "{year}"
        minute: "{date}, {hour}:{minute} {zone}"
      words:
        count_posts: { one: "{n} wpis", few: "{n} wpisy", many: "{n} wpisów", other: "{n} wpisu" }
      """, to: "own/pl.yml")
    let loaded = try load("pl")
    #expect(loaded.localization.count(22, .countPosts) == "22 wpisy")
    #expect(loaded.localization.count(10_012, .countPosts) == "10\u{A0}012 wpisów")
    #expect(loaded.localization.dates.monthName(5) == "maj")
    #expect(
      SiteCalendar.utc.written(in: loaded.localization.dates).day(Timestamp(seconds: 0)) == "1 stycznia 1970")
    #expect(word("threads", loaded) == "Threads")
    #expect(loaded.warnings.count == 1)
    #expect(loaded.warnings[0].contains("own/pl.yml: warning: "))
    #expect(loaded.warnings[0].contains("texts are not translated and stay English: skip_to_text, "))
  }

  /// English rules would be wrong for it without a visible reason.
  @Test func newLanguageNeedsRulesAndDates() throws {
    try folder.write("words: { threads: Draden }\n", to: "own/nl.yml")
    let text = failure("nl")
    #expect(text.contains("own/nl.yml: error: plurals: the key \"plurals\" is missing"))
    #expect(text.contains("own/nl.yml: error: dates.months: the key \"dates.months\" is missing"))
    #expect(text.contains("own/nl.yml: error: dates.day: the key \"dates.day\" is missing"))
  }

  @Test func mistakesHaveTheirPlace() throws {
    try folder.write(
      """
      plurals: { single: n = 1, one: n is 1 }
      numbers: { digits: "0123" }
      dates: { months: [Januar], day: "{tag}. {month}" }
      words:
        Threads: Fäden
        page_of: "Seite {seite} von {pages}"
        count_posts: { one: "{n} Beitrag", few: "{n} Beiträge" }
        tags: "{"
      """, to: "own/de.yml")
    try Golden.compare(
      failure("de") + "\n",
      with: ProjectFolders.fixtures(of: "SiteConfigTests").appending(path: "strings.txt"))
  }

  @Test func translationHasThePlaceholdersOfTheEnglishWords() throws {
    try folder.write(
      "words:\n  page_of: Seite {pagee} von {pages}\n  count_likes: { one: eins, two: zwei, other: viele }\n",
      to: "own/de.yml")
    #expect(
      failure("de") == """
        own/de.yml:2:12: error: words.page_of: this text has no value {pagee}; did you mean "page"?; available: {page}, {pages}
          page_of: Seite {pagee} von {pages}
                   ^
        own/de.yml:3:16: error: words.count_likes: numbers of this language have no form "two"; they have one, other
          count_likes: { one: eins, two: zwei, other: viele }
                       ^
        """)
  }

  /// Templates use these words without a number.
  @Test func wordsWithoutANumberHaveOneText() throws {
    try folder.write("words: { tags: { one: Topic, other: Topics } }\n", to: "own/en.yml")
    #expect(
      failure("en").hasPrefix(
        "own/en.yml:1:16: error: words.tags: this text has no number and therefore only one form\n"))
  }

  @Test func unknownWordsHaveAPlaceForReports() throws {
    try folder.write("words: { thraeds: Essays, mine: Mine }\n", to: "own/en.yml")
    let loaded = try load("en")
    #expect(Set(loaded.places.keys) == ["thraeds", "mine"])
    #expect(loaded.places["thraeds"]?.message == "no template uses this text; did you mean \"threads\"?")
  }
}
