import SiteWorkspace
import ThreadStore

/// A thread that could not be built.
struct ThreadFailure: Sendable {
  /// The position of the thread's file in the store's listing, for a stable order.
  let position: Int
  let file: StoredFile
  let error: PipelineError
}

/// The threads without which a site must be built, because they could not be built.
struct FailedThreads: Error {
  let failures: [ThreadFailure]
}
