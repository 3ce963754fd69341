import Synchronization

/// What a thread asked about other threads while it was rendered, each question once.
final class PageLookups: Sendable {
  private let lookups = Mutex<[BuiltThread.Lookup]>([])

  func add(_ lookup: BuiltThread.Lookup) {
    lookups.withLock { if $0.last != lookup { $0.append(lookup) } }
  }

  /// In the order in which they were asked.
  var all: [BuiltThread.Lookup] {
    var known: Set<BuiltThread.Lookup> = []
    return lookups.withLock { $0.filter { known.insert($0).inserted } }
  }
}
