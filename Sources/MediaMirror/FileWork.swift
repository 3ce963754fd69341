import Dispatch

/// Runs work that waits for the disk or digests many bytes on separate threads. Otherwise, Swift's few threads for tasks would be blocked.
enum FileWork {
  private static let queue = DispatchQueue(label: "threadsite.media", attributes: .concurrent)

  static func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: work()) }
    }
  }
}
