import Foundation
import TestSupport
import Testing
import ThreadsiteKit

/// The guarantees in the documentation of the public interface. These tests use only public API.
@Suite struct PublicInterfaceTests {
  private static let resources = ProjectFolders.repository.path

  /// A stored thread of three posts without the second one. The file's order differs from the reading order.
  private static func stored(text: String = "One", removing gone: String = "") -> [UInt8] {
    Array(
      """
      {"author_id": "12", "authors": [{"handle": "bo", "id": "12", "name": "Bo"}], "format": 1, "id": "1", "platform": "x",
       "posts": [
        {"author_id": "12", "created_at": "2022-05-05T12:02:00Z", "id": "3", "in_reply_to": "2", "text": "Three",
         "media": [{"id": "m1", "kind": "photo", "url": "https://media.example/one.jpg"},
                   {"id": "m2", "kind": "photo", "url": "https://media.example/two.jpg"}]},
        {"author_id": "12", "created_at": "2022-05-05T12:00:00Z", "id": "1", "text": "\(text)"}\(gone)],
       "provenance": [{"source": "x-api"}]}
      """.utf8)
  }

  private static let second =
    #", {"author_id": "12", "created_at": "2022-05-05T12:01:00Z", "id": "2", "in_reply_to": "1", "text": "Two"}"#

  @Test func postsAreInReadingOrderWithTheirFacts() throws {
    let thread = try PostThread(stored: Self.stored(removing: Self.second), file: "1.json")
    #expect(thread.id == "1" && thread.platform == "x" && thread.handle == "bo" && thread.authorName == "Bo")
    #expect(thread.posts.map(\.id) == ["1", "2", "3"])
    #expect(thread.posts.map(\.text) == ["One", "Two", "Three"])
    #expect(thread.posts.map(\.mediaCount) == [0, 0, 2])
    #expect(thread.posts.map(\.createdAt) == [1_651_752_000_000, 1_651_752_060_000, 1_651_752_120_000])
    #expect(thread.isWhole)
  }

  @Test func threadWithAMissingPostIsIncomplete() throws {
    let thread = try PostThread(stored: Self.stored(), file: "1.json")
    #expect(!thread.isWhole && thread.posts.first?.id == "1")
  }

  /// A thread with all facts of the public interface.
  private static let rich = """
    {"author_id": "12", "authors": [{"handle": "bo", "id": "12", "name": "Bo"}, {"handle": "ada", "id": "7", "name": "Ada"}],
     "format": 1, "id": "1", "platform": "x",
     "posts": [
      {"author_id": "12", "created_at": "2022-05-05T12:00:00Z", "id": "1", "in_reply_to": "0", "in_reply_to_author": "99", "language": "de", "quotes": "50",
       "text": "#Boote on water", "entities": [{"end": 6, "start": 0, "tag": "Boote", "type": "hashtag"}],
       "url": "https://x.com/bo/status/1", "content_warning": "Waves",
       "media": [{"alt_text": "A boat", "duration_ms": 1500, "height": 20, "id": "m1", "kind": "video", "url": "https://media.example/a.mp4",
                  "poster_url": "https://media.example/a.jpg", "width": 30}]},
      {"author_id": "12", "created_at": "2022-05-05T12:02:00Z", "id": "2", "in_reply_to": "1", "quotes": "60", "text": "Vote",
       "poll": {"allows_multiple": true, "ends_at": "2022-05-06T12:00:00Z", "options": [{"label": "Yes", "votes": 3}, {"label": "No"}],
                "status": "open", "voters": 4}}],
     "provenance": [{"source": "x-api"}],
     "related": [{"author_id": "7", "created_at": "2022-05-01T12:00:00Z", "id": "50", "text": "Quoted"}],
     "tombstones": [{"id": "60", "reason": "deleted"}, {"id": "0", "reason": "protected"}]}
    """

  @Test func threadHasURLDatesLanguageAndTags() throws {
    let thread = try PostThread(stored: Array(Self.rich.utf8), file: "1.json")
    #expect(thread.url == "https://x.com/bo/status/1" && thread.language == "de" && thread.tags == ["Boote"])
    #expect(thread.createdAt == 1_651_752_000_000 && thread.lastPostAt == 1_651_752_120_000)
    guard case .missing("0", "protected") = thread.answered else {
      Issue.record("\(String(describing: thread.answered))")
      return
    }
    let renderer = try ThreadRenderer(resources: Self.resources)
    #expect(renderer.title(of: thread).hasPrefix("Waves"))
  }

  @Test func postHasMediaPollAndQuote() throws {
    let posts = try PostThread(stored: Array(Self.rich.utf8), file: "1.json").posts
    let media = try #require(posts[0].media.first)
    #expect(media.kind == "video" && media.url == "https://media.example/a.mp4" && media.altText == "A boat")
    #expect(media.width == 30 && media.height == 20 && media.duration == 1500 && media.file == nil)
    #expect(media.posterURL == "https://media.example/a.jpg")
    #expect(
      posts[0].hashtags == ["Boote"] && posts[0].contentWarning == "Waves"
        && posts[0].url?.hasSuffix("/1") == true)
    guard case .post(let quoted, "ada", "Ada") = posts[0].quote else {
      Issue.record("\(String(describing: posts[0].quote))")
      return
    }
    #expect(quoted.id == "50" && quoted.text == "Quoted" && quoted.quote == nil)
    #expect(posts[1].quote == .missing(id: "60", reason: "deleted"))
    let poll = try #require(posts[1].poll)
    #expect(poll.options.map(\.label) == ["Yes", "No"] && poll.options.map(\.votes) == [3, nil])
    #expect(poll.totalVotes == nil && poll.voters == 4 && poll.allowsMultiple && poll.isClosed == false)
    #expect(poll.endsAt == 1_651_838_400_000)
  }

  @Test func storeHasAnIndexOfItsThreads() throws {
    let folder = try TemporaryFolder()
    try folder.write(String(decoding: Self.stored(), as: UTF8.self), to: "threads/x/bo/1.json")
    try folder.write(Self.rich, to: "threads/x/ada/1.json")
    try folder.write("{", to: "threads/x/bo/2.json")
    let store = try PostThreadStore(folder: folder.path + "/threads")
    let index = try store.index()
    #expect(index.map(\.id) == ["x/ada/1.json", "x/bo/1.json", "x/bo/2.json"])
    #expect(index.map(\.folder) == ["ada", "bo", "bo"] && index.allSatisfy { $0.platform == "x" })
    #expect(try store.thread(index[0]).posts.count == 2)
    let error = #expect(throws: ThreadsiteError.self) { try store.threads() }
    #expect(error?.kind == .content && error?.problems.first?.line == 1)
    #expect(error?.problems.first?.file == folder.path + "/threads/x/bo/2.json")
    try folder.remove("threads/x/bo/2.json")
    #expect(try store.threads().count == 2)
  }

  @Test func missingStoreIsAnErrorOfTheKindFile() throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: ThreadsiteError.self) { try PostThreadStore(folder: folder.path + "/nosuch") }
    #expect(error?.kind == .file && error?.problems.map(\.message) == ["there is no such folder."])
  }

  @Test func errorsOfASiteHaveKindFileLineAndColumn() throws {
    let folder = try TemporaryFolder()
    try folder.write("titel: A\nlanguage: English\n", to: "site.yml")
    let file = folder.path + "/site.yml"
    let error = #expect(throws: ThreadsiteError.self) {
      try ThreadSite(configFile: file, resources: Self.resources).build()
    }
    #expect(error?.kind == .configuration && error?.problems.map(\.line) == [1, 2])
    #expect(
      error?.problems.first?.file == file && error?.problems.first?.line == 1
        && error?.problems.first?.column == 1)
    #expect(error?.problems.first?.message.contains("did you mean \"title\"?") == true)
  }

  @Test func findsTheResourcesOfThisCheckout() throws {
    let found = try #require(ThreadsiteResources.find())
    #expect(FileManager.default.fileExists(atPath: found + "/templates/strings/en.yml"))
    _ = try ThreadRenderer()
  }

  /// Version 1.1 of X's API, one response per line. The order of files and lines does not matter.
  @Test func readsSavedResponsesOfVersion1ByLine() throws {
    func line(_ id: Int, answering parent: Int?) -> String {
      let reply =
        parent.map { #", "in_reply_to_status_id_str": "\#($0)", "in_reply_to_user_id_str": "7""# } ?? ""
      return
        #"{"created_at": "Wed Jan 01 10:0\#(id):00 +0000 2020", "id_str": "\#(id)", "full_text": "Post \#(id)""#
        + #", "user": {"id_str": "7", "screen_name": "ada", "name": "Ada"}\#(reply)}"#
    }
    let lines = [line(2, answering: 1), line(1, answering: nil), line(3, answering: 2)]
    for order in [lines, lines.reversed()] {
      let threads = try PostThread.saved([("saved.jsonl", Array(order.joined(separator: "\n").utf8))])
      #expect(threads.map(\.id) == ["1"])
      #expect(threads.first?.posts.map(\.text) == ["Post 1", "Post 2", "Post 3"])
    }
  }

  @Test func savedThreadsAreOrderedByID() throws {
    let files = [30, 4, 200].map { id in
      (
        name: "\(id).json",
        bytes: Array(
          #"{"data":[{"id":"\#(id)","text":"Post","author_id":"7","conversation_id":"\#(id)","created_at":"2020-01-01T10:00:00.000Z"}],"includes":{"users":[{"id":"7","username":"ada","name":"Ada"}]}}"#
            .utf8)
      )
    }
    #expect(try PostThread.saved(files).map(\.id) == ["4", "30", "200"])
    #expect(try PostThread.saved([]).isEmpty)
  }

  @Test func escapesTextsOfAuthors() throws {
    let thread = try PostThread(
      stored: Self.stored(text: "<script>alert(1)</script> [x](javascript:alert(1)) {{title}}"),
      file: "1.json")
    let html = try ThreadRenderer(resources: Self.resources).html(of: thread)
    #expect(try BodyHTML.violations(in: html).isEmpty)
    #expect(
      try HTMLTokens(html).text().contains("<script>alert(1)</script> [x](javascript:alert(1)) {{title}}"))
  }

  @Test func rendererCanBeSharedByTasks() async throws {
    let renderer = try ThreadRenderer(resources: Self.resources)
    let threads = try (0..<8).map { try PostThread(stored: Self.stored(text: "Text \($0)"), file: "1.json") }
    let expected = try threads.map { try renderer.html(of: $0) }
    let found = try await withThrowingTaskGroup(of: (Int, String).self) { group in
      for (number, thread) in threads.enumerated() {
        group.addTask { (number, try renderer.html(of: thread)) }
      }
      return try await group.reduce(into: [Int: String]()) { $0[$1.0] = $1.1 }
    }
    #expect((0..<8).map { found[$0] } == expected)
    #expect(Set(expected).count == 8)
  }

  // MARK: Sites

  private func site(_ config: String) throws -> (folder: TemporaryFolder, site: ThreadSite) {
    let folder = try TemporaryFolder()
    try folder.write(config, to: "site.yml")
    try folder.write(
      String(decoding: Self.stored(removing: Self.second), as: UTF8.self), to: "threads/x/bo/1.json")
    return (folder, try ThreadSite(configFile: folder.path + "/site.yml", resources: Self.resources))
  }

  @Test func buildCountsWrittenFiles() throws {
    let (folder, site) = try site("title: Mine\nmedia: none\ntimezone: UTC\n")
    // Values below 1 count as 1.
    let summary = try site.build(jobs: 0)
    #expect(summary.threads == 1 && summary.posts == 3 && summary.output == folder.path + "/site")
    let files = try folder.tree("site")
    #expect(summary.pages == files.keys.count { $0.hasSuffix(".html") })
    #expect(files["index.html"] != nil)
    // The same site in another folder.
    let other = try site.build(output: folder.path + "/other", jobs: 2)
    #expect(other.output == folder.path + "/other")
    #expect(try folder.tree("other") == files)
  }

  @Test func buildReportsAllProblemsAndKeepsTheSite() throws {
    let (folder, site) = try site("title: Mine\nmedia: none\n")
    _ = try site.build()
    let before = try folder.tree("site")
    try folder.write("tilte: Mine\nmedia: nowhere\n", to: "site.yml")
    let error = try #require(throws: ThreadsiteError.self) { _ = try site.build() }
    let lines = error.description.split(separator: "\n")
    #expect(lines.contains { $0.contains("site.yml:1:1: error: ") && $0.contains("tilte") })
    #expect(lines.contains { $0.contains("site.yml:2:8: error: ") })
    #expect(try folder.tree("site") == before)
  }

  @Test func damagedThreadIsAnErrorWithItsFile() throws {
    let (folder, site) = try site("title: Mine\nmedia: none\n")
    try folder.write("{\"format\": 1,\n \"platform\": }", to: "threads/x/bo/2.json")
    let error = try #require(throws: ThreadsiteError.self) { _ = try site.build() }
    #expect(error.description.contains("threads/x/bo/2.json:2:"))
  }

  @Test func hidingAnUnknownPostIsAnErrorWithItsPlace() throws {
    let (folder, site) = try site("title: Mine\nmedia: none\n")
    #expect(try site.build().warnings.isEmpty)
    try folder.write(
      "title: Mine\nmedia: none\nthreads:\n  - url: https://x.com/bo/status/1\n    hide: [99]\n",
      to: "site.yml")
    let error = try #require(throws: ThreadsiteError.self) { _ = try site.build() }
    #expect(error.description.contains("site.yml:5:12: error: threads[0].hide[0]"))
  }

  @Test func missingConfigurationIsAnError() throws {
    let folder = try TemporaryFolder()
    let site = try ThreadSite(configFile: folder.path + "/site.yml", resources: Self.resources)
    let error = try #require(throws: ThreadsiteError.self) { _ = try site.build() }
    #expect(error.description.contains("site.yml"))
    #expect(try folder.tree().isEmpty)
  }
}
