import Basics
import InterfaceText

/// The content of one strings file. Every part is optional, because a file may replace a single text of another file.
struct StringsFile: Sendable {
  var language: String?
  var plurals: PluralRules?
  var numbers: Numbers?
  var dates: Dates?
  /// The names of countries and regions, by their two-letter codes.
  var regions: [String: String]?
  /// The texts in the order of the file.
  var words: [Entry] = []

  struct Entry: Sendable {
    let name: String
    let message: Message
  }

  struct Numbers: Sendable {
    var group: String?
    var groupsFrom: Int?
    var digits: Digits?
  }

  struct Dates: Sendable {
    var months: [String]?
    /// The names of months without a day, if they differ from `months`.
    var standaloneMonths: [String]?
    var day: DatePattern?
    var month: DatePattern?
    var year: DatePattern?
    var minute: DatePattern?
  }
}

extension StringsFile: ConfigSection {
  package static let defaults = StringsFile()

  package static let fields: [ConfigField<StringsFile>] = [
    ConfigField("language", \.language, .language),
    ConfigField("plurals", \.plurals, .pluralRules),
    ConfigField("numbers", \.numbers, .section),
    ConfigField("dates", \.dates, .section),
    ConfigField("words", \.words, .words),
    ConfigField("regions", \.regions, .regions),
  ]
}

extension StringsFile.Numbers: ConfigSection {
  package static let defaults = StringsFile.Numbers()

  package static let fields: [ConfigField<StringsFile.Numbers>] = [
    ConfigField("group", \.group, .anyText),
    ConfigField("groups_from", \.groupsFrom, .integer(in: 1000...1_000_000)),
    ConfigField("digits", \.digits, .digits),
  ]
}

extension StringsFile.Dates: ConfigSection {
  package static let defaults = StringsFile.Dates()

  package static let fields: [ConfigField<StringsFile.Dates>] = [
    ConfigField("months", \.months, .months),
    ConfigField("standalone_months", \.standaloneMonths, .months),
    ConfigField("day", \.day, .datePattern),
    ConfigField("month", \.month, .datePattern),
    ConfigField("year", \.year, .datePattern),
    ConfigField("minute", \.minute, .datePattern),
  ]
}

extension ValueReader where Value == String {
  /// Text on one line, including blanks around it, of at most 500 characters.
  static var anyText: ValueReader {
    .text("text") { text throws(InvalidValue) in
      guard text.unicodeScalars.count <= 500,
        !text.unicodeScalars.contains(where: { $0 == "\u{2028}" || $0 == "\u{2029}" || $0.value < 0x20 })
      else { throw InvalidValue("expected text of at most 500 characters on one line") }
      return text
    }
  }
}

extension ValueReader where Value == BracedText {
  /// Text with names in braces.
  private static var bracedText: ValueReader {
    .text("text") { text throws(InvalidValue) in try BracedText(reading: text) }
  }
}

extension BracedText {
  init(reading text: String) throws(InvalidValue) {
    guard let read = BracedText(text) else {
      throw InvalidValue("expected a name in every pair of braces, such as {n}, found \(quoted(text))")
    }
    self = read
  }
}

extension ValueReader where Value == DatePattern {
  static var datePattern: ValueReader {
    .text("a pattern such as \"{day} {month} {year}\"") { text throws(InvalidValue) in
      guard let pattern = DatePattern(try BracedText(reading: text)) else {
        let names = DatePattern.names.map { "{\($0)}" }.joined(separator: ", ")
        throw InvalidValue("\(quoted(text)) has an unknown part; a date has the parts \(names)")
      }
      return pattern
    }
  }
}

extension ValueReader where Value == [String] {
  static var months: ValueReader {
    let names = ValueReader<[String]>.list(of: .line)
    return ValueReader(nestedKeys: names.nestedKeys) { value, problems in
      guard let months = names.read(value, &problems) else { return nil }
      guard months.count == 12 else {
        problems.error("expected twelve months, found \(months.count)", at: value)
        return nil
      }
      return months
    }
  }
}

extension ValueReader where Value == Digits {
  /// `latin`, or the ten digits from zero to nine.
  static var digits: ValueReader {
    .text("\"latin\" or ten digits") { text throws(InvalidValue) in
      if text == "latin" { return .latin }
      guard let digits = Digits(text) else {
        throw InvalidValue("expected latin, or ten digits from zero to nine, found \(quoted(text))")
      }
      return digits
    }
  }
}

extension ValueReader where Value == PluralRules {
  /// A mapping of plural forms to CLDR conditions; `{}` for a language with only one form.
  static var pluralRules: ValueReader {
    ValueReader { value, problems in
      guard case .mapping(let entries) = value.node.content else {
        problems.error(
          "expected a mapping such as {one: i = 1 and v = 0}, or {} where words have one form; found \(value.node.kind)",
          at: value)
        return nil
      }
      var conditions: [PluralForm: PluralCondition] = [:]
      for entry in entries {
        guard let form = PluralForm(rawValue: entry.key), form != .other else {
          let forms = PluralForm.allCases.dropLast().map(\.rawValue).joined(separator: ", ")
          problems.error(
            "\(quoted(entry.key)) is not a plural form with a rule; expected \(forms)", at: entry.keyMark,
            path: value.path(of: entry.key))
          continue
        }
        let reader = ValueReader<PluralCondition>.text("a condition") { text throws(InvalidValue) in
          guard let condition = PluralCondition(text) else {
            throw InvalidValue(
              "\(quoted(text)) is not a condition of Unicode CLDR's plural rules, such as n % 10 = 2..4")
          }
          return condition
        }
        conditions[form] = reader.read(value.entry(entry), &problems)
      }
      return PluralRules(conditions)
    }
  }
}

extension ValueReader where Value == [String: String] {
  /// A mapping of two-letter codes in upper case to names.
  static var regions: ValueReader {
    ValueReader { value, problems in
      guard case .mapping(let entries) = value.node.content else {
        problems.error("expected a mapping of codes to names, found \(value.node.kind)", at: value)
        return nil
      }
      var regions: [String: String] = [:]
      for entry in entries {
        let place = value.entry(entry)
        guard entry.key.utf8.count == 2,
          entry.key.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) })
        else {
          problems.error(
            "\(quoted(entry.key)) is not a country code: expected two capital letters, such as DE",
            at: entry.keyMark, path: place.path)
          continue
        }
        regions[entry.key] = ValueReader<String>.line.read(place, &problems)
      }
      return regions
    }
  }
}

extension ValueReader where Value == [StringsFile.Entry] {
  /// A mapping of names to texts, or to one text for each plural form.
  static var words: ValueReader {
    ValueReader { value, problems in
      guard case .mapping(let entries) = value.node.content else {
        problems.error("expected a mapping of names to texts, found \(value.node.kind)", at: value)
        return nil
      }
      return entries.compactMap { entry in
        let place = value.entry(entry)
        guard isWordName(entry.key) else {
          problems.error(
            "\(quoted(entry.key)) is not a name of a text: expected lower-case ASCII letters, digits and \"_\"",
            at: entry.keyMark, path: place.path)
          return nil
        }
        problems.remember(place)
        return message(place, &problems).map { StringsFile.Entry(name: entry.key, message: $0) }
      }
    }
  }

  private static func isWordName(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || isASCIIDigit($0) || $0 == UInt8(ascii: "_")
      }
  }

  private static func message(_ value: ConfigValue, _ problems: inout ProblemList) -> Message? {
    guard case .mapping(let entries) = value.node.content else {
      return ValueReader<BracedText>.bracedText.read(value, &problems).map { Message($0) }
    }
    var forms: [PluralForm: BracedText] = [:]
    for entry in entries {
      guard let form = PluralForm(rawValue: entry.key) else {
        let names = PluralForm.allCases.map(\.rawValue).joined(separator: ", ")
        problems.error(
          "\(quoted(entry.key)) is not a plural form; expected \(names)", at: entry.keyMark,
          path: value.path(of: entry.key))
        continue
      }
      forms[form] = ValueReader<BracedText>.bracedText.read(value.entry(entry), &problems)
    }
    guard let other = forms.removeValue(forKey: .other) else {
      problems.error("the plural form other is missing", at: value)
      return nil
    }
    return Message(other, forms: forms)
  }
}
