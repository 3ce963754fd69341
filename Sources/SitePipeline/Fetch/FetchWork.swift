import SiteConfig
import ThreadModel
import ThreadStore

/// What one run has to do.
struct FetchWork: Sendable {
  /// Threads and collections to ask for, and archives to read.
  var tasks: [FetchTask] = []
  /// The file of the thread that a post belongs to, where the store has it.
  var known: [PostReference: StoredFile] = [:]
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

  /// The part of it that one network is asked about.
  func part(of platform: Platform) -> FetchWork {
    var part = self
    part.tasks = tasks.filter { $0.platform == platform }
    part.due = due.filter { $0.platform == platform }
    part.open = open.filter { $0.platform == platform }
    return part
  }

  /// Whether any network has to be asked.
  var asksNetworks: Bool { !due.isEmpty || !open.isEmpty || tasks.contains { $0.platform != nil } }
}
