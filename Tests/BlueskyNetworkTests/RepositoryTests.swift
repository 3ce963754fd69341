import Basics
import Foundation
import NetworkSources
import TestSupport
import Testing
import ThreadModel

@testable import BlueskyNetwork

/// Repository files: real ones, files of other programs, and hostile ones.
@Suite(.enabled(if: ProjectFolders.hasSharedFixtures, "needs ../shared/fixtures"))
struct RepositoryTests {
  private static func folder() throws -> URL {
    try #require(ProjectFolders.sharedFixtures).appending(path: "networks")
  }

  private func read(_ name: String) throws -> BlueskyRepository {
    let data = try Data(contentsOf: Self.folder().appending(path: "atproto-car/\(name).car"))
    return try BlueskyRepository(CARFile(Array(data)))
  }

  @Test(arguments: [
    ("arroba-30-post-thread", 30), ("good-thread", 5), ("facets-odd", 5), ("empty-repo", 0),
    ("blocks-reversed", 5), ("blocks-duplicated", 5), ("real-v3-small", 0), ("real-v3-follows-only", 0),
  ])
  func readsValidFiles(name: String, posts: Int) throws {
    let repository = try read(name)
    #expect(repository.posts.count == posts && repository.unreadable.isEmpty && repository.missing == 0)
  }

  @Test func ignoresPostsInOtherCollections() throws {
    let all = try read("other-collection-post")
    #expect(all.posts.allSatisfy { $0.address.collection == RecordAddress.posts })
  }

  /// A file of 2022: version 2, without a revision, with entities in addition to facets.
  @Test func readsARepositoryOf2022() throws {
    let repository = try read("real-v2-2022")
    #expect(repository.posts.count > 10 && repository.date == nil)
    var observations = BlueskyObservations(now: Timestamp(seconds: 1_790_000_000))
    for (address, record) in repository.posts { observations.add(record: record, at: address) }
    #expect(observations.posts.values.contains { !$0.text.entities.isEmpty })
  }

  /// Without the time limit, a reader could follow each of 2⁴⁰ paths through a tree.
  @Test(
    .timeLimit(.minutes(20)),
    arguments: [
      "no-roots", "root-missing", "truncated", "huge-block-length", "version-2-header", "block-does-not-hash",
      "mst-doubling-40-levels",
    ])
  func rejectsHostileFiles(name: String) throws {
    #expect(throws: DAGCBORError.self) { try read(name) }
  }

  @Test(arguments: [
    "record-float", "record-unknown-tag", "record-indefinite-map", "record-key-order", "record-duplicate-key",
    "record-invalid-utf8", "record-length-lies", "record-nested-10000",
  ])
  func skipsBadRecords(name: String) throws {
    let repository = try read(name)
    #expect(repository.unreadable.values.reduce(0, +) == 1, "\(repository.unreadable)")
  }

  @Test func rejectsInvalidKeys() throws {
    let repository = try read("path-traversal")
    #expect(repository.posts.allSatisfy { RecordAddress.isKey($0.address.key) })
    #expect(repository.posts.allSatisfy { !$0.address.key.contains("/") })
  }

  @Test func readsPostsThatAnswerEachOther() throws {
    let repository = try read("reply-cycle")
    let survey = SurveyedBlueskyExport(path: "x", repository: repository)
    let plan = try survey.plan(ExportChoice()) { _ in nil }
    var count = 0
    _ = try plan.conversations(files: [:]) { _ in count += 1 }
    #expect(count == plan.threadCount)
  }

  @Test func importsAWholeThread() throws {
    let survey = try SurveyedBlueskyExport(path: "x", repository: read("arroba-30-post-thread"))
    let plan = try survey.plan(ExportChoice()) { _ in nil }
    #expect(plan.threadCount == 1 && plan.posts == 30)
    var conversations: [Conversation] = []
    _ = try plan.conversations(files: [:]) { conversations.append($0) }
    let thread = try #require(conversations.first)
    #expect(thread.posts.count == 30 && thread.provenance.first?.source.isExport == true)
    #expect(thread.posts.count { $0.inReplyTo == nil } == 1)
  }

  // MARK: The protocol's test vectors

  /// JSON, its bytes in DAG-CBOR, and their CID.
  @Test func matchesTheVectorsOfTheDataModel() throws {
    let file = try Self.folder().appending(path: "atproto-interop/data-model/data-model-fixtures.json")
    let vectors = try #require(try JSONValue(parsing: Array(Data(contentsOf: file))).array)
    #expect(!vectors.isEmpty)
    for vector in vectors {
      let text = try #require(vector["cbor_base64"]?.string)
      let padded = text + String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
      let bytes = Array(try #require(Data(base64Encoded: padded)))
      let value = try DAGCBORValue(bytes[...])
      let name = try #require(vector["cid"]?.string)
      #expect(Self.name(bytes) == name)
      if !"\(vector["json"] ?? .null)".contains("$bytes") { #expect(value.json == vector["json"]) }
    }
  }

  /// The CID of a block, found in a link.
  private static func name(_ bytes: [UInt8]) -> String? {
    let digest = SHA256Digest.of(bytes)
    let id = ContentID(([1, 0x71, 0x12, 0x20] + digest)[...])
    #expect(id?.names(bytes[...]) == true)
    return id?.text
  }

  /// Truncated and changed bytes never crash the reader.
  @Test func damagedFilesDoNotCrash() throws {
    let data = Array(
      try Data(contentsOf: Self.folder().appending(path: "atproto-car/good-thread.car")))
    for length in stride(from: 0, to: data.count, by: 7) {
      _ = try? BlueskyRepository(CARFile(Array(data.prefix(length))))
    }
    for place in data.indices {
      var changed = data
      changed[place] ^= 0xFF
      _ = try? BlueskyRepository(CARFile(changed))
    }
  }
}
