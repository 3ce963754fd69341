import Synchronization

/// A counter from 0 to the last of a number of turns, where it stays.
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
