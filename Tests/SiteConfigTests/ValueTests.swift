import Foundation
import SiteConfig
import Testing

@Suite struct SiteURLTests {
  @Test(arguments: [
    ("https://ada.example", "https://ada.example/"), ("HTTPS://Ada.Example/", "https://ada.example/"),
    ("http://localhost:8080", "http://localhost:8080/"),
    ("https://ada.example/a/B", "https://ada.example/a/B/"),
    ("https://ada.example/caf%C3%A9/", "https://ada.example/caf%C3%A9/"),
    ("http://[::1]:80/a", "http://[::1]:80/a/"),
  ])
  func normalizes(_ text: String, _ expected: String) throws {
    #expect(try SiteURL(text).description == expected)
  }

  @Test func hasItsParts() throws {
    let url = try SiteURL("https://ada.example:8443/threads")
    #expect(url.scheme == "https")
    #expect(url.authority == "ada.example:8443")
    #expect(url.path == "/threads/")
  }

  @Test(arguments: [
    "", "/", "ada.example", "//ada.example", "https://", "https:///a", "ftp://ada.example",
    "https://ada@ada.example/",
    "https://ada.example/?q", "https://ada.example/#f", "https://ada.example/a//b",
    "https://ada.example/../a",
    "https://ada.example/a b", "https://ada.example/é", "https://bücher.example", "https://ada.example:0",
    "https://ada.example:99999", "https://ada.example:x", "https://ada..example", "https://ada_example/\"",
    "https://<b>/", "https://[::1", "https://.example", "javascript://ada.example/", "https://ada.example//",
  ])
  func rejectsInvalidURLs(_ text: String) {
    #expect(throws: InvalidValue.self) { try SiteURL(text) }
  }
}

@Suite struct CalendarDayTests {
  @Test func acceptsLeapDays() throws {
    #expect(try CalendarDay("2024-02-29").description == "2024-02-29")
    #expect(try CalendarDay("2000-02-29") < CalendarDay("2000-03-01"))
    #expect(throws: InvalidValue.self) { try CalendarDay("1900-02-29") }
    #expect(throws: InvalidValue.self) { try CalendarDay("2023-02-29") }
  }

  @Test(arguments: [
    "", "2024", "2024-1-1", "2024-13-01", "2024-00-10", "2024-01-00", "2024-01-32", "2024/01/01",
    "٢٠٢٤-٠١-٠١",
  ])
  func rejectsInvalidDays(_ text: String) {
    #expect(throws: InvalidValue.self) { try CalendarDay(text) }
  }
}

@Suite struct OutputFolderTests {
  func problem(_ output: String, store: String = "threads", in folder: String? = nil) -> String? {
    var config = SiteConfig()
    config.output = output
    config.store = store
    return config.outputProblem(inFolder: folder)
  }

  @Test(arguments: ["site", "./site/", "../public", "a/b", "threads-site", "../../x/y", "/var/www/site"])
  func acceptsSafeOutputs(_ output: String) {
    #expect(problem(output) == nil)
    #expect(problem(output, in: "/home/ada/blog") == nil)
  }

  @Test(arguments: [
    ".", "./", "..", "../..", "a/..", "a/../..", "threads", "./threads/", "threads/site", "themes",
    "templates/x",
  ])
  func rejectsUnsafeOutputs(_ output: String) {
    #expect(problem(output) != nil)
    #expect(problem(output, in: "/home/ada/blog") != nil)
  }

  @Test(arguments: [
    "/", "/home", "/home/ada/blog", "/home/ada/blog/threads", "../blog", "../../ada",
    "/home/ada/../ada/blog/",
  ])
  func rejectsOutputsAroundTheKnownFolder(_ output: String) {
    #expect(problem(output, in: "/home/ada/blog") != nil)
  }

  @Test func rejectsOutputsAroundTheStore() {
    #expect(problem("data", store: "data/threads") != nil)
    #expect(problem("../archive", store: "../archive/threads", in: "/home/ada/blog") != nil)
    #expect(problem("../site", store: "../threads", in: "/home/ada/blog") == nil)
    #expect(problem("../site", store: "../threads") == nil)
    #expect(problem("/data", store: "/data/threads") != nil)
  }
}

@Suite struct TimeZoneTests {
  @Test(arguments: ["UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Asia/Tokyo", "US/Eastern"])
  func acceptsKnownTimeZones(_ name: String) throws {
    #expect(try SiteConfig.decode(yaml: "timezone: \(name)", file: "site.yml").config.timezone == name)
    #expect(TimeZone(identifier: name) != nil)
  }

  @Test(arguments: [
    ("Europe/Brelin", "Europe/Berlin"), ("europe/berlin", "Europe/Berlin"), ("Berlin", "Europe/Berlin"),
    ("New York", "America/New_York"), ("Tokio", "Asia/Tokyo"),
  ])
  func suggestsSimilarTimeZones(_ name: String, _ meant: String) {
    let error = #expect(throws: SiteConfigError.self) {
      try SiteConfig.decode(yaml: "timezone: \(name)", file: "site.yml")
    }
    #expect(error?.description.contains("did you mean \"\(meant)\"?") == true)
  }

  @Test(arguments: ["GMT+2", "+02:00", "../../etc/passwd", "Mars/Olympus", "UTC+1"])
  func rejectsUnknownTimeZones(_ name: String) {
    #expect(throws: SiteConfigError.self) {
      try SiteConfig.decode(yaml: "timezone: \(name)", file: "site.yml")
    }
  }
}
