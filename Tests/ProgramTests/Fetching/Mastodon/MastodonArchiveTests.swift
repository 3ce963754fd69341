import Basics
import Foundation
import MastodonStub
import TestSupport
import Testing
import ThreadModel
import ThreadStore

extension FetchingTests {
  @Suite("An archive from Mastodon and its server")
  struct MastodonArchiveTests {
    private static let actor = "https://social.example/users/ada"

    /// Writes the archive that the stub's server would give Ada, with her posts as in the API's world. Older
    /// archives do not state the account's ID.
    private static func write(_ world: MastodonStub.World, in site: TemporarySite, _ name: String = "export")
      throws
    {
      func address(_ id: Int, _ account: String) -> String {
        "https://social.example/users/\(account)/statuses/\(id)"
      }
      let posts = world.statuses.values.filter { $0.account == "ada" && $0.boostOf == nil }
        .sorted { $0.id < $1.id }.map { status -> JSONValue in
          let parent = status.parent.flatMap { world.statuses[$0] }
          let isPublic = status.visibility == "public"
          let everybody: JSONValue = ["https://www.w3.org/ns/activitystreams#Public"]
          let followers: JSONValue = [.string(actor + "/followers")]
          return [
            "type": "Create", "actor": .string(actor),
            "object": [
              "type": "Note", "id": .string(address(status.id, "ada")), "attributedTo": .string(actor),
              "content": .string(status.content),
              "published": world.json(status)["created_at"] ?? .null,
              "url": .string("https://social.example/@ada/\(status.id)"),
              "inReplyTo": parent.map { .string(address($0.id, $0.account)) } ?? .null,
              "to": isPublic ? everybody : followers,
              "cc": status.visibility == "unlisted" ? everybody : isPublic ? followers : [],
              "attachment": status.id != 1010
                ? []
                : [
                  [
                    "type": "Document", "mediaType": "image/png", "name": "Bees",
                    "url": "media_attachments/files/000/000/042/original/b.png",
                  ]
                ],
            ],
          ]
        }
      let folder = site.folder
      func text(_ value: JSONValue) -> String {
        String(decoding: JSONWriter.text(of: value).bytes, as: UTF8.self)
      }
      try folder.write(
        text(["type": "OrderedCollection", "id": "outbox.json", "orderedItems": .array(posts)]),
        to: "\(name)/outbox.json")
      try folder.write(
        text(["type": "Person", "id": .string(actor), "preferredUsername": "ada", "name": "Ada"]),
        to: "\(name)/actor.json")
      try folder.write(
        MastodonTests.picture, to: "\(name)/media_attachments/files/000/000/042/original/b.png")
      try folder.write("{ this is never opened", to: "\(name)/likes.json")
    }

    private static func world() -> MastodonStub.World {
      var world = MastodonStub.longThread()
      world.statuses[1400]?.visibility = "private"
      return world
    }

    @Test func buildsASiteFromTheArchiveAlone() async throws {
      let fetching = try MastodonSite(Self.world())
      try Self.write(Self.world(), in: fetching.site)
      let imported = try await fetching.run("import", "export")
      #expect(imported.code == 0, "\(imported.errors)")
      let said = imported.output + imported.errors
      #expect(said.contains("1 post for followers only") && said.contains("not read: likes"), "\(said)")
      let before = try fetching.site.folder.tree("threads")
      let again = try await fetching.run("import", "export/")
      #expect(again.code == 0 && (again.output + again.errors).contains("0 new, 0 updated, 1 unchanged"))
      #expect(try fetching.site.folder.tree("threads") == before)
      let conversation = try #require(try fetching.conversations().first)
      #expect(conversation.posts.count == 79)
      let build = try await fetching.run("build", "--offline")
      #expect(build.code == 0, "\(build.errors)")
      try SiteChecks(fetching.site).checkAll()
      let page = try #require(
        try fetching.site.tree().first { $0.key.hasPrefix("mastodon/") && $0.key.hasSuffix("/index.md") })
      let text = String(decoding: page.value, as: UTF8.self)
      #expect(text.contains("80/80 ") && text.contains("Bees") && !text.contains("40/80 "))
      #expect(fetching.stub.requests.isEmpty, "an import needs no network")
      fetching.stub.stop()
    }

    @Test func importsUnlistedThreadsOnRequest() async throws {
      var world = MastodonStub.longThread()
      for id in world.statuses.keys { world.statuses[id]?.visibility = "unlisted" }
      world.statuses[1400]?.visibility = "private"
      let fetching = try MastodonSite(world)
      try Self.write(world, in: fetching.site)
      let without = try await fetching.run("import", "export")
      #expect(without.code == 0, "\(without.errors)")
      #expect(
        (without.output + without.errors).contains("skipped: 1 unlisted thread (--unlisted imports it)"),
        "\(without.output)\(without.errors)")
      #expect(try fetching.store.list().isEmpty)
      let with = try await fetching.run("import", "--unlisted", "export")
      #expect(with.code == 0 && !(with.output + with.errors).contains("unlisted"), "\(with.errors)")
      let conversation = try #require(try fetching.conversations().first)
      // Posts for followers only are never imported.
      #expect(conversation.posts.count == 79 && !conversation.posts.contains { $0.id.value == "1400" })
      fetching.stub.stop()
    }

    @Test func sourceInSiteYMLMayIncludeUnlistedThreads() async throws {
      var world = MastodonStub.longThread()
      for id in world.statuses.keys { world.statuses[id]?.visibility = "unlisted" }
      let archive = "sources:\n  - archive: export\n"
      let account = "sources:\n  - account: https://social.example/@ada\n"
      for source in [archive, account] {
        let fetching = try MastodonSite(world, source)
        try Self.write(world, in: fetching.site)
        let without = try await fetching.run("fetch", "--verbose")
        #expect(
          without.code == 0 && (without.output + without.errors).contains("unlisted"), "\(without.errors)")
        #expect(try fetching.store.list().isEmpty)
        // Threads that an earlier run skipped are imported after the setting changes.
        try fetching.configure(source + "    unlisted: true\n")
        let with = try await fetching.run("fetch")
        #expect(with.code == 0, "\(with.errors)")
        #expect(try fetching.conversations().map(\.posts.count) == [80])
        fetching.stub.stop()
      }
    }

    @Test func keepsTheLinkToAQuotedPostThatTheArchiveLacks() async throws {
      let fetching = try MastodonSite(Self.world())
      func post(_ id: Int, _ content: String, _ more: JSONObject = [:]) -> JSONValue {
        let object: JSONObject = [
          "type": "Note", "id": .string("\(Self.actor)/statuses/\(id)"), "attributedTo": .string(Self.actor),
          "content": .string(content), "published": "2024-01-02T03:04:05Z", "to": "as:Public",
          "url": .string("https://social.example/@ada/\(id)"),
        ]
        return [
          "type": "Create", "actor": .string(Self.actor), "object": .object(object.merging(more) { $1 }),
        ]
      }
      func quoting(_ url: String, _ text: String) -> String {
        "<p class=\"quote-inline\">RE: <a href=\"\(url)\">\(url)</a></p><p>\(text)</p>"
      }
      let theirs = "https://other.example/@bob/5"
      let own = "https://social.example/@ada/1"
      let outbox: JSONValue = [
        "@context": "https://www.w3.org/ns/activitystreams", "type": "OrderedCollection",
        "orderedItems": [
          post(1, "The first machine that weaves."),
          post(
            2, quoting(theirs, "What a lovely loom this is."),
            [
              "quote": "https://other.example/users/bob/statuses/5",
              "quoteAuthorization": "https://other.example/users/bob/quote_authorizations/1",
            ]),
          post(3, quoting(own, "As it was said before."), ["quote": .string("\(Self.actor)/statuses/1")]),
        ],
      ]
      let text = String(decoding: JSONWriter.text(of: outbox).bytes, as: UTF8.self)
      try fetching.site.folder.write(text, to: "outbox.json")
      let imported = try await fetching.run("import", "--min-posts", "1", "outbox.json")
      #expect(imported.code == 0, "\(imported.errors)")
      let build = try await fetching.run("build", "--offline")
      #expect(build.code == 0, "\(build.errors)")
      let pages = try fetching.site.tree().filter {
        $0.key.hasPrefix("mastodon/") && $0.key.hasSuffix("/index.html")
      }.values.map { String(decoding: $0, as: UTF8.self) }
      func page(_ title: String) -> String? { pages.first { $0.contains("<title>\(title)") } }
      let missing = try #require(page("What a lovely loom this is"))
      #expect(missing.contains("RE: <a href=\"\(theirs)\""))
      let shown = try #require(page("As it was said before"))
      #expect(shown.contains("weaves") && !shown.contains("RE:"))
      fetching.stub.stop()
    }

    /// A post was deleted after the archive was made, so the server has two threads and the archive has one.
    @Test(arguments: [true, false])
    func archiveJoinsPartsOfAThreadWithADeletedPost(archiveFirst: Bool) async throws {
      let fetching = try MastodonSite(MastodonStub.longThread())
      try Self.write(MastodonStub.longThread(), in: fetching.site)
      fetching.stub.change { $0.delete(1400) }
      let fetches = ["1500", "1010"].map { ["add", "https://social.example/@ada/\($0)"] }
      if !archiveFirst {
        for fetch in fetches { #expect(try await fetching.run(fetch).code == 0) }
        #expect(try fetching.conversations().count == 2)
      }
      #expect(try await fetching.run("import", "export").code == 0)
      if archiveFirst { for fetch in fetches { #expect(try await fetching.run(fetch).code == 0) } }
      let conversations = try fetching.conversations()
      #expect(conversations.map(\.id.value) == ["1010"])
      let ids = Set(conversations.first?.posts.map(\.id.value) ?? [])
      #expect(ids.isSuperset(of: (1...80).map { "\(1000 + $0 * 10)" }.filter { $0 != "1400" }))
      fetching.stub.stop()
    }

    /// Fetches by a post, by its account, or by checking the store's threads.
    @Test(arguments: ["thread", "account", "again", "before"])
    func importAndFetchMakeOneThread(_ way: String) async throws {
      let fetching = try MastodonSite(
        MastodonStub.longThread(),
        way == "account" ? "sources:\n  - account: https://social.example/@ada\n" : "")
      try Self.write(MastodonStub.longThread(), in: fetching.site)
      if way != "before" {
        #expect(try await fetching.run("import", "export").code == 0)
        #expect(try fetching.conversations().map(\.authorID.value) == ["acct.ada"])
      }
      let file = try fetching.store.list().first
      let outcome =
        switch way {
        case "account": try await fetching.run("fetch")
        case "again": try await fetching.run("fetch", "--all")
        default: try await fetching.run("add", "https://social.example/@ada/1500")
        }
      #expect(outcome.code == 0, "\(outcome.errors)")
      if way == "before" { #expect(try await fetching.run("import", "export").code == 0) }
      let files = try fetching.store.list()
      #expect(files.count == 1 && (file == nil || files.first == file))
      let conversation = try #require(try fetching.conversations().first)
      let id = AuthorID("9000", by: "social.example", on: .mastodon)
      #expect(conversation.authorID == id && conversation.posts.allSatisfy { $0.authorID == id })
      #expect(conversation.authors.map(\.id) == [id])
      #expect(conversation.posts.count == 80 && conversation.tombstones.isEmpty)
      #expect(
        Set(conversation.provenance.map(\.source)) == [.mastodonArchive, .mastodonAPI])
      let media = try #require(conversation.posts.first { $0.id.value == "1010" }?.media)
      #expect(media.contains { $0.id == "42" && $0.isFileFromArchive })
      let again = try await fetching.run("import", "export")
      #expect((again.output + again.errors).contains("0 updated, 1 unchanged"), "\(again.errors)")
      fetching.stub.stop()
    }

    @Test func keepsPostsThatTheAPIDoesNotFind() async throws {
      let fetching = try MastodonSite(Self.world())
      let actor = "https://social.example/users/bea"
      func post(_ id: String, answers: String?) -> JSONValue {
        [
          "type": "Create", "actor": .string(actor),
          "object": [
            "type": "Note", "id": .string("https://social.example/objects/\(id)"),
            "attributedTo": .string(actor),
            "content": "Hello", "published": "2024-01-02T03:04:05Z", "to": "as:Public",
            "inReplyTo": answers.map { .string("https://social.example/objects/\($0)") } ?? .null,
          ],
        ]
      }
      let outbox: JSONValue = [
        "@context": "https://www.w3.org/ns/activitystreams", "type": "OrderedCollection",
        "orderedItems": [post("a1", answers: nil), post("a2", answers: "a1")],
      ]
      try fetching.site.folder.write(
        String(decoding: JSONWriter.text(of: outbox).bytes, as: UTF8.self), to: "bea-outbox.json")
      let imported = try await fetching.run("import", "bea-outbox.json")
      #expect(imported.code == 0, "\(imported.errors)")
      let again = try await fetching.run("fetch", "--all")
      #expect(again.code == 0, "\(again.errors)")
      #expect(try fetching.conversations().first?.posts.count == 2)
      fetching.stub.stop()
    }

    @Test func eachNetworkRecognizesItsZIPFiles() async throws {
      let fetching = try MastodonSite(Self.world())
      try fetching.site.folder.write(
        Data([0x50, 0x4B, 5, 6] + [UInt8](repeating: 0, count: 18)), to: "empty.zip")
      let empty = try await fetching.run("import", "empty.zip")
      #expect(empty.code == 65 && empty.errors.contains("empty.zip: error:"), "\(empty.errors)")
      try fetching.site.folder.write("a,b\n", to: "following.csv")
      let list = try await fetching.run("import", "following.csv")
      #expect(list.code == 65 && list.errors.contains("GoToSocial exports only CSV files"), "\(list.errors)")
      let zip = ProjectFolders.sharedFixtures?.appending(
        path: "networks/mastodon-export/mastodon-4.1-export.zip"
      ).path
      if let zip {
        let real = try await fetching.run("import", zip, "--min-posts", "1", "--with-replies")
        #expect(real.code == 0, "\(real.errors)")
        #expect(try fetching.conversations().reduce(0) { $0 + $1.posts.count } == 18)
      }
      fetching.stub.stop()
    }
  }
}
