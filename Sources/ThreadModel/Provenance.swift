/// Where a conversation's facts came from.
package struct Provenance: Hashable, Sendable {
  package var source: SourceKind
  /// When the source was asked; `nil` where a saved file does not say.
  package var fetchedAt: Timestamp?

  package init(source: SourceKind, fetchedAt: Timestamp? = nil) {
    self.source = source
    self.fetchedAt = fetchedAt
  }

  /// Of each source the first time that it was asked, the last one, and that it was asked at a time that nobody knows: a thread that is looked
  /// at every day would have a line for each day.
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

package struct SourceKind: OpenVocabulary {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// The X API, version 2.
  package static let xAPI: SourceKind = "x-api"
  /// The archive that X gives to its users.
  package static let xArchive: SourceKind = "x-archive"
  /// The API that Mastodon and servers like it speak.
  package static let mastodonAPI: SourceKind = "mastodon-api"
  /// A post as its server gives it to other servers, by ActivityPub.
  package static let activityPub: SourceKind = "activitypub"
  /// The archive that Mastodon gives to its users.
  package static let mastodonArchive: SourceKind = "mastodon-archive"

  /// Whether it is a file that a network gave to its user, and not the network itself.
  package var isExport: Bool { rawValue.hasSuffix("-archive") || rawValue.hasSuffix("-export") }
}

/// How much of a thread its source could see.
package struct Coverage: Hashable, Sendable {
  /// Posts that the thread is thought to have; `nil` where nobody knows.
  package var expectedPosts: Int?
  /// Why some may be missing.
  package var limits: [CoverageLimit]
  /// How the thread's posts were found; `nil` where a file was imported.
  package var foundBy: FindingMethod?
  /// When the network was last asked about all of the thread's posts.
  package var checkedAt: Timestamp?

  package init(expectedPosts: Int? = nil, limits: [CoverageLimit] = []) {
    self.expectedPosts = expectedPosts
    self.limits = limits
  }

  package var isEmpty: Bool { expectedPosts == nil && limits.isEmpty && foundBy == nil && checkedAt == nil }
}

/// How the posts of a thread were found, from the way that sees most to the one that sees least.
package struct FindingMethod: OpenVocabulary {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// A search of all posts.
  package static let fullSearch: FindingMethod = "full_search"
  /// A search of the last seven days, while the thread was younger.
  package static let recentSearch: FindingMethod = "recent_search"
  /// The conversation around a post, as the network gives it: what it answers, and what was answered to it.
  package static let conversation: FindingMethod = "conversation"
  /// The author's timeline, from the first post on.
  package static let timeline: FindingMethod = "timeline"
  /// Each post names the one that it answers: from the post given up to the first.
  package static let climbing: FindingMethod = "climbing"
}
