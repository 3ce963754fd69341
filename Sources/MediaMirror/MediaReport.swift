/// What mirroring did.
package struct MediaReport: Sendable, Hashable {
  /// Files that came over the network.
  package var fetched = 0
  /// Files that were there already, or that another post brought.
  package var reused = 0
  /// Bytes of what was fetched.
  package var bytes = 0
  /// What stays without a copy, each address once, sorted.
  package var failures: [MediaFailure] = []

  package init() {}

  package mutating func add(_ other: MediaReport) {
    fetched += other.fetched
    reused += other.reused
    bytes += other.bytes
    failures = Set(failures + other.failures).sorted()
  }
}

/// A picture or a video that there is no copy of.
package struct MediaFailure: Error, Sendable, Hashable, Comparable {
  /// As the conversation has it.
  package var url: String
  /// A clause without a full stop.
  package var reason: String
  /// Whether a later run may have more luck: a server in trouble, and not a file that is gone.
  package var isPassing: Bool
  /// Whether the store's disk is to blame, so that no other file would do better.
  package var isOfDisk = false

  package static func < (lhs: MediaFailure, rhs: MediaFailure) -> Bool {
    (lhs.url, lhs.reason) < (rhs.url, rhs.reason)
  }
}

/// How far a mirror is: totals over all conversations, each time that something is done.
package struct MediaProgress: Sendable, Hashable {
  /// Files looked for so far; more may turn up in the next conversation.
  package var wanted = 0
  /// Of those, how many are done with, one way or another.
  package var finished = 0
  package var failed = 0
  /// Bytes that came over the network.
  package var bytes = 0
}
