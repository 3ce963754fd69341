import Basics
import NetworkSources
import SiteWorkspace
import Synchronization
import ThreadModel
import ThreadStore

/// The stored data of an account that the import of its archive needs.
struct StoredPosts: Sendable {
  /// A post that came from an archive.
  struct Archived: Sendable {
    var id: PostID
    var conversation: PostID
    var createdAt: Timestamp?
    /// When any source last showed it.
    var seenAt: Timestamp?
  }

  /// The conversation of each of the account's posts, if the network or an archive stated it and it is the account's own.
  var conversations: [PostID: PostID] = [:]
  var archived: [Archived] = []
  /// Whether the store has threads of the account.
  var hasThreads = false
  /// The files of conversations whose beginning no archive has contained so far, by their posts.
  var guessed: [PostID: StoredFile] = [:]
  /// Copies of the archive's media, by their names in the archive.
  var files: [String: ArchivedMedia] = [:]

  static func of(
    _ author: AuthorID, in store: ThreadStore, _ place: SiteImport,
    fileNames: @escaping @Sendable (Media, Post) -> [String]
  ) throws(PipelineError) -> StoredPosts {
    let all = try withStore { () throws(ThreadStoreError) in
      try store.list().filter { $0.platform == author.platform }
    }
    let problems = Mutex<[String]>([])
    let parts = ParallelWork.run(count: all.count, jobs: place.jobs, makeState: { StoredPosts() }) {
      index, part in
      do throws(ThreadStoreError) {
        let conversation = try store.read(all[index])
        if conversation.authorID == author { part.add(conversation, in: all[index], fileNames) }
      } catch {
        problems.withLock { $0.append(error.description) }
      }
    }
    for problem in problems.withLock({ $0.sorted() }) { place.progress(.warning(problem)) }
    var result = StoredPosts()
    for part in parts {
      result.conversations.merge(part.conversations) { min($0, $1) }
      result.archived += part.archived
      result.hasThreads = result.hasThreads || part.hasThreads
      result.guessed.merge(part.guessed) { first, _ in first }
      result.files.merge(part.files) { first, _ in first }
    }
    result.archived.sort { $0.id < $1.id }
    return result
  }

  private mutating func add(
    _ conversation: Conversation, in file: StoredFile, _ fileNames: (Media, Post) -> [String]
  ) {
    hasThreads = true
    if conversation.hasGuessedID {
      for post in conversation.posts { guessed[post.id] = file }
    }
    for post in conversation.posts where post.authorID == conversation.authorID && post.conversationID != nil
    {
      conversations[post.id] = conversation.id
    }
    // The author's own posts that they quote are also shown completely.
    for post in conversation.posts + conversation.related where post.authorID == conversation.authorID {
      guard let archive = post.archive else { continue }
      archived.append(
        Archived(
          id: post.id, conversation: conversation.id, createdAt: post.createdAt,
          seenAt: Timestamp.later(post.observedAt, archive.date)))
      for media in post.media where media.isFileFromArchive {
        guard let file = media.file else { continue }
        let copy = ArchivedMedia(
          file: file, width: media.width, height: media.height,
          durationMilliseconds: media.durationMilliseconds)
        for name in fileNames(media, post) { files[name] = copy }
      }
    }
  }
}
