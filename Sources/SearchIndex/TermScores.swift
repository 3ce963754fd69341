import Foundation

/// The scores of words in documents.
///
/// The score of a word in a document is the part of BM25 (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009) that does
/// not depend on the query. Scores are rounded to levels, so that browsers need not fetch the lengths of documents.
struct TermScores: Sendable, Equatable {
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
  /// The lowest level of a word in a title or a label.
  static let firstTitledLevel: UInt8 = 8

  /// The values that are the same for all terms of a document, computed once.
  struct Document: Sendable, Equatable {
    /// The saturation of repeated words, which grows with the document's length.
    let slowness: Double
    /// The score of a word in the document's title.
    let titleScore: Double
  }

  private let averageLength: Double
  private let averageTitleLength: Double
  /// The number of documents, rounded, from which rarities are computed.
  private let usualCount: Double

  init(_ totals: IndexTotals) {
    let count = Double(max(totals.documents, 1))
    averageLength = Self.rounded(max(1, Double(totals.length) / count))
    averageTitleLength = Self.rounded(max(1, Double(totals.titleLength) / count))
    usualCount = Self.rounded(count)
  }

  /// - Parameters:
  ///   - length: in halves of words.
  ///   - titleLength: in words.
  func document(length: Int, titleLength: Int) -> Document {
    let length = 1 - Self.lengthShare + Self.lengthShare * Double(length) / averageLength
    let title = 1 - Self.titleLengthShare + Self.titleLengthShare * Double(titleLength) / averageTitleLength
    return Document(
      slowness: Self.saturation * length, titleScore: Self.titleWeight / (1 + Self.saturation * title))
  }

  /// Rounds to steps of a factor 2^(1/8), about 9 %. These numbers affect the scores in all documents. Without rounding, a new thread or a
  /// new word would change all files, and not only those of its words.
  private static func rounded(_ number: Double) -> Double { exp2((log2(number) * 8).rounded() / 8) }

  /// Returns a term's rarity in documents, divided by its rarity in titles. Scripts multiply the upper levels by the rarity in titles. This
  /// factor corrects the part of the text, which should be multiplied by the rarity in documents.
  ///
  /// The numbers are rounded. Otherwise one changed title would change the scores of all documents with one of its words in their titles.
  ///
  /// - Parameters:
  ///   - documents: the number of documents that contain the term.
  ///   - titled: the number of documents that contain it in their title or a label.
  func textShare(documents: Int, titled: Int) -> Double {
    rarity(of: Self.rounded(Double(documents))) / rarity(of: Self.rounded(Double(titled)))
  }

  /// Returns the weight of a term by its rarity, as the script computes it for all forms of a word.
  private func rarity(of count: Double) -> Double {
    let rest = max(0, usualCount - count) + 0.5
    return log(1 + rest / (count + 0.5))
  }

  /// Returns the level of a use: 0 to 7 for a word only in the text, in eighths of `textWeight`; 8 to 15 for a word in the title or a
  /// label.
  ///
  /// - Parameter textShare: needed only for a word in the title or a label.
  func level(_ use: TermUse, in document: Document, textShare: Double) -> UInt8 {
    let frequency = Double(use.weight) / 2
    let text = frequency / (frequency + document.slowness)
    guard use.isTitled else { return Self.clamped(text * 8 - 1) }
    var score = Self.textWeight * text * textShare
    if use.isInTitle { score += document.titleScore }
    if use.isInLabel { score += Self.labelWeight }
    return Self.firstTitledLevel + Self.clamped((score - Self.labelWeight) / Self.titledStep)
  }

  private static func clamped(_ level: Double) -> UInt8 { UInt8(min(7, max(0, level.rounded()))) }
}

/// The use of a term in a document, without its positions.
struct TermUse: Sendable, Equatable {
  let flags: Int
  /// The weight in the text, in halves.
  let weight: Int

  var isInLabel: Bool { flags & 1 != 0 }
  var isInTitle: Bool { flags & 2 != 0 }
  var isTitled: Bool { flags & 3 != 0 }
}
