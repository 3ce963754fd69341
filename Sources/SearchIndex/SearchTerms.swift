package import Basics

/// The terms of one document: a few bytes per word, without the text. They can be cached from one build to the next.
///
/// A thread of twelve posts takes about 2.5 KB.
package struct SearchTerms: Sendable, Equatable {
  /// The URL, which identifies the document.
  package let url: String
  /// Title, URL, author and dates, as JSON for the results.
  package let record: [UInt8]
  /// The number of words in the text, in halves: words of half weight count one, others two.
  package let length: Int
  /// The number of words in the title.
  package let titleLength: Int
  /// All terms of the document without duplicates. For each term: the length in bytes, and the bytes; flags for its use in the title (1
  /// bit) and in a label (1 bit); its weight in the text, in halves; the number of positions, and their distances. Numbers are encoded for
  /// ``VarintReader``.
  package let log: [UInt8]
}

extension SearchTerms: Record {
  package static let fields = RecordFields(
    Self.init(url:record:length:titleLength:log:), \.url, \.record, \.length, \.titleLength, \.log)
}
