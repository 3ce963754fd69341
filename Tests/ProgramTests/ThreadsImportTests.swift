import Basics
import Foundation
import TestSupport
import Testing
import ThreadModel

/// The program imports saved responses of the Threads API, also together with those of X.
@Suite struct ThreadsImportTests {
  private let site: TemporarySite

  init() throws {
    site = try TemporarySite()
    try site.folder.write("title: Saved\nmedia: none\n", to: "site.yml")
  }

  private func run(_ arguments: String...) throws -> Program.Outcome {
    try Program(folder: site.path, environment: ["THREADSITE_SHARE": ProjectFolders.repository.path])
      .run(arguments)
  }

  private static func post(_ number: Int, by name: String = "ada", _ text: String, answers: Int? = nil)
    -> JSONValue
  {
    var members: JSONObject = [
      "id": .string("1790000000000\(number)"), "media_type": "TEXT_POST", "username": .string(name),
      "text": .string(text), "shortcode": .string("C\(number)"), "is_quote_post": false,
      "timestamp": .string("2026-04-14T09:\(number % 60 < 10 ? "0" : "")\(number % 60):00+0000"),
      "permalink": .string("https://www.threads.com/@\(name)/post/C\(number)"),
    ]
    if let answers {
      members["replied_to"] = ["id": .string("1790000000000\(answers)")]
      members["root_post"] = ["id": "17900000000001001"]
      members["is_reply"] = true
    }
    return .object(members)
  }

  private static let words = [
    "Tides are slow", "They follow the moon", "They follow the sun", "Harbors delay them",
  ]

  /// Writes the responses as files in `saved`.
  private func save() throws {
    let posts = Self.words.enumerated().map { number, text in
      Self.post(1001 + number, text, answers: number == 0 ? nil : 1000 + number)
    }
    let hidden: JSONValue = .object(
      (Self.post(1009, by: "dora", "Rude words", answers: 1001).object ?? [:]).merging([
        "hide_status": "HIDDEN"
      ]) { $1 })
    let repost: JSONValue = ["id": "17900000000001010", "media_type": "REPOST_FACADE", "username": "ada"]
    let files: [JSONValue] = [
      ["data": [posts[0], repost]], ["data": .array(Array(posts[2...].reversed())), "paging": [:]],
      ["data": [posts[1], hidden, Self.post(1020, by: "carl", "And rivers?", answers: 1004)]],
      [
        "data": [["id": "10", "author_id": "1", "conversation_id": "10", "text": "The loom counts threads"]],
        "includes": ["users": [["id": "1", "username": "ada", "name": "Ada"]]],
      ],
    ]
    for (number, file) in files.enumerated() {
      try site.folder.write(JSONWriter.text(of: file).string, to: "saved/\(number).json")
    }
  }

  private func store() throws -> [String: Data] {
    try site.folder.tree("threads").filter {
      $0.key.hasSuffix("/17900000000001001.json") || $0.key.hasPrefix("x/")
    }
  }

  @Test func importedThreadIsBuilt() throws {
    try save()
    let imported = try run("import", "saved")
    #expect(imported.code == 0, "\(imported.errors)")
    #expect(try store().keys.sorted() == ["threads/ada/17900000000001001.json", "x/ada/10.json"])
    let built = try run("build")
    #expect(built.code == 0, "\(built.errors)")
    let path = try #require(
      try site.tree().keys.first {
        $0.hasSuffix("17900000000001001/index.html") || $0.hasSuffix("-17900000000001001/index.html")
      })
    let page = try site.page(path)
    let places = Self.words.map { page.firstRange(of: $0)?.lowerBound }
    #expect(places.allSatisfy { $0 != nil })
    #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted())
    #expect(page.contains("https://www.threads.com/@ada/post/C1001"))
    #expect(try site.tree().allSatisfy { !String(decoding: $0.value, as: UTF8.self).contains("Rude words") })
  }

  @Test func orderOfTheFilesMakesNoDifference() throws {
    try save()
    #expect(try run("import", "saved").code == 0)
    let whole = try store()
    var random = SeededRandom()
    for _ in 0..<TestDepth.cases(fast: 2, deep: 20) {
      try site.folder.remove("threads")
      for number in (0..<4).shuffled(using: &random) {
        #expect(try run("import", "saved/\(number).json").code == 0)
      }
      #expect(try store() == whole, "THREADSITE_SEED=\(SeededRandom.seedOfRun)")
    }
  }

  /// Entries of site.yml name posts by URLs, which have no ids of the API.
  @Test func entriesNameThreadsByURL() throws {
    try save()
    #expect(try run("import", "saved").code == 0)
    let titled = try run("title", "https://www.threads.net/@ada/post/C1002", "On tides")
    #expect(titled.code == 0, "\(titled.errors)")
    let hidden = try run("hide", "https://www.threads.com/@ada/post/C1004")
    #expect(hidden.code == 0, "\(hidden.errors)")
    let built = try run("build")
    #expect(built.code == 0, "\(built.errors)")
    let pages = try site.tree().filter { $0.key.hasSuffix("index.html") }.values.map {
      String(decoding: $0, as: UTF8.self)
    }
    #expect(pages.contains { $0.contains("On tides") })
    #expect(!pages.contains { $0.contains("Harbors delay them") })
  }

  @Test func threadsAreNotFetched() throws {
    let url = "https://www.threads.com/@ada/post/C1001"
    let added = try run("add", url)
    #expect(added.code == 65 && added.errors.contains("cannot fetch threads from Threads"), "\(added.errors)")
    #expect(added.errors.contains("save responses of the Threads API"), "\(added.errors)")
    try site.folder.write("title: Saved\nmedia: none\nsources:\n  - \(url)\n", to: "site.yml")
    let built = try run("build", "--offline")
    #expect(built.code == 65 && built.errors.contains("save responses of the Threads API"), "\(built.errors)")
    try save()
    // Not the thread on X, which a fetch would look up.
    #expect(try run("import", "saved/0.json", "saved/1.json", "saved/2.json").code == 0)
    let fetched = try run("fetch")
    #expect(fetched.code == 0, "\(fetched.errors)")
    #expect(try run("build", "--offline").code == 0)
  }

  @Test func instagramExportIsRejected() throws {
    let posts =
      #"{"text_post_app_text_posts":[{"media":[],"title":"Tides","creation_timestamp":1776157200}]}"#
    let entry = ZipWriter.Entry("your_instagram_activity/threads/threads_and_replies.json", posts)
    try site.folder.write(Data(ZipWriter.zip([entry])), to: "instagram-ada.zip")
    let outcome = try run("import", "instagram-ada.zip")
    #expect(outcome.code == 65 && outcome.errors.contains("this is an Instagram export"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("X archive"), "\(outcome.errors)")
  }

  @Test func errorsOfTheAPIAreReported() throws {
    try site.folder.write(
      #"{"error":{"message":"Invalid OAuth access token","type":"OAuthException","code":190,"fbtrace_id":"A"}}"#,
      to: "saved.json")
    let outcome = try run("import", "saved.json")
    #expect(outcome.code == 65, "\(outcome.errors)")
    #expect(outcome.errors.contains("Threads returned an error and no posts: Invalid OAuth access token"))
  }
}
