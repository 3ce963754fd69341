import Basics
package import Foundation

/// Reads one kind of value from YAML.
///
/// A reader adds all problems to the list, and returns `nil` if there is no valid value.
package struct ValueReader<Value>: Sendable {
  /// The paths of nested keys, as `ConfigField` lists them: `.name`, `[].url`.
  let nestedKeys: [String]
  let read: @Sendable (ConfigValue, inout ProblemList) -> Value?

  init(
    nestedKeys: [String] = [], _ read: @escaping @Sendable (ConfigValue, inout ProblemList) -> Value?
  ) {
    self.nestedKeys = nestedKeys
    self.read = read
  }

  /// Returns a reader for text, with a function that parses the text or throws its problem.
  ///
  /// - Parameters:
  ///   - form: the expected kind of value, such as "a URL", for the error if the value is not text.
  package static func text(
    _ form: String, _ parse: @escaping @Sendable (String) throws(InvalidValue) -> Value
  ) -> ValueReader {
    scalar(form) { (text, _) throws(InvalidValue) in try parse(text) }
  }

  /// Returns a reader for text that may contain URLs of the networks.
  static func addressed(
    _ form: String, _ parse: @escaping @Sendable (String, AddressBook) throws(InvalidValue) -> Value
  ) -> ValueReader {
    ValueReader { value, problems in
      let addresses = problems.addresses
      return ValueReader.text(form) { text throws(InvalidValue) in try parse(text, addresses) }
        .read(value, &problems)
    }
  }

  /// Returns a reader for text that must not be in quotes, such as a number.
  static func plain(
    _ form: String, _ parse: @escaping @Sendable (String) throws(InvalidValue) -> Value
  ) -> ValueReader {
    scalar(form) { (text, isPlain) throws(InvalidValue) in
      guard isPlain else {
        throw InvalidValue("expected \(form), found text in quotes; write it without the quotes")
      }
      return try parse(text)
    }
  }

  private static func scalar(
    _ form: String, _ parse: @escaping @Sendable (String, Bool) throws(InvalidValue) -> Value
  ) -> ValueReader {
    ValueReader { value, problems in
      guard !value.node.isNull, case .scalar(let text, let isPlain) = value.node.content else {
        problems.error("expected \(form), found \(value.node.kind)", at: value)
        return nil
      }
      do throws(InvalidValue) {
        let result = try parse(text, isPlain)
        return problems.refuseSecret(in: text, at: value) ? nil : result
      } catch {
        if problems.mask.secret(in: text) != nil { problems.mask.hide(text) }
        problems.error(error.message, at: value)
        return nil
      }
    }
  }

  /// Returns a reader for a list that reports the problems of all elements.
  ///
  /// - Parameter count: the permitted numbers of elements.
  package static func list<Element>(
    of reader: ValueReader<Element>, count: ClosedRange<Int> = 0...Int.max
  ) -> ValueReader where Value == [Element] {
    ValueReader(nestedKeys: reader.nestedKeys.map { "[]" + $0 }) { value, problems in
      guard case .list(let nodes) = value.node.content else {
        let advice =
          value.node.kind == "text" ? "; write it as [one, two] or on lines that begin with \"- \"" : ""
        problems.error("expected a list, found \(value.node.kind)\(advice)", at: value)
        return nil
      }
      if !count.contains(nodes.count) {
        problems.error(
          "expected \(count.lowerBound) to \(count.upperBound) entries, found \(nodes.count)", at: value)
      }
      return nodes.enumerated().compactMap { index, node in
        reader.read(value.element(node, at: index), &problems)
      }
    }
  }

  /// The same reader for values that may be misplaced credentials. Rejected text is masked in all messages and source lines.
  package var hidingText: ValueReader {
    ValueReader(nestedKeys: nestedKeys) { value, problems in
      let result = read(value, &problems)
      if result == nil { value.node.hideText(in: &problems.mask) }
      return result
    }
  }
}

extension ProblemList {
  /// Adds an error if a text contains a credential. The message does not contain the credential.
  ///
  /// - Returns: whether the text contains a credential.
  mutating func refuseSecret(in text: String, at value: ConfigValue) -> Bool {
    guard let secret = mask.secret(in: text) else { return false }
    mask.hide(text)
    error(
      "this appears to contain \(secret), and this text is published: remove it, and revoke it if"
        + " this file was ever shared. Credentials belong in an environment variable or a separate file",
      at: value)
    return true
  }
}

extension ConfigNode {
  /// Masks all text in this node and below it.
  func hideText(in mask: inout SecretMask) {
    switch content {
    case .scalar(let text, _): mask.hide(text)
    case .list(let nodes): for node in nodes { node.hideText(in: &mask) }
    case .mapping(let entries): for entry in entries { entry.value.hideText(in: &mask) }
    case .refused: break
    }
  }
}

// Readers for all values that are not free text.

extension ValueReader where Value == Bool {
  /// Only `true` and `false`, because versions of YAML disagree about `yes`, `on` and similar words.
  static var flag: ValueReader {
    .plain("true or false") { text throws(InvalidValue) in
      switch text {
      case "true": return true
      case "false": return false
      default: break
      }
      let hint =
        switch text.lowercased() {
        case "true", "yes", "on", "y": "; did you mean true?"
        case "false", "no", "off", "n": "; did you mean false?"
        case let word where word.hasPrefix("“") || word.hasPrefix("‘"): "; write it without quotation marks"
        default: ""
        }
      throw InvalidValue("expected true or false, found \(quoted(text))\(hint)")
    }
  }
}

extension ValueReader where Value == Int {
  /// A whole number in decimal digits.
  static func integer(in range: ClosedRange<Int>) -> ValueReader {
    .plain("a whole number") { text throws(InvalidValue) in
      let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
      guard !digits.isEmpty, digits.utf8.allSatisfy(isASCIIDigit) else {
        throw InvalidValue("expected a whole number, found \(quoted(text))")
      }
      guard let number = Int(text), range.contains(number) else {
        throw InvalidValue(
          "expected a number from \(range.lowerBound) to \(range.upperBound), found \(clipped(text))")
      }
      return number
    }
  }
}

extension ValueReader where Value == Decimal {
  /// An amount of money, at least 0, with at most four decimals.
  package static var amount: ValueReader<Decimal> {
    .plain("an amount such as 5.00") { text throws(InvalidValue) in
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      let isAmount =
        (1...2).contains(parts.count) && parts.allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(isASCIIDigit) }
        && parts[0].utf8.count <= 9 && (parts.count == 1 || parts[1].utf8.count <= 4)
      guard isAmount, let amount = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) else {
        throw InvalidValue("expected an amount such as 5.00, not below 0, found \(quoted(text))")
      }
      return amount
    }
  }
}

extension ValueReader where Value == SiteURL {
  static var siteURL: ValueReader { .text("a URL") { text throws(InvalidValue) in try SiteURL(text) } }
}

extension ValueReader where Value == CalendarDay {
  static var day: ValueReader {
    .text("a date (YYYY-MM-DD)") { text throws(InvalidValue) in try CalendarDay(text) }
  }
}

extension ValueReader where Value == PublicationTime {
  static var publicationTime: ValueReader {
    .text("a time such as 2026-12-01 08:00") { text throws(InvalidValue) in try PublicationTime(text) }
  }
}

extension ValueReader where Value == PostReference {
  static var post: ValueReader {
    .addressed("the URL of a post") { (text, addresses) throws(InvalidValue) in try addresses.post(text) }
  }
}

extension ValueReader where Value == AccountReference {
  static var account: ValueReader {
    .addressed("the URL of an account") { (text, addresses) throws(InvalidValue) in
      try addresses.account(text)
    }
  }
}

/// Returns words as a list for a message: `a, b or c`.
func alternatives(_ words: [String]) -> String {
  guard words.count > 1, let last = words.last else { return words.first ?? "" }
  return words.dropLast().joined(separator: ", ") + " or " + last
}

extension ValueReader where Value: CaseIterable & RawRepresentable<String> & Sendable {
  /// A reader for an enumeration with the file's words as raw values.
  static func word() -> ValueReader {
    let words = Value.allCases.map(\.rawValue)
    return .text(alternatives(words)) { text throws(InvalidValue) in
      if let value = Value(rawValue: text) { return value }
      throw InvalidValue(
        "expected \(alternatives(words)), found \(quoted(text))"
          + Suggestion.phrase(for: text, among: words))
    }
  }
}

extension ValueReader where Value == String {
  /// The name of a time zone in the IANA database, such as `Europe/Berlin`, or `UTC`.
  static var timeZone: ValueReader {
    .text("a time zone such as Europe/Berlin") { text throws(InvalidValue) in
      let known = TimeZone.knownTimeZoneIdentifiers
      if text == "UTC" || known.contains(text) { return text }
      // Some names are in the database but not in the list, such as `US/Eastern`. Offsets such as "GMT+2" are not names.
      let isName = text.utf8.allSatisfy { isASCIILetterOrDigit($0) || "/_-+".utf8.contains($0) }
      let isOffset = !text.contains("/") && (text.contains("+") || text.contains("-"))
      let sameInOtherCase = known.first { $0.lowercased() == text.lowercased() }
      if isName, !isOffset, text.contains("/"), sameInOtherCase == nil, TimeZone(identifier: text) != nil {
        return text
      }
      let city = text.replacing(" ", with: "_").lowercased()
      let nearest =
        sameInOtherCase ?? known.first { $0.lowercased().hasSuffix("/" + city) }
        ?? Suggestion.nearest(to: text, among: known)
        ?? nearestCity(to: city, among: known)
      let hint = nearest.map { "; did you mean \(quoted($0))?" } ?? ", such as Europe/Berlin or UTC"
      throw InvalidValue("\(quoted(text)) is not the name of a time zone\(hint)")
    }
  }

  private static func nearestCity(to city: String, among zones: [String]) -> String? {
    let cities = zones.map { String($0.split(separator: "/").last ?? "") }
    guard let nearest = Suggestion.nearest(to: city, among: cities) else { return nil }
    return zones.first { $0.hasSuffix("/" + nearest) }
  }
}

extension ValueReader where Value == [String: ThemeOption] {
  /// A mapping of the option names that the theme declares, each with one value.
  static var themeOptions: ValueReader {
    ValueReader { value, problems in
      guard case .mapping(let entries) = value.node.content else {
        problems.error("expected a mapping, found \(value.node.kind)", at: value)
        return nil
      }
      var options: [String: ThemeOption] = [:]
      for entry in entries {
        let option = value.entry(entry)
        guard isOptionName(entry.key) else {
          problems.error(
            "\(quoted(entry.key)) is not the name of an option: expected ASCII letters, digits, \"_\" and \"-\"",
            at: entry.keyMark, path: option.path)
          continue
        }
        problems.remember(option)
        guard let read = ValueReader<ThemeOption>.themeOption.read(option, &problems) else { continue }
        guard !entry.value.isNull else { continue }
        options[entry.key] = read
      }
      return options
    }
  }
}

// Readers for text. Text that YAML 1.1 would convert, such as `yes`, `2024` or `1.0`, is unchanged.

extension ValueReader where Value == String {
  /// One line of text of at most 300 characters, without blanks around it and without control characters.
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

  /// Text on one or more lines, which are joined with spaces; at most 2000 characters.
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

  /// A BCP 47 language tag, in the letter case that BCP 47 recommends: `en`, `pt-BR`, `zh-Hant`.
  static var language: ValueReader {
    .text("a language such as en or pt-BR") { text throws(InvalidValue) in
      let parts = text.split(separator: "-", omittingEmptySubsequences: false)
      let isWellFormed =
        text.utf8.count <= 35 && (2...3).contains(parts[0].utf8.count)
        && !parts[0].utf8.contains(where: isASCIIDigit)
        && parts.allSatisfy { (1...8).contains($0.utf8.count) && $0.utf8.allSatisfy(isASCIILetterOrDigit) }
      guard isWellFormed else {
        // A locale, such as `de_DE.UTF-8`.
        let tag = String(text.prefix { $0 != "." && $0 != "@" }).replacing("_", with: "-")
        let hint = text.contains("_") ? "; did you mean \(quoted(tag))?" : ""
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

  /// The name of a single folder, such as a theme's.
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
  package static var environmentVariable: ValueReader {
    .text("the name of an environment variable") { text throws(InvalidValue) in
      let isName =
        (1...64).contains(text.utf8.count) && text.utf8.first.map(isASCIIDigit) == false
        && text.utf8.allSatisfy { isASCIILetterOrDigit($0) || $0 == UInt8(ascii: "_") }
      guard isName, !SecretMask.looksLikeToken(text) else {
        // The value may be the credential itself, so the message does not contain it.
        throw InvalidValue(
          "this is not the name of an environment variable. If it is the token, revoke it, set a variable"
            + " to the new token, and write the variable's name here")
      }
      return text
    }
  }

  /// The host of a server, with or without a port.
  package static var host: ValueReader {
    .text("a server's name such as social.example") { text throws(InvalidValue) in
      let host = text.lowercased()
      let url = try SiteURL("https://" + host)
      guard url.authority == host, url.path == "/" else {
        throw InvalidValue("expected a server's name such as social.example, found \(quoted(text))")
      }
      return host
    }
  }

  /// The path of a file that contains a credential.
  package static var secretFile: ValueReader {
    .text("the path of a file") { text throws(InvalidValue) in
      guard !SecretMask.looksLikeToken(text) else {
        throw InvalidValue(
          "this is not the path of a file. If it is the token, revoke it, save the new token in a file,"
            + " and write the file's path here")
      }
      guard !text.isEmpty, !text.hasBytePrefix("~"),
        !text.unicodeScalars.contains(where: isLineBreakOrControl)
      else {
        throw InvalidValue("expected the path of a file without \"~\"")
      }
      return text
    }
  }

  /// The slug of a page: lower-case letters and digits of any script, and hyphens.
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
      // Normalized, so that the path has the same bytes for every way of typing it.
      return text.precomposedStringWithCanonicalMapping
    }
  }
}

/// Whether a word consists of letters, digits and combining marks. It must not begin with a mark, which would combine with the hyphen or slash
/// before it.
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

/// Throws if the text changes the writing direction and does not end the change, which would affect the text after it on a page.
private func checkDirections(of text: String) throws(InvalidValue) {
  guard TextControls.endsItsDirections(text) else {
    throw InvalidValue(
      "an invisible character here changes the direction of the text (U+202A to U+202E, U+2066 to U+2069) and is not"
        + " ended; delete it")
  }
}

private func isLineBreakOrControl(_ scalar: Unicode.Scalar) -> Bool {
  scalar == "\u{2028}" || scalar == "\u{2029}" || SourceText.isControl(scalar)
}
