/// What the search keeps of one document: a few bytes for each word, no text. A value that may be kept from one build to the next.
///
/// Of a thread of twelve posts these are about 2.5 KB.
package struct SearchTerms: Sendable, Equatable {
  /// What the document is known by.
  package let url: String
  /// Title, author and dates, as JSON for the results.
  package let record: [UInt8]
  /// Words of the text, those of half weight counted by half: in halves.
  package let length: Int
  /// Words of the title.
  package let titleLength: Int
  /// Each term once: its bytes, their number before them; whether it is in the title (1 bit) and in a label (1 bit); its weight in the text,
  /// in halves; how many positions there are, and their distances. Numbers as ``VarintReader`` reads them.
  package let log: [UInt8]

  package init(url: String, record: [UInt8], length: Int, titleLength: Int, log: [UInt8]) {
    self.url = url
    self.record = record
    self.length = length
    self.titleLength = titleLength
    self.log = log
  }
}
