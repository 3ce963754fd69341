import Foundation
import TestSupport
import Testing
import ThreadsiteKit

/// The library as used by another program, with public API only.
@Suite struct ThreadsiteKitTests {
  private static let resources = ProjectFolders.repository.path

  /// Two posts of version 2 of X's API in two files, the reply first.
  private static let saved: [(name: String, bytes: [UInt8])] = [
    (
      "second.json",
      Array(
        #"{"data":[{"id":"2","text":"and *two*","author_id":"7","conversation_id":"1","in_reply_to_user_id":"7","referenced_tweets":[{"type":"replied_to","id":"1"}],"created_at":"2020-01-01T10:01:00.000Z"}]}"#
          .utf8)
    ),
    (
      "first.json",
      Array(
        #"{"data":[{"id":"1","text":"One &amp; only","author_id":"7","conversation_id":"1","created_at":"2020-01-01T10:00:00.000Z"}],"includes":{"users":[{"id":"7","username":"ada","name":"Ada"}]}}"#
          .utf8)
    ),
  ]

  @Test func savedResponsesAreThreadsInReadingOrder() throws {
    let threads = try PostThread.saved(Self.saved)
    let thread = try #require(threads.first)
    #expect(threads.count == 1)
    #expect(
      thread.id == "1" && thread.platform == "x" && thread.handle == "ada" && thread.authorName == "Ada")
    #expect(thread.posts.map(\.text) == ["One & only", "and *two*"])
    #expect(thread.posts.map(\.createdAt) == [1_577_872_800_000, 1_577_872_860_000])
  }

  @Test func rendersAThreadAsMarkdownAndHTML() throws {
    let thread = try #require(try PostThread.saved(Self.saved).first)
    let renderer = try ThreadRenderer(resources: Self.resources)
    let markdown = try renderer.markdown(of: thread)
    #expect(markdown.hasPrefix("---\n") && markdown.contains(#"and \*two\*"#))
    #expect(!markdown.contains("<!--"))
    let html = try renderer.html(of: thread)
    #expect(html.contains("One &amp; only") && html.contains("and *two*") && !html.contains("<em>two</em>"))
    #expect(try renderer.html(of: thread) == html)
    #expect(try ThreadRenderer(resources: Self.resources, language: "de").markdown(of: thread) != markdown)
  }

  @Test func invalidThreadIsAnErrorWithItsPlace() throws {
    let stored = #expect(throws: ThreadsiteError.self) {
      try PostThread(stored: Array(#"{"format":1,"platform":"x"}"#.utf8), file: "a.json")
    }
    #expect(stored?.description.hasPrefix("a.json:1:1: error: ") == true)
    let saved = #expect(throws: ThreadsiteError.self) { try PostThread.saved([("b.json", Array("[".utf8))]) }
    #expect(saved?.description.hasPrefix("b.json") == true)
    let resources = #expect(throws: ThreadsiteError.self) { try ThreadRenderer(resources: "/nowhere") }
    #expect(resources?.description.contains("/nowhere/templates") == true)
    #expect(throws: ThreadsiteError.self) { try ThreadSite(configFile: "site.yml", resources: "/nowhere") }
  }

  /// Builds the sample site of this repository with the library.
  @Test func buildsASite() throws {
    let folder = try TemporaryFolder()
    let site = try ThreadSite(configFile: Self.resources + "/site.yml", resources: Self.resources)
    let summary = try site.build(output: folder.path + "/site", jobs: 2)
    #expect(summary.threads > 5 && summary.posts > summary.threads && summary.pages > summary.threads)
    #expect(FileManager.default.fileExists(atPath: summary.output + "/index.html"))
  }

  /// Every stored thread of the sample can be read, and its page contains all of its words.
  @Test func storedThreadsKeepTheirWords() throws {
    let renderer = try ThreadRenderer(resources: Self.resources)
    let store = Self.resources + "/threads"
    let files = try FileManager.default.subpathsOfDirectory(atPath: store)
      .filter {
        $0.hasSuffix(".json") && $0.split(separator: "/").count == 3 && !$0.hasPrefix("media/")
          && !$0.hasPrefix("profiles/")
      }
    #expect(files.count > 5)
    for file in files {
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: store + "/" + file)))
      let thread = try PostThread(stored: bytes, file: file)
      let html = try renderer.html(of: thread)
      #expect(!thread.posts.isEmpty && html.contains("post-\(thread.posts[0].id)"), "\(file)")
    }
  }
}
