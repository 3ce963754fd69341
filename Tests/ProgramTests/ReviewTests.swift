import Foundation
import TestSupport
import Testing

/// The review finds personal data in invented texts and ignores numbers that only look like personal data.
@Suite struct ReviewTests {
  /// The findings of the review of a site with a thread of one post.
  private func review(_ text: String, change: (inout [String: Any]) -> Void = { _ in }) throws -> [[String:
    String]]
  {
    let site = try TemporarySite()
    try site.folder.write("title: A\n", to: "site.yml")
    var conversation: [String: Any] = [
      "format": 1, "platform": "x", "id": "1000", "author_id": "7",
      "authors": [["id": "7", "handle": "ada", "name": "Ada"]],
      "posts": [["id": "1000", "author_id": "7", "text": text, "created_at": "2024-01-02T03:04:05Z"]],
    ]
    change(&conversation)
    let data = try JSONSerialization.data(withJSONObject: conversation)
    try site.folder.write(String(decoding: data, as: UTF8.self), to: "threads/x/ada/1000.json")
    let program = Program(
      folder: site.path, environment: ["THREADSITE_SHARE": ProjectFolders.repository.path])
    let outcome = try program.run(["review", "--json"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    return try #require(json["findings"] as? [[String: String]])
  }

  @Test(arguments: [
    ("Write to ada.lovelace+x@example.co.uk.", ["email"]), ("mail: ä@exämple.org", ["email"]),
    ("Call me: 030 1234567", ["phone"]), ("+49 (30) 123-45 67", ["phone"]),
    ("私の電話は 0312345678 です", ["phone"]),
    // Examples of the standard.
    ("GB29 NWBK 6016 1331 9268 19 is mine", ["account"]), ("DE89370400440532013000", ["account"]),
    ("4111 1111 1111 1111", ["card"]), ("3782 822463 10005", ["card"]),
    ("I am at 59.8586, 17.6389 now", ["coordinates"]),
    ("ghp_abcdefghijklmnopqrstuvwxyz0123456789", ["token"]),
    ("a@example.org and b@example.org, +4930123456", ["email", "email", "phone"]),
    // Texts without findings.
    ("@ada@social.example wrote to @bob", []), ("1346889436626259968", []), ("4111 1111 1111 1112", []),
    ("GB29 NWBK 6016 1331 9268 18", []), ("In 2024, 030 1234567 people", []), ("3.14159 and 2.71828", []),
    ("x@y, 12:30, 1,000,000, 99.99, 192.168.0.1", []), ("at 100.1234, 20.1234", []), ("", []),
  ])
  func findsPersonalDataInTexts(_ text: String, _ kinds: [String]) throws {
    let found = try review(text)
    #expect(
      found.compactMap { $0["kind"] }.sorted() == kinds.sorted(),
      "\(found)")
    for finding in found {
      #expect(
        finding["remedy"]?.hasPrefix("threadsite hide https://x.com/i/status/1000 --in x/ada/1000.json")
          == true)
      #expect(
        !text.contains(finding["message"]?.components(separatedBy: ": ").last ?? "?"),
        "the finding is not masked")
    }
  }

  @Test func remembersAcceptedFindings() throws {
    let site = try TemporarySite()
    try site.folder.write("title: A\n", to: "site.yml")
    for id in 1000...1004 {
      try site.folder.write(
        """
        {"format":1,"platform":"x","id":"\(id)","author_id":"7","authors":[{"id":"7","handle":"ada","name":"Ada"},
        {"id":"8","handle":"bo","name":"Bo"}],"posts":[{"id":"\(id)","author_id":"7","text":"Mail a\(id)@example.org",
        "quotes":"9\(id)","created_at":"2024-01-02T03:04:05Z"}],"related":[{"id":"9\(id)","author_id":"8",
        "text":"Quoted","created_at":"2024-01-01T03:04:05Z"}]}
        """, to: "threads/x/ada/\(id).json")
    }
    let program = Program(
      folder: site.path, environment: ["THREADSITE_SHARE": ProjectFolders.repository.path])
    func findings(_ options: [String] = []) throws -> [String: Int] {
      let json = try JSONSerialization.jsonObject(
        with: Data(try program.run(["review", "--json"] + options).output.utf8))
      let found = try #require((json as? [String: Any])?["findings"] as? [[String: String]])
      return Dictionary(grouping: found) { $0["kind"] ?? "" }.mapValues(\.count)
    }
    #expect(try findings() == ["email": 5, "others": 5])
    let shown = try program.run(["review"]).output
    #expect(
      shown.contains("others: 5 of 5 threads show posts by other people") && !shown.contains("  others:"))
    #expect(try findings(["--kind", "others"]) == ["others": 5])
    #expect(
      try program.run(["review", "--accept", "--kind", "others"]).errors.contains("5 findings in 5 threads"))
    #expect(try findings() == ["email": 5])
    #expect(try findings(["--all"]) == ["email": 5, "others": 5])
    // The record names nobody.
    let record = try site.folder.text("threads/reviewed.json")
    #expect(!record.contains("example") && !record.contains("1000"))
    #expect(try program.run(["build"]).code == 0)
    #expect(try program.run(["review", "--accept", "--undo", "--kind", "others"]).code == 0)
    #expect(try findings() == ["email": 5, "others": 5])
    #expect(!site.folder.exists("threads/reviewed.json"))
    #expect(try program.run(["review", "--undo"]).code == 64)
  }

  @Test func searchesAllTextsOfAPost() throws {
    let found = try review("Hello") { conversation in
      var posts = conversation["posts"] as? [[String: Any]] ?? []
      posts[0]["title"] = "a@example.org"
      posts[0]["content_warning"] = "b@example.org"
      posts[0]["card"] = ["url": "https://example.org", "title": "c@example.org", "summary": "d@example.org"]
      posts[0]["media"] = [
        ["id": "1", "kind": "photo", "url": "https://example.org/1.png", "alt_text": "e@example.org"]
      ]
      posts[0]["poll"] = ["options": [["label": "f@example.org", "votes": 1], ["label": "No", "votes": 2]]]
      conversation["posts"] = posts
    }
    #expect(found.compactMap { $0["kind"] } == Array(repeating: "email", count: 6), "\(found)")
  }

  /// Links and mentions marked by networks are not searched.
  @Test func ignoresLinksAndMentions() throws {
    let text = "see https://example.org/a@example.org"
    let found = try review(text) { conversation in
      var posts = conversation["posts"] as? [[String: Any]] ?? []
      posts[0]["entities"] = [
        ["type": "link", "start": 4, "end": text.count, "url": "https://example.org/a@example.org"]
      ]
      conversation["posts"] = posts
    }
    #expect(found.isEmpty)
  }

  @Test func listsPeople() throws {
    let found = try review("Hello") { conversation in
      conversation["authors"] = [
        ["id": "7", "handle": "ada", "location": "Uppsala"], ["id": "8", "handle": "bob", "protected": true],
      ]
      conversation["posts"] = [
        [
          "id": "1000", "author_id": "7", "text": "Hello", "quotes": "900",
          "removal": ["reason": "deleted", "observed_at": "2025-01-01T00:00:00Z"],
        ]
      ]
      conversation["related"] = [["id": "900", "author_id": "8", "text": "Only for friends"]]
    }
    #expect(
      Set(found.compactMap { $0["kind"] }).isSuperset(of: ["location", "protected", "others", "gone"]),
      "\(found)")
  }

  @Test func suggestsACommandForATypingError() throws {
    let site = try TemporarySite("defaults")
    let program = Program(
      folder: site.path, environment: ["THREADSITE_SHARE": ProjectFolders.repository.path])
    let outcome = try program.run(["biuld"])
    #expect(outcome.code == 64 && outcome.output.isEmpty)
    #expect(
      outcome.errors.hasPrefix(
        "error: unknown command \"biuld\"; did you mean \"build\"?\nCommands: "))
    #expect(try program.run(["help"]).code == 0)
    #expect(try program.run(["--version"]).code == 0)
    // A template without a component, and the template that another one includes.
    try site.folder.write("Votes", to: "templates/pol.mustache")
    try site.folder.write("{{> pool}}", to: "templates/polls.mustache")
    try site.folder.write("", to: "templates/pool.mustache")
    let built = try program.run(["build"])
    #expect(built.code == 0)
    #expect(
      built.errors.contains("templates/pol.mustache: warning: no component has this name"), "\(built.errors)")
    #expect(built.errors.contains("did you mean \"poll\"?") && !built.errors.contains("pool.mustache"))
    #expect(
      built.errors.components(separatedBy: "base_url is not set").count == 2, "not printed exactly once")
  }
}
