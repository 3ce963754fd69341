import Basics
import TestSupport
import Testing
import ThreadModel
import ThreadStore

/// Threads that the owner removed stay removed, whatever ID a source gives them.
@Suite struct RemovedThreadsTests {
  private let ada = AuthorID("11", on: .x)
  private let bea = AuthorID("12", on: .x)
  private let time = Timestamp(seconds: 1_700_000_000)

  private func id(_ value: String) -> PostID { PostID(value, on: .x) }

  /// A conversation with posts by these authors.
  private func conversation(_ name: String, by author: AuthorID, _ posts: [(String, AuthorID)])
    -> Conversation
  {
    var conversation = Conversation(id: id(name), authorID: author)
    conversation.posts = posts.map { Post(id: id($0.0), authorID: $0.1, text: InlineText("")) }
    return conversation
  }

  @Test func recognizesAThreadByItsAuthorsPosts() {
    let removed = RemovedThreads.Thread(
      conversation("1", by: ada, [("1", ada), ("2", bea), ("3", ada)]), at: time)
    #expect(removed.posts == [id("1"), id("3")])
    var threads = RemovedThreads()
    threads.add(removed)
    #expect(threads.holds(id("3")) && !threads.holds(id("2")))
    #expect(threads.threads(with: id("3")) == [removed] && threads.threads(with: id("2")) == [])
    // Under its own ID, and under another one by one of her posts.
    #expect(threads.holds(conversation("1", by: ada, [])))
    #expect(threads.holds(conversation("9", by: ada, [("9", bea), ("3", ada)])))
    // The same post within another author's thread, and a post of hers without a thread.
    #expect(!threads.holds(conversation("9", by: bea, [("9", bea), ("3", ada)])))
    #expect(!threads.holds(conversation("9", by: ada, [("4", ada)])))
    #expect(!threads.holds(conversation("9", by: ada, [("3", bea)])))
    #expect(!threads.holds(conversation("1", by: bea, [])))
  }

  @Test func undoRestoresAThread() {
    var threads = RemovedThreads()
    let first = RemovedThreads.Thread(conversation("1", by: ada, [("1", ada), ("2", ada)]), at: time)
    let second = RemovedThreads.Thread(conversation("7", by: ada, [("2", ada)]), at: time)
    threads.add(first)
    threads.add(second)
    #expect(threads.threads(with: id("2")) == [first, second])
    threads.take(first)
    #expect(threads.threads == [second])
    #expect(threads.holds(id("2")) && !threads.holds(id("1")))
    threads.take(second)
    #expect(threads.isEmpty && !threads.holds(id("2")))
    #expect(!threads.holds(conversation("1", by: ada, [("1", ada), ("2", ada)])))
  }

  @Test func removingAgainAddsNewPosts() {
    var threads = RemovedThreads()
    threads.add(RemovedThreads.Thread(conversation("1", by: ada, [("1", ada), ("2", ada)]), at: time))
    threads.add(RemovedThreads.Thread(conversation("1", by: ada, [("1", ada), ("3", ada)]), at: time))
    #expect(threads.threads.count == 1)
    #expect(threads.holds(id("3")) && !threads.holds(id("2")))
  }

  @Test func removesAllThreadsOfAnAccount() {
    var threads = RemovedThreads()
    #expect(!threads.holds(conversation("1", by: ada, [("1", ada)])))
    threads.add(ada, at: time)
    #expect(!threads.isEmpty && threads.accounts == [ada: time])
    #expect(threads.holds(conversation("1", by: ada, [])) && !threads.holds(conversation("1", by: bea, [])))
    threads.take(ada)
    #expect(threads.isEmpty)
  }

  @Test func recordReadsBack() throws {
    let folder = try TemporaryFolder()
    let store = ThreadStore(folder: folder.path + "/threads")
    #expect(try store.removedThreads() == RemovedThreads())
    var threads = RemovedThreads()
    threads.add(RemovedThreads.Thread(conversation("1", by: ada, [("1", ada), ("3", ada)]), at: time))
    threads.add(bea, at: time)
    try store.save(threads)
    #expect(try store.removedThreads() == threads)
    #expect(try store.list() == [], "the record is not a thread")
    try store.save(RemovedThreads())
    #expect(!folder.exists("threads/removed.json"))
  }

  @Test(arguments: [
    ("{", "1:2"), ("{}", "format"), (#"{"format": 2}"#, "newer"),
    (#"{"format": 1, "threads": [{"conversation": "x/1"}]}"#, "x/42"),
    (#"{"format": 1, "threads": [{"conversation": "x/1", "author": "x/11", "posts": [1]}]}"#, "x/<id>"),
    (#"{"format": 1, "accounts": [{}]}"#, "x/<id>"),
    (#"{"format": 1, "threads": {"conversation": "x/1", "author": "x/11"}}"#, "list"),
    (#"{"format": 1, "threads": [{"conversation": "x/1", "author": "x/11", "posts": "x/1"}]}"#, "list"),
    (#"{"format": 1, "accounts": null}"#, "list"),
    (#"{"format": 1, "theads": []}"#, "theads"),
    (#"{"format": 1, "threads": [{"conversation": "x/1", "author": "x/11", "post": []}]}"#, "unknown key"),
    (
      #"{"format": 1, "threads": [{"conversation": "x/1", "author": "x/11", "posts": [], "posts": ["x/2"]}]}"#,
      "\"posts\" is repeated"
    ),
    (#"{"format": 1, "threads": [], "threads": []}"#, "1:30: error: the key \"threads\" is repeated"),
  ])
  func unreadableRecordIsAnError(text: String, says: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(text, to: "threads/removed.json")
    let error = #expect(throws: ThreadStoreError.self) {
      try ThreadStore(folder: folder.path + "/threads").removedThreads()
    }
    #expect(error?.description.contains("removed.json") == true && error?.description.contains(says) == true)
  }
}
