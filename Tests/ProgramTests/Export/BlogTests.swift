import Basics
import Export
import Foundation
import SiteBuild
import TestSupport
import Testing
import ThreadModel

/// Threads as posts of blogs, and as lines of JSON.
@Suite struct BlogTests {
  private func export(_ format: ExportFormat) throws -> Data {
    let exported = try ExportedSite(
      configuration: "base_url: https://ada.example/\ntimezone: Asia/Tokyo")
    try exported.export(format, to: "out")
    return try exported.site.folder.data("out")
  }

  private func json(_ bytes: some Sequence<UInt8>) throws -> JSONValue {
    try JSONValue(parsing: Array(bytes))
  }

  @Test func blogArchiveHasAFeedAndTheMedia() throws {
    let archive = try UnpackedBook(try export(.microBlog))
    #expect(Set(archive.names) == ["index.html", "feed.json", "uploads/one.png", "uploads/two.jpg"])
    #expect(archive.files["uploads/one.png"] == [UInt8](SampleMedia.png()))
    let feed = try json(Array(archive.text("feed.json").utf8))
    #expect(feed["version"]?.string == "https://jsonfeed.org/version/1.1")
    let items = try #require(feed["items"]?.array)
    #expect(
      items.map { $0["url"]?.string } == [
        "https://ada.example/x/ada/ada-begins-1-2-so-on-1001/",
        "https://ada.example/x/bo/bo-begins-here-2001/",
        "https://ada.example/x/ada/ada-again-3001/",
      ])
    #expect(items[0]["date_published"]?.string == "2021-01-01T00:16:41Z")
    #expect(items[0]["content_html"]?.string?.contains("src=\"uploads/one.png\"") == true)
    let page = try archive.text("index.html")
    #expect(page.contains("class=\"h-feed\"") && page.contains("src=\"uploads/one.png\""))
    #expect(page.matches(of: /<article class="h-entry"/).count == 3)
    let tokens = try HTMLTokens(page)
    #expect(tokens.startTags.count { $0["class"] == "u-url" } == 3)
  }

  @Test func ghostImportHasPostsAndImages() throws {
    let archive = try UnpackedBook(try export(.ghost))
    #expect(
      Set(archive.names) == [
        "ghost.json", "content/images/threads/one.png", "content/images/threads/two.jpg",
      ])
    let database = try #require(try json(Array(archive.text("ghost.json").utf8))["db"]?.array?.first)
    #expect(database["meta"]?["version"]?.string == "5.0.0")
    let posts = try #require(database["data"]?["posts"]?.array)
    #expect(
      posts.map { $0["slug"]?.string } == [
        "2021-01-01-ada-begins-1-2-so-on", "2022-01-01-bo-begins-here", "2023-01-01-ada-again",
      ])
    #expect(posts[0]["published_at"]?.string == "2021-01-01 00:16:41")
    #expect(posts.allSatisfy { $0["status"]?.string == "published" && $0["type"]?.string == "post" })
    let html = try #require(posts[0]["html"]?.string)
    #expect(html.contains("src=\"__GHOST_URL__/content/images/threads/one.png\""))
    #expect(html.hasPrefix("<!--kg-card-begin: html-->") && html.hasSuffix("<!--kg-card-end: html-->\n"))
  }

  @Test func wordPressFileIsAFeed() throws {
    let bytes = try export(.wordpress)
    let tree = try XMLTree.parse([UInt8](bytes))
    let channel = try #require(tree["channel"].first)
    #expect(channel.text("wp:wxr_version") == "1.2")
    #expect(channel["wp:author"].map { $0.text("wp:author_display_name") } == ["Ada & Co. <3", "Bo"])
    let items = channel["item"]
    let posts = items.filter { $0.text("wp:post_type") == "post" }
    #expect(posts.map { $0.text("dc:creator") } == ["x-ada", "x-bo", "x-ada"])
    #expect(posts[0].text("title") == "Ada begins: 1 < 2 & \"so\" on")
    // The site's time zone is nine hours ahead.
    #expect(posts[0].text("wp:post_date") == "2021-01-01 09:16:41")
    #expect(posts[0].text("wp:post_date_gmt") == "2021-01-01 00:16:41")
    #expect(posts[0].text("pubDate") == "Fri, 1 Jan 2021 00:16:41 +0000")
    #expect(posts[0].text("content:encoded")?.contains("src=\"https://ada.example/media/one.png\"") == true)
    let media = items.filter { $0.text("wp:post_type") == "attachment" }
    #expect(
      media.map { $0.text("wp:attachment_url") } == [
        "https://ada.example/media/one.png", "https://ada.example/media/two.jpg",
      ])
    #expect(media.allSatisfy { $0.text("wp:post_parent") == posts[0].text("wp:post_id") })
    #expect(Set(items.compactMap { $0.text("wp:post_id") }).count == items.count)
  }

  @Test func wordPressRequiresTheURLOfTheSite() throws {
    let exported = try ExportedSite()
    let error = #expect(throws: (any Error).self) { try exported.export(.wordpress, to: "out") }
    #expect("\(try #require(error))".contains("base_url"))
    #expect(!exported.site.folder.exists("out"))
  }

  @Test func everyLineHasEveryColumn() throws {
    let lines = try export(.ndjson).split(separator: UInt8(ascii: "\n")).map { try json($0) }
    let columns = try lines.map { line in
      guard case .object(let members) = line else {
        throw JSONError(offset: 0, line: 1, column: 1, message: "")
      }
      return Set(members.keys)
    }
    #expect(Set(columns).count == 1)
    #expect(lines.map { $0["network_id"]?.string } == ["1001", "1002", "2001", "2001", "3001"])
    #expect(lines.map { $0["part"]?.string } == ["main", "main", "quote", "main", "main"])
    #expect(lines[1]["quoted_post"]?.string == "2001" && lines[1]["position"]?.integer == 2)
    #expect(lines[0]["media"]?.array?.first?["alt_text"]?.string == "A \"quoted\" <cat>")
    #expect(lines[1]["poll"]?["options"]?.array?.first?["votes"]?.integer == 3)
    #expect(lines[0]["page"]?.string == "https://ada.example/x/ada/ada-begins-1-2-so-on-1001/")
  }
}
