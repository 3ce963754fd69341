import Basics
package import SiteConfig
import Synchronization
package import ThreadModel
package import ThreadStore

/// The data about the store that a fetch needs before it begins: its threads, and which of them are due.
package struct StoreSurvey: Sendable {
  /// The files of the threads to which the requested posts belong.
  package var files: [PostReference: StoredFile] = [:]
  package var conversations: Set<PostID> = []
  /// Threads to look up again, sorted by path.
  package var due: [StoredFile] = []
  /// Threads to search for again, because they were not read completely or may have grown; sorted by path.
  package var open: [StoredFile] = []
  /// Threads with media that have no copy, sorted by path.
  package var lackingMedia: [StoredFile] = []

  /// Surveys the store, on all cores.
  ///
  /// - Parameters:
  ///   - posts: the posts to find.
  ///   - passesOver: whether an unreadable file is skipped, and assumed to contain any conversation that its name allows.
  ///   - isDue: whether a thread must be looked up again.
  ///   - isOpen: whether a thread must be searched for again.
  ///   - lacksMedia: whether a thread has media to copy.
  package static func of(
    _ store: ThreadStore, posts: [PostReference], jobs: Int, passesOver: Bool = false,
    isDue: @escaping @Sendable (Conversation) -> Bool = { _ in false },
    isOpen: @escaping @Sendable (Conversation) -> Bool = { _ in false },
    lacksMedia: @escaping @Sendable (Conversation) -> Bool = { _ in false }
  ) throws(PipelineError) -> StoreSurvey {
    let files = try withStore { () throws(ThreadStoreError) in try store.list() }
    let references = PostReferences(posts)
    let problems = Mutex<[PipelineError]>([])
    let damaged = Mutex<[StoredFile]>([])
    let parts = ParallelWork.run(count: files.count, jobs: jobs, makeState: { StoreSurvey() }) {
      index, survey in
      do throws(ThreadStoreError) {
        let conversation = try store.read(files[index])
        survey.conversations.insert(conversation.id)
        for position in references.positions(of: conversation) {
          survey.files[posts[position]] = files[index]
        }
        if isDue(conversation) { survey.due.append(files[index]) }
        if isOpen(conversation) { survey.open.append(files[index]) }
        if lacksMedia(conversation) { survey.lackingMedia.append(files[index]) }
      } catch {
        if passesOver {
          damaged.withLock { $0.append(files[index]) }
          return
        }
        let problem = PipelineError(error)
        problems.withLock { $0.append(problem) }
      }
    }
    let found = problems.withLock { $0 }
    guard found.isEmpty else { throw PipelineError(found.sorted { $0.messages[0] < $1.messages[0] }) }
    var survey = StoreSurvey()
    for part in parts {
      survey.files.merge(part.files) { min($0, $1) }
      survey.conversations.formUnion(part.conversations)
      survey.due += part.due
      survey.open += part.open
      survey.lackingMedia += part.lackingMedia
    }
    let unread = StoreListing(damaged.withLock { $0.sorted() })
    for (position, file) in references.positions(namingAnyOf: unread)
    where survey.files[posts[position]] == nil {
      survey.files[posts[position]] = file
    }
    survey.due.sort()
    survey.open.sort()
    survey.lackingMedia.sort()
    return survey
  }
}
