import Dispatch
import Synchronization

/// Runs work that waits for a network, for a command that has limited the main thread (``AccessLimit``). The threads of the work are started
/// from there and have the same limit.
final class Waiting: Sendable {
  private let result = Mutex<Result<Void, any Error>?>(nil)

  private init() {}

  /// Runs the work on other threads, and waits for its end on the current thread.
  static func run(_ work: @escaping @Sendable () async throws -> Void) throws {
    let waiting = Waiting()
    let end = DispatchSemaphore(value: 0)
    Task {
      let result: Result<Void, any Error>
      do {
        result = .success(try await work())
      } catch {
        result = .failure(error)
      }
      waiting.result.withLock { $0 = result }
      end.signal()
    }
    end.wait()
    try waiting.result.withLock { $0 }?.get()
  }
}
