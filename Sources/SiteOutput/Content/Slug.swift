import Basics
import Foundation

/// The readable part of a permalink, made from a title.
package enum Slug {
  /// The maximum length in UTF-8 bytes. A file name may have 255, and percent-encoding triples non-ASCII characters.
  private static let limit = 60

  /// Returns lower-case letters and digits of any script with single hyphens between words. Accents of Latin, Greek and Cyrillic letters
  /// are removed; marks that make different letters (as in Japanese or Hindi) are kept.
  ///
  /// The slug contains no slash, full stop or control character, and never starts or ends with a hyphen. No word in it starts with a
  /// combining mark, which would combine with the hyphen or slash before it. The slug is empty for a title without letters and digits.
  package static func make(from title: String) -> String { shortened(whole(title)) }

  /// Returns the slug before it is shortened.
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

  /// Appends a scalar in one lower-case form, so that two slugs that differ also differ on disks that ignore letter case (Unicode, 3.13, D145). Some
  /// capital letters have several small forms, such as `σ` and `ς`, `s` and `ſ`.
  private static func appendInOneCase(_ scalar: Unicode.Scalar, to slug: inout String.UnicodeScalarView) {
    for upper in scalar.properties.uppercaseMapping.unicodeScalars {
      for lower in upper.properties.lowercaseMapping.unicodeScalars where isWord(lower) {
        // Upper case may decompose a letter. It then contains a combining mark of a kind that is removed everywhere else.
        if !(0x300...0x36F).contains(lower.value) { slug.append(lower) }
      }
    }
  }

  /// Replaces a Greek sigma at the end of a word by its final form.
  private static func endWord(_ slug: inout String.UnicodeScalarView) {
    guard slug.last == "σ", slug.dropLast().last.map({ $0 != "-" }) ?? false else { return }
    slug.removeLast()
    slug.append("ς")
  }

  /// Whether a scalar combines with the scalar before it into one `Character`: marks, and some letters, such as the voicing of half-width kana.
  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.properties.isGraphemeExtend { return true }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: return true
    default: return false
    }
  }

  /// A faster version of ``whole(_:)`` without Unicode tables, for titles with only ASCII letters, which are the majority; `nil` for other
  /// titles.
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

  /// Whether a scalar is an apostrophe, which is left out within a word: `don't` is one word.
  static func isApostrophe(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "'" || scalar == "\u{2019}" || scalar == "\u{2BC}"
  }

  /// Latin letters that no canonical decomposition separates into a plain letter and a mark.
  private static let plainLetters: [Unicode.Scalar: String] = [
    "ß": "ss", "æ": "ae", "Æ": "ae", "œ": "oe", "Œ": "oe", "ø": "o", "Ø": "o", "đ": "d", "Đ": "d", "ð": "d",
    "Ð": "d", "þ": "th", "Þ": "th", "ł": "l", "Ł": "l", "ı": "i", "ẞ": "ss",
  ]

  /// Returns at most `limit` bytes of a slug, cut at the end of a word if that leaves enough.
  static func shortened(_ slug: String) -> String {
    guard slug.utf8.count > limit else { return slug }
    var end = slug.utf8.index(slug.startIndex, offsetBy: limit)
    while end > slug.startIndex, String.Index(end, within: slug.unicodeScalars) == nil {
      end = slug.utf8.index(before: end)
    }
    let cut = slug[..<end]
    let isHyphen: (UInt8) -> Bool = { $0 == UInt8(ascii: "-") }
    if slug.utf8[end...].first.map(isHyphen) ?? false { return String(cut) }
    // The slug is cut at the end of a word, unless that leaves less than a third.
    if let hyphen = cut.utf8.lastIndex(where: isHyphen), cut[..<hyphen].utf8.count >= limit / 3 {
      return String(cut[..<hyphen])
    }
    return String(cut.without(byteSuffix: "-") ?? cut)
  }
}
