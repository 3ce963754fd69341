import HTTPTransport
import Testing

@Suite struct HTTPDateTests {
  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
    ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200), ("Wed, 01-Jan-25 00:00:00 GMT", 1_735_689_600),
    ("Sun, 06 Nov 1994 08:49:37 UTC", 784_111_777), ("Sun, 06 Nov 1994 08:49:37", 784_111_777),
    ("Sun, 06 Nov 1994 09:49:37 CET", 784_111_777), ("Sun, 06 Nov 1994 08:49 GMT", 784_111_740),
  ])
  func readsDates(text: String, seconds: Int) { #expect(HTTPDate.seconds(text) == seconds) }

  @Test(arguments: [
    "", "soon", "120", "Sun, 06 Foo 1994 08:49:37 GMT",
    "Sun, 99 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT",
    "Sun, 06 Nov 99999999999999999999 08:49:37 GMT",
    "Sun, 06 Nov 99999 08:49:37 GMT", "Sun, 06 Nov 1960 08:49:37 GMT",
  ])
  func rejectsInvalidDates(text: String) { #expect(HTTPDate.seconds(text) == nil) }
}
