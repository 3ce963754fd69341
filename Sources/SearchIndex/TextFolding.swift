import Foundation

/// Folds scalars before words are compared, and classifies the result.
///
/// The same rules are in `themes/paper/static/search.js`; `Tests/SearchIndexTests/Fixtures/tokens.json` contains test cases for both.
///
/// Text is folded scalar by scalar, where a voicing mark of half-width kana belongs to the scalar before it. The steps: compatibility
/// decomposition (NFKD, Unicode Standard Annex 15); lower case without context; replacements for a few letters that do not decompose;
/// removal of accents and points; composition (NFC), so that kana and Hangul syllables are single scalars. Vowel signs of Indic scripts are
/// not accents and stay.
struct TextFolding: Sendable {
  enum Kind: Sendable {
    /// A letter, a digit or a mark, which are parts of words.
    case word
    /// A character of a script without spaces between words, which is split into pairs.
    case ideograph
    /// The underscore, which joins the parts of handles and of names in code.
    case joiner
    /// Everything else, which ends a word.
    case other
  }

  /// One of the scalars that result from folding, as UTF-8.
  struct Piece: Sendable {
    let kind: Kind
    let bytes: [UInt8]
  }

  /// A cache of results, because texts use the same few hundred scalars again and again.
  private var known: [UInt64: [Piece]] = [:]

  /// - Parameter mark: the voicing mark of half-width kana that follows the scalar (`FoldingUnits`).
  mutating func pieces(of scalar: Unicode.Scalar, with mark: Unicode.Scalar? = nil) -> [Piece] {
    let key = UInt64(mark?.value ?? 0) << 32 | UInt64(scalar.value)
    if let pieces = known[key] { return pieces }
    let text = String(scalar) + (mark.map { String($0) } ?? "")
    let pieces = Self.fold(text).map { Piece(kind: Self.kind(of: $0), bytes: Array(String($0).utf8)) }
    known[key] = pieces
    return pieces
  }

  private static func fold(_ text: String) -> [Unicode.Scalar] {
    var folded = String.UnicodeScalarView()
    for part in text.decomposedStringWithCompatibilityMapping.unicodeScalars {
      for lower in part.properties.lowercaseMapping.unicodeScalars where !isDropped(lower.value) {
        if let letters = undecomposed[lower] {
          folded.append(contentsOf: letters.unicodeScalars)
        } else {
          folded.append(lower)
        }
      }
    }
    return Array(String(folded).precomposedStringWithCanonicalMapping.unicodeScalars)
  }

  /// Letters that are commonly typed without their stroke or as two letters, and that Unicode does not decompose.
  private static let undecomposed: [Unicode.Scalar: String] = [
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "ı": "i",
    "ς": "σ",
  ]

  /// Whether a scalar is dropped: combining accents, Hebrew points, Arabic vowel signs and the tatweel, and invisible characters within words.
  private static func isDropped(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x0300...0x036F, 0x0591...0x05BD, 0x05BF, 0x05C1, 0x05C2, 0x05C4, 0x05C5, 0x05C7, 0x0640,
      0x064B...0x065F, 0x0670, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F,
      0x00AD, 0x200B...0x200D, 0x2060, 0xFE00...0xFE0F, 0xFEFF:
      true
    default: false
    }
  }

  private static func kind(of scalar: Unicode.Scalar) -> Kind {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .nonspacingMark, .spacingMark, .enclosingMark:
      isIdeograph(scalar.value) ? .ideograph : .word
    default: scalar == "_" ? .joiner : .other
    }
  }

  /// Whether a scalar belongs to Han, kana, Bopomofo or the Hangul syllables.
  private static func isIdeograph(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x3005...0x3007, 0x3040...0x312F, 0x31A0...0x31BF, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xAC00...0xD7A3, 0xF900...0xFAFF, 0x20000...0x3FFFF:
      true
    default: false
    }
  }

  /// Whether a text has to be composed (NFC) before it is folded scalar by scalar, because it contains marks that belong to the scalar before them.
  static func needsComposing(_ text: String) -> Bool {
    text.unicodeScalars.contains { scalar in
      // Letters with accents, punctuation and Han make up most of the scalars in texts. They need no table lookups.
      switch scalar.value {
      case 0..<0x300, 0x2000..<0x20D0, 0x3400...0x9FFF: return false
      default: break
      }
      if (0x1160...0x11FF).contains(scalar.value) { return true }
      let properties = scalar.properties
      return properties.canonicalCombiningClass != .notReordered
        || properties.generalCategory == .spacingMark
    }
  }

  static func composed(_ text: String) -> String { text.precomposedStringWithCanonicalMapping }
}
