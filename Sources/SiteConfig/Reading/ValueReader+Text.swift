import Foundation
import UTF8Text

// Readers of text. What YAML 1.1 would take for something else, such as `yes`, `2024` or `1.0`, stays as written.

extension ValueReader where Value == String {
  /// One line of text, without blanks around it and without control characters.
  static var line: ValueReader { line(upTo: 300) }

  static func line(upTo limit: Int) -> ValueReader {
    .text("text") { text throws(InvalidValue) in
      let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
      guard !trimmed.isEmpty else { throw InvalidValue("expected text, found nothing but blanks") }
      guard !trimmed.unicodeScalars.contains(where: { $0 == "\t" || isLineBreakOrControl($0) }) else {
        throw InvalidValue("expected text on one line, without line breaks and control characters")
      }
      try checkDirections(of: trimmed)
      guard trimmed.unicodeScalars.count <= limit else {
        throw InvalidValue(
          "expected at most \(limit) characters, found \(trimmed.unicodeScalars.count)")
      }
      return trimmed
    }
  }

  /// Text of one or more lines, which are joined with blanks.
  static var paragraph: ValueReader {
    .text("text") { text throws(InvalidValue) in
      let words = text.split { $0 == " " || $0 == "\n" || $0 == "\r\n" }
      let joined = words.joined(separator: " ")
      guard !joined.isEmpty else { throw InvalidValue("expected text, found nothing but blanks") }
      guard !joined.unicodeScalars.contains(where: isLineBreakOrControl) else {
        throw InvalidValue("expected text without control characters")
      }
      try checkDirections(of: joined)
      guard joined.unicodeScalars.count <= 2000 else {
        throw InvalidValue("expected at most 2000 characters, found \(joined.unicodeScalars.count)")
      }
      return joined
    }
  }

  /// A BCP 47 language tag, in the case that BCP 47 recommends: `en`, `pt-BR`, `zh-Hant`.
  static var language: ValueReader {
    .text("a language such as en or pt-BR") { text throws(InvalidValue) in
      let parts = text.split(separator: "-", omittingEmptySubsequences: false)
      let isWellFormed =
        text.utf8.count <= 35 && (2...3).contains(parts[0].utf8.count)
        && !parts[0].utf8.contains(where: isASCIIDigit)
        && parts.allSatisfy { (1...8).contains($0.utf8.count) && $0.utf8.allSatisfy(isASCIILetterOrDigit) }
      guard isWellFormed else {
        let hint = text.contains("_") ? "; did you mean \(quoted(text.replacing("_", with: "-")))?" : ""
        throw InvalidValue("\(quoted(text)) is not a language tag such as en, pt-BR or zh-Hant\(hint)")
      }
      let cased = parts.enumerated().map { index, part in
        switch part.utf8.count {
        case _ where index == 0: part.lowercased()
        case 2: part.uppercased()
        case 4 where !part.utf8.contains(where: isASCIIDigit): part.capitalized
        default: part.lowercased()
        }
      }
      return cased.joined(separator: "-")
    }
  }

  /// The name of one folder, such as a theme's.
  static var folderName: ValueReader {
    .text("a folder's name") { text throws(InvalidValue) in
      let isName =
        (1...100).contains(text.utf8.count) && text.utf8.first.map(isASCIILetterOrDigit) == true
        && text.utf8.allSatisfy { isASCIILetterOrDigit($0) || "-_.".utf8.contains($0) }
      guard isName else {
        throw InvalidValue(
          "\(quoted(text)) is not a folder's name: expected ASCII letters, digits, \"-\", \"_\" and \".\"")
      }
      return text
    }
  }

  /// The path of a file or folder, relative to the site's folder or absolute.
  static var path: ValueReader {
    .text("a path") { text throws(InvalidValue) in
      guard !text.isEmpty, !text.unicodeScalars.contains(where: isLineBreakOrControl) else {
        throw InvalidValue("expected the path of a file or folder")
      }
      guard !text.hasBytePrefix("~") else {
        throw InvalidValue("\"~\" is not replaced by your home folder here; write the path out")
      }
      return text
    }
  }

  /// The name of an environment variable.
  static var environmentVariable: ValueReader {
    .text("the name of an environment variable") { text throws(InvalidValue) in
      let isName =
        (1...64).contains(text.utf8.count) && text.utf8.first.map(isASCIIDigit) == false
        && text.utf8.allSatisfy { isASCIILetterOrDigit($0) || $0 == UInt8(ascii: "_") }
      guard isName, !SecretMask.looksLikeToken(text) else {
        // The value may be the credential itself, so it is not repeated.
        throw InvalidValue(
          "this is not the name of an environment variable. If it is the token itself, revoke it, and put the new"
            + " one into a variable such as X_BEARER_TOKEN, whose name belongs here")
      }
      return text
    }
  }

  /// The path of a file that holds a credential.
  static var secretFile: ValueReader {
    .text("the path of a file") { text throws(InvalidValue) in
      guard !SecretMask.looksLikeToken(text) else {
        throw InvalidValue(
          "this is not the path of a file. If it is the token itself, revoke it, and put the new one into a file,"
            + " whose path belongs here")
      }
      guard !text.isEmpty, !text.hasBytePrefix("~"),
        !text.unicodeScalars.contains(where: isLineBreakOrControl)
      else {
        throw InvalidValue("expected the path of a file, written out without \"~\"")
      }
      return text
    }
  }

  /// The part of a thread's URL that follows its title: lower-case letters and digits of any script, and hyphens.
  static var slug: ValueReader {
    .text("a slug") { text throws(InvalidValue) in
      let isSlug =
        (1...120).contains(text.utf8.count) && text == text.lowercased()
        && text.split(atBytes: "-", omittingEmptySubsequences: false).allSatisfy(isWordOfSlug)
      guard isSlug else {
        throw InvalidValue(
          "\(quoted(text)) is not a slug: expected lower-case letters and digits, with single hyphens between them"
        )
      }
      // One way of writing each letter, so that the path is the same bytes whichever keyboard wrote it.
      return text.precomposedStringWithCanonicalMapping
    }
  }
}

/// Letters and digits, with marks on them: a mark at the beginning would stand on the hyphen or slash before it.
private func isWordOfSlug(_ word: Substring) -> Bool {
  let isMark: (Unicode.Scalar) -> Bool = {
    if $0.properties.isGraphemeExtend { return true }
    switch $0.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: return true
    default: return false
    }
  }
  guard let first = word.unicodeScalars.first, !isMark(first) else { return false }
  return word.unicodeScalars.allSatisfy { scalar in
    scalar.properties.isAlphabetic || scalar.properties.numericType == .decimal
      || scalar.properties.generalCategory == .nonspacingMark
  }
}

/// What is not ended turns around whatever a page shows next.
private func checkDirections(of text: String) throws(InvalidValue) {
  guard TextControls.endsItsDirections(text) else {
    throw InvalidValue(
      "a character here that nobody sees turns the direction of the text (one of U+202A to U+202E and U+2066 to U+2069) and is not"
        + " ended; delete it")
  }
}

private func isLineBreakOrControl(_ scalar: Unicode.Scalar) -> Bool {
  scalar == "\u{2028}" || scalar == "\u{2029}" || SourceText.isControl(scalar)
}
