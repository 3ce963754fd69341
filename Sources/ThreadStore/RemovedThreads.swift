package import Basics
package import ThreadModel

/// The threads and whole accounts that the owner permanently removed from the store: no fetch, import or archive restores them.
///
/// The record is kept in the store and meant to be committed with it, so that it applies on every machine. It contains only ids, because a
/// list of removed threads should not reveal their contents.
package struct RemovedThreads: Sendable, Equatable {
  /// The file's name in the store's folder.
  package static let fileName = "removed.json"
  /// The folder of removed threads that can be restored, below the site's folder.
  package static let folder = ".threadsite/removed"
  /// The only format so far.
  private static let format: Int64 = 1

  /// A thread that was removed.
  package struct Thread: Hashable, Sendable {
    package var id: PostID
    package var author: AuthorID
    /// The ids of the author's posts in the thread: another source may know the conversation under a different id.
    package var posts: Set<PostID>
    package var removedAt: Timestamp

    package init(_ conversation: Conversation, at time: Timestamp) {
      id = conversation.id
      author = conversation.authorID
      posts = Set(conversation.posts.filter { $0.authorID == conversation.authorID }.map(\.id))
      removedAt = time
    }

    fileprivate init(id: PostID, author: AuthorID, posts: Set<PostID>, removedAt: Timestamp) {
      self.id = id
      self.author = author
      self.posts = posts
      self.removedAt = removedAt
    }

    fileprivate var key: Key { Key(id: id, author: author) }
  }

  fileprivate struct Key: Hashable, Sendable {
    var id: PostID
    var author: AuthorID
  }

  private var byKey: [Key: Thread] = [:]
  /// The threads by the ids of their posts.
  private var byPost: [PostID: Set<Key>] = [:]
  /// The removed accounts, of which no data is stored anymore, with the times of their removal.
  package private(set) var accounts: [AuthorID: Timestamp] = [:]

  package init() {}

  package var isEmpty: Bool { byKey.isEmpty && accounts.isEmpty }

  /// All threads, sorted by id.
  package var threads: [Thread] {
    byKey.values.sorted { ($0.id, $0.author) < ($1.id, $1.author) }
  }

  package mutating func add(_ thread: Thread) {
    if let known = byKey[thread.key] { take(known) }
    byKey[thread.key] = thread
    for post in thread.posts { byPost[post, default: []].insert(thread.key) }
  }

  /// Removes a thread from the record.
  package mutating func take(_ thread: Thread) {
    guard let known = byKey.removeValue(forKey: thread.key) else { return }
    for post in known.posts {
      byPost[post]?.remove(thread.key)
      if byPost[post]?.isEmpty == true { byPost[post] = nil }
    }
  }

  package mutating func add(_ account: AuthorID, at time: Timestamp) { accounts[account] = time }

  /// Removes an account from the record.
  package mutating func take(_ account: AuthorID) { accounts[account] = nil }

  /// Returns the removed threads that contain a post by the thread's author.
  package func threads(with post: PostID) -> [Thread] {
    (byPost[post] ?? []).compactMap { byKey[$0] }.sorted { ($0.id, $0.author) < ($1.id, $1.author) }
  }

  /// Whether a conversation was removed, under its own id or, if it contains any of the author's removed posts, under a different id.
  package func holds(_ conversation: Conversation) -> Bool {
    guard !isEmpty else { return false }
    let author = conversation.authorID
    if accounts[author] != nil || byKey[Key(id: conversation.id, author: author)] != nil { return true }
    return conversation.posts.contains { post in
      post.authorID == author && byPost[post.id]?.contains { $0.author == author } == true
    }
  }

  /// Whether a post is known to belong to a removed thread.
  package func holds(_ post: PostID) -> Bool { byPost[post] != nil }
}

// MARK: - As a file

extension RemovedThreads {
  package var bytes: [UInt8] {
    let threads = threads.map { thread -> JSONValue in
      [
        "author": .string(thread.author.description), "conversation": .string(thread.id.description),
        "posts": .array(thread.posts.sorted().map { .string($0.description) }),
        "removed_at": .string(thread.removedAt.iso8601),
      ]
    }
    let accounts = accounts.sorted { $0.key < $1.key }.map { account, time -> JSONValue in
      ["account": .string(account.description), "removed_at": .string(time.iso8601)]
    }
    return JSONWriter.text(
      of: ["format": .integer(Self.format), "threads": .array(threads), "accounts": .array(accounts)]
    ).bytes
  }

  /// Reads the record.
  ///
  /// - Throws: if it cannot be read. Treating it as empty would restore removed threads.
  package init(_ value: JSONValue, file: String) throws(ThreadStoreError) {
    func fail(_ problem: String) -> ThreadStoreError { .badRemovals(file: file, problem: problem) }
    guard let format = value["format"]?.integer else { throw fail("its format is missing") }
    guard format == Self.format else { throw .newerFormat(file: file, found: Int(clamping: format)) }
    /// Returns a list; empty if the key is missing.
    func list(_ key: String, of object: JSONValue) throws(ThreadStoreError) -> [JSONValue] {
      guard let list = object[key] else { return [] }
      guard let elements = list.array else { throw fail("expected a list as \"\(key)\"") }
      return elements
    }
    /// Misspelled keys would hide removed threads.
    func allow(_ keys: Set<String>, in object: JSONValue) throws(ThreadStoreError) {
      guard let unknown = object.object?.keys.filter({ !keys.contains($0) }).min() else { return }
      throw fail("unknown key \"\(TextControls.shownOnOneLine(unknown))\"")
    }
    try allow(["format", "threads", "accounts"], in: value)
    for entry in try list("threads", of: value) {
      try allow(["author", "conversation", "posts", "removed_at"], in: entry)
      guard let id = entry["conversation"]?.string.flatMap(PostID.init(description:)),
        let author = entry["author"]?.string.flatMap(AuthorID.init(description:))
      else { throw fail("a thread needs a conversation (x/1346889436626259968) and an author (x/42)") }
      var posts: Set<PostID> = []
      for post in try list("posts", of: entry) {
        guard let post = post.string.flatMap(PostID.init(description:)) else {
          throw fail("expected a post as x/<id>")
        }
        posts.insert(post)
      }
      add(Thread(id: id, author: author, posts: posts, removedAt: Self.time(in: entry)))
    }
    for entry in try list("accounts", of: value) {
      try allow(["account", "removed_at"], in: entry)
      guard let id = entry["account"]?.string.flatMap(AuthorID.init(description:)) else {
        throw fail("expected an account as x/<id>")
      }
      add(id, at: Self.time(in: entry))
    }
  }

  /// Reads the time of an entry; 1970-01-01 if an entry written by hand lacks it, because nothing depends on the time.
  private static func time(in entry: JSONValue) -> Timestamp {
    entry["removed_at"]?.string.flatMap { Timestamp(iso8601: $0) } ?? Timestamp(seconds: 0)
  }
}

extension ThreadStore {
  private var removedPath: String { "\(folder)/\(RemovedThreads.fileName)" }

  /// Returns the record of the threads and accounts that were permanently removed from the store.
  package func removedThreads() throws(ThreadStoreError) -> RemovedThreads {
    guard let bytes = try StoreFiles.read(removedPath, atMost: Self.maximumFileSize) else {
      return RemovedThreads()
    }
    return try RemovedThreads(StoreFiles.object(in: bytes, file: removedPath), file: removedPath)
  }

  /// Writes the record; deletes the file if the record is empty.
  package func save(_ removed: RemovedThreads) throws(ThreadStoreError) {
    guard removed.isEmpty else { return try write(removed.bytes, to: removedPath) }
    try StoreFiles.remove(removedPath)
  }
}
