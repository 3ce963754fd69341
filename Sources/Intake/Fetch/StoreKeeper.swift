import SiteWorkspace
import ThreadModel
import ThreadStore

/// Serializes writing to the store during a fetch, and keeps every post of an author in one thread only.
///
/// It may become known late that posts belong to one thread: if a post between two parts is missing, each part may have been stored as a
/// separate thread. When a conversation with posts of both parts arrives, the parts are joined in one file.
actor StoreKeeper {
  /// The result of saving a conversation.
  struct Saved {
    var outcome: ThreadStore.Outcome
    /// The id under which the conversation is stored.
    var id: PostID
    /// The files that were joined to it, and the ids of their conversations.
    var joined: [(file: StoredFile, id: PostID)] = []
    /// The file with the whole conversation.
    var file: StoredFile
  }

  private let store: ThreadStore
  private var index: ThreadStore.Index
  private var renaming: AccountRenaming
  /// The threads with posts of an author, by author. They are read from the store when an author's first conversation is saved.
  private var homes: [AuthorID: [PostID: Set<PostID>]] = [:]
  private var platformsRead: Set<Platform> = []

  init(_ store: ThreadStore, _ networks: NetworkRegistry) throws(PipelineError) {
    self.store = store
    renaming = AccountRenaming(store, networks)
    index = try withStore { () throws(ThreadStoreError) in try store.index() }
  }

  /// Saves a conversation, merged with the stored facts and with the stored parts of the same thread.
  func save(_ conversation: Conversation) throws(PipelineError) -> Saved {
    try rename(for: conversation)
    return try withStore { () throws(ThreadStoreError) in
      let parts = try parts(of: conversation)
      let home = ([conversation] + parts.map(\.conversation)).min { $0.beginning < $1.beginning }?.id
      let id = home ?? conversation.id
      let (file, outcome) = try store.save(
        id == conversation.id ? conversation : conversation.moved(to: id), index: &index)
      var saved = Saved(outcome: outcome, id: id, file: file)
      guard !outcome.isRefused else { return saved }
      note(conversation, as: id)
      for (file, part) in parts where part.id != id {
        if try join(file, part, to: id) { saved.joined.append((file, part.id)) }
      }
      return saved
    }
  }

  /// Replaces the stored conversation, because facts were removed from it.
  func replace(_ conversation: Conversation) throws(PipelineError) -> Saved {
    try rename(for: conversation)
    do {
      guard try parts(of: conversation).isEmpty else { return try save(conversation) }
      let (file, outcome) = try store.replace(conversation, index: &index)
      if !outcome.isRefused { note(conversation, as: conversation.id) }
      return Saved(outcome: outcome, id: conversation.id, file: file)
    } catch {
      throw PipelineError(converting: error)
    }
  }

  /// Returns the author's other stored threads with posts of this conversation.
  private func parts(
    of conversation: Conversation
  ) throws(ThreadStoreError) -> [(file: StoredFile, conversation: Conversation)] {
    let author = conversation.authorID
    if platformsRead.insert(author.platform).inserted {
      for file in try store.list() where file.platform == author.platform {
        // Unreadable files were reported when the store was surveyed.
        guard let known = try? store.readOwnPosts(file) else { continue }
        for post in known.posts {
          homes[known.authorID, default: [:]][post, default: []].insert(known.conversation)
        }
      }
    }
    guard let known = homes[author] else { return [] }
    var ids: Set<PostID> = []
    for post in conversation.posts where post.authorID == author { ids.formUnion(known[post.id] ?? []) }
    var parts: [(file: StoredFile, conversation: Conversation)] = []
    for id in ids.sorted() where id != conversation.id {
      guard let file = try store.find(id, by: author, in: index) else { continue }
      parts.append((file, try store.read(file)))
    }
    return parts
  }

  private func note(_ conversation: Conversation, as id: PostID) {
    for post in conversation.posts where post.authorID == conversation.authorID {
      homes[conversation.authorID, default: [:]][post.id, default: []].insert(id)
    }
  }

  /// - Returns: whether the part is now in the other conversation's file.
  private func join(_ old: StoredFile, _ part: Conversation, to id: PostID) throws(ThreadStoreError) -> Bool {
    let (_, outcome) = try store.save(part.moved(to: id), index: &index)
    guard !outcome.isRefused else { return false }
    try store.remove(old)
    index = try store.index()
    for post in part.posts where post.authorID == part.authorID {
      homes[part.authorID]?[post.id]?.remove(part.id)
      homes[part.authorID]?[post.id]?.insert(id)
    }
    return true
  }

  private func rename(for conversation: Conversation) throws(PipelineError) {
    if let author = conversation.author { try renaming.rename(for: author, index: &index) }
  }

  /// Joins a conversation to the one to which it turned out to belong, and deletes its file. If that other conversation was removed, the
  /// file stays, because its removal was not requested.
  func join(_ old: StoredFile, _ known: Conversation, to id: PostID) throws(PipelineError) -> StoredFile {
    try withStore { () throws(ThreadStoreError) in
      guard try join(old, known, to: id) else { return old }
      return try store.find(id, by: known.authorID, in: index) ?? old
    }
  }

  func save(_ profile: Profile) throws(PipelineError) {
    try withStore { () throws(ThreadStoreError) in try store.save(profile) }
  }

  func removeProfile(of author: AuthorID) throws(PipelineError) {
    try withStore { () throws(ThreadStoreError) in try store.removeProfile(of: author) }
  }

  /// Returns the thread as it is now in the store.
  func conversation(_ id: PostID, by author: AuthorID) throws(PipelineError) -> Conversation? {
    try withStore { () throws(ThreadStoreError) in
      guard let file = try store.find(id, by: author, in: index) else { return nil }
      return try store.read(file)
    }
  }
}
