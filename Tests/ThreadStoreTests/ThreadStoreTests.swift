import Basics
import Foundation
import TestSupport
import Testing
import ThreadModel
import ThreadStore

@Suite final class ThreadStoreTests {
  let root: URL
  let store: ThreadStore

  init() throws {
    root = FileManager.default.temporaryDirectory.appending(path: "threadstore-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    store = ThreadStore(folder: root.path + "/threads/")
  }

  deinit { try? FileManager.default.removeItem(at: root) }  // left-overs in the temporary folder harm nobody

  @Test func savesFindsAndReads() throws {
    #expect(try store.list() == [])
    let conversation = SampleConversations.full()
    let (file, outcome) = try store.save(conversation)
    #expect(outcome == .added)
    #expect(file.path == "x/Ada/1001.json")
    #expect(file.stem == "x/Ada/1001")
    #expect(try store.list() == [file])
    #expect(try store.read(file) == conversation)
    #expect(try store.find(conversation.id, by: SampleConversations.ada) == file)
    #expect(try store.find(conversation.id, by: AuthorID("12", on: .x)) == nil)
    #expect(try store.find(PostID("1", on: .x), by: SampleConversations.ada) == nil)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: root.path + "/threads/x/Ada") == ["1001.json"])
  }

  @Test func savingAgainTouchesNothing() throws {
    let conversation = SampleConversations.full()
    let (file, _) = try store.save(conversation)
    let before = try attributes(file)
    #expect(try store.save(conversation).outcome == .unchanged)
    #expect(try attributes(file) == before)
  }

  @Test func replacingRemovesMissingContent() throws {
    try store.save(SampleConversations.full())
    var smaller = SampleConversations.full()
    smaller.posts.removeLast()
    var index = try store.index()
    let (file, outcome) = try store.replace(smaller, index: &index)
    #expect(outcome == .updated)
    #expect(try store.read(file).posts.map(\.id.value) == ["1001"])
    #expect(try store.replace(smaller, index: &index).outcome == .unchanged)
  }

  @Test func savingMoreMergesAndLosesNothing() throws {
    try store.save(SampleConversations.full())
    var later = Conversation(id: PostID("1001", on: .x), authorID: SampleConversations.ada)
    later.authors = [Author(id: SampleConversations.ada, handle: "AdaRenamed")]
    later.posts = [
      Post(id: PostID("1003", on: .x), authorID: SampleConversations.ada, text: InlineText("more"))
    ]
    let (file, outcome) = try store.save(later)
    #expect(outcome == .updated)
    #expect(file.path == "x/Ada/1001.json")
    let merged = try store.read(file)
    #expect(merged.posts.map(\.id.value) == ["1001", "1002", "1003"])
    #expect(merged.posts.first == SampleConversations.fullPost())
    #expect(merged.author?.handle == "AdaRenamed")
    #expect(merged.author?.bio == SampleConversations.fullAuthor().bio)
    #expect(try store.list() == [file])
  }

  @Test func neverOverwritesADamagedFile() throws {
    let (file, _) = try store.save(SampleConversations.full())
    try Data("{ \"format\": 1,".utf8).write(to: URL(filePath: store.path(file)))
    let error = #expect(throws: ThreadStoreError.self) { try self.store.save(SampleConversations.full()) }
    #expect(error?.description.hasPrefix("\(store.path(file)):1:15: error: ") == true)
    #expect(try Data(contentsOf: URL(filePath: store.path(file))) == Data("{ \"format\": 1,".utf8))
  }

  @Test func twoAuthorsOfOneConversationHaveAFileEach() throws {
    let first = try store.save(SampleConversations.small(id: "5", author: "1", handle: "Ada")).file
    let second = try store.save(SampleConversations.small(id: "5", author: "2", handle: "bob")).file
    // Another "Ada": the handle has a new owner.
    let third = try store.save(SampleConversations.small(id: "5", author: "3", handle: "Ada")).file
    #expect([first, second, third].map(\.path) == ["x/Ada/5.json", "x/bob/5.json", "x/Ada-3/5.json"])
    for (author, file) in [("1", first), ("2", second), ("3", third)] {
      #expect(try store.find(PostID("5", on: .x), by: AuthorID(author, on: .x)) == file)
    }
    #expect(try store.list() == [third, first, second])
  }

  @Test(arguments: [
    ("../../etc", "x/_._.._etc~"), ("", "x/7/"), (".hidden", "x/_hidden~"), ("a/b", "x/a_b~"),
    ("-rf", "x/_rf~"),
    ("con", "x/con~"), ("naïve", "x/na__ve~"), (String(repeating: "a", count: 65), "x/aaaaaaaaaa"),
    ("good.name-1_", "x/good.name-1_/"), ("a\u{0}b", "x/a_b~"), ("ends.", "x/ends.~"),
  ])
  func handlesNeverLeaveTheirFolder(handle: String, prefix: String) throws {
    let (file, _) = try store.save(SampleConversations.small(id: "5", author: "7", handle: handle))
    #expect(file.path.hasPrefix(prefix), "\(file.path)")
    #expect(file.folder.utf8.count <= 64)
    #expect(try store.list() == [file])
    #expect(try FileManager.default.contentsOfDirectory(atPath: root.path) == ["threads"])
  }

  @Test(arguments: [".", "..", "a\\b", "con", "a b", String(repeating: "7", count: 100), "１"])
  func idsNeverLeaveTheirFolder(id: String) throws {
    let conversation = SampleConversations.small(id: id, author: "7", handle: "ada")
    let (file, _) = try store.save(conversation)
    #expect(file.folder == "ada")
    #expect(!file.name.contains("/"))
    #expect(try store.read(file) == conversation)
    #expect(try store.save(conversation).outcome == .unchanged)
  }

  @Test(arguments: ["", "../1", "at://did:plc:a/app.bsky.feed.post/3k", "/etc/passwd", "a\nb", "a\u{85}"])
  func doesNotSaveInvalidIDs(id: String) throws {
    #expect(throws: ThreadStoreError.unsafeName(id)) {
      try self.store.save(SampleConversations.small(id: id, author: "7", handle: "ada"))
    }
    #expect(throws: ThreadStoreError.unsafeName("5")) {
      try self.store.save(SampleConversations.small(id: "5", author: id, handle: "ada"))
    }
    #expect(try store.list() == [])
  }

  private func conversation(_ id: PostID, by author: AuthorID, handle: String) -> Conversation {
    var conversation = Conversation(id: id, authorID: author)
    conversation.authors = [Author(id: author, handle: handle)]
    conversation.posts = [Post(id: id, authorID: author, text: InlineText("\(id)"))]
    return conversation
  }

  /// A record key is unique only per account, so conversations of two accounts may have the same key.
  @Test func conversationsOfTwoAccountsHaveAFileEach() throws {
    let (ada, bob) = ("did:plc:aaaaaaaaaaaaaaaaaaaaaaaa", "did:plc:bbbbbbbbbbbbbbbbbbbbbbbb")
    let author = AuthorID(ada, on: .bluesky)
    let all = [ada, bob, "did:plc:cccccccccccccccccccccccc"].map {
      conversation(PostID("3k43tv4rft22g", by: $0, on: .bluesky), by: author, handle: "ada.example")
    }
    let files = try all.map { try store.save($0).file }
    #expect(files[0].path == "bluesky/ada.example/3k43tv4rft22g.json")
    #expect(Set(files).count == 3)
    // FNV-1a of the other's DID, computed with another program.
    #expect(files[1].path == "bluesky/ada.example/3k43tv4rft22g~~e73a31fd56050f91.json")
    for (conversation, file) in zip(all, files) {
      #expect(try store.read(file) == conversation)
      #expect(try store.find(conversation.id, by: author) == file)
      #expect(try store.save(conversation).outcome == .unchanged)
      #expect(StoreListing(try store.list()).files(thatMayHold: conversation.id).contains(file))
    }
    #expect(try store.find(all[0].id, by: AuthorID(bob, on: .bluesky)) == nil)
  }

  @Test func sameIDOnTwoServersIsTwoConversations() throws {
    let all = ["social.example", "localhost:3000"].map { host in
      conversation(
        PostID("1", by: host, on: .mastodon), by: AuthorID("1", by: host, on: .mastodon), handle: "ada")
    }
    let files = try all.map { try store.save($0).file }
    #expect(files[0].path == "mastodon/ada/1.json")
    #expect(files[0].folder != files[1].folder)
    for (conversation, file) in zip(all, files) {
      #expect(try store.read(file) == conversation)
      #expect(try store.save(conversation).outcome == .unchanged)
      var profile = Profile(author: Author(id: conversation.authorID, handle: "ada"))
      profile.observedAt = Timestamp(seconds: 1)
      try store.save(profile)
    }
    for conversation in all {
      #expect(try store.profile(of: conversation.authorID)?.author.id == conversation.authorID)
    }
  }

  private func conversation(_ id: String, by author: String, handle: String) -> Conversation {
    let authorID = AuthorID(author, on: .x)
    var conversation = Conversation(id: PostID(id, on: .x), authorID: authorID)
    conversation.authors = [Author(id: authorID, handle: handle, name: handle)]
    conversation.posts = [Post(id: PostID(id, on: .x), authorID: authorID, text: InlineText("a"))]
    return conversation
  }

  /// On file systems that ignore case, `Ada` and `ada` are one folder, also for anyone who clones the store
  /// there.
  @Test func handlesThatDifferInCaseHaveDifferentFolders() throws {
    let folder = { (id: String, author: String, handle: String) throws -> String in
      try self.store.save(self.conversation(id, by: author, handle: handle)).file.folder
    }
    #expect(try folder("1", "11", "Ada") == "Ada")
    #expect(try folder("2", "12", "ada") == "ada-12")
    #expect(try folder("3", "12", "ADA") == "ADA-12" || folder("3", "12", "ADA") == "ada-12")
    // The author of the first thread keeps the folder, whatever the case of the handle is later.
    #expect(try folder("4", "11", "aDA") == "Ada")
    let folders = try store.list().map(\.folder)
    #expect(Set(folders.map { $0.lowercased() }).count == Set(folders).count)
    #expect(try store.list().count == 4)
  }

  @Test func idsThatDifferInCaseHaveDifferentFolders() throws {
    let first = try store.save(conversation("01AB", by: "11", handle: "ada")).file
    let second = try store.save(conversation("01ab", by: "12", handle: "ada")).file
    #expect(first.path.lowercased() != second.path.lowercased())
    #expect(try store.read(first).id.value == "01AB" && store.read(second).id.value == "01ab")
  }

  @Test func similarIDsHaveDifferentFiles() throws {
    let first = try store.save(SampleConversations.small(id: "a b", author: "7", handle: "ada")).file
    let second = try store.save(SampleConversations.small(id: "a:b", author: "7", handle: "ada")).file
    #expect(first != second)
  }

  @Test func ignoresOtherFilesInTheFolder() throws {
    let (file, _) = try store.save(SampleConversations.small(id: "5", author: "7", handle: "ada"))
    for path in [
      "permalinks.json", "media/a.json", "media/x/b.json", ".git/x/c.json", "x/README.md",
      "x/ada/.6.json.tmp",
      "x/ada/notes.txt", "x/ada/deep/8.json",
    ] {
      let url = root.appending(path: "threads").appending(path: path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data("{}".utf8).write(to: url)
    }
    #expect(try store.list() == [file])
    // A build that knows the paths of all files does not list the store again.
    let paths = FileTree(root.appending(path: "threads").path).files.map(\.path)
    #expect(paths.count == 9)
    #expect(ThreadStore.threads(among: paths) == [file])
  }

  @Test func doesNotFollowLinks() throws {
    let (file, _) = try store.save(SampleConversations.small(id: "5", author: "7", handle: "ada"))
    let outside = root.appending(path: "outside.json")
    try FileManager.default.moveItem(atPath: store.path(file), toPath: outside.path)
    try FileManager.default.createSymbolicLink(atPath: store.path(file), withDestinationPath: outside.path)
    #expect(throws: ThreadStoreError.symbolicLink(store.path(file))) { try self.store.read(file) }
    try FileManager.default.createSymbolicLink(
      atPath: root.path + "/threads/x/linked", withDestinationPath: root.path)
    #expect(throws: ThreadStoreError.symbolicLink(root.path + "/threads/x/linked")) { try self.store.list() }
    try FileManager.default.removeItem(atPath: root.path + "/threads/x/linked")
    // No file is written into a folder that is a link.
    try FileManager.default.createSymbolicLink(
      atPath: root.path + "/threads/x/bo", withDestinationPath: root.path)
    #expect(throws: ThreadStoreError.symbolicLink(root.path + "/threads/x/bo")) {
      try self.store.save(SampleConversations.small(id: "6", author: "8", handle: "bo"))
    }
  }

  @Test func reportsAFileUnderAnotherName() throws {
    let (file, _) = try store.save(SampleConversations.small(id: "5", author: "7", handle: "ada"))
    let moved = StoredFile(platform: "x", folder: "ada", name: "6")
    try FileManager.default.moveItem(atPath: store.path(file), toPath: store.path(moved))
    #expect(throws: ThreadStoreError.misnamed(file: store.path(moved), holds: "the conversation x/5")) {
      try self.store.read(moved)
    }
  }

  @Test func reportsMissingAndHugeFiles() throws {
    let file = StoredFile(platform: "x", folder: "ada", name: "6")
    let error = #expect(throws: ThreadStoreError.self) { try self.store.read(file) }
    #expect(
      error?.description == "\(store.path(file)): error: could not read the file: there is no such file.")
    try FileManager.default.createDirectory(
      atPath: root.path + "/threads/x/ada", withIntermediateDirectories: true)
    try Data().write(to: URL(filePath: store.path(file)))
    let handle = try FileHandle(forWritingTo: URL(filePath: store.path(file)))
    try handle.truncate(atOffset: UInt64(ThreadStore.maximumFileSize) + 1)
    try handle.close()
    let tooLong = FileError(
      operation: "read the file", path: store.path(file),
      reason:
        "its \(ThreadStore.maximumFileSize + 1) bytes are more than the \(ThreadStore.maximumFileSize) it may have",
      kind: .tooLarge)
    #expect(throws: ThreadStoreError.file(tooLong)) {
      try self.store.read(file)
    }
  }

  @Test func mediaPathsStayInTheMediaFolder() throws {
    #expect(try store.mediaPath("a1.jpg") == root.path + "/threads/media/a1.jpg")
    // Before the tilde, a changed name has at most 40 bytes.
    let long = String(repeating: "a", count: 40)
    #expect(try store.mediaPath(long + "~b") == root.path + "/threads/media/" + long + "~b")
    #expect(throws: ThreadStoreError.unsafeName(long + "a~b")) { try self.store.mediaPath(long + "a~b") }
    for name in [
      "../a.jpg", "a/b.jpg", "", ".a", "..", "../../../home/a~b", "a/b~c", ".a~b", "~b", "a~", "a~b~c",
      "a~/b",
      "a\u{301}~b", "~\u{301}b",
    ] {
      #expect(throws: ThreadStoreError.unsafeName(name)) { try self.store.mediaPath(name) }
    }
  }

  private func attributes(_ file: StoredFile) throws -> [Int] {
    let attributes = try FileManager.default.attributesOfItem(atPath: store.path(file))
    let time = attributes[.modificationDate] as? Date
    return [attributes[.systemFileNumber] as? Int ?? 0, Int((time?.timeIntervalSince1970 ?? 0) * 1e6)]
  }

  /// The handle names the folder. If it is empty or unknown, the ID does.
  @Test(arguments: [nil, ""]) func authorWithoutAHandleHasAFolder(handle: String?) throws {
    var conversation = Conversation(id: PostID("5", on: .x), authorID: SampleConversations.ada)
    conversation.authors = [Author(id: SampleConversations.ada, handle: handle)]
    var found: [(file: StoredFile, outcome: ThreadStore.Outcome)] = []
    found = try store.place([conversation], keeping: [:], over: [:], without: RemovedThreads())
    #expect(found.map(\.file.path) == ["x/11/5.json"] && found.map(\.outcome) == [.added])
  }

  @Test func countsExcludedPostsWithoutWritingThem() throws {
    let gone = LeftOutAccounts.Account(platform: .x, name: nil, id: AuthorID("12", on: .x))
    let leftOut = LeftOutAccounts([gone])
    let store = ThreadStore(folder: root.path + "/threads", leavingOut: leftOut)
    var conversation = Conversation(id: PostID("1", on: .x), authorID: SampleConversations.ada)
    conversation.posts = [
      Post(id: PostID("1", on: .x), authorID: SampleConversations.ada, text: InlineText("Mine")),
      Post(id: PostID("2", on: .x), authorID: AuthorID("12", on: .x), text: InlineText("Theirs")),
    ]
    var other = Conversation(id: PostID("1", on: .x), authorID: AuthorID("12", on: .x))
    other.posts = conversation.posts
    let result = try store.place([conversation, other], keeping: [:], over: [:], without: RemovedThreads())
    #expect(result.map(\.outcome) == [.added, .leftOut])
    #expect(leftOut.counter.threads == 1 && leftOut.counter.posts == 1)
    #expect(try store.read(result[0].file).posts.map(\.id.value) == ["1"])
    #expect(try store.list() == [result[0].file])
    // The same with a fetch.
    var later = conversation
    later.posts.append(
      Post(id: PostID("3", on: .x), authorID: AuthorID("12", on: .x), text: InlineText("Theirs")))
    #expect(try store.save(later).outcome == .unchanged)
    #expect(leftOut.counter.posts == 2)
  }

  /// Former files of a conversation are removed when they no longer contain any of it. Other files stay.
  @Test func placingRemovesUnnecessaryFiles() throws {
    var conversation = Conversation(id: PostID("7", on: .x), authorID: SampleConversations.ada)
    conversation.authors = [Author(id: SampleConversations.ada, handle: "ada")]
    conversation.posts = [
      Post(id: PostID("7", on: .x), authorID: SampleConversations.ada, text: InlineText(""))
    ]
    let author = SampleConversations.ada
    let first = try store.place([conversation], keeping: [:], over: [:], without: RemovedThreads())[0].file
    let again = try store.place(
      [conversation], keeping: [:], over: [first: author], without: RemovedThreads())
    #expect(again.map(\.outcome) == [.unchanged] && again.map(\.file) == [first])
    #expect(try store.list() == [first])
    var renamed = conversation
    renamed.authors = [Author(id: author, handle: "countess")]
    let moved = try store.place([renamed], keeping: [:], over: [first: author], without: RemovedThreads())
    #expect(moved.map(\.file.path) == ["x/countess/7.json"] && moved.map(\.outcome) == [.updated])
    #expect(try store.list().map(\.path) == ["x/countess/7.json"])
    let kept = try store.place(
      [conversation], keeping: [author: moved[0].file], over: [moved[0].file: author],
      without: RemovedThreads())
    #expect(kept.map(\.file) == [moved[0].file])
    #expect(try store.list() == [moved[0].file])
  }

  /// A folder with files of another author is not shared with an author whose handle differs only in case.
  @Test func folderBelongsToOneAuthor() throws {
    var conversation = Conversation(id: PostID("7", on: .x), authorID: SampleConversations.ada)
    conversation.authors = [Author(id: SampleConversations.ada, handle: "ada")]
    func place(_ folder: String, of author: AuthorID) throws -> String {
      let file = try store.place(
        [conversation], keeping: [:], over: [:],
        beside: [ThreadStore.folderKey(folder): (folder, author)], without: RemovedThreads())[0].file
      try store.remove(file)
      return file.path
    }
    #expect(try place("Ada", of: SampleConversations.ada) == "x/Ada/7.json")
    #expect(try place("Ada", of: AuthorID("12", on: .x)) == "x/ada-11/7.json")
    // Two authors with exactly the same handle share a folder.
    #expect(try place("ada", of: AuthorID("12", on: .x)) == "x/ada/7.json")
  }
}
