import TestSupport
import Testing
import ThreadModel

@Suite("Timestamps")
struct TimestampTests {
  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (1_609_958_440_000, "2021-01-06T18:40:40Z"),
      (1_609_958_440_123, "2021-01-06T18:40:40.123Z"), (951_782_400_000, "2000-02-29T00:00:00Z"),
      (-1, "1969-12-31T23:59:59.999Z"), (-62_167_219_200_000, "0000-01-01T00:00:00Z"),
      (253_402_300_799_000, "9999-12-31T23:59:59Z"), (7, "1970-01-01T00:00:00.007Z"),
    ] as [(Int64, String)])
  func writesAndReadsRFC3339(milliseconds: Int64, text: String) {
    #expect(Timestamp(milliseconds: milliseconds).iso8601 == text)
    #expect(Timestamp(iso8601: text) == Timestamp(milliseconds: milliseconds))
  }

  @Test(
    arguments: [
      ("2021-01-06T18:40:40.000Z", 0), ("2021-01-06t18:40:40z", 0), ("2021-01-06 18:40:40Z", 0),
      ("2021-01-06T19:40:40+01:00", 0), ("2021-01-06T15:10:40-03:30", 0), ("2021-01-07T00:40:40+06:00", 0),
      ("2021-01-06T18:40:40.1Z", 100), ("2021-01-06T18:40:40.12Z", 120),
      ("2021-01-06T18:40:40.123999999999999999999999Z", 123),
    ] as [(String, Int64)])
  func readsEveryFormatOfRFC3339(text: String, milliseconds: Int64) {
    #expect(Timestamp(iso8601: text) == Timestamp(milliseconds: 1_609_958_440_000 + milliseconds))
  }

  @Test func readsALeapSecondAsTheSecondBeforeIt() {
    #expect(Timestamp(iso8601: "2016-12-31T23:59:60Z") == Timestamp(iso8601: "2016-12-31T23:59:59Z"))
  }

  @Test(arguments: [
    "", "2021", "2021-01-06", "2021-01-06T18:40Z", "2021-01-06T18:40:40", "2021-01-06T18:40:40.Z",
    "2021-01-06T18:40:40Zx", " 2021-01-06T18:40:40Z", "2021-13-06T18:40:40Z", "2021-00-06T18:40:40Z",
    "2021-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2021-04-31T00:00:00Z", "2021-01-00T00:00:00Z",
    "2021-01-06T24:00:00Z", "2021-01-06T18:60:40Z", "2021-01-06T18:40:61Z", "2021-01-06T18:40:40+1:00",
    "2021-01-06T18:40:40+24:00", "2021-01-06T18:40:40+01:60", "２０２１-01-06T18:40:40Z", "-021-01-06T18:40:40Z",
    "Wed Jan 06 18:40:40 +0000 2021", "20210106T184040Z",
  ])
  func rejectsInvalidTimes(text: String) {
    #expect(Timestamp(iso8601: text) == nil)
  }

  /// Day by day, compared with the rule for leap years.
  @Test func convertsEveryDayOfSixHundredYears() {
    var (year, month, day, weekday) = (1599, 12, 31, 5)
    var wrong = 0
    let end = Timestamp(iso8601: "2200-01-01T00:00:00Z")?.seconds ?? 0
    var seconds = Timestamp(iso8601: "1599-12-31T00:00:00Z")?.seconds ?? 0
    while seconds < end {
      let noon = Timestamp(seconds: seconds + 43_200)
      let time = noon.civil()
      if (time.year, time.month, time.day, time.weekday) != (year, month, day, weekday) { wrong += 1 }
      if Timestamp(year: year, month: month, day: day, hour: 12) != noon { wrong += 1 }
      let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
      let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
      (day, weekday) = (day + 1, weekday % 7 + 1)
      if day > days { (day, month) = (1, month + 1) }
      if month > 12 { (month, year) = (1, year + 1) }
      seconds += 86_400
    }
    #expect(wrong == 0)
    #expect(year == 2200)
  }

  @Test func secondsAreRoundedDown() {
    #expect(Timestamp(milliseconds: 1999).seconds == 1)
    #expect(Timestamp(milliseconds: -1).seconds == -1)
    #expect(Timestamp(milliseconds: -1000).seconds == -1)
    #expect(Timestamp(milliseconds: -1001).seconds == -2)
  }

  @Test func everyTimeReadsBack() {
    var generator = SeededRandom()
    for _ in 0..<2000 {
      let moment = Timestamp(
        milliseconds: Int64.random(in: -62_167_219_200_000...253_402_300_799_999, using: &generator))
      #expect(Timestamp(iso8601: moment.iso8601) == moment, "\(moment.milliseconds)")
    }
  }

  @Test func calendarAheadOfUTCShowsALaterTime() {
    let time = Timestamp(iso8601: "2021-12-31T23:30:00Z")?.civil(offset: 3600)
    #expect(time?.year == 2022)
    #expect(time?.month == 1)
    #expect(time?.day == 1)
    #expect(time?.hour == 0)
    #expect(time?.minute == 30)
    #expect(time?.weekday == 6)
  }
}
