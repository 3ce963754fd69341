import Basics
import Foundation
import SiteBuild
import TestSupport
import Testing
import ThreadModel
import ThreadStore

/// A site whose threads several processes render: the bytes of one build, or an error that changes nothing.
@Suite("Shards", .fewAtOnce) struct ShardTests {
  private static let ada = Author(id: AuthorID("11", on: .x), handle: "ada", name: "Ada")
  private static let bo = Author(id: AuthorID("12", on: .x), handle: "bo", name: "Bo")

  private static let settings = """
    title: Threads
    base_url: https://a.example/
    books: [threads, site]
    status_pages: true

    """

  /// The entry of a thread with a hidden post.
  private static let hidden = """
    threads:
      - url: https://x.com/ada/status/5000
        hide: [5002]

    """

  /// Fourteen threads by two authors, some with media, that quote and name each other.
  private func site(_ config: String = settings + hidden) throws -> TemporarySite {
    let site = try TemporarySite("defaults")
    for number in 0..<10 {
      let (author, other) = number % 3 == 2 ? (Self.bo, Self.ada) : (Self.ada, Self.bo)
      try site.save(Self.conversation(5000 + number * 100, by: author, other))
    }
    var profile = Profile(author: Self.ada, followers: [Self.bo])
    profile.author.bio = InlineText("I write about clocks.")
    try ThreadStore(folder: site.path + "/threads").save(profile)
    try site.folder.write(config, to: "site.yml")
    try site.folder.write("---\ntitle: About\n---\n\nhttps://x.com/ada/status/5000\n", to: "pages/about.md")
    return site
  }

  /// Three posts. The last post quotes the first post of the next thread.
  private static func conversation(
    _ id: Int, by author: Author, _ other: Author, words: String = "clocks and bread"
  ) -> Conversation {
    func post(_ number: Int, _ text: String) -> Post {
      var post = Post(id: PostID("\(number)", on: .x), authorID: author.id, text: InlineText(text))
      post.url = "https://x.com/\(author.handle ?? "")/status/\(number)"
      post.conversationID = PostID("\(id)", on: .x)
      post.createdAt = Timestamp(seconds: 1_600_000_000 + Int64(number) * 5000)
      post.inReplyTo = number == id ? nil : PostID("\(number - 1)", on: .x)
      return post
    }
    var conversation = Conversation(id: PostID("\(id)", on: .x), authorID: author.id)
    conversation.authors = [author, other]
    let handle = other.handle ?? ""
    var second = post(id + 1, "With @\(handle)")
    second.text = InlineText(
      "With @\(handle)",
      entities: [TextEntity(5..<6 + handle.count, .mention(handle: handle, url: nil, id: other.id.value))])
    var third = post(id + 2, "About \(words), in thread \(id).")
    third.quotes = PostID("\(id + 100)", on: .x)
    conversation.posts = [post(id, "Thread \(id) about clocks"), second, third]
    return conversation
  }

  /// Replaces a thread of Ada's, instead of merging it with the stored one.
  private func replace(_ conversation: Conversation, in site: TemporarySite) throws {
    try site.folder.remove("threads/x/ada/\(conversation.id.value).json")
    try site.save(conversation)
  }

  /// A copy of a site's inputs, as on another machine.
  private func copy(_ site: TemporarySite) throws -> TemporarySite {
    try TemporarySite(
      files: site.folder.tree().filter { !$0.key.hasPrefix(".threadsite/") && !$0.key.hasPrefix("site/") })
  }

  @discardableResult
  private func run(_ site: TemporarySite, _ arguments: [String], code: Int32 = 0) throws -> Program.Outcome {
    let program = Program(
      folder: site.path, environment: ["THREADSITE_SHARE": ProjectFolders.repository.path])
    let outcome = try program.run(arguments)
    #expect(outcome.code == code, "\(arguments): \(outcome.output)\(outcome.errors)")
    return outcome
  }

  /// Returns the summary of a command.
  private func summary(_ site: TemporarySite, _ arguments: String...) throws -> JSONValue {
    try JSONValue(parsing: Array(try run(site, arguments + ["--json"]).output.utf8))
  }

  /// Builds each shard in a separate copy of the site, and copies the shard files to the site.
  private func buildShards(_ count: Int, of site: TemporarySite, _ options: [String] = []) throws {
    for number in 1...count {
      let machine = try copy(site)
      try run(machine, ["build", "--shard", "\(number)/\(count)"] + options)
      #expect(!machine.folder.exists("site"))
      #expect(try machine.folder.tree(".threadsite").keys.sorted() == ["shards/\(number)-of-\(count).shard"])
      for (name, data) in try machine.folder.tree(".threadsite/shards") {
        try site.folder.write(data, to: ".threadsite/shards/\(name)")
      }
    }
  }

  /// Compares a site with one build of the same inputs.
  private func expectOneBuild(_ site: TemporarySite, _ options: [String] = [], code: Int32 = 0) throws {
    let other = try copy(site)
    try run(other, ["build", "--offline"] + options, code: code)
    let (one, two) = (try site.tree(), try other.tree())
    #expect(one.keys.sorted() == two.keys.sorted())
    for (file, data) in one where two[file] != data { Issue.record("\(file) differs") }
  }

  @Test("Shards from three machines give the bytes of one build")
  func joinsShards() throws {
    let site = try site()
    try buildShards(3, of: site)
    let joined = try summary(site, "build", "--join")
    #expect(joined["threads"] == .integer(14) && joined["from_shards"] == .integer(14))
    #expect(joined["rendered"] == .integer(0))
    #expect(site.folder.exists("site/search/index.html") && site.folder.exists("site/threads.epub"))
    #expect(!site.folder.exists(".threadsite/shards"))
    try expectOneBuild(site)
    // The joined site is the last build of a build without shards.
    try waitUntilFilesAreSettled()
    let again = try summary(site, "build", "--offline")
    #expect(again["rendered"] == .integer(0) && again["from_shards"] == .integer(0))
    try replace(Self.conversation(5100, by: Self.ada, Self.bo, words: "zeppelins"), in: site)
    #expect(try summary(site, "build", "--offline")["rendered"] == .integer(1))
    try expectOneBuild(site)
  }

  @Test("Every thread is in one shard")
  func dividesThreads() throws {
    let site = try site()
    var threads: Int64 = 0
    for number in 1...3 {
      let built = try summary(site, "build", "--shard", "\(number)/3")
      #expect(built["shard"] == .integer(Int64(number)) && built["shards"] == .integer(3))
      if case .integer(let count)? = built["threads"] { threads += count }
    }
    #expect(threads == 14)
  }

  @Test("More shards than threads are joined, and a site is joined over its last build and without the cache")
  func joinsOtherNumbersOfShards() throws {
    let site = try site()
    try buildShards(1, of: site)
    try run(site, ["build", "--join"])
    try expectOneBuild(site)
    for number in 1...20 { try run(site, ["build", "--shard", "\(number)/20"]) }
    try run(site, ["build", "--join"])
    try expectOneBuild(site)
    try run(site, ["build", "--shard", "1/1"])
    #expect(try summary(site, "build", "--join", "--no-cache")["from_shards"] == .integer(14))
    try expectOneBuild(site)
  }

  @Test("Drafts are joined with --drafts")
  func joinsDrafts() throws {
    let site = try site(
      Self.settings + "threads:\n  - {url: 'https://x.com/ada/status/5000', draft: true}\n")
    try buildShards(2, of: site, ["--drafts"])
    let failed = try run(site, ["build", "--join"], code: 65)
    #expect(failed.errors.contains("1-of-2.shard: error: it was built with other settings"))
    #expect(try summary(site, "build", "--join", "--drafts")["rendered"] == .integer(0))
    try expectOneBuild(site, ["--drafts"])
    try buildShards(2, of: site)
    #expect(try summary(site, "build", "--join")["threads"] == .integer(13))
    try expectOneBuild(site)
  }

  // MARK: Changes between the shards and the join

  @Test("A thread that changed after its shard was built is rendered again")
  func rendersChangedThread() throws {
    let site = try site()
    try buildShards(2, of: site)
    try replace(Self.conversation(5100, by: Self.ada, Self.bo, words: "quixotic zeppelins"), in: site)
    let joined = try summary(site, "build", "--join")
    #expect(joined["rendered"] == .integer(1) && joined["from_shards"] == .integer(13))
    try expectOneBuild(site)
  }

  @Test("A post that is hidden after its shard was built is in no file")
  func hidesPost() throws {
    let site = try site(Self.settings)
    try replace(Self.conversation(5000, by: Self.ada, Self.bo, words: "quixotic zeppelins"), in: site)
    try buildShards(2, of: site)
    try site.folder.write(Self.settings + Self.hidden, to: "site.yml")
    // The page of the owner shows the thread, and no other thread does.
    #expect(try summary(site, "build", "--join")["rendered"] == .integer(1))
    try expectOneBuild(site)
    for folder in ["site", ".threadsite"] {
      #expect(try filesContaining("uixotic", in: folder, of: site) == [])
    }
  }

  @Test("A thread whose link has another target is rendered again")
  func asksAgain() throws {
    let site = try site()
    try buildShards(2, of: site)
    // The quote in thread 5100 links to the page of this thread.
    try site.folder.write(
      Self.settings + "threads:\n  - {url: 'https://x.com/bo/status/5200', slug: other}\n", to: "site.yml")
    let joined = try summary(site, "build", "--join")
    #expect(joined["rendered"] != .integer(0) && joined["rendered"] != .integer(14))
    try expectOneBuild(site)
  }

  @Test("A renamed author is renamed on every page")
  func renamesAuthor() throws {
    let site = try site()
    try buildShards(2, of: site)
    var conversation = Self.conversation(9000, by: Self.bo, Self.ada)
    conversation.authors[0].name = "Bo Newname"
    conversation.authors[0].observedAt = Timestamp(seconds: 1_900_000_000)
    try site.save(conversation)
    try run(site, ["build", "--join"])
    try expectOneBuild(site)
  }

  @Test("Threads of an account that is left out are in no file")
  func leavesOutAccount() throws {
    let config = Self.settings + "leave_out: [https://x.com/bo]\n"
    let site = try site(config)
    let original = try copy(site)
    try buildShards(2, of: site)
    try run(site, ["build", "--join"])
    try run(original, ["build", "--offline"])
    #expect(try site.tree() == original.tree())
    #expect(try filesContaining("@bo", in: "site", of: site) == [])
    #expect(!site.folder.exists(".threadsite/shards"))
  }

  // MARK: Words that are removed

  private func filesContaining(_ word: String, in folder: String, of site: TemporarySite) throws -> [String] {
    try site.folder.tree(folder).filter { $0.value.contains(word) }.keys.sorted()
  }

  @Test("Shard files do not outlast the words that they contain")
  func deletesShards() throws {
    let site = try site()
    try replace(Self.conversation(5100, by: Self.ada, Self.bo, words: "quixotic zeppelins"), in: site)
    try run(site, ["build", "--shard", "1/1"])
    #expect(try filesContaining("uixotic", in: ".threadsite", of: site) == ["shards/1-of-1.shard"])
    try run(site, ["remove", "--yes", "https://x.com/ada/status/5100"])
    #expect(
      try filesContaining("uixotic", in: ".threadsite", of: site).allSatisfy { $0.hasPrefix("removed/") })
    try run(site, ["build", "--shard", "1/1"])
    try run(site, ["build", "--offline"])
    #expect(!site.folder.exists(".threadsite/shards"))
  }

  // MARK: Errors

  /// Expects that joining fails with a message, and changes neither the site nor the shards.
  private func expectFailure(_ site: TemporarySite, _ message: String, _ comment: String = "") throws {
    let before = try site.folder.tree()
    let outcome = try run(site, ["build", "--join", "--no-cache"], code: 65)
    #expect(outcome.errors.contains(message), "\(comment): \(outcome.errors)")
    #expect(try site.folder.tree() == before, "\(comment)")
  }

  @Test("Missing shards and shards of several runs are reported")
  func reportsMissingShards() throws {
    let site = try site()
    try run(site, ["build", "--offline"])
    try expectFailure(site, "/.threadsite/shards: error: there are no shard files to join")
    for number in [1, 3, 4] { try run(site, ["build", "--shard", "\(number)/4"]) }
    try expectFailure(
      site, "1 of 4 shard files are missing: 2-of-4.shard; build them with `threadsite build --shard 2/4`")
    try run(site, ["build", "--shard", "2/4"])
    try run(site, ["build", "--shard", "1/2"])
    try expectFailure(site, "there are files of 2 and of 4 shards")
    try site.folder.remove(".threadsite/shards/1-of-2.shard")
    // Other files are ignored.
    try site.folder.write("", to: ".threadsite/shards/.DS_Store")
    try site.folder.write("", to: ".threadsite/shards/01-of-4.shard")
    try run(site, ["build", "--join"])
  }

  @Test("Shards of another site are reported")
  func reportsOtherEnvironment() throws {
    let site = try site()
    try buildShards(2, of: site)
    try site.folder.write(Self.settings.replacing("Threads", with: "Other") + Self.hidden, to: "site.yml")
    try expectFailure(site, "1-of-2.shard: error: it was built with other settings in site.yml")
    try site.folder.write(Self.settings + Self.hidden, to: "site.yml")
    try site.folder.write("{{name}}\n", to: "templates/poll.mustache")
    try expectFailure(site, "2-of-2.shard: error: it was built with other templates or themes")
    try site.folder.remove("templates")
    // Keys that change no thread, and the order of threads in site.yml, make no difference.
    try site.folder.write("publish: {folder: ../www}\n" + Self.settings + Self.hidden, to: "site.yml")
    #expect(try summary(site, "build", "--join")["rendered"] == .integer(0))
  }

  @Test("Damaged shard files are reported")
  func reportsDamage() throws {
    let site = try site()
    try run(site, ["build", "--offline"])
    for number in 1...2 { try run(site, ["build", "--shard", "\(number)/2"]) }
    let file = ".threadsite/shards/1-of-2.shard"
    let whole = try Data(contentsOf: URL(filePath: "\(site.path)/\(file)"))
    let other = try Data(contentsOf: URL(filePath: "\(site.path)/.threadsite/shards/2-of-2.shard"))
    func replaced(_ position: Int, _ bytes: [UInt8]) -> Data {
      var data = whole
      data.replaceSubrange(position..<position + bytes.count, with: bytes)
      return data
    }
    let trailer = whole.count - 40
    let damaged: [(String, Data)] = [
      ("a changed thread", replaced(60, [whole[60] ^ 1])),
      ("a changed index", replaced(trailer - 20, [whole[trailer - 20] ^ 1])),
      ("a changed digest", replaced(whole.count - 1, [whole[whole.count - 1] ^ 1])),
      ("an index without length", replaced(trailer, [0, 0, 0, 0, 0, 0, 0, 0])),
      ("a long index", replaced(trailer, [0xFF, 0xFF, 0xFF, 0x3F, 0, 0, 0, 0])),
      ("a huge index", replaced(trailer, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])),
      ("a truncated file", whole.prefix(whole.count / 2)),
      ("one byte less", whole.prefix(whole.count - 1)),
      ("one byte more", whole + [0]),
      ("only the name of the format", whole.prefix(19)),
    ]
    for (comment, data) in damaged {
      try site.folder.write(data, to: file)
      try expectFailure(
        site,
        "1-of-2.shard: error: this shard file is damaged or incomplete; copy it again, or build it again",
        comment)
    }
    for (comment, data) in [("an empty file", Data()), ("another version", replaced(17, [0x30]))] {
      try site.folder.write(data, to: file)
      try expectFailure(site, "1-of-2.shard: error: this is not a shard file of this version", comment)
    }
    try site.folder.write(other, to: file)
    try expectFailure(site, "this file contains shard 2/2, and its name is that of shard 1/2")
    try site.folder.remove(file)
    try FileManager.default.createSymbolicLink(
      atPath: "\(site.path)/\(file)", withDestinationPath: "2-of-2.shard")
    let linked = try run(site, ["build", "--join"], code: 65)
    #expect(linked.errors.contains("1-of-2.shard"))
    try site.folder.remove(file)
    try site.folder.write(whole, to: file)
    try run(site, ["build", "--join"])
    try expectOneBuild(site)
  }

  @Test("Errors of threads are those of a build, and --keep-going skips the threads")
  func reportsErrorsOfThreads() throws {
    let site = try site()
    try site.folder.write("{", to: "threads/x/ada/5100.json")
    let build = try run(site, ["build", "--offline"], code: 65)
    let shard = try run(site, ["build", "--shard", "1/1"], code: 65)
    let message = try #require(build.errors.split(separator: "\n").first { $0.contains("5100.json") })
    #expect(shard.errors.contains(message))
    #expect(shard.errors.contains("threadsite build --shard 1/1 --keep-going"))
    #expect(try site.folder.tree(".threadsite/shards").isEmpty)
    try run(site, ["build", "--shard", "1/1", "--keep-going"], code: 65)
    try run(site, ["build", "--join"], code: 65)
    try run(site, ["build", "--join", "--keep-going"], code: 65)
    try expectOneBuild(site, ["--keep-going"], code: 65)
  }

  @Test(
    "Invalid options are reported",
    arguments: ["0/4", "5/4", "a/b", "4", "1/0", "-1/4", "+1/4", "01/4", "1/2/3", "1/257", "1/"])
  func reportsInvalidOptions(_ shard: String) throws {
    #expect(Shard(shard) == nil)
    let site = try TemporarySite("defaults")
    let outcome = try run(site, ["build", "--shard=\(shard)"], code: 64)
    #expect(outcome.errors.contains("--shard must be the number of a shard"))
  }

  @Test(
    "Options that exclude each other are reported",
    arguments: [
      ["--shard", "1/2", "--join"], ["--join", "--dry-run"], ["--shard", "1/2", "--dry-run"],
      ["--shard", "1/2", "--manifest", "a.json"],
    ])
  func reportsOptionsThatExcludeEachOther(_ options: [String]) throws {
    try run(try TemporarySite("defaults"), ["build"] + options, code: 64)
  }
}
