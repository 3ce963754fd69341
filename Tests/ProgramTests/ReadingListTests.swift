import Basics
import BlueskyStub
import Foundation
import TestSupport
import Testing

/// `threadsite import --likes` and `--bookmarks`: the posts of others that an account marked, from its archive.
@Suite("Reading lists") struct ReadingListTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Runs an import and checks that it wrote nothing.
  private func list(_ arguments: String...) throws -> Program.Outcome {
    let before = try folder.tree()
    let outcome = try Program(folder: folder.path).run(["import"] + arguments)
    #expect(try folder.tree() == before, "\(arguments)")
    return outcome
  }

  private func writeXArchive(_ files: [(name: String, text: String)], to name: String) throws {
    let posts = ZipWriter.Entry("data/tweets.js", "window.YTD.tweets.part0 = [ ]")
    try folder.write(Data(ZipWriter.zip([posts] + files.map { ZipWriter.Entry($0.name, $0.text) })), to: name)
  }

  /// The files and members of an archive of X. Texts are escaped, and posts that were gone when X made the archive have none.
  @Test func listsLikesOfX() throws {
    let first = """
      window.YTD.like.part0 = [
        {"like":{"tweetId":"1346889436626259968","fullText":"Clocks &amp; dials,\\nin &lt;one&gt; place","expandedUrl":"https://twitter.com/i/web/status/1346889436626259968"}},
        {"like":{"tweetId":"1346889436626259969","expandedUrl":"https://twitter.com/i/web/status/1346889436626259969"}},
        {"like":{"tweetId":"../1","fullText":"no post"}}
      ]
      """
    let second = #"window.YTD.like.part1 = [ {"like":{"tweetId":"20","fullText":"just setting up"}} ]"#
    try writeXArchive([("data/like-part1.js", second), ("data/like.js", first)], to: "x.zip")
    let outcome = try list("--likes", "x.zip")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(
      outcome.output == """
        https://x.com/i/status/1346889436626259968\t\tClocks & dials, in <one> place
        https://x.com/i/status/1346889436626259969\t\t
        https://x.com/i/status/20\t\tjust setting up

        """)
    #expect(outcome.errors == "3 likes, and 1 without a URL. Nothing was imported.\n")
    // The unpacked archive gives the same list.
    try folder.write("window.YTD.tweets.part0 = [ ]", to: "unpacked/data/tweets.js")
    try folder.write(first, to: "unpacked/data/like.js")
    try folder.write(second, to: "unpacked/data/like-part1.js")
    #expect(try list("--likes", "unpacked").output == outcome.output)
  }

  /// A truncated file is listed up to its last complete entry, and the command fails.
  @Test func reportsTruncatedLikes() throws {
    try writeXArchive(
      [("data/like.js", "window.YTD.like.part0 = [\n{\"like\":{\"tweetId\":\"20\"}},\n{\"like\":{\"twee")],
      to: "x.zip")
    let outcome = try list("--likes", "x.zip")
    #expect(outcome.code == 65)
    #expect(outcome.output == "https://x.com/i/status/20\t\t\n")
    #expect(outcome.errors.hasPrefix("x.zip/data/like.js:3:"), "\(outcome.errors)")
  }

  /// The collections of an archive of Mastodon contain URIs. Other text is not printed as a URL.
  @Test(arguments: ["likes", "bookmarks"]) func listsCollectionsOfMastodon(kind: String) throws {
    let items = [
      "https://social.example/users/bo/statuses/1", "javascript:alert(1)",
      "https://social.example/\\u001b[2J",
      "https://other.example/objects/2",
    ]
    let entries = [
      ZipWriter.Entry("outbox.json", #"{"type":"OrderedCollection","id":"outbox.json","orderedItems":[]}"#),
      ZipWriter.Entry(
        "\(kind).json",
        "{\"type\":\"OrderedCollection\",\"orderedItems\":[\(items.map { "\"\($0)\"" }.joined(separator: ","))]}"
      ),
    ]
    try folder.write(Data(ZipWriter.zip(entries)), to: "archive.zip")
    let outcome = try list("--\(kind)", "archive.zip")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(
      outcome.output
        == "https://social.example/users/bo/statuses/1\t\t\nhttps://other.example/objects/2\t\t\n")
    #expect(outcome.errors.hasPrefix("2 \(kind), and 2 without a URL."))
    let other = kind == "likes" ? "bookmarks" : "likes"
    let missing = try list("--\(other)", "archive.zip")
    #expect(missing.code == 65 && missing.output.isEmpty)
    #expect(missing.errors == "archive.zip: error: contains no \(other): there is no \(other).json in it\n")
  }

  /// Likes of posts, latest first. A like of a feed is not a post.
  @Test func listsLikesOfBluesky() throws {
    var repository = InventedRepository(of: BlueskyWorld.ada, in: BlueskyWorld(), labels: [])
    func like(_ uri: String, _ time: String) -> JSONValue {
      [
        "$type": "app.bsky.feed.like", "createdAt": .string(time),
        "subject": ["uri": .string(uri), "cid": "c"],
      ]
    }
    let post = "at://did:plc:aaaaaaaaaaaaaaaaaaaaaaaa/app.bsky.feed.post/3k"
    repository.add(like(post + "1", "2024-01-30T10:00:00Z"), at: "app.bsky.feed.like/3kaaaaaaaaa22")
    repository.add(like(post + "2", "2024-01-31T10:00:00Z"), at: "app.bsky.feed.like/3kbbbbbbbbb22")
    repository.add(
      like("at://did:plc:aaaaaaaaaaaaaaaaaaaaaaaa/app.bsky.feed.generator/new", "2024-02-01T10:00:00Z"),
      at: "app.bsky.feed.like/3kccccccccc22")
    repository.add(like("https://bsky.app/", "2024-02-01T10:00:00Z"), at: "app.bsky.feed.like/3kddddddddd22")
    try folder.write(Data(repository.bytes), to: "repo.car")
    let outcome = try list("--likes", "repo.car")
    #expect(outcome.code == 0, "\(outcome.errors)")
    let profile = "https://bsky.app/profile/did:plc:aaaaaaaaaaaaaaaaaaaaaaaa/post"
    #expect(outcome.output == "\(profile)/3k2\t2024-01-31\t\n\(profile)/3k1\t2024-01-30\t\n")
    #expect(outcome.errors == "2 likes, and 1 without a URL. Nothing was imported.\n")
  }

  /// An error in one archive does not hide the list of another one.
  @Test func readsSeveralArchives() throws {
    try writeXArchive(
      [("data/like.js", #"window.YTD.like.part0 = [ {"like":{"tweetId":"20"}} ]"#)], to: "a.zip")
    try writeXArchive([], to: "b.zip")
    try folder.write("words", to: "letter.txt")
    let outcome = try list("--likes", "b.zip", "letter.txt", "a.zip", "missing.zip")
    #expect(outcome.code == 65)
    #expect(outcome.output == "https://x.com/i/status/20\t\t\n")
    let lines = outcome.errors.split(separator: "\n")
    #expect(lines.count == 4, "\(outcome.errors)")
    #expect(lines[0] == "b.zip: error: contains no likes: there is no data/like.js in it")
    #expect(lines[1] == "letter.txt: error: is not an archive of a network")
    #expect(lines[2].hasPrefix("missing.zip: error: "))
  }

  @Test(arguments: [
    "--since=2024-01-31", "--min-posts=3", "--prune", "--own", "--no-media", "--with-replies",
  ])
  func refusesOptionsOfImports(option: String) throws {
    let outcome = try list("--likes", option, "x.zip")
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains("--likes imports nothing"), "\(outcome.errors)")
  }

  /// The numbers were counted with a different decoder (Python's `cbor2`) and by reading `likes.json`.
  @Test(.enabled(if: ProjectFolders.hasSharedFixtures, "needs ../shared/fixtures"))
  func listsLikesOfRealArchives() throws {
    let fixtures = try #require(ProjectFolders.sharedFixtures).appending(path: "networks")
    let bluesky = try list("--likes", fixtures.appending(path: "atproto-car/real-v2-2022.car").path)
    let lines = bluesky.output.split(separator: "\n")
    #expect(lines.count == 60)
    #expect(
      lines.first
        == "https://bsky.app/profile/did:plc:qgivgkwjtb5l3hqzqzlt54kn/post/3jsawim3nf22k\t2023-04-01\t")
    let mastodon = try list(
      "--likes", fixtures.appending(path: "mastodon-export/mastodon-4.1-export.zip").path)
    #expect(
      mastodon.output == """
        https://toot.lmorchard.com/users/testbot/statuses/109548030284394103\t\t
        https://toot.lmorchard.com/users/complimentron/statuses/109567673179698109\t\t
        https://toot.lmorchard.com/users/shrubot/statuses/109576268007273426\t\t

        """)
  }
}
