import SiteWorkspace
import Synchronization
import ThreadModel
import ThreadStore

/// The progress of a fetch, totaled over all of its tasks.
final class FetchState: Sendable {
  private struct State {
    var summary: FetchSummary
    var sourceState: SourceState
    /// Media of removed posts. Other posts may still show some of them.
    var releasedMedia: Set<String> = []
    /// The ids of posts and accounts that were removed from the store.
    var removed: Set<String> = []
    /// The outcome for each thread, because a run may save a thread several times.
    var outcomes: [ThreadKey: ThreadStore.Outcome] = [:]
    var incomplete: Set<ThreadKey> = []
    var notes: Set<String> = []
    /// Networks to which no more requests are sent.
    var stopped: Set<Platform> = []
    var isStopped = false
  }

  private struct ThreadKey: Hashable {
    var id: PostID
    var author: AuthorID
  }

  private let state: Mutex<State>

  init(store: String, sourceState: SourceState) {
    state = Mutex(State(summary: FetchSummary(store: store), sourceState: sourceState))
  }

  var summary: FetchSummary { state.withLock { $0.summary } }
  var sourceState: SourceState { state.withLock { $0.sourceState } }
  var releasedMedia: Set<String> { state.withLock { $0.releasedMedia } }
  var removed: Set<String> { state.withLock { $0.removed } }
  /// Whether no more work should begin, because the disk is full or the user has stopped the fetch.
  var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Whether no more requests should be sent to a network, for example because its credits are used up.
  func isStopped(_ platform: Platform) -> Bool {
    state.withLock { $0.isStopped || $0.stopped.contains(platform) }
  }

  func change(_ change: (inout FetchSummary) -> Void) { state.withLock { change(&$0.summary) } }

  func release(media names: Set<String>) { state.withLock { $0.releasedMedia.formUnion(names) } }

  /// Records the ids of posts and accounts that were removed from the store.
  func noteRemoved(_ ids: some Sequence<String>) { state.withLock { $0.removed.formUnion(ids) } }

  func record(_ entry: SourceState.Entry, for key: SourceState.Key) {
    state.withLock { $0.sourceState[key] = entry }
  }

  /// Counts a saved thread. A thread that is saved several times counts once: as new if it was new, otherwise as updated if it was ever
  /// updated.
  func count(_ outcome: ThreadStore.Outcome, of conversation: Conversation) {
    let key = ThreadKey(id: conversation.id, author: conversation.authorID)
    state.withLock { state in
      if let known = state.outcomes[key] {
        guard known == .unchanged, outcome != .unchanged else { return }
        state.summary.unchanged -= 1
      }
      state.outcomes[key] = outcome
      state.summary.count(outcome)
    }
  }

  /// Counts a thread whose coverage has limits, once.
  func noteLimits(of conversation: Conversation) {
    guard !conversation.coverage.limits.isEmpty else { return }
    state.withLock { state in
      state.incomplete.insert(ThreadKey(id: conversation.id, author: conversation.authorID))
      state.summary.incomplete = state.incomplete.count
    }
  }

  /// Returns whether a message for the user has not yet been shown in this run.
  func isNew(_ note: String) -> Bool { state.withLock { $0.notes.insert(note).inserted } }

  /// Records whether a thread was read completely.
  func note(_ thread: PostID, isUnfinished: Bool) {
    state.withLock { state in
      if isUnfinished {
        state.sourceState.unfinished.insert(thread)
      } else {
        state.sourceState.unfinished.remove(thread)
      }
    }
  }

  /// Records a failure once, because every task may report a failure that stops all of them.
  ///
  /// - Parameters:
  ///   - stops: whether no more work is possible.
  ///   - platform: the network whose tasks are stopped; `nil` if all tasks are stopped.
  func fail(_ error: PipelineError, stops: Bool, only platform: Platform? = nil) {
    state.withLock { state in
      if stops, let platform { state.stopped.insert(platform) }
      if stops, platform == nil { state.isStopped = true }
      guard !state.summary.failures.contains(where: { $0.messages == error.messages }) else { return }
      state.summary.failures.append(error)
    }
  }
}
