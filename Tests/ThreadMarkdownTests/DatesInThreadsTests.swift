import Basics
import Foundation
import InterfaceText
import TestSupport
import Testing
import ThreadModel

@testable import ThreadMarkdown

/// A thread's header has its first and last day. Each day is shown once, above the times. Pauses of weeks are
/// noted.
@Suite struct DatesInThreadsTests {
  private static func markdown(
    daysAfterTheFirst days: [Double], in language: String = "en"
  ) throws -> String {
    let posts = days.enumerated().map { index, days in
      var post = Invented.post("\(index + 1)", "Post \(index + 1)")
      post.createdAt = Timestamp(seconds: 1_609_958_400 + Int64(days * 86_400))
      return post
    }
    var options = Components.options
    let localization = Localization.installed(language)
    options.localization = localization
    options.calendar = options.calendar.written(in: localization.dates)
    return try Components.render(
      Invented.thread(posts), meta: ThreadMeta(title: "Title"), options: options
    ).markdown.string
  }

  @Test func showsEachDayOnce() throws {
    let text = try Self.markdown(daysAfterTheFirst: [0, 0.01, 0.02, 1, 1.01])
    #expect(text.contains("6 January 2021 – 7 January 2021"))
    #expect(text.contains("[6 January 2021, 18:40 UTC]("))
    #expect(text.contains("[18:54](") && text.contains("[19:08]("))
    #expect(text.contains("[7 January 2021, 18:40 UTC](") && text.contains("[18:54]("))
    #expect(text.components(separatedBy: "UTC").count == 3)
    #expect(text.contains("[¶](#post-3 \"Post 3 of 5\")"))
    #expect(!text.contains("<!-- pause"))
  }

  @Test func showsOneDateForOneDayOrPost() throws {
    let text = try Self.markdown(daysAfterTheFirst: [0])
    #expect(!text.contains("–"))
    #expect(text.contains("\"Link to this post\""))
  }

  static let pauses: [(days: Double, words: [String: String])] = [
    (14, ["en": "2 weeks later", "de": "2 Wochen später", "ar": "بعد أسبوعين"]),
    (30, ["en": "4 weeks later", "fr": "4 semaines plus tard", "es": "4 semanas después"]),
    (55, ["en": "7 weeks later", "ja": "7週間後", "ar": "بعد 7 أسابيع"]),
    (61, ["en": "2 months later", "de": "2 Monate später", "ar": "بعد شهرين"]),
    (364, ["en": "11 months later", "fr": "11 mois plus tard", "ar": "بعد 11 شهرًا"]),
    (400, ["en": "1 year later", "de": "1 Jahr später", "es": "1 año después", "ar": "بعد سنة"]),
    (1100, ["en": "3 years later", "fr": "3 ans plus tard", "ja": "3年後"]),
  ]

  @Test(arguments: pauses) func notesPausesOfWeeks(days: Double, words: [String: String]) throws {
    for (language, words) in words {
      let text = try Self.markdown(daysAfterTheFirst: [0, days], in: language)
      // The marker has the length in weeks, at most two digits.
      let weeks = min(Int(days) / 7, 99)
      #expect(text.contains("<!-- pause \(weeks) -->\n\n\(words)\n\n<!-- /pause -->"), "\(language)")
    }
  }

  @Test func ignoresPausesOfLessThanTwoWeeks() throws {
    #expect(try !Self.markdown(daysAfterTheFirst: [0, 13.9, 27]).contains("<!-- pause"))
  }
}
