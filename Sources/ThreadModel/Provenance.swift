/// A source of a conversation's facts.
package struct Provenance: Hashable, Sendable {
  package var source: SourceKind
  /// When the source was read; `nil` if a saved file does not state the time.
  package var fetchedAt: Timestamp?

  package init(source: SourceKind, fetchedAt: Timestamp? = nil) {
    self.source = source
    self.fetchedAt = fetchedAt
  }

  /// Joins two lists. For each source the first and the last time are kept, and one entry without a time. Otherwise a thread that is fetched every
  /// day would get one entry per day.
  static func union(_ first: [Provenance], _ second: [Provenance]) -> [Provenance] {
    var bySource: [SourceKind: Set<Provenance>] = [:]
    for entry in first + second { bySource[entry.source, default: []].insert(entry) }
    return bySource.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { _, entries in
      let dated = entries.filter { $0.fetchedAt != nil }.sorted {
        ($0.fetchedAt?.milliseconds ?? 0) < ($1.fetchedAt?.milliseconds ?? 0)
      }
      return entries.filter { $0.fetchedAt == nil } + dated.prefix(1) + dated.dropFirst().suffix(1)
    }
  }
}

/// The kind of a source, such as a network's API. The target of each network defines its constants.
package struct SourceKind: OpenVocabulary {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// An archive that the site's owner imported as their own.
  package static let ownArchive: SourceKind = "own-archive"

  /// Whether the source is a file that a user downloaded from a network, instead of the network itself.
  package var isExport: Bool { rawValue.hasSuffix("-archive") || rawValue.hasSuffix("-export") }
}

extension Conversation {
  /// Whether the author of the conversation imported it.
  package var isOwn: Bool { provenance.contains { $0.source == .ownArchive } }
}

/// How much of a thread its source could see.
package struct Coverage: Hashable, Sendable {
  /// The number of posts that the thread is believed to have; `nil` if unknown.
  package var expectedPosts: Int?
  /// Why posts may be missing.
  package var limits: [CoverageLimit]
  /// How the thread's posts were found; `nil` if a file was imported.
  package var foundBy: FindingMethod?
  /// When all of the thread's posts were last requested from the network.
  package var checkedAt: Timestamp?

  package init(expectedPosts: Int? = nil, limits: [CoverageLimit] = []) {
    self.expectedPosts = expectedPosts
    self.limits = limits
  }

  package var isEmpty: Bool { expectedPosts == nil && limits.isEmpty && foundBy == nil && checkedAt == nil }
}

/// How the posts of a thread were found. The complete methods are listed before the limited ones.
package struct FindingMethod: OpenVocabulary {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// A search of all posts.
  package static let fullSearch: FindingMethod = "full_search"
  /// A search of the last seven days, while the thread was younger.
  package static let recentSearch: FindingMethod = "recent_search"
  /// The network's view of the conversation around a post: the posts above it, and the replies below it.
  package static let conversation: FindingMethod = "conversation"
  /// The author's timeline, from the thread's first post on.
  package static let timeline: FindingMethod = "timeline"
  /// Following the answered posts from the requested post up to the first.
  package static let climbing: FindingMethod = "climbing"
}

extension Provenance: StoredRecord {
  package static let noun = "provenance"
  package static func blank(on platform: Platform) -> Self { Self(source: "") }

  package static func visit<V: RecordVisitor<Self>>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("fetched_at", \.fetchedAt)
    try visitor.field("source", \.source, .required)
  }
}

extension Coverage: StoredRecord {
  package static let noun = "coverage"
  package static func blank(on platform: Platform) -> Self { Self() }

  package var isAbsent: Bool { isEmpty }

  package static func visit<V: RecordVisitor<Self>>(_ visitor: inout V) throws(V.Failure) {
    try visitor.field("checked_at", \.checkedAt)
    try visitor.field("expected_posts", \.expectedPosts)
    try visitor.field("found_by", \.foundBy)
    try visitor.field("limits", \.limits)
  }
}
