import Synchronization
import ThreadModel

/// What a fetch has done so far, counted from all its tasks.
final class FetchState: Sendable {
  private struct State {
    var summary: FetchSummary
    var sourceState: SourceState
    /// Media that threads have lost, some of which others may still show.
    var releasedMedia: Set<String> = []
    /// Networks of which nothing more is asked.
    var stopped: Set<Platform> = []
    var isStopped = false
  }

  private let state: Mutex<State>

  init(store: String, sourceState: SourceState) {
    state = Mutex(State(summary: FetchSummary(store: store), sourceState: sourceState))
  }

  var summary: FetchSummary { state.withLock { $0.summary } }
  var sourceState: SourceState { state.withLock { $0.sourceState } }
  var releasedMedia: Set<String> { state.withLock { $0.releasedMedia } }
  /// Whether nothing more should be begun: the disk is full, or the user has stopped it.
  var isStopped: Bool { state.withLock { $0.isStopped } }

  /// Whether a network should be asked nothing more, such as because the credits for it are used up.
  func isStopped(_ platform: Platform) -> Bool {
    state.withLock { $0.isStopped || $0.stopped.contains(platform) }
  }

  func change(_ change: (inout FetchSummary) -> Void) { state.withLock { change(&$0.summary) } }

  func release(media names: Set<String>) { state.withLock { $0.releasedMedia.formUnion(names) } }

  func record(_ entry: SourceState.Entry, for key: SourceState.Key) {
    state.withLock { $0.sourceState[key] = entry }
  }

  /// Notes whether a thread was read to its end.
  func note(_ thread: PostID, isUnfinished: Bool) {
    state.withLock { state in
      if isUnfinished {
        state.sourceState.unfinished.insert(thread)
      } else {
        state.sourceState.unfinished.remove(thread)
      }
    }
  }

  /// Notes a failure once: what stops every task is said by each of them.
  ///
  /// - Parameters:
  ///   - stops: whether nothing more can be done.
  ///   - platform: of the network whose tasks it stops; `nil` where it stops everything.
  func fail(_ error: PipelineError, stops: Bool, only platform: Platform? = nil) {
    state.withLock { state in
      if stops, let platform { state.stopped.insert(platform) }
      if stops, platform == nil { state.isStopped = true }
      guard !state.summary.failures.contains(where: { $0.messages == error.messages }) else { return }
      state.summary.failures.append(error)
    }
  }
}
