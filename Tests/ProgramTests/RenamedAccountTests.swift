import Foundation
import SiteBuild
import SiteWorkspace
import TestSupport
import Testing
import ThreadModel

/// The ID identifies an account. Its handle may change, and another account may use it later.
@Suite("Accounts that changed their handles")
struct RenamedAccountTests {
  private let site: TemporarySite

  init() throws {
    site = try TemporarySite()
    try site.folder.write("title: A\n", to: "site.yml")
  }

  /// Writes an archive of an account. Each thread has two posts, the first with the given text.
  private func archive(
    _ name: String, of account: Int, handle: String, called: String, year: Int, threads: [Int: String]
  ) throws {
    func script(_ name: String, _ elements: [String]) -> String {
      "window.YTD.\(name).part0 = [ " + elements.joined(separator: ",\n") + " ]"
    }
    func post(_ id: Int, _ text: String, _ answered: String = "") -> String {
      """
      {"tweet":{"id_str":"\(id)","full_text":"\(text)",\(answered)
      "created_at":"Wed Jan 01 00:\(10 + id % 10):00 +0000 2020"}}
      """
    }
    let posts = threads.sorted { $0.key < $1.key }.flatMap { id, text in
      [
        post(id, text),
        post(
          id + 1, "and more",
          #""in_reply_to_status_id_str":"\#(id)","in_reply_to_user_id_str":"\#(account)","#),
      ]
    }
    try site.folder.write(script("tweets", posts), to: "\(name)/data/tweets.js")
    try site.folder.write(
      script(
        "account",
        [
          #"{"account":{"username":"\#(handle)","accountId":"\#(account)","accountDisplayName":"\#(called)"}}"#
        ]),
      to: "\(name)/data/account.js")
    try site.folder.write(
      #"window.__THAR_CONFIG = {"archiveInfo":{"generationDate":"\#(year)-01-01T00:00:00.000Z"}}"#,
      to: "\(name)/data/manifest.js")
  }

  private func run(_ arguments: String...) throws {
    let program = Program(
      folder: site.path, environment: ["THREADSITE_SHARE": ProjectFolders.repository.path])
    let outcome = try program.run(arguments)
    try #require(outcome.code == 0, "\(arguments): \(outcome.errors)")
  }

  private func files(_ suffix: String) throws -> [String: String] {
    try site.tree().filter { $0.key.hasSuffix(suffix) }.mapValues { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: [["older", "newer"], ["newer", "older"]])
  func renamedAccountIsOneAuthor(order: [String]) throws {
    try archive(
      "older", of: 7, handle: "ada_once", called: "Ada Once", year: 2021,
      threads: [101: "Of looms and numbers"])
    try archive(
      "newer", of: 7, handle: "ada_now", called: "Ada Now", year: 2024,
      threads: [101: "Of looms and numbers", 201: "Of engines and cards"])
    for name in order { try run("import", name) }
    try site.folder.write("title: A\nbase_url: https://a.example/\n", to: "site.yml")
    try run("build", "--offline")

    // Both threads are on one page. Its URL depends on which archive came first.
    let pages = try files("index.html")
    let places = ["x/ada_now/index.html", "x/ada_once/index.html"]
    let page = try #require(
      places.compactMap { pages[$0] }.first { !$0.contains("http-equiv=\"refresh\"") })
    #expect(page.contains("Of looms and numbers") && page.contains("Of engines and cards"))
    #expect(page.contains("Ada Now") && page.contains("@ada_now"))
    if order[0] == "older" {
      let moved = try #require(pages["x/ada_once/index.html"])
      #expect(moved.contains(#"<meta http-equiv="refresh" content="0; url=../../x/ada_now/">"#))
      #expect(moved.contains(#"<link rel="canonical" href="https://a.example/x/ada_now/">"#))
      #expect(!moved.contains("Of looms and numbers"))
    }
    let list = try #require(pages["authors/index.html"])
    #expect(list.components(separatedBy: "Ada Now").count == 2, "the author is not listed exactly once")
    // No byline, feed or search record has a former name.
    for (name, data) in try site.tree() {
      let text = String(decoding: data, as: UTF8.self)
      #expect(!text.contains("Ada Once") && !text.contains("@ada_once"), "\(name)")
    }
    for feed in ["feed.xml", "feed.json"] {
      if let text = try files(feed)[feed] { #expect(text.contains("Ada Now"), "\(feed)") }
    }

    // The account's URL finds its threads with any of its handles. A handle that was replaced before any
    // thread was saved under it is unknown.
    for handle in order[0] == "older" ? ["ada_once", "ADA_now"] : ["ADA_now"] {
      try site.folder.write(
        "title: A\nsources:\n  - account: https://x.com/\(handle)\n    replies: true\n", to: "site.yml")
      #expect(try site.build().threads == 2)
    }
    try site.folder.write("title: A\nsources:\n  - account: https://x.com/ada\n", to: "site.yml")
    #expect(throws: PipelineError.self) { try site.build() }
  }

  @Test(arguments: [["first", "second"], ["second", "first"]])
  func handleOfTwoAccountsIsTwoAuthors(order: [String]) throws {
    try archive("first", of: 7, handle: "ada", called: "Ada One", year: 2021, threads: [101: "Of looms"])
    try archive("second", of: 8, handle: "ada", called: "Ada Two", year: 2024, threads: [201: "Of engines"])
    for name in order { try run("import", name) }
    try site.folder.write("title: A\n", to: "site.yml")
    try run("build", "--offline")
    let authors = try files("index.html").filter {
      $0.key.hasPrefix("x/") && $0.key.split(separator: "/").count == 3
    }
    #expect(authors.count == 2, "\(authors.keys.sorted())")
    for (name, text) in [("Ada One", "Of looms"), ("Ada Two", "Of engines")] {
      let own = authors.filter { $0.value.contains(name) }
      #expect(own.count == 1 && own.allSatisfy { $0.value.contains(text) }, "\(own.keys.sorted())")
    }
  }

  /// Threads of both may be in one folder, as in stores written by hand.
  @Test func twoAuthorsInOneFolderHaveAPageEach() throws {
    for (number, name, seen) in [(7, "Ada One", 1), (8, "Ada Two", 2)] {
      let author = AuthorID("\(number)", on: .x)
      let file = """
        {"format":1,"platform":"x","id":"\(number)01","author_id":"\(author.value)",
        "authors":[{"id":"\(number)","handle":"ada","name":"\(name)","observed_at":"2024-01-0\(seen)T00:00:00Z"}],
        "posts":[{"id":"\(number)01","author_id":"\(number)","text":"Of looms \(number)"}]}
        """
      try site.folder.write(file, to: "threads/x/ada/\(number)01.json")
    }
    try site.build()
    let pages = try files("index.html")
    #expect(pages["x/ada/index.html"]?.contains("Of looms 8") == true)
    #expect(pages["x/ada-7/index.html"]?.contains("Of looms 7") == true)
    #expect(pages["x/ada-7/index.html"]?.contains("Of looms 8") == false)
  }
}
