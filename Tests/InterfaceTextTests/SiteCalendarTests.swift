import Foundation
import InterfaceText
import Testing
import ThreadModel

@Suite("Dates on a site")
struct SiteCalendarTests {
  private let winter = Timestamp(milliseconds: 1_609_958_440_000)  // 2021-01-06T18:40:40Z
  private let summer = Timestamp(milliseconds: 1_625_604_000_000)  // 2021-07-06T20:40:00Z

  @Test func formatsInUTC() {
    #expect(SiteCalendar.utc.day(winter) == "6 January 2021")
    #expect(SiteCalendar.utc.minute(winter) == "6 January 2021, 18:40 UTC")
    #expect(SiteCalendar.utc.offset(at: winter) == 0)
  }

  @Test func formatsInAZoneWithDaylightSavingTime() throws {
    let calendar = SiteCalendar(zone: try #require(TimeZone(identifier: "Europe/Berlin")))
    #expect(calendar.minute(winter) == "6 January 2021, 19:40 UTC+1")
    #expect(calendar.minute(summer) == "6 July 2021, 22:40 UTC+2")
  }

  @Test(arguments: [
    (-12_600, "6 January 2021, 15:10 UTC−3:30"), (20_700, "7 January 2021, 00:25 UTC+5:45"),
    (-43_200, "6 January 2021, 06:40 UTC−12"), (0, "6 January 2021, 18:40 UTC"),
  ])
  func formatsInZonesOfFixedOffset(seconds: Int, text: String) throws {
    let calendar = SiteCalendar(zone: try #require(TimeZone(secondsFromGMT: seconds)))
    #expect(calendar.minute(winter) == text)
  }

  @Test func dayIsThatOfTheZone() throws {
    let calendar = SiteCalendar(zone: try #require(TimeZone(secondsFromGMT: 6 * 3600)))
    let newYear = try #require(Timestamp(iso8601: "2021-12-31T20:00:00Z"))
    #expect(calendar.day(newYear) == "1 January 2022")
    #expect(calendar.civil(newYear).year == 2022)
    #expect(SiteCalendar.utc.day(newYear) == "31 December 2021")
  }

  @Test func onlyTimesHaveLeadingZeros() throws {
    let early = try #require(Timestamp(iso8601: "2021-02-03T04:05:06Z"))
    #expect(SiteCalendar.utc.minute(early) == "3 February 2021, 04:05 UTC")
  }

  @Test func monthsHaveNamesAndInvalidMonthsNumbers() {
    #expect((1...12).map(DateFormat.english.monthName).first == "January")
    #expect((1...12).map(DateFormat.english.monthName).last == "December")
    #expect(DateFormat.english.monthName(0) == "0")
    #expect(DateFormat.english.monthName(13) == "13")
  }
}
