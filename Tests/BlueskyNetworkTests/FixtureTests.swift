import Basics
import Foundation
import TestSupport
import Testing
import ThreadModel

@testable import BlueskyNetwork

/// Real responses and records of Bluesky, and the test data of other programs.
@Suite(.enabled(if: ProjectFolders.hasSharedFixtures, "needs ../shared/fixtures"))
struct BlueskyFixtureTests {
  static let now = Timestamp(seconds: 1_790_000_000)

  static let files: [URL] = {
    guard let shared = ProjectFolders.sharedFixtures else { return [] }
    return ["bluesky/payloads", "networks/bluesky-exchanges", "networks/bluesky-views"].flatMap { folder in
      let all = try? FileManager.default.contentsOfDirectory(
        at: shared.appending(path: folder), includingPropertiesForKeys: nil)
      return (all ?? []).filter { $0.pathExtension == "json" }
    }.sorted { $0.path < $1.path }
  }()

  /// Every post view in a document at any depth, read with Foundation.
  private func views(_ value: Any) -> [[String: Any]] {
    if let list = value as? [Any] { return list.flatMap(views) }
    guard let object = value as? [String: Any] else { return [] }
    let own = object["uri"] is String && object["record"] is [String: Any] && object["creator"] == nil
    return (own ? [object] : []) + object.values.flatMap(views)
  }

  private func isPost(_ view: [String: Any]) -> Bool {
    RecordAddress(view["uri"] as? String)?.isPost == true
  }

  @Test(arguments: files)
  func readsEveryPost(file: URL) throws {
    let data = try Data(contentsOf: file)
    let document = try JSONSerialization.jsonObject(with: data)
    for view in views(document) where isPost(view) {
      let bytes = try JSONSerialization.data(withJSONObject: view)
      var observations = BlueskyObservations(now: Self.now)
      let added = observations.add(postView: try JSONValue(parsing: Array(bytes)))
      let address = try #require(added)
      guard observations.missing[address] == nil else { continue }
      let post = try #require(observations.posts[address])
      let record = try #require(view["record"] as? [String: Any])
      #expect(post.text.text == record["text"] as? String ?? "")
      #expect(post.metrics.likes == view["likeCount"] as? Int)
      let reply = record["reply"] as? [String: Any]
      let parent = (reply?["parent"] as? [String: Any])?["uri"] as? String
      #expect(post.inReplyTo == RecordAddress(parent)?.postID)
    }
  }

  /// Names of files without posts. Every other file has posts, and each of them is read.
  private static let withoutPosts: Set<String> = [
    // A single card, people, a follow, a like, a DID document and a handle document.
    "007-EmbeddedExternalTests", "actor.bsky", "actor_with_featured.bsky", "follow.bsky", "like.bsky",
    "did_doc", "resolve_handle", "i_resolveh.0", "r_descRepo.0",
    // Threads whose post is blocked.
    "thread.listblock-doesn-t-apply-listblock-if-list-was-taken-down-by-private-takedown-1",
    "thread.listblock-doesn-t-apply-listblock-if-list-was-taken-down-by-takedown-label-1",
  ]

  /// Every post record as from the accounts' own servers, without the AppView's additions.
  private func records(_ value: Any) -> [[String: Any]] {
    if let list = value as? [Any] { return list.flatMap(records) }
    guard let object = value as? [String: Any] else { return [] }
    return (object["$type"] as? String == "app.bsky.feed.post" ? [object] : [])
      + object.values.flatMap(records)
  }

  @Test(arguments: files)
  func readsEveryRecord(file: URL) throws {
    let document = try JSONSerialization.jsonObject(with: try Data(contentsOf: file))
    let records = records(document)
    let posts = views(document).filter(isPost).count + records.count
    #expect((posts == 0) == Self.withoutPosts.contains(file.deletingPathExtension().lastPathComponent))
    for (number, record) in records.enumerated() {
      let bytes = try JSONSerialization.data(withJSONObject: record)
      let address = try #require(
        RecordAddress("at://did:plc:abcdefghijklmnopqrstuvwx/app.bsky.feed.post/3k\(number)"))
      var observations = BlueskyObservations(now: Self.now)
      let isRead = observations.add(record: try JSONValue(parsing: Array(bytes)), at: address)
      #expect(isRead)
      let post = try #require(observations.posts[address])
      #expect(post.text.text == record["text"] as? String ?? "")
      let quoted = ((record["embed"] as? [String: Any])?["record"] as? [String: Any])
      let uri = quoted?["uri"] as? String ?? (quoted?["record"] as? [String: Any])?["uri"] as? String
      #expect(
        post.quotes == RecordAddress(uri).flatMap { $0.isPost ? $0.postID : nil },
        "\(String(describing: uri))")
      // Every complete link of a facet becomes a link.
      let links = ((record["facets"] as? [[String: Any]]) ?? []).flatMap {
        ($0["features"] as? [[String: Any]] ?? []).compactMap { $0["uri"] as? String }
      }
      if links.isEmpty {
        #expect(!post.text.entities.contains { if case .link = $0.kind { true } else { false } })
      }
    }
  }

  @Test func readsImagesOfAGallery() throws {
    let folder = try #require(ProjectFolders.sharedFixtures).appending(path: "networks/bluesky-views")
    for (name, kind) in [
      ("posts.embeds-gallery-1", MediaKind.photo), ("posts.embeds-gallery-with-record-1", .photo),
      ("posts.embeds-video-1", .video), ("posts.embeds-video-with-record-1", .video),
    ] {
      let data = try Data(contentsOf: folder.appending(path: name + ".json"))
      let view = try #require(try JSONValue(parsing: Array(data))["body"])
      var observations = BlueskyObservations(now: Self.now)
      let added = observations.add(postView: view)
      let address = try #require(added)
      let post = try #require(observations.posts[address])
      #expect(!post.media.isEmpty && post.media.allSatisfy { $0.kind == kind }, "\(name)")
      #expect((post.quotes != nil) == name.contains("record"))
      if let quoted = post.quotes {
        #expect(
          observations.posts.values.contains { $0.id == quoted }
            || observations.missing.values.contains { $0.id == quoted })
      }
    }
  }

  @Test func deletedPostsInTreesAreMissing() throws {
    let folder = try #require(ProjectFolders.sharedFixtures).appending(path: "networks/bluesky-views")
    var missing = 0
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where name.hasPrefix("thread.") {
      let data = try Data(contentsOf: folder.appending(path: name))
      let body = try #require(try JSONValue(parsing: Array(data))["body"])
      var reading = BlueskyReading(BlueskyAPI.nobody, now: Self.now)
      reading.take(thread: body["thread"] ?? body)
      #expect(!reading.observations.posts.isEmpty || !reading.observations.missing.isEmpty, "\(name)")
      missing += reading.observations.missing.count
    }
    #expect(missing > 0)
  }

  /// Valid and invalid URIs from the protocol's own tests.
  @Test func recognizesValidRecordURIs() throws {
    let folder = try #require(ProjectFolders.sharedFixtures).appending(
      path: "networks/atproto-interop/syntax")
    func lines(_ name: String) throws -> [String] {
      try String(contentsOf: folder.appending(path: name), encoding: .utf8).split(separator: "\n")
        .map(String.init).filter { !$0.hasPrefix("#") && !$0.isEmpty }
    }
    for key in try lines("recordkey_syntax_valid.txt") { #expect(RecordAddress.isKey(key), "\(key)") }
    for key in try lines("recordkey_syntax_invalid.txt") { #expect(!RecordAddress.isKey(key), "\(key)") }
    for did in try lines("did_syntax_valid.txt") where did.utf8.count <= 256 {
      #expect(RecordAddress.isDID(did), "\(did)")
    }
    for did in try lines("did_syntax_invalid.txt") {
      #expect(!RecordAddress.isDID(did), "\(did)")
    }
  }
}
