import Synchronization

/// The files of the store's media folder that one thread shows: only these go into the site, as a post that its owner hides, or an
/// answer that the page leaves out, brings pictures of its own.
final class MediaFileNames: Sendable {
  private let names = Mutex<Set<String>>([])

  func add(_ name: String) { names.withLock { _ = $0.insert(name) } }

  /// Sorted.
  var all: [String] { names.withLock { $0.sorted() } }
}
