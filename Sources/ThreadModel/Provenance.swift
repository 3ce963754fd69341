/// Where a conversation's facts came from.
package struct Provenance: Hashable, Sendable {
  package var source: SourceKind
  /// When the source was asked; `nil` where a saved file does not say.
  package var fetchedAt: Timestamp?

  package init(source: SourceKind, fetchedAt: Timestamp? = nil) {
    self.source = source
    self.fetchedAt = fetchedAt
  }
}

package struct SourceKind: OpenVocabulary {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  /// The X API, version 2.
  package static let xAPI: SourceKind = "x-api"
}

/// How much of a thread its source could see.
package struct Coverage: Hashable, Sendable {
  /// Posts that the thread is thought to have; `nil` where nobody knows.
  package var expectedPosts: Int?
  /// Why some may be missing, as a sentence without a full stop: "recent search sees seven days only".
  package var limits: [String]

  package init(expectedPosts: Int? = nil, limits: [String] = []) {
    self.expectedPosts = expectedPosts
    self.limits = limits
  }

  package var isEmpty: Bool { expectedPosts == nil && limits.isEmpty }
}
