import ThreadStore

/// A summary with the numbers of saved threads.
protocol ThreadCounts {
  var added: Int { get set }
  var updated: Int { get set }
  var unchanged: Int { get set }
  /// Threads that were removed from the store earlier and were not restored.
  var stayRemoved: Int { get set }
}

extension ThreadCounts {
  mutating func count(_ outcome: ThreadStore.Outcome, times: Int = 1) {
    switch outcome {
    case .added: added += times
    case .updated: updated += times
    case .unchanged: unchanged += times
    case .removed: stayRemoved += times
    // The store counts them, including left-out posts in other threads.
    case .leftOut: break
    }
  }

  mutating func addCounts(of other: some ThreadCounts) {
    added += other.added
    updated += other.updated
    unchanged += other.unchanged
    stayRemoved += other.stayRemoved
  }
}
