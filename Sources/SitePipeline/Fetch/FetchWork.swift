import SiteConfig
import ThreadModel
import ThreadStore

/// What one run has to do.
struct FetchWork: Sendable {
  /// Threads and collections to ask for, and archives to read.
  var tasks: [FetchTask] = []
  /// The file of the thread that a post belongs to, where the store has it.
  var known: [PostID: StoredFile] = [:]
  /// All conversations of the store.
  var conversations: Set<PostID> = []
  /// Threads whose posts are to be looked up again.
  var due: [StoredFile] = []
  /// Threads to be looked for again: those that were not read to their end, and those that may have grown.
  var open: [StoredFile] = []
  var lackingMedia: [StoredFile] = []
  /// As it was when the run began.
  var ledger = SourceLedger()

  var isEmpty: Bool { tasks.isEmpty && due.isEmpty && open.isEmpty && lackingMedia.isEmpty }
  var asksX: Bool { !due.isEmpty || !open.isEmpty || tasks.contains { $0.platform == .x } }
}
