import Foundation

/// Encodes a term's documents for browsers: which documents contain the term, its score in each of them, and its positions.
///
/// The score of a word in a document is the part of BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009) that does
/// not depend on the query. Scores are rounded to levels, so that browsers need not fetch the lengths of documents.
struct PostingEncoder: Sendable {
  /// The encoded data of one term.
  struct Encoded: Sendable {
    /// The number of documents that contain the term, and of documents that contain it in their title or a label.
    var documents = 0
    var titled = 0
    var postings: [UInt8] = []
    var positions: [UInt8] = []
  }

  /// How quickly repetitions of a word stop adding to the score, and how much the length of a text or title reduces it.
  private static let saturation = 1.2
  private static let lengthShare = 0.6
  private static let titleLengthShare = 0.5
  /// The highest scores of a word in a text, in a title (higher in a short title), and in a label.
  private static let textWeight = 2.2
  private static let titleWeight = 6.0
  private static let labelWeight = 1.6
  /// The score difference between two levels of words in titles and labels. The lowest level has the score `labelWeight`.
  private static let titledStep = 0.4

  /// The values that are the same for all terms of a document, computed once.
  private struct Document {
    /// The saturation of repeated words, which grows with the document's length.
    let slowness: Double
    /// The score of a word in the document's title.
    let titleScore: Double
  }

  private let documents: [Document]
  /// The number of documents, rounded, from which rarities are computed.
  private let usualCount: Double

  init(_ places: [CollectedDocuments.Place]) {
    let count = Double(max(places.count, 1))
    let averageLength = Self.rounded(max(1, Double(places.reduce(0) { $0 + $1.entry.length }) / count))
    let averageTitle = Self.rounded(max(1, Double(places.reduce(0) { $0 + $1.entry.titleLength }) / count))
    usualCount = Self.rounded(count)
    documents = places.map { place in
      let length = 1 - Self.lengthShare + Self.lengthShare * Double(place.entry.length) / averageLength
      let title =
        1 - Self.titleLengthShare + Self.titleLengthShare * Double(place.entry.titleLength) / averageTitle
      return Document(
        slowness: Self.saturation * length,
        titleScore: Self.titleWeight / (1 + Self.saturation * title))
    }
  }

  /// Rounds to steps of a factor 2^(1/8), about 9 %. These numbers affect the scores in all documents. Without rounding, a new thread or a
  /// new word would change all files, and not only those of its words.
  private static func rounded(_ number: Double) -> Double { exp2((log2(number) * 8).rounded() / 8) }

  func encode(_ postings: InvertedIndex.Postings) -> Encoded {
    var encoded = Encoded()
    encoded.documents = postings.documents.count
    var uses: [Use] = []
    uses.reserveCapacity(encoded.documents)
    postings.uses.withUnsafeBufferPointer { bytes in
      var reader = VarintReader(bytes: bytes, offset: 0)
      for id in postings.documents {
        let use = Use(flags: reader.next(), weight: reader.next(), document: Int(id))
        if use.isTitled { encoded.titled += 1 }
        uses.append(use)
        let start = reader.offset
        reader.skip(reader.next())
        encoded.positions.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[start..<reader.offset]))
      }
    }
    let share = rarity(of: encoded.documents) / rarity(of: encoded.titled)
    encoded.postings = documentList(postings.documents) + nibbles(uses.map { level($0, textShare: share) })
    return encoded
  }

  /// The use of a term in a document.
  private struct Use {
    let flags: Int
    /// The weight in the text, in halves.
    let weight: Int
    let document: Int

    var isInLabel: Bool { flags & 1 != 0 }
    var isInTitle: Bool { flags & 2 != 0 }
    var isTitled: Bool { flags & 3 != 0 }
  }

  /// Returns the weight of a term by its rarity, as the script computes it for all forms of a word.
  private func rarity(of count: Int) -> Double {
    let rest = max(0, usualCount - Double(count)) + 0.5
    return log(1 + rest / (Double(count) + 0.5))
  }

  /// Returns the level of a use: 0 to 7 for a word only in the text, in eighths of `textWeight`; 8 to 15 for a word in the title or a
  /// label.
  ///
  /// - Parameter textShare: the term's rarity in documents, divided by its rarity in titles. Scripts multiply the upper levels by the
  ///   rarity in titles. This factor corrects the part of the text, which should be multiplied by the rarity in documents.
  private func level(_ use: Use, textShare: Double) -> UInt8 {
    let document = documents[use.document]
    let frequency = Double(use.weight) / 2
    let text = frequency / (frequency + document.slowness)
    guard use.isTitled else { return Self.clamped(text * 8 - 1) }
    var score = Self.textWeight * text * textShare
    if use.isInTitle { score += document.titleScore }
    if use.isInLabel { score += Self.labelWeight }
    return 8 + Self.clamped((score - Self.labelWeight) / Self.titledStep)
  }

  private static func clamped(_ level: Double) -> UInt8 { UInt8(min(7, max(0, level.rounded()))) }

  /// Encodes a list of documents. The first byte is the format: 0 for the distances between documents, 1 for one bit per document of the
  /// site.
  private func documentList(_ list: ArraySlice<UInt32>) -> [UInt8] {
    var distances: [UInt8] = [0]
    var last = -1
    for document in list.lazy.map(Int.init) {
      distances.append(varint: document - last)
      last = document
    }
    let bitmapLength = (documents.count + 7) / 8
    guard distances.count > bitmapLength + 1 else { return distances }
    var bitmap = [UInt8](repeating: 0, count: bitmapLength + 1)
    bitmap[0] = 1
    for document in list.lazy.map(Int.init) { bitmap[1 + document / 8] |= 1 << UInt8(document % 8) }
    return bitmap
  }

  /// Packs two levels into each byte, the first in the low half.
  private func nibbles(_ levels: [UInt8]) -> [UInt8] {
    stride(from: 0, to: levels.count, by: 2).map { index in
      levels[index] | (index + 1 < levels.count ? levels[index + 1] << 4 : 0)
    }
  }
}
