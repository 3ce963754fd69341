import Basics
import Foundation

/// The readable part of a permalink, made from a title.
package enum Slug {
  /// At most this many UTF-8 bytes: a folder name holds 255, and percent-encoding triples what is not ASCII.
  private static let limit = 60

  /// Lower-case letters and digits of any script with single hyphens between words; accents of Latin, Greek and
  /// Cyrillic letters are dropped, those that make other letters (as in Japanese or Hindi) stay.
  ///
  /// Holds no slash, dot or control character, never starts or ends with a hyphen, and no word of it starts with a mark, which would stand
  /// on the hyphen or slash before it; empty for a title without letters.
  package static func make(from title: String) -> String { shortened(whole(title)) }

  /// The slug before it is shortened.
  static func whole(_ title: String) -> String {
    if let slug = wholeASCII(title) { return slug }
    var slug = String.UnicodeScalarView()
    var pendingHyphen = false
    for scalar in folded(title).unicodeScalars {
      if isWord(scalar) {
        if isMark(scalar), pendingHyphen || slug.isEmpty { continue }
        if pendingHyphen, !slug.isEmpty { slug.append("-") }
        pendingHyphen = false
        appendInOneCase(scalar, to: &slug)
      } else if !isApostrophe(scalar) {
        endWord(&slug)
        pendingHyphen = true
      }
    }
    endWord(&slug)
    return String(slug).precomposedStringWithCanonicalMapping
  }

  /// In lower case, so that two slugs which differ are told apart on disks that fold letter case, too (Unicode, 3.13, D145): some letters
  /// have several small forms of one capital, such as `σ` and `ς`, `s` and `ſ`.
  private static func appendInOneCase(_ scalar: Unicode.Scalar, to slug: inout String.UnicodeScalarView) {
    for upper in scalar.properties.uppercaseMapping.unicodeScalars {
      for lower in upper.properties.lowercaseMapping.unicodeScalars where isWord(lower) {
        // What upper case takes apart may end in a mark that was dropped from the rest.
        if !(0x300...0x36F).contains(lower.value) { slug.append(lower) }
      }
    }
  }

  /// Greek writes its sigma in another way where a word ends.
  private static func endWord(_ slug: inout String.UnicodeScalarView) {
    guard slug.last == "σ", slug.dropLast().last.map({ $0 != "-" }) ?? false else { return }
    slug.removeLast()
    slug.append("ς")
  }

  /// What makes one Character with whatever stands before it: marks, and letters of that kind, such as the voicing of half-width kana.
  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.properties.isGraphemeExtend { return true }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: return true
    default: return false
    }
  }

  /// The same for titles whose letters are all in ASCII, which most are and which need no tables; `nil` for others.
  private static func wholeASCII(_ title: String) -> String? {
    var slug: [UInt8] = []
    slug.reserveCapacity(title.utf8.count)
    var pendingHyphen = false
    for scalar in title.unicodeScalars {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9":
        if pendingHyphen, !slug.isEmpty { slug.append(UInt8(ascii: "-")) }
        pendingHyphen = false
        let byte = UInt8(truncatingIfNeeded: scalar.value)
        slug.append(byte >= UInt8(ascii: "A") ? byte | 0x20 : byte)
      case "'", "\u{2019}": break
      // The rest of ASCII, and general punctuation: dashes, quotation marks, the ellipsis.
      case "\0"..."\u{7F}", "\u{2000}"..."\u{206F}": pendingHyphen = true
      default: return nil
      }
    }
    return String(decoding: slug, as: UTF8.self)
  }

  private static func folded(_ title: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in title.decomposedStringWithCanonicalMapping.unicodeScalars {
      if let plain = plainLetters[scalar] {
        scalars.append(contentsOf: plain.unicodeScalars)
      } else if !(0x300...0x36F).contains(scalar.value) {
        scalars.append(scalar)
      }
    }
    return String(scalars)
  }

  /// Whether a slug keeps the scalar, in lower case and without its accent.
  static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
      return ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
    }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
      .nonspacingMark, .spacingMark:
      return !scalar.properties.isDefaultIgnorableCodePoint
    default: return false
    }
  }

  /// What stands within a word and is left out: `don't` is one word.
  static func isApostrophe(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "'" || scalar == "\u{2019}" || scalar == "\u{2BC}"
  }

  /// Latin letters that no decomposition takes apart.
  private static let plainLetters: [Unicode.Scalar: String] = [
    "ß": "ss", "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "ø": "o", "Ø": "o", "đ": "d", "Đ": "d", "ð": "d",
    "Ð": "d", "þ": "th", "Þ": "th", "ł": "l", "Ł": "l", "ı": "i", "ẞ": "ss",
  ]

  /// At most `limit` bytes of a slug, cut at a word's end where that leaves enough.
  static func shortened(_ slug: String) -> String {
    guard slug.utf8.count > limit else { return slug }
    var end = slug.utf8.index(slug.startIndex, offsetBy: limit)
    while end > slug.startIndex, String.Index(end, within: slug.unicodeScalars) == nil {
      end = slug.utf8.index(before: end)
    }
    let cut = slug[..<end]
    let isHyphen: (UInt8) -> Bool = { $0 == UInt8(ascii: "-") }
    if slug.utf8[end...].first.map(isHyphen) ?? false { return String(cut) }
    // At a word's end, unless that leaves less than a third.
    if let hyphen = cut.utf8.lastIndex(where: isHyphen), cut[..<hyphen].utf8.count >= limit / 3 {
      return String(cut[..<hyphen])
    }
    return String(cut.without(byteSuffix: "-") ?? cut)
  }
}
