package import Basics

/// The sums of an index from which scores are computed.
struct IndexTotals: Sendable, Hashable {
  /// The number of documents.
  var documents = 0
  /// The sums of ``SearchTerms/length`` and ``SearchTerms/titleLength``.
  var length = 0
  var titleLength = 0
}

extension IndexTotals: Record {
  static let fields = RecordFields(Self.init, \.documents, \.length, \.titleLength)
}

/// The facts about a written index that a ``SearchIndexPatch`` needs besides its files.
package struct SearchIndexState: Sendable, Equatable {
  var totals = IndexTotals()
  /// The number of terms for each file that belongs to single terms, by the path of the file. Two terms may have the same file.
  var uses: [String: Int] = [:]

  /// The number of documents.
  package var documents: Int { totals.documents }
}

extension SearchIndexState: Record {
  package static let fields = RecordFields(Self.init(totals:uses:), \.totals, \.uses)
}
