import Basics
import Foundation
import TestSupport
import Testing
import ThreadModel

/// The program imports saved events of Nostr.
@Suite struct NostrImportTests {
  private let site: TemporarySite

  init() throws {
    site = try TemporarySite()
    try site.folder.write("title: Saved\nmedia: none\n", to: "site.yml")
    for name in ["thread", "kinds", "forged"] {
      let file = ProjectFolders.repository.appending(path: "Tests/NostrNetworkTests/Fixtures/\(name).jsonl")
      try site.folder.write(try Data(contentsOf: file), to: "saved/\(name).jsonl")
    }
  }

  private func run(_ arguments: String...) throws -> Program.Outcome {
    try Program(folder: site.path, environment: ["THREADSITE_SHARE": ProjectFolders.repository.path])
      .run(arguments)
  }

  private func store() throws -> [String: Data] {
    try site.folder.tree("threads").filter { $0.key.hasPrefix("nostr/") }
  }

  private func pages() throws -> [String] {
    try site.tree().filter { $0.key.hasSuffix("index.html") }.values.map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  /// Returns the first event of the thread that contains the words.
  private func object(_ words: String) throws -> JSONObject {
    let file = ProjectFolders.repository.appending(path: "Tests/NostrNetworkTests/Fixtures/thread.jsonl")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    let line = try #require(lines.first { $0.contains(words) })
    return try #require(try JSONValue(parsing: Array(line.utf8)).object)
  }

  @Test func importedThreadIsBuilt() throws {
    let imported = try run("import", "--min-posts", "2", "saved/thread.jsonl")
    #expect(imported.code == 0, "\(imported.errors)")
    #expect(try store().count == 1)
    let built = try run("build")
    #expect(built.code == 0, "\(built.errors)")
    let page = try #require(try pages().first { $0.contains("Tide 37.") })
    // The description and the outline of the page repeat some posts.
    let places = (0..<38).map { page.range(of: "Tide \($0).", options: .backwards)?.lowerBound }
    #expect(
      places.allSatisfy { $0 != nil } && places.compactMap(\.self) == places.compactMap(\.self).sorted())
    #expect(page.contains("The moon is 384,400 km away.") && page.contains("https://njump.me/nevent1"))
    #expect(try site.tree().allSatisfy { !String(decoding: $0.value, as: UTF8.self).contains("Tide 38.") })
  }

  @Test func articlesPicturesAndPollsAreBuilt() throws {
    #expect(try run("import", "saved/kinds.jsonl").code == 0)
    let built = try run("build")
    #expect(built.code == 0, "\(built.errors)")
    let pages = try pages()
    #expect(pages.contains { $0.contains("On tides") && $0.contains("Newton") })
    #expect(pages.contains { $0.contains("High or low?") })
  }

  @Test func anotherImportChangesNothing() throws {
    #expect(try run("import", "saved/thread.jsonl", "saved/kinds.jsonl").code == 0)
    let stored = try store()
    #expect(try run("import", "saved/kinds.jsonl", "saved/thread.jsonl").code == 0)
    #expect(try store() == stored)
  }

  @Test func forgedEventsAreReported() throws {
    let outcome = try run("import", "saved/forged.jsonl")
    #expect(outcome.code == 0 && outcome.errors.contains("9 events rejected, 8 of them forged (line 2:"))
    #expect(try store().values.allSatisfy { !String(decoding: $0, as: UTF8.self).contains("Changed") })
  }

  /// Entries of site.yml name posts by URIs, by URLs of viewers, or by the ids of events.
  @Test func entriesNameThreadsByURL() throws {
    #expect(try run("import", "saved/thread.jsonl").code == 0)
    let url = try #require(
      try store().values.compactMap {
        try JSONValue(parsing: Array($0))["posts"]?.array?.first { $0["text"] == "Tide 0." }?["url"]?.string
      }.first)
    let reference = url.dropFirst("https://njump.me/".count)
    let titled = try run("title", "https://primal.net/e/\(reference)", "On the sea")
    #expect(titled.code == 0, "\(titled.errors)")
    let hidden = try run("hide", "nostr:\(reference)")
    #expect(hidden.code == 0, "\(hidden.errors)")
    let built = try run("build")
    #expect(built.code == 0, "\(built.errors)")
    #expect(
      try pages().contains { $0.contains("On the sea") && $0.contains("Tide 1.") && !$0.contains("Tide 0.") })
  }

  @Test func accountsAreLeftOut() throws {
    #expect(try run("import", "saved/thread.jsonl").code == 0)
    let bob = try #require(
      try store().values.compactMap {
        try JSONValue(parsing: Array($0))["authors"]?.array?.first { $0["name"] == "Bob Rivers" }?["handle"]?
          .string
      }.first)
    #expect(bob.hasPrefix("npub1"))
    try site.folder.remove("threads")
    try site.folder.write("title: Saved\nmedia: none\nleave_out:\n  - \(bob)\n", to: "site.yml")
    let imported = try run("import", "saved/thread.jsonl")
    #expect(imported.code == 0, "\(imported.errors)")
    let key = try object("River 1?")["pubkey"]?.string ?? "?"
    for (path, data) in try store() {
      let text = String(decoding: data, as: UTF8.self)
      for word in ["River 1?", "Bob Rivers", bob, key] {
        #expect(!text.contains(word) && !path.contains(word))
      }
    }
  }
}
