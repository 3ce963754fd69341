import Dispatch

/// Work that waits for the disk or digests many bytes: on threads of its own, as Swift's are few, and others wait for them.
enum FileWork {
  private static let queue = DispatchQueue(label: "threadsite.media", attributes: .concurrent)

  static func run<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: work()) }
    }
  }
}
