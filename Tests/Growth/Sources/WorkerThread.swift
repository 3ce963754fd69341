import Foundation
import Synchronization

/// A thread like the workers of a build, whose stack use can be measured.
enum WorkerThread {
  /// The stack of a worker. Work that recurses once per post does not fit.
  static let stack = 512 << 10

  /// The stack of the thread that measures: large enough to report what a worker's stack could not hold.
  private static let largeStack = 64 << 20

  /// The part at the top of the stack that is not measured because the measuring functions use it.
  private static let ownPart = 32 << 10

  /// Runs `body` on a thread with the stack of a worker.
  static func run(_ body: @escaping @Sendable () throws -> Void) throws {
    try run(stack: stack) { try body() }
  }

  /// Runs `body` on a thread with a large stack and returns how many bytes of it were used.
  static func stackUse(of body: @escaping @Sendable () throws -> Void) throws -> Int {
    try run(stack: largeStack) {
      let range = clearedStack()
      try body()
      // The stack grows downwards, so the first byte that is not zero is the deepest one that was used.
      let untouched = range.firstIndex { $0 != 0 } ?? range.count
      return range.count - untouched + ownPart
    }
  }

  /// Fills the unused part of the calling thread's stack with zeros.
  private static func clearedStack() -> UnsafeRawBufferPointer {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1) { local in
      let top = UInt(bitPattern: local.baseAddress) - UInt(ownPart)
      // The lowest part holds the guard page, and the highest the thread's own data.
      let count = largeStack - (256 << 10)
      guard let start = UnsafeMutableRawPointer(bitPattern: top - UInt(count)) else {
        return .init(start: nil, count: 0)
      }
      memset(start, 0, count)
      return UnsafeRawBufferPointer(start: start, count: count)
    }
  }

  private static func run<Result: Sendable>(
    stack: Int, _ body: @escaping @Sendable () throws -> Result
  ) throws -> Result {
    let outcome = Mutex<Swift.Result<Result, any Error>?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    let thread = Thread {
      let result = Swift.Result { try body() }
      outcome.withLock { $0 = result }
      isDone.signal()
    }
    thread.stackSize = stack
    thread.start()
    isDone.wait()
    guard let result = outcome.withLock({ $0 }) else { throw ClaimError("the thread ended without a result") }
    return try result.get()
  }
}
