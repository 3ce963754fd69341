import Foundation
import TestSupport
import Testing
import ThreadsiteKit

/// The examples of docs/reference/library.md compile and run.
@Suite struct LibraryExamplesTests {
  private let resources = ProjectFolders.repository.path

  private let stored = """
    {"author_id": "12", "authors": [{"handle": "ada", "id": "12", "name": "Ada"}], "format": 1, "id": "1500", "platform": "x",
     "posts": [{"author_id": "12", "created_at": "2022-05-05T12:00:00Z", "id": "1500", "text": "One", "url": "https://x.com/ada/status/1500",
                "media": [{"alt_text": "A boat", "id": "m1", "kind": "photo", "url": "https://media.example/one.jpg"}],
                "poll": {"options": [{"label": "Yes", "votes": 3}, {"label": "No", "votes": 1}], "status": "closed"}},
               {"author_id": "12", "created_at": "2022-05-05T12:01:00Z", "id": "1501", "in_reply_to": "1500", "text": "Two"}],
     "provenance": [{"source": "x-api"}]}
    """

  private func site() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(stored, to: "threads/x/ada/1500.json")
    try folder.write("title: Threads\n", to: "site.yml")
    return folder
  }

  @Test func readsAStoredThread() throws {
    let site = try site()
    let folder = site.path
    // example
    let file = "threads/x/ada/1500.json"
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: folder + "/" + file)))
    let thread = try PostThread(stored: bytes, file: file)
    print(thread.authorName ?? "somebody", "on", thread.platform)
    for post in thread.posts { print(post.text) }
    if !thread.isWhole { print("Posts are or may be missing.") }
    // end
    #expect(thread.authorName == "Ada" && thread.posts.map(\.text) == ["One", "Two"])
  }

  @Test func listsAStore() throws {
    let site = try site()
    let folder = site.path
    // example
    let store = try PostThreadStore(folder: folder + "/threads")
    for entry in try store.index() where entry.platform == "x" {
      let thread = try store.thread(entry)
      print(entry.id, thread.url ?? "", thread.tags)
    }
    // end
    #expect(try store.index().map(\.id) == ["x/ada/1500.json"])
    #expect(try store.threads().map(\.url) == ["https://x.com/ada/status/1500"])
  }

  @Test func readsMediaPollsAndQuotes() throws {
    let thread = try PostThread(stored: Array(stored.utf8), file: "1500.json")
    // example
    for post in thread.posts {
      for media in post.media { print(media.kind, media.url ?? "", media.altText ?? "no description") }
      for option in post.poll?.options ?? [] { print(option.label, option.votes ?? 0) }
      switch post.quote {
      case .post(let quoted, let handle, _): print(handle ?? "somebody", quoted.text)
      case .missing(_, let reason): print("not available:", reason)
      case nil: break
      }
    }
    // end
    #expect(thread.posts[0].media.first?.altText == "A boat" && thread.posts[0].poll?.totalVotes == 4)
  }

  @Test func readsSavedResponses() throws {
    func response(_ id: String, _ reply: String) -> [UInt8] {
      Array(
        """
        {"data": [{"id": "\(id)", "text": "Post \(id)", "author_id": "9", "conversation_id": "1",
        "created_at": "2022-03-05T07:00:0\(id).000Z"\(reply)}], "includes": {"users": [{"id": "9", "name": "Bea", "username": "bea"}]}}
        """.utf8)
    }
    let search = response("1", "")
    let lookup = response(
      "2",
      #", "in_reply_to_user_id": "9", "referenced_tweets": [{"type": "replied_to", "id": "1"}]"#)
    // example
    let threads = try PostThread.saved([("search.json", search), ("lookup.json", lookup)])
    print(threads.map(\.posts.count))
    // end
    #expect(threads.map(\.posts.count) == [2])
  }

  @Test func rendersAThread() throws {
    let thread = try PostThread(stored: Array(stored.utf8), file: "1500.json")
    // example
    let renderer = try ThreadRenderer(resources: resources, language: "en")
    let title = renderer.title(of: thread)
    let markdown = try renderer.markdown(of: thread)
    let html = try renderer.html(of: thread)
    // end
    #expect(title == "One" && markdown.contains("Two") && markdown.hasPrefix("---\n") && html.contains("Two"))
  }

  @Test func buildsASite() throws {
    let temporary = try site()
    let folder = temporary.path
    // example
    let site = try ThreadSite(configFile: folder + "/site.yml", resources: resources)
    let summary = try site.build(jobs: 4)
    print("\(summary.threads) threads on \(summary.pages) pages in \(summary.output)")
    for warning in summary.warnings { print(warning) }
    // end
    #expect(summary.threads == 1 && temporary.exists("site/index.html"))
  }

  @Test func reportsErrors() throws {
    // example
    do {
      _ = try PostThread(stored: Array("{}".utf8), file: "1500.json")
    } catch {
      for problem in error.problems { print(problem.file ?? "", problem.line ?? 0, problem.message) }
      if error.kind == .file { print("A file cannot be read.") }
    }
    // end
    let error = #expect(throws: ThreadsiteError.self) {
      try PostThread(stored: Array("{}".utf8), file: "1500.json")
    }
    #expect(error?.description.contains("1500.json") == true)
  }

  /// Every example of the page is one of the examples above.
  @Test func pageHasTheseExamples() throws {
    let page = try String(
      contentsOf: ProjectFolders.repository.appending(path: "docs/reference/library.md"), encoding: .utf8)
    let tests = try String(
      contentsOf: ProjectFolders.repository.appending(
        path: "Tests/ThreadsiteKitTests/LibraryExamplesTests.swift"), encoding: .utf8)
    let compiled = tests.matches(of: /(?m)^    \/\/ example\n((?s).*?)^    \/\/ end\n/).map { match in
      match.1.components(separatedBy: "\n").map { String($0.dropFirst(4)) }.joined(separator: "\n")
    }
    let shown = page.matches(of: /```swift\n((?s).*?)```/).map { String($0.1) }
    #expect(shown.count == 7 && shown == compiled)
  }
}
