import Basics
import TestSupport
import Testing
import ThreadMarkdown
import ThreadModel

struct FrontMatterTests {
  private func values(_ thread: UnrolledThread, _ meta: ThreadMeta) throws -> [String: Any] {
    let document = try Components.render(thread, meta: meta)
    let yaml = String(decoding: document.markdown.bytes[..<document.bodyStart], as: UTF8.self)
    #expect(yaml.hasPrefix("---\n") && yaml.hasSuffix("\n---\n\n"))
    let inside = yaml.dropFirst(4).dropLast(6)
    return try #require(try TypedYAML.read(inside) as? [String: Any])
  }

  @Test func describesTheDocument() throws {
    let meta = ThreadMeta(
      title: "On the Engine", tags: ["engines", "yes", "1"], source: "https://x.com/ada/status/10",
      slug: "on-it")
    let values = try values(Invented.thread(Samples.texts), meta)
    #expect(values["title"] as? String == "On the Engine")
    #expect(values["slug"] as? String == "on-it")
    #expect(values["tags"] as? [String] == ["engines", "yes", "1"])
    #expect(values["source"] as? String == "https://x.com/ada/status/10")
    #expect(values["posts"] as? Int == 6)
    #expect(values["language"] as? String == "en")
    #expect(values["platform"] as? String == "x")
    #expect(values["id"] as? String == "10")
    #expect(values["date"] as? String == "2021-01-06T18:50:00Z")
    #expect(values["updated"] as? String == "2021-01-07T18:40:00Z")
    let author = try #require(values["author"] as? [String: String])
    #expect(author == ["name": "Ada Lovelace", "handle": "ada", "url": "https://x.com/ada"])
  }

  @Test(
    arguments: [
      "@ada: yes", "\"quoted\" \\ back", "- list", "# comment", "{a: b}", "[x", "'", "null", "~", "1.0",
      "!!int 1", "&a *a", "%TAG", "a: b # c", "---",
      "...", "🧵 日本 עברית", "\u{10FFFD}",
    ] + typed)
  func titlesStayStrings(title: String) throws {
    let values = try values(
      Invented.thread([Invented.post("10", "x")]), ThreadMeta(title: title, tags: [title]))
    #expect(values["title"] as? String == title)
    #expect(values["tags"] as? [String] == [title])
  }

  /// Without quotation marks, these are numbers, Booleans, dates or null in YAML 1.1.
  private static let typed = [
    "yes", "Off", "NULL", "12", "-1_000", "0x1F", "0b1", "1.5", ".5", "1e3", "12:30", ".inf", ".NaN",
    "2024-01-31", "2024-1-1 10:00:00",
  ]

  @Test(arguments: typed) func unquotedTextHasAYAMLType(text: String) throws {
    let read = try #require(try TypedYAML.read("key: \(text)") as? [String: Any])
    #expect(read["key"] != nil && !(read["key"] is String), "\(text)")
  }

  @Test func unprintableCharactersSurviveInTags() throws {
    let tag =
      String(String.UnicodeScalarView((1...0xA0).compactMap { Unicode.Scalar($0) }))
      + "\u{2028}\u{2029}\u{FEFF}\u{FFFE}\u{FFFF}"
    let values = try values(Invented.thread([Invented.post("10", "x")]), ThreadMeta(title: "T", tags: [tag]))
    let read = try #require((values["tags"] as? [String])?.first)
    #expect(read.unicodeScalars.elementsEqual(tag.unicodeScalars))
  }

  @Test func omitsUnknownValues() throws {
    var post = Invented.post("10", "x", language: "und")
    post.createdAt = nil
    let author = Author(id: AuthorID("1", on: .x))
    let values = try values(
      Invented.thread([post], author: author), ThreadMeta(title: "T", source: "javascript:x"))
    #expect(Set(values.keys) == ["title", "author", "tags", "posts", "platform", "id"])
  }
}
