import Basics
import Dispatch
import SiteWorkspace
import Synchronization
import ThreadModel
import ThreadStore

/// Saves many conversations in portions. The conversations of a portion are saved at the same time, while the caller prepares the next
/// portion.
final class ConversationSaver {
  private struct State: Sendable {
    var outcomes: [ThreadStore.Outcome: Int] = [:]
    var notes: [String] = []
    var added: [(file: StoredFile, author: AuthorID)] = []
    var failures: [String] = []
    /// The reason why the disk accepts no more files.
    var disk: PipelineError?
  }

  private let store: ThreadStore
  private var index: ThreadStore.Index
  private let shared = Shared()
  /// The portion that is being saved.
  private var pending: DispatchGroup?

  /// The results of a portion, filled in by several threads.
  private final class Shared: Sendable {
    private let state = Mutex(State())
    func change<Result>(_ change: (inout sending State) -> sending Result) -> Result {
      state.withLock(change)
    }
  }

  init(_ store: ThreadStore) throws(PipelineError) {
    self.store = store
    index = try withStore { () throws(ThreadStoreError) in try store.index() }
  }

  deinit { pending?.wait() }

  /// The conversations of a portion must be distinct.
  func save(_ portion: [Conversation], _ counter: ProgressCounter) {
    wait()
    guard shared.change({ $0.disk == nil }) else { return }
    let (index, store, shared) = (index, store, shared)
    pending = DiskWork.start(count: portion.count) { position in
      do throws(ThreadStoreError) {
        let (file, outcome) = try store.save(portion[position], in: index, dateAlone: false)
        shared.change { state in
          state.outcomes[outcome, default: 0] += 1
          if outcome != .unchanged { state.notes.append("\(outcome.rawValue): \(file.path)") }
          if outcome == .added { state.added.append((file, portion[position].authorID)) }
        }
      } catch {
        let problem = PipelineError(error)
        shared.change { state in
          if problem.kind == .io { state.disk = problem } else { state.failures.append(error.description) }
        }
      }
      counter.advance()
    }
  }

  /// Waits for the previous portion, whose files must be added to the index.
  private func wait() {
    pending?.wait()
    pending = nil
    let added = shared.change { state in
      defer { state.added = [] }
      return state.added
    }
    for (file, author) in added { self.index.add(file, by: author) }
  }

  func finish(_ summary: inout ArchiveSummary, _ progress: ProgressHandler) throws(PipelineError) {
    wait()
    let state = shared.change { $0 }
    if let disk = state.disk { throw disk }
    for (outcome, count) in state.outcomes { summary.count(outcome, times: count) }
    summary.failures += state.failures.sorted()
    for note in state.notes.sorted() { progress(.note(note)) }
  }
}
