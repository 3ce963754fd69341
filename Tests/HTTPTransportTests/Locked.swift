import Synchronization

/// A value shared by tests and the threads that they start.
final class Locked<Value: Sendable>: Sendable {
  private let mutex: Mutex<Value>

  init(_ value: Value) { mutex = Mutex(value) }

  var value: Value { mutex.withLock { $0 } }

  func set(_ value: Value) { mutex.withLock { $0 = value } }

  func update<Result: Sendable>(_ change: @Sendable (inout Value) -> Result) -> Result {
    mutex.withLock { change(&$0) }
  }
}
