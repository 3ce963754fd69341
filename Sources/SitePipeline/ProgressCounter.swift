import Synchronization

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
