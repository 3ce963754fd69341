import Synchronization

/// Counts up to the last of some turns, and stays there.
final class LoopbackTurns: Sendable {
  private let turn = Mutex(0)
  private let count: Int

  init(count: Int) { self.count = count }

  func next() -> Int {
    turn.withLock { turn in
      defer { turn = min(turn + 1, count - 1) }
      return turn
    }
  }
}
