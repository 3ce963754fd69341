import Basics
import Foundation
import LoopbackServer
import MastodonStub
import Synchronization
import TestSupport
import Testing
import ThreadModel
import ThreadStore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A site that fetches its threads from a Fediverse server with the actual program.
final class MastodonSite: Sendable {
  let site: TemporarySite
  let stub: MastodonStub

  init(_ world: MastodonStub.World = MastodonStub.longThread(), _ configuration: String = "") throws {
    site = try TemporarySite()
    stub = try MastodonStub(world)
    try configure(configuration)
  }

  func configure(_ text: String, server: String = "", media: String = "link") throws {
    try site.folder.write(
      "title: Fetched\nmedia: \(media)\n\(stub.settings(server: server))\(text)\n", to: "site.yml")
  }

  @discardableResult
  func run(_ arguments: String..., environment: [String: String] = [:]) async throws -> Program.Outcome {
    try await run(arguments, environment: environment)
  }

  func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> Program.Outcome {
    let program = Program(
      folder: site.path,
      environment: environment.merging(["THREADSITE_SHARE": ProjectFolders.repository.path]) { $1 })
    return try await program.runAside(arguments)
  }

  var store: ThreadStore { ThreadStore(folder: site.path + "/threads") }

  func conversations() throws -> [Conversation] { try store.list().map { try store.read($0) } }
}

extension FetchingTests {
  @Suite("Fetching a thread from Mastodon")
  struct MastodonTests {
    @Test func fetchesEightyPostsFromOneInTheMiddle() async throws {
      let fetching = try MastodonSite()
      let outcome = try await fetching.run("add", "https://social.example/@ada/1400")
      #expect(outcome.code == 0, "\(outcome.errors)")
      let conversations = try fetching.conversations()
      #expect(conversations.count == 1)
      let conversation = try #require(conversations.first)
      let world = fetching.stub.world.withLock { $0 }
      let expected = (1...80).compactMap { world.statuses[1000 + $0 * 10] }
      let posts = conversation.posts.sorted {
        ($0.createdAt?.milliseconds ?? 0) < ($1.createdAt?.milliseconds ?? 0)
      }
      #expect(posts.map(\.id.value) == expected.map { "\($0.id)" })
      #expect(posts.map(\.text.text) == expected.map { MastodonStub.shown($0.content) })
      #expect(conversation.id.value == "1010" && conversation.author?.handle == "ada@social.example")
      #expect(conversation.coverage.limits.isEmpty && conversation.tombstones.isEmpty)
      #expect(posts[16].poll?.options.map(\.votes) == [4, 3] && posts[16].poll?.allowsMultiple == true)
      #expect(posts[22].media.first?.kind == .audio && posts[22].media.first?.altText == "A hum of bees")
      #expect(
        posts[30].text.entities.map(\.kind) == [
          .emoji(shortcode: "blobcat", url: "https://files.social.example/blobcat.png")
        ])
      #expect(posts[30].emoji == [world.blobcat])
      #expect(posts[39].contentWarning == "About <spiders>" && posts[39].emoji.isEmpty)
      // Twenty posts per request, and a few requests at the beginning.
      #expect(fetching.stub.requests.count <= 12, "\(fetching.stub.requests.map(\.path))")

      let build = try await fetching.run("build", "--offline")
      #expect(build.code == 0, "\(build.errors)")
      let page = try #require(
        try fetching.site.tree().first { $0.key.hasPrefix("mastodon/") && $0.key.hasSuffix("/index.md") })
      let text = String(decoding: page.value, as: UTF8.self)
      let places = (1...80).map { number in text.firstRange(of: "\(number)/80 ")?.lowerBound }
      #expect(places.allSatisfy { $0 != nil })
      #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted())
      #expect(!text.contains("Thank you, Bea") && !text.contains("An answer to"))
      fetching.stub.stop()
    }

    @Test func skipsKnownThreadsAndFetchesRepliesOnRequest() async throws {
      let fetching = try MastodonSite()
      #expect(try await fetching.run("add", "https://social.example/@ada/1010").code == 0)
      let first = try fetching.conversations()
      let again = try await fetching.run(
        "fetch", "https://social.example/users/ada/statuses/1500", "--with-replies")
      #expect(again.code == 0, "\(again.errors)")
      let second = try fetching.conversations()
      #expect(first.count == 1 && second.count == 1)
      #expect(second.first?.posts.contains { $0.text.text == "An answer to 8" } == true)
      #expect(second.first?.posts.contains { $0.text.text == "Thank you, Bea" } == true)
      fetching.stub.stop()
    }

    @Test func errorNamesTheSettingOfTheToken() async throws {
      var world = MastodonStub.longThread()
      world.token = "sesame-9f8e7d6c"
      world.statuses[1400]?.visibility = "private"
      let fetching = try MastodonSite(world)
      let refused = try await fetching.run("add", "https://social.example/@ada/1010")
      #expect(refused.code != 0)
      #expect(
        refused.errors.contains("host: social.example") && refused.errors.contains("token_env"),
        "\(refused.errors)")
      try fetching.configure("", server: "      token_env: SESAME\n")
      let outcome = try await fetching.run(
        "add", "https://social.example/@ada/1010", environment: ["SESAME": "sesame-9f8e7d6c"])
      #expect(outcome.code == 0, "\(outcome.errors)")
      let conversation = try #require(try fetching.conversations().first)
      #expect(
        conversation.posts.count == 79 && !conversation.posts.contains { $0.text.text.hasPrefix("40/80") })
      #expect(conversation.tombstones.map(\.reason) == [.protected])
      let said = outcome.output + outcome.errors
      #expect(said.contains("left out because not public"))
      #expect(!said.contains("sesame-9f8e7d6c"))
      for (name, data) in try fetching.site.folder.tree(".") {
        let text = String(decoding: data, as: UTF8.self)
        #expect(!text.contains("sesame-9f8e7d6c") && !text.contains("About <spiders>"), "\(name)")
      }
      fetching.stub.stop()
    }

    @Test func fetchesThreadsOfAnAccount() async throws {
      var world = MastodonStub.longThread()
      for number in 1...3 {
        world.statuses[3000 + number] = MastodonStub.Status(
          id: 3000 + number, account: "ada", content: "<p>Quiet \(number)</p>",
          parent: number == 1 ? nil : 2999 + number,
          visibility: "unlisted")
      }
      // Single posts are not threads.
      for number in 1...3 {
        world.statuses[2000 + number] = MastodonStub.Status(
          id: 2000 + number, account: "ada", content: "<p>Single \(number)</p>", visibility: "unlisted")
      }
      world.accountFields["ada"] = ["moved": ["acct": "ada@new.example"]]
      let fetching = try MastodonSite(world, "sources:\n  - account: https://social.example/@ada\n")
      let plan = try await fetching.run("fetch", "--dry-run")
      #expect(
        plan.code == 0 && plan.output.contains("GET /api/v1/accounts/:id/statuses"),
        "\(plan.output)\(plan.errors)")
      let outcome = try await fetching.run("fetch")
      #expect(outcome.code == 0, "\(outcome.errors)")
      let conversations = try fetching.conversations()
      #expect(conversations.map(\.id.value) == ["1010"])
      #expect(conversations.first?.posts.count == 80 && conversations.first?.coverage.limits.isEmpty == true)
      let said = outcome.output + outcome.errors
      #expect(
        said.contains("ada@new.example") && said.contains("1 thread of @ada@social.example is unlisted"),
        "\(said)")
      // Known posts are not read again.
      fetching.stub.change { world in
        for number in 1...2 {
          world.statuses[4000 + number] = MastodonStub.Status(
            id: 4000 + number, account: "ada", content: "<p>New \(number)</p>",
            parent: number == 1 ? nil : 4001)
        }
      }
      fetching.stub.clearLog()
      let again = try await fetching.run("fetch", "--all")
      #expect(again.code == 0, "\(again.errors)")
      #expect(fetching.stub.requests("/statuses").contains { $0.query["since_id"] == "3003" })
      #expect(Set(try fetching.conversations().map(\.id.value)) == ["1010", "4001"])
      fetching.stub.stop()
    }

    /// The profile is removed with the posts, as on X.
    @Test(arguments: [true, false])
    func removesAClosedAccount(isSuspended: Bool) async throws {
      let fetching = try MastodonSite()
      #expect(try await fetching.run("add", "https://social.example/@ada/1010").code == 0)
      #expect(try fetching.conversations().first?.author?.name?.contains("Ada") == true)
      fetching.stub.change { world in
        world.statuses = [:]
        if isSuspended {
          world.accountFields["ada"] = ["suspended": true]
        } else {
          world.accounts = []
        }
      }
      let outcome = try await fetching.run("fetch", "--all")
      #expect(outcome.code == 0, "\(outcome.errors)")
      let conversation = try #require(try fetching.conversations().first)
      #expect(conversation.posts.isEmpty && conversation.tombstones.count == 80)
      #expect(conversation.author?.removal?.reason == (isSuspended ? .suspended : .deleted))
      #expect(conversation.author?.name == nil && conversation.author?.bio == nil)
      fetching.stub.stop()
    }

    @Test func fetchesThreadsOfAHashtag() async throws {
      var world = MastodonStub.longThread()
      let tags: JSONObject = ["tags": [["name": "bees", "url": "https://other.example/tags/bees"]]]
      func add(_ id: Int, by account: String, parent: Int? = nil, visibility: String = "public") {
        world.statuses[id] = MastodonStub.Status(
          id: id, account: account, content: "<p>Of bees, \(id)</p>", parent: parent, visibility: visibility,
          more: tags)
      }
      world.statuses[1010]?.more = tags
      // A thread whose second post is found first; a single post; a reply to someone; a thread whose first
      // post is unlisted.
      add(3001, by: "bea")
      add(3002, by: "bea", parent: 3001)
      add(3100, by: "bea")
      world.statuses[1025]?.more = tags
      add(3201, by: "ada", visibility: "unlisted")
      add(3202, by: "ada", parent: 3201)
      add(3203, by: "bea", parent: 3202)
      let fetching = try MastodonSite(
        world, "sources:\n  - search: https://other.example/tags/bees\n    limit: 10\n")
      let plan = try await fetching.run("fetch", "--dry-run")
      #expect(
        plan.code == 0 && plan.output.contains("GET /api/v1/timelines/tag/:hashtag"),
        "\(plan.output)\(plan.errors)")
      #expect(fetching.stub.requests.isEmpty)
      let outcome = try await fetching.run("fetch")
      #expect(outcome.code == 0, "\(outcome.errors)")
      let conversations = try fetching.conversations()
      #expect(
        Set(conversations.map(\.id))
          == Set(["1010", "3001"].map { PostID($0, by: "social.example", on: .mastodon) }))
      #expect(conversations.map(\.posts.count).sorted() == [2, 80])
      #expect(
        fetching.stub.requests("/timelines/tag/bees").count >= 4,
        "\(fetching.stub.requests("/timelines/tag/bees"))")
      #expect(try await fetching.run("build").code == 0)
      // A known thread is requested once to check it, and not again for the hashtag.
      fetching.stub.clearLog()
      let again = try await fetching.run("fetch", "--all")
      #expect(again.code == 0, "\(again.errors)")
      #expect(fetching.stub.requests.count { $0.path == "/api/v1/statuses/1010" } <= 1)
      fetching.stub.stop()
    }

    @Test func reportsAnUnavailableHashtag() async throws {
      let fetching = try MastodonSite(
        MastodonStub.longThread(), "sources:\n  - search: https://social.example/tags/bees\n")
      let outcome = try await fetching.run("fetch")
      #expect(
        outcome.code != 0
          && outcome.errors.contains("social.example does not provide the posts with #bees (404)"),
        "\(outcome.errors)")
      try fetching.configure("sources:\n  - search: https://bsky.app/hashtag/bees\n")
      let bluesky = try await fetching.run("fetch")
      #expect(
        bluesky.code != 0 && bluesky.errors.contains("cannot be searched"), "\(bluesky.errors)")
      try fetching.configure("sources:\n  - search: https://social.example/@ada\n")
      let account = try await fetching.run("fetch")
      #expect(
        account.code != 0 && account.errors.contains("is not the URL of a hashtag"), "\(account.errors)")
      fetching.stub.stop()
    }

    /// In all kinds of text. An emoji without an allowed image is shown as its code.
    @Test(arguments: ["paper", "zettel", "plain"])
    func emojiAreImages(theme: String) async throws {
      var world = MastodonStub.World()
      let dog: JSONValue = ["shortcode": "blobdog", "url": "https://files.social.example/blobdog.png"]
      world.accountFields["ada"] = [
        "display_name": "Ada :blobcat: :none:", "note": "<p>Walks a :blobdog: &amp; :none:</p>",
        "emojis": [world.emoji, dog],
      ]
      world.statuses[1] = MastodonStub.Status(
        id: 1, account: "ada", content: "<p>My :blobcat: sleeps.</p>",
        more: [
          "emojis": [world.emoji], "spoiler_text": "About a :blobcat:", "sensitive": true,
          "poll": [
            "id": "1", "expired": true, "multiple": false,
            "options": [["title": "A :blobcat:", "votes_count": 1]], "emojis": [world.emoji],
          ],
        ])
      world.statuses[2] = MastodonStub.Status(id: 2, account: "ada", content: "<p>And again</p>", parent: 1)
      let fetching = try MastodonSite(world, "theme: \(theme)\nbase_url: https://threads.example/\n")
      #expect(try await fetching.run("add", "https://social.example/@ada/1").code == 0)
      let conversation = try #require(try fetching.conversations().first)
      let blobdog = CustomEmoji(shortcode: "blobdog", url: "https://files.social.example/blobdog.png")
      #expect(conversation.authors.first?.emoji == [world.blobcat, blobdog])
      // `threadsite fetch` leaves it like this if media are copied.
      try fetching.site.folder.write(Self.picture, to: "threads/media/0c.png")
      var copied = conversation
      for index in copied.posts.indices where !copied.posts[index].emoji.isEmpty {
        copied.posts[index].emoji[0].file = "0c.png"
      }
      try fetching.site.folder.write(Self.picture, to: "threads/media/0d.png")
      for index in copied.authors.indices {
        copied.authors[index].emoji[0].file = "0c.png"
        copied.authors[index].emoji[1].file = "0d.png"
      }
      _ = try fetching.store.save(copied)
      try fetching.configure("theme: \(theme)\nbase_url: https://threads.example/\n", media: "mirror")
      let build = try await fetching.run("build", "--offline")
      #expect(build.code == 0, "\(build.errors)")
      try SiteChecks(fetching.site).checkAll()
      let tree = try fetching.site.tree()
      let shows = theme != "plain"
      #expect((tree["media/0c.png"] != nil) == shows && (tree["media/0d.png"] != nil) == shows)
      func images(_ file: String) throws -> Int {
        let page = String(decoding: try #require(tree[file]), as: UTF8.self)
        #expect(!page.contains("files.social.example"))
        // Never in a title, an attribute or structured data.
        #expect(try #require(page.firstMatch(of: /<title>([^<]*)<\/title>/)).1.contains("media/") == false)
        let image =
          /<img class="emoji" src="[^"]*media\/0c.png" alt=":blobcat:" title=":blobcat:" width="20" height="20" loading="lazy" decoding="async">/
        return page.matches(of: image).count
      }
      let thread = try #require(
        tree.keys.first {
          $0.hasPrefix("mastodon/") && $0.hasSuffix("index.html") && $0.split(separator: "/").count == 4
        })
      // The header, the content warning, the text, the option, the colophon and the author; the theme zettel
      // also names the author at the first post.
      #expect(try images(thread) == (theme == "paper" ? 6 : theme == "zettel" ? 7 : 0))
      #expect(try images("index.html") == (shows ? 1 : 0))
      #expect(try images("authors/index.html") == (shows ? 1 : 0))
      let author = try #require(
        tree.keys.first {
          $0.hasPrefix("mastodon/") && $0.hasSuffix("index.html") && $0.split(separator: "/").count == 3
        })
      // The threads listed below do not repeat the author.
      #expect(try images(author) == (shows ? 1 : 0))
      // The bio is on the author's page, beside the author's threads, and on the home page, because the site has no other author.
      func bios(_ file: String) throws -> Int {
        let image =
          /Walks a <img class="emoji" src="[^"]*media\/0d.png" alt=":blobdog:" title=":blobdog:" width="20" height="20" loading="lazy" decoding="async"> &amp; :none:/
        return String(decoding: try #require(tree[file]), as: UTF8.self).matches(of: image).count
      }
      #expect(try bios(author) == (shows ? 1 : 0))
      #expect(try bios(thread) == (shows ? 1 : 0))
      #expect(try bios("index.html") == (shows ? 1 : 0))
      for (file, data) in tree
      where file.hasSuffix(".html") && ![author, thread, "index.html"].contains(file) {
        #expect(!String(decoding: data, as: UTF8.self).contains("0d.png"), "\(file)")
      }
      let page = String(decoding: try #require(tree[thread]), as: UTF8.self)
      #expect(page.contains("<meta name=\"author\" content=\"Ada :blobcat: :none:\">"))
      #expect(page.contains("\"name\":\"Ada :blobcat: :none:\""))
      let feed = String(
        decoding: try #require(tree["feed.xml"]), as: UTF8.self)
      #expect(feed.contains("<name>Ada :blobcat: :none:</name>"))
      #expect(feed.contains("https://threads.example/media/0c.png") == shows)
      fetching.stub.stop()
    }

    /// An author's new name replaces the old one at older threads, with the emoji of the new name.
    @Test func newNameUsesItsOwnEmoji() async throws {
      var world = MastodonStub.World()
      let old: JSONValue = ["shortcode": "old", "url": "https://files.social.example/old.png"]
      world.accountFields["ada"] = ["display_name": "Ada :old:", "emojis": [old]]
      for id in [1, 3] {
        world.statuses[id] = MastodonStub.Status(
          id: id, account: "ada", content: "<p>Number \(id) begins</p>")
        world.statuses[id + 1] = MastodonStub.Status(
          id: id + 1, account: "ada", content: "<p>And ends</p>", parent: id)
      }
      let fetching = try MastodonSite(world)
      #expect(try await fetching.run("add", "https://social.example/@ada/1").code == 0)
      fetching.stub.change {
        $0.accountFields["ada"] = ["display_name": "Ada the :blobcat:", "emojis": [$0.emoji]]
      }
      #expect(try await fetching.run("add", "https://social.example/@ada/3").code == 0)
      let build = try await fetching.run("build", "--offline")
      #expect(build.code == 0, "\(build.errors)")
      try SiteChecks(fetching.site).checkAll()
      let tree = try fetching.site.tree()
      let threads = tree.filter {
        $0.key.hasPrefix("mastodon/") && $0.key.contains("begins") && $0.key.hasSuffix("index.html")
      }
      #expect(threads.count == 2)
      let counts = threads.map { file, data in
        let page = String(decoding: data, as: UTF8.self)
        #expect(!page.contains("old.png") && !page.contains(":old:"), "\(file)")
        return page.matches(
          of: /Ada the <img class="emoji" src="https:\/\/files.social.example\/blobcat.png"/
        ).count
      }
      // The older thread has as many as the one that came with the name.
      #expect(Set(counts).count == 1 && counts[0] > 1, "\(counts)")
      fetching.stub.stop()
    }

    /// A page loads emoji only from the hosts of its own thread. Elsewhere, an emoji is shown as its code.
    @Test func emojiAreLoadedOnlyOnPagesOfTheirThread() async throws {
      let fetching = try MastodonSite(MastodonStub.World())
      func thread(_ id: String, by name: String, emoji: [CustomEmoji], _ text: InlineText) -> Conversation {
        let author = AuthorID(name, by: "social.example", on: .mastodon)
        var conversation = Conversation(id: PostID(id, by: "social.example", on: .mastodon), authorID: author)
        var post = Post(id: conversation.id, authorID: author, text: text)
        post.createdAt = Timestamp(seconds: 1_700_000_000)
        post.url = "https://social.example/@\(name)/\(id)"
        conversation.posts = [post]
        var record = Author(id: author, handle: "\(name)@social.example", name: "\(name) :blobcat:")
        record.emoji = emoji
        conversation.authors = [record]
        return conversation
      }
      let address = "https://social.example/@bea/1"
      _ = try fetching.store.save(thread("1", by: "bea", emoji: [], InlineText("Plain words")))
      let link = InlineText(
        address, entities: [TextEntity(0..<address.unicodeScalars.count, .link(url: address, short: nil))])
      let cat = MastodonStub.World().blobcat
      _ = try fetching.store.save(thread("2", by: "ada", emoji: [cat], link))
      try fetching.configure("base_url: https://threads.example/\n")
      let build = try await fetching.run("build", "--offline")
      #expect(build.code == 0, "\(build.errors)")
      try SiteChecks(fetching.site).checkAll()
      let tree = try fetching.site.tree()
      func page(_ part: String) throws -> String {
        let found = tree.first {
          $0.key.hasPrefix("mastodon/\(part)") && $0.key.split(separator: "/").count == 4
            && $0.key.hasSuffix("index.html")
        }
        return String(decoding: try #require(found, "\(tree.keys.sorted())").value, as: UTF8.self)
      }
      let (own, other) = (try page("ada"), try page("bea"))
      #expect(
        own.contains("src=\"https://files.social.example/blobcat.png\"")
          && own.contains(/img-src [^"]*https:\/\/files.social.example/))
      // It names the author of the linking thread in words.
      #expect(other.contains("ada :blobcat:") && !other.contains("files.social.example"))
      // A list of all threads shows the emoji of all authors, and its policy allows them.
      let home = String(decoding: try #require(tree["index.html"]), as: UTF8.self)
      #expect(
        home.contains("src=\"https://files.social.example/blobcat.png\"")
          && home.contains(/img-src [^"]*https:\/\/files.social.example/))
      fetching.stub.stop()
    }

    @Test(arguments: ["paper", "plain"]) func audioHasAPlayer(theme: String) async throws {
      var world = MastodonStub.World()
      world.statuses[1] = MastodonStub.Status(
        id: 1, account: "ada", content: "<p>Listen to this.</p>",
        more: [
          "media_attachments": [
            [
              "id": "7", "type": "audio", "url": "https://files.social.example/bees.mp3",
              "preview_url": "https://files.social.example/cover.png", "description": "A hum of \"bees\" <b>",
              "meta": ["original": ["duration": .number("42.4")]],
            ]
          ]
        ])
      let settings = "theme: \(theme)\nbase_url: https://threads.example/\n"
      let fetching = try MastodonSite(world, settings)
      #expect(try await fetching.run("add", "https://social.example/@ada/1").code == 0)
      var conversation = try #require(try fetching.conversations().first)
      // `threadsite fetch` leaves it like this if media are copied.
      let frame = Data([0xFF, 0xFB, 0x90, 0x64] + [UInt8](repeating: 0, count: 413))
      try fetching.site.folder.write(frame + frame, to: "threads/media/0a.mp3")
      try fetching.site.folder.write(Self.picture, to: "threads/media/0c.png")
      conversation.posts[0].media[0].file = "0a.mp3"
      conversation.posts[0].media[0].posterFile = "0c.png"
      _ = try fetching.store.save(conversation)
      try fetching.configure(settings, media: "mirror")
      let build = try await fetching.run("build", "--offline")
      #expect(build.code == 0, "\(build.errors)")
      try SiteChecks(fetching.site).checkAll()
      let tree = try fetching.site.tree()
      #expect(tree["media/0a.mp3"] == frame + frame)
      let page = String(
        decoding: try #require(tree.first { $0.key.contains("listen") && $0.key.hasSuffix(".html") }?.value),
        as: UTF8.self)
      #expect(!page.contains("files.social.example"))
      let words = "Audio (0:42): A hum of &quot;bees&quot; &lt;b&gt;"
      let player =
        /<figure class="audio"><img src="[^"]*media\/0c.png" alt=""[^>]*><audio controls preload="none" aria-label="Audio \(0:42\)"><source src="[^"]*media\/0a.mp3" type="audio\/mpeg">/
      #expect(page.contains(player) == (theme == "paper"))
      #expect(page.contains("<figcaption>\(words)</figcaption>") == (theme == "paper"))
      #expect(page.contains(words))
      let feed = String(decoding: try #require(tree["feed.xml"]), as: UTF8.self)
      let json = try JSONValue(parsing: Array(try #require(tree["feed.json"])))
      let address = "https://threads.example/media/0a.mp3"
      if theme == "paper" {
        #expect(feed.contains("<link rel=\"enclosure\" type=\"audio/mpeg\" href=\"\(address)\"/>"))
        #expect(
          json["items"]?.array?.first?["attachments"]
            == [["url": .string(address), "mime_type": "audio/mpeg", "duration_in_seconds": 42]])
      }
      fetching.stub.stop()
    }

    /// The header of a PNG file of 64 × 64 pixels.
    static let picture = Data(
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        + [0, 0, 0, 64, 0, 0, 0, 64, 8, 2, 0, 0, 0, 0, 0, 0, 0])

    @Test func serverTextNeverBecomesMarkup() async throws {
      var payloads = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "javascript:alert(1)",
        "-->{{{body}}}<svg/onload=alert(1)>",
        "<a href=\"javascript:alert(1)\">x</a>", "[x](javascript:alert(1))",
        "<iframe src=https://evil.example></iframe>",
      ]
      if let folder = ProjectFolders.sharedFixtures {
        payloads += try JSONDecoder().decode(
          [String].self, from: Data(contentsOf: folder.appending(path: "xss/owasp-payloads.json")))
      }
      var world = MastodonStub.World()
      for (number, payload) in payloads.enumerated() {
        let text = JSONValue.string(payload)
        world.statuses[number + 1] = MastodonStub.Status(
          id: number + 1, account: "ada",
          content: "<p>\(number) \(payload)</p><p><a href=\"\(payload)\">a</a></p>",
          parent: number == 0 ? nil : number,
          more: [
            "spoiler_text": .string(":x: :y: \(payload)"),
            "emojis": [
              ["shortcode": "x", "url": text, "static_url": text],
              ["shortcode": text, "url": "https://files.social.example/\"><script>.png"],
              ["shortcode": "y", "url": .string("https://files.social.example/\(payload)")],
            ],
            "card": [
              "url": "https://example.org/", "title": text, "description": text, "image": text, "html": text,
              "type": "link",
            ],
            "poll": [
              "id": "1", "expired": true, "multiple": false, "options": [["title": text, "votes_count": 1]],
            ],
            "media_attachments": [
              ["id": text, "type": text, "url": text, "description": text, "preview_url": text]
            ],
            "language": text, "application": ["name": text],
          ])
      }
      world.accountFields["ada"] = [
        "display_name": .string(":x::y:" + payloads.joined()),
        "emojis": [
          ["shortcode": "x", "url": .string(payloads[1])],
          ["shortcode": "y", "static_url": .string("https://files.social.example/\(payloads[1])")],
        ], "note": .string(payloads.joined()),
        "avatar": "javascript:alert(1)",
        "avatar_static": "javascript:alert(1)", "noindex": true,
        "fields": [["name": "x", "value": "<a href='javascript:alert(1)'>x</a>"]],
      ]
      let fetching = try MastodonSite(world, "base_url: https://threads.example/\n")
      let outcome = try await fetching.run("add", "https://social.example/@ada/1")
      #expect(outcome.code == 0, "\(outcome.errors)")
      #expect(try fetching.conversations().first?.posts.count == payloads.count)
      let build = try await fetching.run("build", "--offline")
      #expect(build.code == 0, "\(build.errors)")
      try SiteChecks(fetching.site).checkAll()
      // The author opted out of search engines.
      let tree = try fetching.site.tree()
      for (file, data) in tree where file.hasPrefix("mastodon/") && file.hasSuffix("/index.html") {
        #expect(
          String(decoding: data, as: UTF8.self).contains("<meta name=\"robots\" content=\"noindex\">"),
          "\(file)")
      }
      let sitemap = String(decoding: try #require(tree["sitemap.xml"]), as: UTF8.self)
      #expect(!sitemap.contains("/mastodon/"))
      fetching.stub.stop()
    }

    /// An independent server (mastodon_mock from PyPI), if THREADSITE_MASTODON_MOCK contains its path.
    @Test(.enabled(if: Self.peer != nil, "mastodon_mock is not installed"))
    func fetchesAThreadFromAnIndependentServer() async throws {
      let program = try #require(Self.peer)
      let port = 20_000 + Int.random(in: 0..<20_000)
      let server = Process()
      server.executableURL = URL(filePath: program)
      server.arguments = ["serve", "--in-memory", "--port", "\(port)"]
      server.standardOutput = FileHandle.nullDevice
      server.standardError = FileHandle.nullDevice
      try ProcessLauncher.start(server)
      defer { server.terminate() }
      let base = "http://127.0.0.1:\(port)"
      func post(_ text: String, after parent: String?) async throws -> JSONValue? {
        var request = URLRequest(url: try #require(URL(string: base + "/api/v1/statuses")))
        request.httpMethod = "POST"
        request.setValue("Bearer mock_token", forHTTPHeaderField: "Authorization")
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        let reply = parent.map { ", \"in_reply_to_id\": \"\($0)\"" } ?? ""
        request.httpBody = Data("{\"status\": \"\(text)\", \"visibility\": \"public\"\(reply)}".utf8)
        guard let (data, _) = try? await URLSession.shared.data(for: request) else { return nil }
        return try? JSONValue(parsing: Array(data))
      }
      var first: JSONValue?
      for _ in 0..<100 where first == nil {
        first = try await post("1/30 A thread & more", after: nil)
        if first == nil { try await Task.sleep(for: .milliseconds(200)) }
      }
      let root = try #require(first)
      var last = try #require(root["id"]?.string)
      for number in 2...30 {
        last = try #require(try await post("\(number)/30 more", after: last)?["id"]?.string)
      }
      let host = try #require(
        URL(string: root["url"]?.string ?? "").map { url in
          (url.host() ?? "") + (url.port.map { ":\($0)" } ?? "")
        })
      let site = try TemporarySite()
      try site.folder.write(
        "title: Peer\nmedia: link\nmastodon:\n  servers:\n    - host: \(host)\n      api_url: \(base)\n",
        to: "site.yml")
      let program2 = Program(
        folder: site.path, environment: ["THREADSITE_SHARE": ProjectFolders.repository.path])
      let address = "https://\(host)/@ada/\(last)"
      let outcome = try await program2.runAside(["add", address])
      #expect(outcome.code == 0, "\(outcome.errors)")
      let store = ThreadStore(folder: site.path + "/threads")
      let file = try #require(try store.list().first)
      let conversation = try store.read(file)
      #expect(conversation.posts.count == 30)
      #expect(conversation.posts.contains { $0.text.text == "1/30 A thread & more" })
    }

    private static let peer: String? = {
      let environment = ProcessInfo.processInfo.environment
      let candidates =
        [environment["THREADSITE_MASTODON_MOCK"]].compactMap(\.self)
        + (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/mastodon_mock" }
      return candidates.first { FileManager.default.isExecutableFile(atPath: $0) }
    }()
  }
}
