import Foundation
import TestSupport
import Testing
import ThreadModel

@testable import ThreadStore

/// The files that `ThreadStore.place` writes and removes for a conversation.
@Suite struct PlacingTests {
  private static func author(_ id: String, _ handle: String) -> Author {
    Author(id: AuthorID(id, on: .x), handle: handle)
  }

  private static func conversation(_ id: String, by author: Author) -> Conversation {
    var conversation = Conversation(id: PostID(id, on: .x), authorID: author.id)
    conversation.posts = [Post(id: PostID(id, on: .x), authorID: author.id, text: InlineText("words"))]
    conversation.authors = [author]
    return conversation
  }

  private let ada = author("11", "Ada")
  private let otherAda = author("12", "ADA")
  private let bob = author("13", "bob")

  private func withStore(
    leavingOut: LeftOutAccounts = LeftOutAccounts([]),
    _ body: (ThreadStore) throws -> Void
  ) throws {
    let folder = try TemporaryFolder()
    try body(ThreadStore(folder: folder.path + "/threads", leavingOut: leavingOut))
  }

  @Test func authorsWithOneHandleHaveTwoFolders() throws {
    try withStore { store in
      let conversations = [Self.conversation("1", by: otherAda), Self.conversation("1", by: ada)]
      let placed = try store.place(conversations, keeping: [:], over: [:], without: RemovedThreads())
      #expect(placed.map(\.file.path) == ["x/ada/1.json", "x/ada-12/1.json"])
      #expect(placed.map(\.outcome) == [.added, .added])
      let again = try store.place(
        conversations, keeping: [:], over: [placed[0].file: ada.id, placed[1].file: otherAda.id],
        without: RemovedThreads())
      #expect(again.map(\.file) == placed.map(\.file))
      #expect(again.map(\.outcome) == [.unchanged, .unchanged])
    }
  }

  /// A file that is not one of the conversation's earlier files is kept.
  @Test func keepsAForeignFile() throws {
    try withStore { store in
      let strange = store.folder + "/x/ada/1.json"
      try FileManager.default.createDirectory(
        atPath: store.folder + "/x/ada", withIntermediateDirectories: true)
      try Data("strange".utf8).write(to: URL(filePath: strange))
      let placed = try store.place(
        [Self.conversation("1", by: ada)], keeping: [:], over: [:], without: RemovedThreads())
      #expect(placed.map(\.file.path) == ["x/ada-11/1.json"])
      #expect(try String(contentsOfFile: strange, encoding: .utf8) == "strange")
    }
  }

  /// Files under another ID, and of an author whose thread it is not.
  @Test func removesFilesWhoseContentMoved() throws {
    try withStore { store in
      let (first, _) = try store.save(Self.conversation("5", by: ada))
      let (second, _) = try store.save(Self.conversation("5", by: bob))
      var whole = Self.conversation("1", by: ada)
      whole.posts.append(Post(id: PostID("5", on: .x), authorID: ada.id))
      let placed = try store.place(
        [whole], keeping: [:], over: [first: ada.id, second: bob.id], without: RemovedThreads())
      #expect(placed.map(\.file.path) == ["x/ada/1.json"])
      #expect(placed.map(\.outcome) == [.updated])
      #expect(try store.list().map(\.path) == ["x/ada/1.json"])
    }
  }

  @Test func removedThreadIsNotPlacedAndRemovesNothing() throws {
    try withStore { store in
      var removed = RemovedThreads()
      removed.add(RemovedThreads.Thread(Self.conversation("1", by: ada), at: Timestamp(seconds: 0)))
      let (old, _) = try store.save(Self.conversation("1", by: bob))
      let placed = try store.place(
        [Self.conversation("1", by: ada)], keeping: [:], over: [old: bob.id], without: removed)
      #expect(placed.map(\.outcome) == [.removed])
      #expect(try store.list() == [old])
      // The owner did not remove this thread of the store.
      let (own, _) = try store.save(Self.conversation("2", by: ada))
      removed.add(RemovedThreads.Thread(Self.conversation("2", by: ada), at: Timestamp(seconds: 0)))
      let kept = try store.place(
        [Self.conversation("2", by: ada)], keeping: [:], over: [own: ada.id], without: removed)
      #expect(kept.map(\.file.path) == ["x/ada/2.json"])
      #expect(kept.map(\.outcome) == [.updated])
    }
  }

  /// Files of an excluded account are not removed here; other unnecessary files are.
  @Test func filesOfExcludedAccountsAreKeptUntilTheCleanup() throws {
    let account = LeftOutAccounts.Account(platform: .x, name: nil, id: bob.id)
    let folder = try TemporaryFolder()
    let plain = ThreadStore(folder: folder.path + "/threads")
    let (theirs, _) = try plain.save(Self.conversation("5", by: bob))
    let (old, _) = try plain.save(Self.conversation("5", by: ada))
    let store = ThreadStore(
      folder: folder.path + "/threads", leavingOut: LeftOutAccounts([account]))
    let placed = try store.place(
      [Self.conversation("1", by: ada), Self.conversation("1", by: bob)], keeping: [:],
      over: [theirs: bob.id, old: ada.id], without: RemovedThreads())
    #expect(placed.map(\.outcome) == [.updated, .leftOut])
    #expect(try plain.list().map(\.path) == ["x/ada/1.json", theirs.path].sorted())
  }

  @Test func filesStayReadableAtTheSizeLimit() throws {
    try withStore { store in
      let path = store.folder + "/x/large.json"
      let bytes = [UInt8](repeating: 0x20, count: ThreadStore.maximumFileSize + 1)
      #expect(throws: ThreadStoreError.self) { try store.write(bytes, to: path) }
      #expect(!FileManager.default.fileExists(atPath: path))
      try store.write(Array(bytes.dropLast()), to: path)
      #expect(FileManager.default.fileExists(atPath: path))
    }
  }
}
