package import NetworkSources
import Synchronization

/// What a long command is doing, for whoever shows it.
package enum ProgressEvent: Sendable {
  /// So many of so many things of this step are done: "Rendering threads", 120 of 10,000.
  case step(String, done: Int, total: Int)
  /// Nothing goes on for so many seconds, and why; said once a second.
  case waiting(String, secondsLeft: Int)
  /// What a network was asked and has cost so far, while a fetch goes on.
  case spent(SourceUsage)
  /// Something that the user should know and that stops nothing.
  case warning(String)
  /// Detail for those who ask for it.
  case note(String)
}

/// Takes progress from any thread.
package typealias ProgressHandler = @Sendable (ProgressEvent) -> Void

/// Counts steps from many threads and reports some of them: about a hundred however many there are.
final class ProgressCounter: Sendable {
  private let title: String
  private let total: Int
  private let every: Int
  private let done = Atomic(0)
  private let progress: ProgressHandler

  init(_ title: String, total: Int, _ progress: @escaping ProgressHandler) {
    self.title = title
    self.total = total
    every = max(1, total / 100)
    self.progress = progress
  }

  func advance() {
    let count = done.wrappingAdd(1, ordering: .relaxed).newValue
    if count % every == 0 || count == total { progress(.step(title, done: count, total: total)) }
  }
}
