import Foundation
import TestSupport
import Testing
import ThreadModel
import ThreadStore

/// `--keep-going` builds the site without the threads that fail. The result does not claim to be complete.
@Suite struct KeepGoingTests {
  private static let share = ["THREADSITE_SHARE": ProjectFolders.repository.path]

  private func build(_ site: TemporarySite, _ arguments: String...) throws -> Program.Outcome {
    try Program(folder: site.path, environment: Self.share).run(["build", "--offline"] + arguments)
  }

  private func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  static let faults: [(name: String, break: @Sendable (TemporarySite) throws -> Void, message: String)] = [
    ("damaged", { try $0.folder.write("{", to: "threads/x/bo/2001.json") }, "2001.json:1:2: error: "),
    (
      "a newer format",
      { try $0.folder.write("{\"format\":999,\"platform\":\"x\"}", to: "threads/x/bo/2001.json") },
      "written by a newer threadsite"
    ),
    (
      "a pipe",
      {
        try $0.folder.remove("threads/x/bo/2001.json")
        try #require(mkfifo($0.path + "/threads/x/bo/2001.json", 0o600) == 0)
      }, "it is not a regular file"
    ),
    (
      "a link",
      {
        try FileManager.default.moveItem(
          atPath: $0.path + "/threads/x/bo/2001.json", toPath: $0.path + "/moved.json")
        try FileManager.default.createSymbolicLink(
          atPath: $0.path + "/threads/x/bo/2001.json", withDestinationPath: $0.path + "/moved.json")
      }, "does not follow symbolic links"
    ),
    (
      "too large a file",
      {
        let handle = try FileHandle(forWritingTo: URL(filePath: $0.path + "/threads/x/bo/2001.json"))
        try handle.truncate(atOffset: UInt64(ThreadStore.maximumFileSize) + 1)
        try handle.close()
      }, "are more than the"
    ),
    (
      "a picture that is none", { try $0.folder.write("<svg/>", to: "threads/media/two.png") },
      "two.png: error: "
    ),
    ("a picture that is gone", { try $0.folder.remove("threads/media/two.png") }, "two.png: error: "),
  ]

  /// The site of a store without the faulty thread.
  private static let siteWithoutThread = Result {
    let site = try TemporarySite("defaults")
    try site.folder.remove("threads/x/bo/2001.json")
    try site.build()
    return try site.tree()
  }

  /// The built site of a store without faults: the files of its folder by their paths.
  private static let builtSite = Result {
    let site = try TemporarySite("defaults")
    try site.build()
    try site.publish()
    return try site.folder.tree()
  }

  @Test(arguments: faults.indices)
  func buildsTheOtherThreads(index: Int) throws {
    let fault = Self.faults[index]
    let site = try TemporarySite(files: Self.builtSite.get())
    try fault.break(site)
    let refused = try build(site)
    #expect(refused.code == 65, "\(fault.name): \(refused.errors)")
    #expect(refused.errors.contains(fault.message), "\(refused.errors)")
    #expect(refused.errors.contains("--keep-going"), "\(refused.errors)")
    #expect(site.folder.exists("site/x/bo"))

    let outcome = try build(site, "--keep-going", "--json")
    #expect(outcome.code == 65)
    #expect(outcome.errors.contains(fault.message), "\(outcome.errors)")
    #expect(outcome.errors.contains("1 thread (x/bo/2001.json)"), "\(outcome.errors)")
    let left = try #require(object(outcome.output)["left_out"] as? [[String: Any]])
    #expect(left.count == 1 && left[0]["thread"] as? String == "x/bo/2001.json")
    let (one, two) = (try site.tree(), try Self.siteWithoutThread.get())
    #expect(one.keys.sorted() == two.keys.sorted())
    for (file, data) in one where two[file] != data { Issue.record("\(file) differs") }
    // Its URL stays reserved.
    #expect(try site.folder.text("threads/permalinks.json").contains("x/bo/2001"))
    #expect(try !site.folder.tree().keys.contains { $0.contains(".staging") })
  }

  /// A thread with too much Markdown to render. Links of other threads to its page would be broken.
  @Test func skipsAThreadThatIsTooLong() throws {
    let site = try TemporarySite("defaults")
    let author = AuthorID("11", on: .x)
    var long = Conversation(id: PostID("900", on: .x), authorID: author)
    long.authors = [Author(id: author, handle: "ada", name: "Ada")]
    long.posts = (0..<18).map { number in
      var post = Post(
        id: PostID("\(900 + number)", on: .x), authorID: author,
        text: InlineText(String(repeating: "a few words of a post that never ends, ", count: 25_000)))
      post.conversationID = long.id
      if number > 0 { post.inReplyTo = PostID("\(899 + number)", on: .x) }
      return post
    }
    try site.save(long)
    var other = Conversation(id: PostID("990", on: .x), authorID: author)
    other.authors = long.authors
    var post = Post(
      id: other.id, authorID: author,
      text: InlineText(
        "this",
        entities: [TextEntity(0..<4, .link(url: "https://x.com/ada/status/900", short: nil))]))
    post.conversationID = other.id
    other.posts = [post]
    try site.save(other)
    let refused = try build(site)
    #expect(refused.code == 65, "\(refused.errors)")
    #expect(
      refused.errors.contains("threads/x/ada/900.json: error: the thread is too long for a page"),
      "\(refused.errors)")
    #expect(refused.errors.contains("--keep-going"))
    #expect(!site.folder.exists("site"))
    let outcome = try build(site, "--keep-going")
    #expect(outcome.code == 65)
    let page = try site.tree().first { $0.key.hasSuffix("990/index.html") }
    #expect(
      String(decoding: try #require(page).value, as: UTF8.self).contains("https://x.com/ada/status/900"))
  }

  /// An error in site.yml, in a theme or between two threads is not the fault of one thread.
  @Test(arguments: ["everything-at-once", "broken-component", "unknown-theme", "broken-configuration"])
  func stopsForErrorsOutsideOfThreads(name: String) throws {
    let site = try TemporarySite(name, kind: "InvalidSites")
    let outcome = try build(site, "--keep-going")
    #expect(outcome.code != 0)
    #expect(!site.folder.exists("site/index.html"))
  }

  @Test func succeedsIfNothingFails() throws {
    let site = try TemporarySite("defaults")
    let outcome = try build(site, "--keep-going", "--json")
    #expect(outcome.code == 0)
    #expect(try (object(outcome.output)["left_out"] as? [Any])?.isEmpty == true)
  }

  // MARK: Saved files can be read

  @Test(.deep) func doesNotSaveAnUnreadableConversation() throws {
    let site = try TemporarySite()
    try site.folder.write("title: A\n", to: "site.yml")
    func post(_ id: Int, _ text: String, in conversation: Int) -> String {
      "{\"id\":\"\(id)\",\"text\":\"\(text)\",\"author_id\":\"7\",\"conversation_id\":\"\(conversation)\","
        + "\"created_at\":\"2022-01-01T00:00:00.000Z\"}"
    }
    let text = String(repeating: "0123456789abcdef", count: 1 << 16)
    var posts = (0..<66).map { post(100 + $0, text, in: 100) }
    posts.append(post(500, "another", in: 500))
    try site.folder.write(
      "{\"data\":[\(posts.joined(separator: ","))],\"includes\":{\"users\":[{\"id\":\"7\",\"username\":\"ada\",\"name\":\"Ada\"}]}}",
      to: "large.json")
    let outcome = try Program(folder: site.path).run(["import", "large.json"])
    #expect(outcome.code == 65, "\(outcome.errors)")
    #expect(outcome.errors.contains("threads/x/ada/100.json: error: not saved"), "\(outcome.errors)")
    let store = ThreadStore(folder: site.path + "/threads")
    #expect(try store.list().map(\.path) == ["x/ada/500.json"])
    #expect(try build(site).code == 0)
  }
}
