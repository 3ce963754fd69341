import Foundation

/// Writes a term's documents as a browser reads them: who has it, how much it counts there, and where it stands.
///
/// What a word counts in a document is its part of BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009)
/// that does not depend on the query, in levels: so that no lengths of documents have to be fetched.
struct PostingEncoder: Sendable {
  /// A term of the dictionary.
  struct Encoded: Sendable {
    /// Documents that have it, and those of them that have it in their title or a label.
    var documents = 0
    var titled = 0
    var postings: [UInt8] = []
    var positions: [UInt8] = []
  }

  /// How soon more of a word adds nothing, and how much the length of a text counts.
  private static let saturation = 1.2
  private static let lengthShare = 0.6
  private static let titleLengthShare = 0.5
  /// How much a word counts at most in a text, in a title (more in a short one), and in a label.
  private static let textWeight = 2.2
  private static let titleWeight = 6.0
  private static let labelWeight = 1.6
  /// From one level of words in titles and labels to the next; the lowest is `labelWeight`.
  private static let titledStep = 0.4

  /// What is the same for all terms of a document, worked out once.
  private struct Document {
    /// How its length slows down what more of a word adds.
    let slowness: Double
    /// What a word in its title counts.
    let titleScore: Double
  }

  private let documents: [Document]
  /// How many documents levels are worked out for.
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

  /// In steps of a twelfth. What is worked out for all documents counts in each of them: one thread more, or one word more, is to change the files of its own
  /// words, and not all of them.
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

  /// How a document uses a term.
  private struct Use {
    let flags: Int
    /// In the text, in halves.
    let weight: Int
    let document: Int

    var isInLabel: Bool { flags & 1 != 0 }
    var isInTitle: Bool { flags & 2 != 0 }
    var isTitled: Bool { flags & 3 != 0 }
  }

  /// What a term counts by being rare, as the script works it out for all forms of a word.
  private func rarity(of count: Int) -> Double {
    let rest = max(0, usualCount - Double(count)) + 0.5
    return log(1 + rest / (Double(count) + 0.5))
  }

  /// 0 to 7 for a word of the text alone, in eighths of `textWeight`; 8 to 15 for one in the title or a label.
  ///
  /// - Parameter textShare: Scripts multiply the upper levels by how rare it is to be in titles; what this makes of what they
  ///   should multiply for the text.
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

  /// A byte that tells the form: 0, distances from one document to the next; 1, a bit for each document of the site.
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

  /// Two levels a byte, the first in the low half.
  private func nibbles(_ levels: [UInt8]) -> [UInt8] {
    stride(from: 0, to: levels.count, by: 2).map { index in
      levels[index] | (index + 1 < levels.count ? levels[index + 1] << 4 : 0)
    }
  }
}
