import Basics
import SiteOutput
import Testing

@Suite struct PermalinksTests {
  @Test func newPageIsNamedByTitleAndID() {
    let links = Permalinks()
    #expect(links.page(of: "x/ada/123", title: "Hello, World!").text == "x/ada/hello-world-123/")
    #expect(links.page(of: "x/ada/123", title: "🙂").text == "x/ada/123/")
    #expect(links.page(of: "x/ada/123", title: "Hello", slug: "mine").text == "x/ada/mine-123/")
    #expect(links.page(of: "123", title: "Hello").text == "hello-123/")
  }

  @Test func keepsTheSlugOfTheOwner() {
    let slug = "größe-" + String(repeating: "long-", count: 20) + "slug"
    #expect(Permalinks().page(of: "x/ada/1", title: "", slug: slug).text == "x/ada/\(slug)-1/")
  }

  @Test func recordsAMovedPage() throws {
    var before = Permalinks()
    before["x/ada/123"] = "x/ada/first-title-123/"
    let lost = Permalinks.LostWords(beginning: "Other")
    #expect(
      before.page(of: "x/ada/123", title: "First title", losingWords: lost) == "x/ada/first-title-123/")
    #expect(before.page(of: "x/ada/123", title: "Other") == "x/ada/first-title-123/")
    let new = before.page(of: "x/ada/123", title: "Other", losingWords: lost)
    #expect(new == "x/ada/123/")
    var build = Permalinks()
    build.move("x/ada/123", from: "x/ada/first-title-123/", to: new)
    let after = before.adding(build)
    #expect(after["x/ada/123"] == new && after.moved == ["x/ada/first-title-123/": new])
    let again = try Permalinks(JSONValue(parsing: after.bytes), file: "permalinks.json")
    #expect(again == after)
    #expect(again.page(of: "x/ada/123", title: "Another", losingWords: lost) == new)
  }

  @Test("A new title does not move the page of a thread that lost other words")
  func keepsPageWhoseWordsRemain() {
    var links = Permalinks()
    links["x/ada/123"] = "x/ada/first-title-123/"
    #expect(
      links.page(of: "x/ada/123", title: "Own title", losingWords: .init(beginning: "First title"))
        == "x/ada/first-title-123/")
    #expect(
      links.page(of: "x/ada/123", title: "Own title", losingWords: .init(beginning: "Second"))
        == "x/ada/123/")
  }

  @Test func recordedPageStays() throws {
    var links = Permalinks()
    links["x/ada/123"] = "x/ada/first-title-123/"
    #expect(links.page(of: "x/ada/123", title: "Second title").text == "x/ada/first-title-123/")
    // The owner may move it.
    #expect(links.page(of: "x/ada/123", title: "Second title", slug: "third").text == "x/ada/third-123/")
    var other = Permalinks()
    other["x/ada/123"] = "x/ada/other-123/"
    other["x/ada/124"] = "x/ada/new-124/"
    let merged = links.adding(other)
    #expect(merged["x/ada/123"] == "x/ada/first-title-123/")
    #expect(merged["x/ada/124"] == "x/ada/new-124/")
  }

  /// Two files turn out to contain one thread: no URL is lost, and none redirects to itself.
  @Test func joinedThreadKeepsBothURLs() {
    var links = Permalinks()
    links["x/ada/1"] = "x/ada/new-1/"
    links["x/ada/2"] = "x/ada/one-2/"
    links["x/ada/3"] = "x/ada/other-3/"
    links.move("x/ada/1", from: "x/ada/old-1/", to: "x/ada/new-1/")
    links.join("x/ada/1", to: "x/ada/2")
    #expect(links["x/ada/1"] == nil && links["x/ada/2"] == "x/ada/one-2/")
    #expect(links.moved == ["x/ada/old-1/": "x/ada/one-2/", "x/ada/new-1/": "x/ada/one-2/"])
    links.join("x/ada/2", to: "x/ada/4")
    #expect(links["x/ada/4"] == "x/ada/one-2/" && links["x/ada/2"] == nil)
    links.join("x/ada/5", to: "x/ada/3")
    #expect(links["x/ada/3"] == "x/ada/other-3/")
  }

  @Test func rejectsANewerFormat() throws {
    let known = try Permalinks(
      JSONValue(parsing: Array(#"{"format": 1, "x/ada/1": "x/ada/a-1/"}"#.utf8)), file: "permalinks.json")
    #expect(known["x/ada/1"] == "x/ada/a-1/")
    let value = try JSONValue(parsing: Array(#"{"format": 2, "x/ada/1": {}}"#.utf8))
    let error = #expect(throws: (any Error).self) { try Permalinks(value, file: "permalinks.json") }
    #expect(error.map { "\($0)" }?.contains("newer version of threadsite") == true)
  }

  @Test func recordIsSortedAndReadsBack() throws {
    var links = Permalinks()
    for id in ["9", "10", "1", "é", "Z"] { links["x/ada/\(id)"] = SitePath("x/ada/t-\(id)/") }
    let text = String(decoding: links.bytes, as: UTF8.self)
    let keys = text.split(separator: "\n").filter { $0.contains(":") }.map { $0.split(separator: "\"")[1] }
    #expect(keys == ["x/ada/1", "x/ada/10", "x/ada/9", "x/ada/Z", "x/ada/é"])
    #expect(text.hasSuffix("}\n"))
    #expect(try Permalinks(JSONValue(parsing: links.bytes), file: "permalinks.json") == links)
  }

  @Test(arguments: [
    "", "/", "a", "a/b", "/a/", "/etc/", "../", "../a/", "a/../", "a/../../b/", "./", "a/./b/", ".git/",
    "a/.well-known/",
    "a//b/", "//evil.example/", "a\\b/", "..\\a/", "a\u{0}/", "a\n/", "a\u{7F}/", "a/ \u{1}/",
    // To the file system, a slash with a mark before or on it is still a slash.
    "a\u{600}/../b/", "a/\u{301}/../b/", "a\u{600}/..\u{600}/../", "a/.\u{301}b/",
    String(repeating: "a", count: 256) + "/", String(repeating: "abc/", count: 300),
  ])
  func rejectsHostileRecords(page: String) throws {
    let record = JSONValue.object(["x/ada/1": .string(page)])
    let error = #expect(throws: SiteOutputError.self) {
      try Permalinks(record, file: "threads/permalinks.json")
    }
    #expect(error?.description.hasPrefix("threads/permalinks.json: error: ") == true)
    #expect(error?.description.contains("\"x/ada/1\"") == true)
  }

  @Test(arguments: [
    JSONValue.array([]), .string("x"), .null, .object(["x/ada/1": .null]), .object(["x/ada/1": .array([])]),
  ])
  func rejectsOtherShapes(record: JSONValue) {
    #expect(throws: SiteOutputError.self) { try Permalinks(record, file: "permalinks.json") }
  }

  @Test(arguments: ["a/", "x/ada/a-title-123/", "日本/ü/", "blog/2024/x y/"])
  func acceptsEveryOtherPath(page: String) throws {
    let links = try Permalinks(.object(["x/ada/1": .string(page)]), file: "permalinks.json")
    #expect(links["x/ada/1"]?.text == page)
  }
}
