import Foundation

// Readers of everything that is not free text.

extension ValueReader where Value == Bool {
  /// `true` or `false`, and nothing else: YAML's versions disagree about `yes`, `on` and the like.
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
  /// An amount of money, not below 0, with at most four decimals.
  static var amount: ValueReader {
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

extension ValueReader where Value == PostReference {
  static var post: ValueReader {
    ValueReader { value, problems in
      let addresses = problems.addresses
      return ValueReader.text("the URL of a post") { text throws(InvalidValue) in try addresses.post(text) }
        .read(value, &problems)
    }
  }
}

extension ValueReader where Value == AccountReference {
  static var account: ValueReader {
    ValueReader { value, problems in
      let addresses = problems.addresses
      return ValueReader.text("the URL of an account") { text throws(InvalidValue) in
        try addresses.account(text)
      }
      .read(value, &problems)
    }
  }
}

extension ValueReader where Value: CaseIterable & RawRepresentable<String> & Sendable {
  /// One of a few words, which are the raw values of `Value`.
  static func word() -> ValueReader {
    let words = Value.allCases.map(\.rawValue)
    return .text(words.joined(separator: " or ")) { text throws(InvalidValue) in
      if let value = Value(rawValue: text) { return value }
      throw InvalidValue(
        "expected \(words.joined(separator: " or ")), found \(quoted(text))"
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
      // Names that the list lacks, but the database has (`US/Eastern`); "GMT+2" and the like are no names.
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
  /// Keys of the theme's choosing, each with one value.
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
            "\(quoted(entry.key)) is not a name for an option: expected ASCII letters, digits, \"_\" and \"-\"",
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
