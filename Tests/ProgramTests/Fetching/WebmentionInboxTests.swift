import Basics
import Foundation
import LoopbackServer
import TestSupport
import Testing

/// Reading the inbox of webmentions with the actual program.
@Suite(.fewAtOnce) struct WebmentionInboxTests {
  private static let page = "https://a.example/x/ada/three-things-about-clocks-1001/"
  private static let token = "inbox-token-of-this-test"

  private static func entry(_ number: Int, _ members: [String: JSONValue] = [:]) -> JSONValue {
    var entry: [String: JSONValue] = [
      "type": "entry", "wm-id": .integer(Int64(number)), "wm-source": .string("https://b.example/\(number)"),
      "wm-target": .string(page), "wm-property": "in-reply-to", "wm-private": .bool(false),
      "author": [
        "type": "card", "name": "Bo", "url": "https://b.example/", "photo": "https://b.example/bo.jpg",
      ],
      "published": "2026-01-02T03:04:05",
      "content": ["text": .string("Words \(number)"), "html": "<b>HTML</b>"],
    ]
    for (name, value) in members { entry[name] = value }
    return .object(entry)
  }

  private static func feed(_ entries: [JSONValue]) -> [UInt8] {
    JSONWriter.text(of: ["type": "feed", "children": .array(entries)]).bytes
  }

  private struct Site {
    let site: TemporarySite
    let server: LoopbackServer

    init(_ configuration: String = "  token_env: INBOX_TOKEN\n") throws {
      site = try TemporarySite("defaults")
      server = try LoopbackServer()
      try site.folder.write(
        "base_url: https://a.example/\nwebmention:\n  inbox: \(server.url("/api/mentions.jf2?domain=a.example"))\n\(configuration)media: none\n",
        to: "site.yml")
    }

    /// Serves pages with these entries; every further page is empty.
    func serve(_ pages: [[JSONValue]]) {
      server.on("/api/mentions.jf2") { request, connection in
        guard request.target.contains("token=\(token)") || !request.target.contains("token=") else {
          return try connection.answer(
            status: 401, headers: [], body: Array("{\"error\":\"forbidden\"}".utf8))
        }
        let number = request.target.firstMatch(of: /[?&]page=([0-9]+)/).flatMap { Int($0.1) } ?? 0
        try connection.answer(
          status: 200, headers: [("Content-Type", "application/json")],
          body: feed(pages.indices.contains(number) ? pages[number] : []))
      }
    }

    func run(_ arguments: String..., token: String? = WebmentionInboxTests.token) async throws
      -> Program.Outcome
    {
      var environment = ["THREADSITE_SHARE": ProjectFolders.repository.path]
      environment["INBOX_TOKEN"] = token
      let outcome = try await Program(folder: site.path, environment: environment).runAside(arguments)
      #expect(!(outcome.output + outcome.errors).contains(WebmentionInboxTests.token))
      return outcome
    }

    func stored() throws -> [JSONValue] {
      try JSONValue(parsing: [UInt8](site.folder.text("threads/webmentions.json").utf8))["webmentions"]?.array
        ?? []
    }
  }

  @Test func readsAllPages() async throws {
    let site = try Site()
    site.serve([(0..<100).map { Self.entry($0) }, (99..<120).map { Self.entry($0) }])
    // The store's threads are from a network that needs a token, so `fetch` has another failure.
    let outcome = try await site.run("fetch")
    #expect(outcome.errors.contains("120 webmentions (120 new)"), "\(outcome.errors)")
    #expect(try site.stored().count == 120)
    #expect(site.server.requests.allSatisfy { $0.target.contains("domain=a.example&per-page=100&page=") })
    let text = try site.site.folder.text("threads/webmentions.json")
    #expect(text.contains("Words 119") && text.contains("2026-01-02T03:04:05Z"))
    for part in ["HTML", "bo.jpg", Self.token] { #expect(!text.contains(part)) }
    // Webmentions that were deleted in the inbox leave the store.
    site.serve([[Self.entry(5)]])
    #expect(try await site.run("build").code == 0)
    #expect(try site.stored().count == 1)
    #expect(try site.site.page("x/ada/three-things-about-clocks-1001/index.html").contains("<p>Words 5</p>"))
  }

  @Test func hostileEntriesAreSkipped() async throws {
    let site = try Site("")
    site.serve([
      [
        Self.entry(1, ["wm-private": .bool(true)]), Self.entry(2, ["wm-private": "no"]),
        Self.entry(3, ["wm-source": "javascript:alert(1)"]), Self.entry(4, ["wm-target": ["a", "b"]]),
        Self.entry(5, ["wm-target": "https://elsewhere.example/"]), Self.entry(6, ["wm-property": "rsvp"]),
        Self.entry(7, ["wm-property": .integer(7)]), "text", .null, .array([]),
        Self.entry(
          8, ["author": "Bo", "content": .array(["x"]), "published": .integer(-1), "name": "Its name"]),
        Self.entry(
          9, ["author": ["name": "\u{202E}<script>\u{0}", "url": "javascript:x"], "content": "Plain"]),
        Self.entry(10, ["content": ["html": "<script>alert(1)</script>"]]),
      ]
    ])
    let outcome = try await site.run("build")
    #expect(
      outcome.code == 0 && outcome.errors.contains("6 entries of the inbox were skipped"), "\(outcome.errors)"
    )
    let stored = try site.stored()
    #expect(stored.compactMap { $0["source"]?.string } == ["10", "8", "9"].map { "https://b.example/\($0)" })
    #expect(stored.map { $0["text"] } == [nil, "Its name", "Plain"])
    #expect(stored.map { $0["author"] } == ["Bo", nil, "<script>"])
    #expect(stored[2]["author_url"] == nil)
  }

  @Test func unreadableInboxKeepsTheStoredWebmentions() async throws {
    let site = try Site()
    site.serve([[Self.entry(1)]])
    #expect(try await site.run("build").code == 0)
    let page = "x/ada/three-things-about-clocks-1001/index.html"
    let built = try site.site.page(page)
    let wrong = try await site.run("build", token: "another-token-of-this-test")
    #expect(wrong.code == 77 && wrong.errors.contains("refused the token"), "\(wrong.errors)")
    for (body, code) in [("<html>", Int32(69)), ("[]", 69), ("{\"children\": 1}", 69)] {
      site.server.on("/api/mentions.jf2", .text(body))
      let outcome = try await site.run("build")
      #expect(outcome.code == code, "\(body): \(outcome.code) \(outcome.errors)")
      #expect(outcome.errors.contains("site.yml:3:"), "\(outcome.errors)")
      let fetched = try await site.run("fetch")
      #expect(fetched.code != 0 && fetched.errors.contains("site.yml:3:"), "\(fetched.errors)")
    }
    #expect(try site.stored().count == 1 && site.site.page(page) == built)
    // Offline, and without the token, the build uses the store.
    let count = site.server.requests.count
    #expect(try await site.run("build", "--offline").code == 0)
    #expect(try await site.run("build", token: nil).code == 0)
    #expect(site.server.requests.count == count)
    let missing = try await site.run("fetch", token: nil)
    #expect(missing.code == 77 && missing.errors.contains("INBOX_TOKEN is not set"), "\(missing.errors)")
    let plan = try await site.run("fetch", "--dry-run")
    #expect(plan.code == 0 && plan.output.contains("Webmentions from 127.0.0.1:"), "\(plan.output)")
    #expect(site.server.requests.count == count)
  }

  @Test func endlessInboxesEnd() async throws {
    let same = try Site("")
    same.server.on("/api/mentions.jf2", .answer(body: Self.feed([Self.entry(1)])))
    #expect(try await same.run("build").code == 0)
    #expect(try same.stored().count == 1 && same.server.requests.count == 2)
    let endless = try Site("")
    endless.server.on("/api/mentions.jf2") { request, connection in
      let number = request.target.firstMatch(of: /[?&]page=([0-9]+)/).flatMap { Int($0.1) } ?? 0
      try connection.answer(
        status: 200, headers: [], body: Self.feed((0..<200).map { Self.entry(number * 200 + $0) }))
    }
    let outcome = try await endless.run("build")
    #expect(outcome.code == 65 && outcome.errors.contains("more than 20000 webmentions"), "\(outcome.errors)")
    #expect(endless.server.requests.count == 101)
    endless.server.on("/api/mentions.jf2", .redirect(to: "http://127.0.0.1:1/"))
    #expect(try await endless.run("build").code == 69)
  }

  @Test func tokenFollowsNoRedirect() async throws {
    let site = try Site()
    let other = try LoopbackServer()
    site.server.on("/api/mentions.jf2", .redirect(to: other.url("/api/mentions.jf2")))
    let outcome = try await site.run("build")
    #expect(outcome.code == 69 && other.requests.isEmpty, "\(outcome.errors)")
  }

  @Test func readsASavedResponse() async throws {
    let site = try Site("")
    try site.site.folder.write(
      "base_url: https://a.example/\nwebmention: { inbox: saved.json }\n", to: "site.yml")
    try site.site.folder.write(Data(Self.feed([Self.entry(1), Self.entry(2)])), to: "saved.json")
    #expect(try await site.run("build").code == 0)
    #expect(try site.stored().count == 2)
    try site.site.folder.remove("saved.json")
    let outcome = try await site.run("build")
    #expect(try outcome.code != 0 && site.stored().count == 2, "\(outcome.errors)")
  }
}
