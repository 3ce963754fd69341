import Foundation
import Synchronization
import Testing

/// Limits how many of the marked tests run at the same time. Tests that wait for processes leave their thread
/// to other tests, so otherwise hundreds would start at once.
struct FewAtOnce: TestTrait, SuiteTrait, TestScoping {
  let isRecursive = true

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    await Self.places.take()
    defer { Self.places.give() }
    try await function()
  }

  private static let places = Places(max(ProcessInfo.processInfo.activeProcessorCount, 2))

  /// A number of places, and a queue of tests that wait for one.
  private final class Places: Sendable {
    private let state: Mutex<(free: Int, waiting: [CheckedContinuation<Void, Never>])>

    init(_ count: Int) { state = Mutex((count, [])) }

    func take() async {
      await withCheckedContinuation { continuation in
        let isFree = state.withLock { state in
          guard state.free == 0 else {
            state.free -= 1
            return true
          }
          state.waiting.append(continuation)
          return false
        }
        if isFree { continuation.resume() }
      }
    }

    func give() {
      let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
        guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
        state.free += 1
        return nil
      }
      next?.resume()
    }
  }
}

extension Trait where Self == FewAtOnce {
  /// Limits how many tests of this kind run at the same time.
  static var fewAtOnce: Self { Self() }
}
