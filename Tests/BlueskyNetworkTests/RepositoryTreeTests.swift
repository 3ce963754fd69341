import Basics
import BlueskyStub
import Testing
import ThreadModel

@testable import BlueskyNetwork

/// Repositories with many records, and trees of any form.
@Suite struct RepositoryTreeTests {
  private func repository() -> InventedRepository {
    InventedRepository(of: BlueskyWorld.ada, in: BlueskyWorld(), labels: [])
  }

  private func post(answering parent: String? = nil) -> JSONValue {
    var record: [String: JSONValue] = [
      "$type": "app.bsky.feed.post", "text": "x", "createdAt": "2026-01-01T00:00:00Z",
    ]
    if let parent {
      record["reply"] = [
        "parent": ["uri": .string("at://\(BlueskyWorld.ada)/app.bsky.feed.post/\(parent)")]
      ]
    }
    return .object(record)
  }

  private func threads(_ repository: InventedRepository) throws -> [Conversation] {
    try #require(BlueskyRepositoryFile.conversations(in: repository.bytes))
  }

  @Test(arguments: [1, 2, 7, 100])
  func readsKeysInOrder(nodeSize: Int) throws {
    var repository = repository()
    repository.nodeSize = nodeSize
    let keys = (100..<160).map { "3k\($0)" }
    for key in keys { repository.add(post(), at: "app.bsky.feed.post/\(key)") }
    repository.add(["$type": "app.bsky.feed.like"], at: "app.bsky.feed.like/3k1")
    let read = try BlueskyRepository(CARFile(repository.bytes))
    #expect(read.posts.map { $0.address.key } == keys && read.profile != nil && read.unreadable.isEmpty)
  }

  /// A node stores only the end of a key that the key before it does not have.
  @Test func readsKeysThatShareALongPrefix() throws {
    var repository = repository()
    let prefix = "com.example.thing/" + String(repeating: "a", count: 1000)
    for number in 100..<600 { repository.add(["n": .integer(Int64(number))], at: "\(prefix)\(number)") }
    let bytes = repository.bytes
    #expect(bytes.count < 500 * prefix.utf8.count / 2)
    let file = try CARFile(bytes)
    var tree = try RepositoryTree(RepositoryCommit(file).tree, in: file)
    var count = 0
    while let (key, _) = try tree.next() { if key == "\(prefix)\(100 + count)" { count += 1 } }
    #expect(count == 500)
  }

  /// Longer keys would let a node of 1 MB expand to 130 MB.
  @Test func rejectsKeysLongerThanTheProtocolAllows() throws {
    let prefix = "com.example.thing/"
    func bytes(_ length: Int) -> [UInt8] {
      var repository = repository()
      let rest = String(repeating: "a", count: length - prefix.utf8.count)
      repository.add(["n": 1], at: prefix + rest)
      return repository.bytes
    }
    #expect(try BlueskyRepository(CARFile(bytes(1024))).posts.isEmpty)
    #expect(throws: DAGCBORError.self) { try BlueskyRepository(CARFile(bytes(1025))) }
  }

  @Test func manyThreadsAreSeparate() throws {
    var repository = repository()
    for number in 100..<300 {
      repository.add(post(), at: "app.bsky.feed.post/3k\(number)a")
      repository.add(post(answering: "3k\(number)a"), at: "app.bsky.feed.post/3k\(number)b")
    }
    let threads = try threads(repository)
    #expect(threads.count == 200 && threads.allSatisfy { $0.posts.count == 2 })
  }

  @Test func chainWithoutRootsIsOneThread() throws {
    var repository = repository()
    for number in 100..<300 {
      repository.add(
        post(answering: number == 100 ? nil : "3k\(number - 1)"), at: "app.bsky.feed.post/3k\(number)")
    }
    #expect(try threads(repository).map(\.posts.count) == [200])
  }

  @Test func postsThatAnswerEachOtherInACircleAreOneThread() throws {
    var repository = repository()
    for (key, parent) in [("3ka", "3kc"), ("3kb", "3ka"), ("3kc", "3kb")] {
      repository.add(post(answering: parent), at: "app.bsky.feed.post/\(key)")
    }
    #expect(try threads(repository).map(\.posts.count) == [3])
  }
}
