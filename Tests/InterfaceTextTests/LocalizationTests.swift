import Basics
import Foundation
import InterfaceText
import SiteConfig
import TestSupport
import Testing
import ThreadModel

/// The installed strings files, through the values made from them.
@Suite struct LocalizationTests {
  static let languages = ["en", "en-US", "de", "es", "fr", "ja", "ar"]

  @Test(arguments: languages)
  func everyLanguageIsComplete(_ language: String) throws {
    let folder = ProjectFolders.repository.appending(path: "templates/strings").path
    let loaded = try LoadedLocalization(language: language, folders: [folder])
    #expect(loaded.localization.language == language)
    #expect(loaded.warnings == [])
  }

  @Test func formsFollowTheNumber() {
    let english = Localization.english
    #expect(english.count(1, .countPosts) == "1 post")
    #expect(english.count(0, .countPosts) == "0 posts")
    #expect(english.count(1204, .countReplies) == "1,204 replies")
    let german = Localization.installed("de")
    #expect(german.count(1204, .countPosts) == "1.204 Beiträge")
    let arabic = Localization.installed("ar")
    #expect(arabic.count(2, .countPosts) == "منشوران")
    #expect(arabic.count(3, .countPosts) == "3 منشورات")
    #expect(arabic.count(11, .countPosts) == "11 منشورًا")
    #expect(arabic.count(100, .countPosts) == "100 منشور")
    #expect(Localization.installed("ja").count(1, .countPosts) == "1件の投稿")
    #expect(Localization.installed("es").count(1204, .countPosts) == "1204 publicaciones")
  }

  @Test func fillsPlaceholders() {
    #expect(Localization.english.text(.threadBy, ["name": "@ada"]) == "Thread by @ada")
    #expect(Localization.english.count(15, .knownOf, "known", "12") == "12 of about 15 posts")
  }

  /// Compares with the dates that ICU writes for the same language.
  @Test(arguments: languages)
  func datesMatchTheLocaleData(_ language: String) throws {
    let format = DateFormatter()
    // The English is British, as most English outside of the United States.
    format.locale = Locale(identifier: language == "en" ? "en_GB" : language)
    format.timeZone = .gmt
    let calendar = SiteCalendar(zone: .gmt, format: Localization.installed(language).dates)
    for (year, month, day) in [(2021, 1, 6), (2024, 8, 31), (1999, 12, 1)] {
      let moment = try #require(Timestamp(year: year, month: month, day: day))
      let date = Date(timeIntervalSince1970: Double(moment.seconds))
      format.dateStyle = .long
      format.timeStyle = .none
      #expect(calendar.day(moment) == format.string(from: date))
      format.setLocalizedDateFormatFromTemplate("yMMMM")
      #expect(calendar.month(moment) == format.string(from: date))
    }
  }

  /// A few names differ from the locale data, which has short, long and newer ones.
  @Test(arguments: languages)
  func countriesMatchTheLocaleData(_ language: String) throws {
    let locale = Locale(identifier: language)
    let localization = Localization.installed(language)
    // All codes of ISO 3166-1, which do not include X's XX and XY.
    let codes = Locale.Region.isoRegions.map(\.identifier).filter { $0.count == 2 && $0 != "CQ" }
    let named = codes.filter { localization.region($0) != $0 }
    #expect(named.count == 250, "\(named.count)")
    let same = named.filter { locale.localizedString(forRegionCode: $0) == localization.region($0) }
    #expect(same.count > 220, "\(named.filter { !same.contains($0) })")
    #expect(localization.region("XX") == "XX" && localization.region("XY") == "XY")
  }

  @Test(arguments: [
    ("en", "Germany"), ("de", "Deutschland"), ("fr", "Allemagne"), ("es", "Alemania"), ("ja", "ドイツ"),
    ("ar", "ألمانيا"),
  ])
  func countriesHaveNamesInEveryLanguage(_ language: String, _ name: String) {
    #expect(Localization.installed(language).region("DE") == name)
  }

  @Test(arguments: languages)
  func numbersMatchTheLocaleData(_ language: String) throws {
    let format = NumberFormatter()
    format.locale = Locale(identifier: language == "en" ? "en_GB" : language)
    format.numberStyle = .decimal
    let localization = Localization.installed(language)
    for number in [0, 7, 999, 1204, 10_004, 1_204_567] {
      #expect(localization.number(number) == format.string(from: number as NSNumber))
    }
  }
}
