package import HTTPTransport
package import NetworkSources
import Synchronization

/// An event of a long command, for showing progress.
package enum ProgressEvent: Sendable {
  /// The number of finished items of a step, and their total: "Rendering threads", 120 of 10,000.
  case step(String, done: Int, total: Int)
  /// The command is waiting, with the reason and the remaining seconds. Sent once per second.
  case waiting(String, secondsLeft: Int)
  /// The requests to a network and their cost so far, during a fetch.
  case spent(SourceUsage)
  /// A message for the user about a problem that does not stop the command.
  case warning(String)
  /// A detail for verbose output.
  case note(String)
  /// Credentials that are in use from now on. Code that prints messages masks them in all messages.
  case credentials([Secret])
}

/// Receives progress events from any thread.
package typealias ProgressHandler = @Sendable (ProgressEvent) -> Void

/// Counts steps from many threads and reports about a hundred of them, however many there are.
package final class ProgressCounter: Sendable {
  private let title: String
  private let total: Int
  private let every: Int
  private let done = Atomic(0)
  private let progress: ProgressHandler

  package init(_ title: String, total: Int, _ progress: @escaping ProgressHandler) {
    self.title = title
    self.total = total
    every = max(1, total / 100)
    self.progress = progress
  }

  package func advance() {
    let count = done.wrappingAdd(1, ordering: .relaxed).newValue
    if count % every == 0 || count == total { progress(.step(title, done: count, total: total)) }
  }
}
