import Basics
import Foundation
import SiteBuild
import TestSupport
import Testing
import ThreadModel
import ThreadStore

/// Excluded accounts: no file of the site, of the store or of an export mentions them.
@Suite("Excluded accounts")
struct LeftOutTests {
  /// How a network names people and posts.
  struct Network: Sendable, CustomTestStringConvertible {
    let platform: Platform
    /// The names that `leave_out` accepts for the account.
    let names: [String]
    let handle: String
    let id: String
    let page: String

    var testDescription: String { platform.rawValue }

    func author(_ number: String) -> AuthorID {
      platform == .mastodon
        ? AuthorID(number, by: "social.example", on: platform) : AuthorID(number, on: platform)
    }

    func post(_ number: Int, by author: AuthorID) -> PostID {
      switch platform {
      case .x: PostID("\(number)", on: .x)
      case .mastodon: PostID("\(number)", by: "social.example", on: .mastodon)
      default: PostID("3k\(number)", by: author.value, on: platform)
      }
    }

    func address(_ number: Int, by handle: String, _ author: AuthorID) -> String {
      switch platform {
      case .x: "https://x.com/\(handle)/status/\(number)"
      case .mastodon: "https://social.example/@\(handle.split(separator: "@")[0])/\(number)"
      default: "https://bsky.app/profile/\(author.value)/post/3k\(number)"
      }
    }
  }

  static let networks: [Network] = [
    Network(
      platform: .x, names: ["https://x.com/ZebediahQ", "'@zebediahq'", "777000111"], handle: "ZebediahQ",
      id: "777000111", page: "https://x.com/ZebediahQ"),
    Network(
      platform: .mastodon,
      names: ["https://social.example/@zebediahq", "'@zebediahq@social.example'"],
      handle: "zebediahq@social.example", id: "777000111", page: "https://social.example/@zebediahq"),
    Network(
      platform: .bluesky,
      names: [
        "https://bsky.app/profile/zebediahq.example", "did:plc:zebediahqzebediahqzebedi",
        "'@zebediahq.example'",
      ],
      handle: "zebediahq.example", id: "did:plc:zebediahqzebediahqzebedi",
      page: "https://bsky.app/profile/zebediahq.example"),
  ]

  private static let ada = "did:plc:adaadaadaadaadaadaadaada"

  /// A thread of Ada's that quotes, answers, links and names the person, and a thread by the person.
  private func fill(_ site: TemporarySite, _ network: Network) throws {
    let ada = network.author(network.platform == .bluesky ? Self.ada : "11")
    let zeb = network.author(network.id)
    let adaHandle =
      switch network.platform {
      case .x: "ada"
      case .mastodon: "ada@social.example"
      default: "ada.example"
      }
    var people = [
      Author(id: ada, handle: adaHandle, name: "Ada"),
      Author(id: zeb, handle: network.handle, name: "Quirinius Zeb"),
    ]
    people[1].avatarFile = "face.png"
    func post(_ number: Int, _ author: AuthorID, _ text: InlineText, answers: PostID? = nil) -> Post {
      var facts = Post.Facts(id: network.post(number, by: author), authorID: author, text: text)
      facts.conversationID = network.post(100, by: ada)
      facts.createdAt = Timestamp(seconds: 1_700_000_000 + Int64(number))
      facts.url = network.address(number, by: author == ada ? adaHandle : network.handle, author)
      facts.inReplyTo = answers
      return Post(facts)
    }
    let short = network.platform == .mastodon ? "@zebediahq" : "@" + network.handle
    let first = "Thanks to \(short) for the tip"
    let count = short.unicodeScalars.count
    var opening = post(
      100, ada,
      InlineText(
        first,
        entities: [
          TextEntity(
            10..<10 + count,
            .mention(
              handle: network.platform == .bluesky ? "zebediahq.example" : "zebediahq", url: network.page))
        ]))
    var picture = Media(id: "m1", kind: .photo)
    picture.file = "ada.png"
    picture.altText = "A picture by @\(network.handle), of a hat"
    opening.media = [picture]
    let link = "look: \(network.address(500, by: network.handle, zeb)) there"
    var second = post(
      101, ada,
      InlineText(
        link,
        entities: [
          TextEntity(
            6..<link.unicodeScalars.count - 6,
            .link(url: network.address(500, by: network.handle, zeb), short: nil))
        ]), answers: opening.id)
    second.quotes = network.post(501, by: zeb)
    second.card = LinkCard(url: network.page, title: "Quirinius Zeb", summary: "all of it")
    var quoted = post(501, zeb, InlineText("What Zeb said in the quote"))
    quoted.conversationID = quoted.id
    var theirs = Media(id: "m2", kind: .photo)
    theirs.file = "zeb.png"
    theirs.altText = "Zeb himself"
    quoted.media = [theirs]
    let reply = post(102, zeb, InlineText("A reply by Zeb"), answers: second.id)
    let third = post(103, ada, InlineText("and thanks again, @\(network.handle)!"), answers: reply.id)
    var fourth = post(104, ada, InlineText("The last one says nothing of anybody"), answers: second.id)
    fourth.inReplyToAuthor = zeb
    fourth.extra = ["in_reply_to_screen_name": .string(network.handle), "kept": .string("yes")]
    var conversation = Conversation(id: opening.id, authorID: ada)
    conversation.authors = people
    conversation.posts = [opening, second, reply, third, fourth]
    conversation.related = [quoted]
    try site.save(conversation)

    var own = Conversation(id: network.post(600, by: zeb), authorID: zeb)
    own.authors = [people[1]]
    own.posts = [
      post(600, zeb, InlineText("A thread by Zeb")), post(601, zeb, InlineText("goes on"), answers: own.id),
    ]
    for index in own.posts.indices { own.posts[index].conversationID = own.id }
    own.posts[0].media = [picture]
    own.posts[0].media[0].altText = nil
    try site.save(own)
    var other = Conversation(id: network.post(700, by: ada), authorID: ada)
    other.authors = [people[0]]
    other.posts = [post(700, ada, InlineText("Of something else"))]
    other.posts[0].conversationID = other.id
    try site.save(other)
    try ThreadStore(folder: site.path + "/threads").save(Profile(author: people[1]))
    try ThreadStore(folder: site.path + "/threads").save(Profile(author: people[0], followers: [people[1]]))
    for name in ["ada.png", "zeb.png", "face.png"] {
      try site.folder.write(SampleMedia.png(), to: "threads/media/\(name)")
    }
  }

  /// Texts that identify the person: names in any case, the ID, and their words.
  private func traces(_ network: Network) -> [String] {
    [
      "zebediahq", "quirinius", network.id, "What Zeb said", "A reply by Zeb", "A thread by Zeb",
      "Zeb himself", "zeb.png",
    ]
  }

  private func expectNothing(
    in folder: String, of site: TemporarySite, _ network: Network,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for (path, data) in try site.folder.tree(folder) {
      let text = path + "\n" + String(decoding: data, as: UTF8.self)
      for trace in traces(network)
      where text.range(of: trace, options: .caseInsensitive) != nil {
        Issue.record("\(folder)/\(path) has \(trace)", sourceLocation: sourceLocation)
      }
    }
  }

  private func configure(_ site: TemporarySite, _ name: String, _ more: String = "") throws {
    try site.folder.write(
      "title: A\nbase_url: https://a.example/\nstatus_pages: true\nleave_out: [\(name)]\n\(more)",
      to: "site.yml")
  }

  /// The page of the thread that involves the person.
  private func page(of site: TemporarySite) throws -> String {
    try #require(
      try site.tree().filter { $0.key.hasSuffix("00/index.html") && !$0.key.hasPrefix("status/") }.values.map
      {
        String(decoding: $0, as: UTF8.self)
      }.first { $0.contains("says nothing of anybody") })
  }

  @Test(arguments: networks)
  func excludedAccountLeavesNoTraces(_ network: Network) throws {
    for name in TestDepth.sample(network.names, fast: 1) {
      let site = try TemporarySite()
      try fill(site, network)
      try site.folder.write("title: A\nbase_url: https://a.example/\n", to: "site.yml")
      try site.build()
      #expect(
        try site.folder.tree("site").values.contains {
          String(decoding: $0, as: UTF8.self).contains("Quirinius")
        })
      try configure(site, name)
      let summary = try site.build()
      #expect(summary.threads == 2, "\(name)")
      try expectNothing(in: "site", of: site, network)
      try expectNothing(in: "threads", of: site, network)
      #expect(
        site.warnings.contains {
          $0.contains("1 threads, ") && $0.contains("names were removed from 1 files")
            || $0.contains("were removed from the store")
        })
      #expect(site.folder.exists("threads/media/ada.png") && !site.folder.exists("threads/media/zeb.png"))
      // The original is kept on this machine.
      #expect(
        try site.folder.tree(".threadsite/left-out").values.contains {
          String(decoding: $0, as: UTF8.self).contains("A thread by Zeb")
        })
      let text = try page(of: site)
      #expect(text.contains("Thanks to someone for the tip"))
      #expect(text.contains("The quoted post is not included here."))
      #expect(text.contains("and thanks again, someone!"))
      #expect(text.contains("The last one says nothing of anybody"))
      #expect(text.contains("A picture by @…, of a hat"))
      // The next build has nothing to do, and a build without a cache gives the same site.
      let tree = try site.tree()
      let store = try site.folder.tree("threads")
      let warnings = site.warnings.count
      try site.build()
      #expect(
        try site.tree() == tree && site.folder.tree("threads") == store && site.warnings.count == warnings)
      try site.build(output: site.path + "/fresh", usesCache: false)
      #expect(try site.folder.tree("fresh") == tree)
    }
  }

  @Test(arguments: [
    ("de", "jemand", "Der zitierte Beitrag wird hier nicht gezeigt."),
    ("fr", "quelqu’un", "n’est pas incluse ici"),
    ("es", "alguien", "no se incluye aquí"), ("ja", "ある人", "はここでは掲載していません"), ("ar", "شخص ما", "غير مدرج هنا"),
  ])
  func leavesNoTracesInAnyLanguage(_ language: String, _ word: String, _ quote: String) throws {
    let site = try TemporarySite()
    try fill(site, Self.networks[0])
    try configure(site, "777000111", "language: \(language)\n")
    try site.build()
    let text = try site.tree().filter { $0.key.hasSuffix("-100/index.html") }.values.map {
      String(decoding: $0, as: UTF8.self)
    }.joined()
    #expect(text.contains("Thanks to \(word) for the tip") && text.contains(quote))
    try expectNothing(in: "site", of: site, Self.networks[0])
  }

  /// The site has no traces of them even while another program writes to the store, or if the store is
  /// read-only.
  @Test(arguments: networks)
  func readOnlyStoreIsReadWithoutThem(_ network: Network) throws {
    let site = try TemporarySite()
    try fill(site, network)
    // The thread was once published under a URL with the name.
    try site.folder.write("title: A\nbase_url: https://a.example/\n", to: "site.yml")
    try site.build()
    try site.publish()
    #expect(try site.folder.text("threads/permalinks.json").contains("zebediahq"))
    try configure(site, network.names[0])
    let before = try site.folder.tree("threads").filter { $0.key.hasPrefix(network.platform.rawValue) }
    let lock = try #require(try FolderLock.take(site.path + "/threads"))
    let summary = try withExtendedLifetime(lock) { try site.build() }
    #expect(summary.threads == 2)
    try expectNothing(in: "site", of: site, network)
    #expect(site.warnings.contains { $0.contains("The site is built without it.") }, "\(site.warnings)")
    #expect(
      try site.folder.tree("threads").filter { $0.key.hasPrefix(network.platform.rawValue) } == before)
    let built = try site.tree()
    withExtendedLifetime(lock) {}
    _ = consume lock
    // The first build with write access changes the store; the site stays the same.
    try site.build(usesCache: false)
    try expectNothing(in: "threads", of: site, network)
    #expect(try site.tree() == built)
  }

  /// The next run completes a run that was killed after any of its files.
  @Test func killedRunIsCompleted() throws {
    let network = Self.networks[0]
    let whole = try TemporarySite()
    try fill(whole, network)
    try configure(whole, "777000111")
    try whole.build()
    let expected = try whole.folder.tree("threads")
    let kept = try whole.folder.tree(".threadsite/left-out")
    for path in kept.keys.sorted() where path.hasSuffix(".json") || path.hasSuffix(".png") {
      let site = try TemporarySite()
      try fill(site, network)
      try configure(site, "777000111")
      // The state of a run that was killed before it wrote this file.
      try site.folder.write(try #require(kept[path]), to: ".threadsite/left-out/" + path)
      if path.hasPrefix("media/") { try site.folder.remove("threads/" + path) }
      try site.build()
      #expect(try site.folder.tree("threads").keys.sorted() == expected.keys.sorted(), "\(path)")
      try expectNothing(in: "threads", of: site, network)
    }
  }

  /// The next run also completes a run that was killed after it had changed the last file of the store: the person's media and the copies
  /// of the person's words remain.
  @Test func killedRunIsCompletedAfterItsLastThread() throws {
    let network = Self.networks[0]
    let whole = try TemporarySite()
    try fill(whole, network)
    try configure(whole, "777000111")
    try whole.build()
    let site = try TemporarySite()
    try configure(site, "777000111")
    for (path, data) in try whole.folder.tree("threads") {
      try site.folder.write(data, to: "threads/" + path)
    }
    for (path, data) in try whole.folder.tree(".threadsite/left-out") {
      let isMedium = path.hasPrefix("media/")
      try site.folder.write(data, to: (isMedium ? "threads/" : ".threadsite/left-out/") + path)
    }
    // As at the beginning of the run.
    let record = ".threadsite/left-out/.names.json"
    let old = try JSONValue(parsing: Array(site.folder.text(record).utf8))
    var names = try #require(old.object)
    names["state"] = ""
    try site.folder.write(
      String(decoding: JSONWriter.text(of: .object(names)).bytes, as: UTF8.self), to: record)
    try site.folder.write("zebediahq", to: ".threadsite/shards/old")
    #expect(site.folder.exists("threads/media/zeb.png"))
    try site.build()
    #expect(!site.folder.exists("threads/media/zeb.png") && site.folder.exists("threads/media/ada.png"))
    #expect(site.folder.exists(".threadsite/left-out/media/zeb.png"))
    #expect(!site.folder.exists(".threadsite/shards/old"))
    try expectNothing(in: "threads", of: site, network)
    // Nothing is left to do.
    let warnings = site.warnings.count
    try site.build()
    #expect(site.warnings.count == warnings)
  }

  @Test func laterImportsExcludeTheAccount() throws {
    let network = Self.networks[0]
    let site = try TemporarySite()
    try configure(site, "'@zebediahq'")
    func post(_ id: Int, _ user: Int, _ text: String, _ more: String = "") -> String {
      "{\"id\":\"\(id)\",\"text\":\"\(text)\",\"author_id\":\"\(user)\",\"conversation_id\":\"1\",\"created_at\":\"2020-03-04T05:06:07.000Z\"\(more)}"
    }
    let reply = ",\"referenced_tweets\":[{\"type\":\"replied_to\",\"id\":\"1\"}]"
    try site.folder.write(
      "{\"data\":[\(post(1, 11, "Hello")),\(post(2, 11, "more @zebediahq", reply)),\(post(3, 777_000_111, "A reply by Zeb", reply))],"
        + "\"includes\":{\"users\":[{\"id\":\"11\",\"name\":\"Ada\",\"username\":\"ada\"},{\"id\":\"777000111\",\"name\":\"Quirinius\",\"username\":\"ZebediahQ\"}]}}",
      to: "saved.json")
    let program = Program(
      folder: site.path, environment: ["THREADSITE_SHARE": ProjectFolders.repository.path])
    let outcome = try program.run(["import", "saved.json"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(
      outcome.errors.contains("belong to accounts that site.yml excludes and were not stored"),
      "\(outcome.errors)")
    try expectNothing(in: "threads", of: site, network)
    #expect(try site.folder.text("threads/x/ada/1.json").contains("Hello"))
    #expect(try program.run(["build"]).code == 0)
    try expectNothing(in: "site", of: site, network)
  }

  @Test func exportsExcludeTheAccount() throws {
    let network = Self.networks[0]
    let site = try TemporarySite()
    try fill(site, network)
    try site.folder.write("title: A\nbase_url: https://a.example/\n", to: "site.yml")
    try site.build()
    try configure(site, "777000111")
    let program = Program(
      folder: site.path, environment: ["THREADSITE_SHARE": ProjectFolders.repository.path])
    for (format, output) in [
      ("markdown", "taken/notes"), ("sqlite", "taken/a.sqlite"), ("html", "taken/a.html"),
    ] {
      try FileManager.default.createDirectory(
        atPath: site.path + "/taken", withIntermediateDirectories: true)
      let outcome = try program.run(["export", format, "--output", output])
      #expect(outcome.code == 0, "\(format): \(outcome.errors)")
    }
    #expect(try site.folder.tree("taken").count > 3)
    try expectNothing(in: "taken", of: site, network)
  }
}
