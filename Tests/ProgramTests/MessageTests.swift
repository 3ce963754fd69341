import BlueskyStub
import Foundation
import TestSupport
import Testing
import ThreadModel
import ThreadStore

/// Messages name the network concerned, count each thread once, and give advice that works.
@Suite("Messages", .serialized)
struct MessageTests {
  @Test(arguments: [
    (
      #"{"id":"1","account":{"id":"9","acct":"ada"},"content":"<p>Hello</p>","visibility":"public"}"#,
      "a response of a Mastodon server"
    ),
    (#"[{"id":"1","account":{"acct":"ada"},"content":""}]"#, "a response of a Mastodon server"),
    (#"{"ancestors":[],"descendants":[]}"#, "a response of a Mastodon server"),
    (
      #"{"thread":{"$type":"app.bsky.feed.defs#threadViewPost","post":{"uri":"at://did:plc:a/app.bsky.feed.post/1"}}}"#,
      "a response of a Bluesky server"
    ),
    (
      #"{"posts":[{"uri":"at://did:plc:a/app.bsky.feed.post/1","record":{}}]}"#,
      "a response of a Bluesky server"
    ),
    (
      #"{"feed":[{"post":{"uri":"at://did:plc:a/app.bsky.feed.post/1"}}]}"#,
      "a response of a Bluesky server"
    ),
    ("window.YTD.tweets.part0 = []", "import the archive's zip file or the unpacked folder"),
    (#"{"some":"thing"}"#, "`threadsite help import` lists the files"),
  ])
  func importNamesTheKindOfAFile(content: String, message: String) async throws {
    let site = try BlueskySite()
    try site.site.folder.write(content, to: "tweets.js")
    let outcome = try await site.run("import", "tweets.js")
    #expect(outcome.code == 65 && outcome.errors.contains("tweets.js: error: "), "\(outcome.errors)")
    #expect(outcome.errors.contains(message), "\(outcome.errors)")
    #expect(!outcome.errors.contains("X API v2"), "\(outcome.errors)")
  }

  @Test(arguments: [
    ("https://bsky.app/profile/\(BlueskyWorld.ada)/post/3mg2aaaaaaa22", false),
    ("https://social.example/@ada/1", false), ("https://x.com/ada/status/1346889436626259968", true),
  ])
  func adviceForAMissingThreadFitsItsNetwork(address: String, isOfX: Bool) async throws {
    let site = try BlueskySite(configuration: "sources:\n  - \(address)\nthreads:\n  - url: \(address)\n")
    let build = try await site.run("build", "--offline")
    #expect(build.code == 65 && build.errors.contains("threadsite fetch"), "\(build.errors)")
    #expect(build.errors.contains("token for X") == isOfX, "\(build.errors)")
    let export = try await site.run("export", "html", "--thread", address)
    #expect(export.code != 0 && export.errors.contains("token for X") == isOfX, "\(export.errors)")
  }

  @Test func adviceForADeadURLWorks() async throws {
    var world = BlueskyWorld.people
    let uri = world.add("Boats float on water.", by: BlueskyWorld.ada, at: 1000)
    func address(_ key: some StringProtocol) -> String {
      "https://bsky.app/profile/\(BlueskyWorld.ada)/post/\(key)"
    }
    let site = try BlueskySite(
      world,
      configuration:
        "media: none\nsources:\n  - \(address(uri.split(separator: "/").last ?? ""))\n  - \(address("3mg2zzzzzzz22"))\n"
    )
    let build = try await site.run("build")
    #expect(build.code == 65, "\(build.errors)")
    #expect(build.errors.contains("`threadsite build --keep-going`"), "\(build.errors)")
    #expect(!build.errors.contains("--offline"), "\(build.errors)")
    #expect(!site.site.folder.exists("site/index.html"))
    let advised = try await site.run("build", "--keep-going")
    #expect(advised.code == 65 && site.site.folder.exists("site/index.html"), "\(advised.errors)")
  }

  @Test func threadThatIsSavedTwiceCountsOnce() async throws {
    var world = BlueskyWorld.people
    let first = world.add("Boats float on water.", by: BlueskyWorld.ada, at: 1000)
    let second = world.add("They sink in air.", by: BlueskyWorld.ada, at: 1010, answering: first)
    let site = try BlueskySite(world, configuration: "media: none")
    #expect(
      try await site.run(
        "add", "https://bsky.app/profile/\(BlueskyWorld.ada)/post/\(first.split(separator: "/").last ?? "")"
      )
      .code == 0)
    site.stub.change { world, _ in
      _ = world.add("Or in mud.", by: BlueskyWorld.ada, at: 1020, answering: second)
    }
    let outcome = try await site.run("fetch", "--all")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(
      (outcome.output + outcome.errors).contains("1 thread (0 new, 1 updated, 0 unchanged)"),
      "\(outcome.output)\(outcome.errors)")
    #expect(try site.conversation().posts.count == 3)
  }
}
