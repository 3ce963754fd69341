import Basics
import Foundation
import MastodonNetwork
import TestSupport
import Testing
import ThreadModel

/// Every real payload beside the repository is read or rejected by name.
@Suite("Real payloads of Mastodon and related software")
struct FixtureTests {
  private static let folders = ["mastodon", "networks/mastodon-api", "networks/mastodon-peers"]

  private static var files: [URL] {
    guard let shared = ProjectFolders.sharedFixtures else { return [] }
    return folders.flatMap { folder in
      (try? FileManager.default.contentsOfDirectory(
        at: shared.appending(path: folder), includingPropertiesForKeys: nil))
        ?? []
    }.filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }
  }

  /// The payload, or the body of a recorded exchange.
  private static func payload(_ file: URL) throws -> JSONValue {
    let value = try JSONValue(parsing: Array(Data(contentsOf: file)))
    return value["method"] != nil && value["url"] != nil ? value["body"] ?? .null : value
  }

  private static func payload(named name: String) throws -> JSONValue {
    let file = try #require(files.first { $0.lastPathComponent == name })
    return try payload(file)
  }

  @Test(.enabled(if: ProjectFolders.hasSharedFixtures, "needs ../shared/fixtures"))
  func areReadOrRejectedByName() throws {
    #expect(Self.files.count > 60)
    var read = 0
    var refused: [String: String] = [:]
    for file in Self.files {
      do {
        let answer = try MastodonAnswer(Self.payload(file))
        for status in answer.statuses {
          let post = try status.post(on: MastodonServer("social.example"), seenAt: nil)
          #expect(post.id.value == status.id)
          #expect(!post.text.text.contains("<p>") && !post.text.text.contains("href="))
          read += 1
        }
      } catch let error as MastodonRefusal {
        refused[file.lastPathComponent] = error.description
        #expect(!error.description.contains("without a status's fields"), "\(file.lastPathComponent)")
      }
    }
    #expect(read > 60)
    #expect(refused["005-entities-Poll.json"] == "not a status but a poll")
    #expect(refused["006-entities-Quote.json"] == "not a status but a quote")
    #expect(refused["shallow_quote.json"] == "not a status but a quote")
    #expect(refused["account_mastodon_official.json"] == "not a status but an account")
    #expect(
      refused["gotosocial-status-unauthorized.json"]
        == "not a status but an error: Unauthorized: token not supplied")
    #expect(refused["pleroma.json"] == "not a status but a description of a server")
    #expect(refused["009-entities-Status.json"] == nil && refused["gotosocial-context-root.json"] == nil)
  }

  @Test(
    .enabled(if: ProjectFolders.hasSharedFixtures, "needs ../shared/fixtures"),
    arguments: ["gotosocial", "snac"])
  func readsAThreadWithAPrivatePostInside(_ software: String) throws {
    let root = try MastodonStatus(Self.payload(named: "\(software)-status-root.json"))
    let context = try MastodonAnswer(Self.payload(named: "\(software)-context-root.json"))
    let server = MastodonServer("127.0.0.1")
    var fetchIndex = MastodonFetchIndex(server)
    fetchIndex.add(root, at: Timestamp(seconds: 0))
    fetchIndex.add(context, at: Timestamp(seconds: 0))
    let (conversation, notes) = fetchIndex.conversation(from: root.id, by: root.account.id)
    let texts = conversation.posts.map(\.text.text)
    #expect(texts.contains { $0.hasPrefix("🧵 1/7 Notes on bees & ") && $0.contains("“honey”") })
    #expect(texts.contains("2/7 Second line\nthird line\n\n\nand a gap"))
    #expect(texts.contains("7/7 the end, after a post that is not public"))
    // No word of the post for followers only is read.
    #expect(!texts.contains { $0.contains("followers only") })
    #expect(
      conversation.tombstones.contains { $0.reason == .protected && $0.authorID == conversation.authorID })
    #expect(notes == ["1 post of the thread left out because not public (private)."])
    let warned = try #require(conversation.posts.first { $0.text.text == "3/7 behind a warning" })
    #expect(warned.contentWarning != nil && warned.isSensitive)
    let first = try #require(conversation.posts.first { $0.id == conversation.id })
    #expect(first.text.entities.count == 2)
    #expect(HTMLTextTests.marked(first.text).contains("](https://example.org/wiki/Bee_(insect)?a=1&b=2#top)"))
  }

  @Test(.enabled(if: ProjectFolders.hasSharedFixtures, "needs ../shared/fixtures"))
  func readsQuotesOfMastodon44() throws {
    let posts = try #require(try Self.payload(named: "phanpy-mock-posts.json").array)
    let server = MastodonServer("mastodon.social")
    var fetchIndex = MastodonFetchIndex(server)
    let status = try MastodonStatus(posts[0])
    fetchIndex.add(status, at: Timestamp(seconds: 0))
    let (conversation, _) = fetchIndex.conversation(from: status.id, by: status.account.id)
    #expect(conversation.posts.first?.text.text.hasSuffix("\n\nProbably amigurumi 🙈") == true)
    #expect(conversation.posts.first?.quotes?.value == "115902249849093818")
    #expect(conversation.related.first?.id.value == "115902249849093818")
    #expect(
      conversation.related.first?.text.text.hasPrefix("I just got an idea for this year's #plushtodon")
        == true)
    #expect(conversation.author?.handle == "cheeaun@mastodon.social")
    let website = conversation.author?.website
    #expect(website == "https://github.com/cheeaun")
    #expect(conversation.author?.joinedAt == Timestamp(iso8601: "2017-04-04T00:00:00Z"))
  }

  @Test(.enabled(if: ProjectFolders.hasSharedFixtures, "needs ../shared/fixtures"))
  func readsQuotesAndEmojiOfPleroma() throws {
    let quoting = try MastodonStatus(Self.payload(named: "post_akkoma_quote.json"))
    let server = MastodonServer("miraiverse.xyz")
    var fetchIndex = MastodonFetchIndex(server)
    fetchIndex.add(quoting, at: Timestamp(seconds: 0))
    let (conversation, _) = fetchIndex.conversation(from: quoting.id, by: quoting.account.id)
    let post = try #require(conversation.posts.first)
    #expect(post.text.text.hasPrefix("from @technicat\n\nhttps://universeodon.com/@technicat/"))
    #expect(
      conversation.related.first?.media.first?.altText
        == "fruit tea next to a pharmacy paper bag of vaccine info")
    #expect(conversation.related.first?.media.first?.width == 2715)
    let emoji = try MastodonStatus(Self.payload(named: "post_with_emojis_and_attachments.json"))
      .post(on: MastodonServer("m.iamkonstantin.eu"), seenAt: nil)
    #expect(
      emoji.text.entities.contains { if case .emoji("heart_cup", _) = $0.kind { true } else { false } })
    #expect(emoji.text.text == "I just #love #coffee :heart_cup:  There is no better way to start the day.")
  }
}
