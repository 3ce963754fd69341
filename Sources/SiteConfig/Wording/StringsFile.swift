import ThreadModel
import UTF8Text
import Wording

/// What one strings file says; every part may be missing, as a file may change a single word of another.
struct StringsFile: Sendable {
  var language: String?
  var plurals: PluralRules?
  var numbers: Numbers?
  var dates: Dates?
  /// Names of countries and regions, by their codes.
  var regions: [String: String]?
  /// In the order of the file.
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
    /// Where they are others when they stand alone.
    var standaloneMonths: [String]?
    var day: DatePattern?
    var month: DatePattern?
    var year: DatePattern?
    var minute: DatePattern?
  }
}

extension StringsFile: ConfigSection {
  static let defaults = StringsFile()

  static let fields: [ConfigField<StringsFile>] = [
    ConfigField("language", \.language, .language),
    ConfigField("plurals", \.plurals, .pluralRules),
    ConfigField("numbers", \.numbers, .section),
    ConfigField("dates", \.dates, .section),
    ConfigField("words", \.words, .words),
    ConfigField("regions", \.regions, .regions),
  ]
}

extension StringsFile.Numbers: ConfigSection {
  static let defaults = StringsFile.Numbers()

  static let fields: [ConfigField<StringsFile.Numbers>] = [
    ConfigField("group", \.group, .anyText),
    ConfigField("groups_from", \.groupsFrom, .integer(in: 1000...1_000_000)),
    ConfigField("digits", \.digits, .digits),
  ]
}

extension StringsFile.Dates: ConfigSection {
  static let defaults = StringsFile.Dates()

  static let fields: [ConfigField<StringsFile.Dates>] = [
    ConfigField("months", \.months, .months),
    ConfigField("standalone_months", \.standaloneMonths, .months),
    ConfigField("day", \.day, .datePattern),
    ConfigField("month", \.month, .datePattern),
    ConfigField("year", \.year, .datePattern),
    ConfigField("minute", \.minute, .datePattern),
  ]
}
