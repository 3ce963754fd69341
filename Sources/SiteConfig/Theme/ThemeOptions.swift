import Basics

/// The declaration of an option in a theme.yml.
package struct ThemeOptionDeclaration: Sendable, Equatable {
  package enum Kind: String, CaseIterable, Sendable {
    /// Any text.
    case text
    /// `true` or `false`.
    case flag
    /// One of a few words.
    case choice
    /// A whole number.
    case number
  }

  package var name = ""
  package var kind = Kind.text
  /// A sentence about the option's purpose.
  package var summary: String?
  /// The words of a choice; empty for other kinds.
  package var values: [String] = []
  /// The bounds of a number, included; `nil` for no bound.
  package var least: Int?
  package var most: Int?
  /// The default as written; `nil` if the file has none.
  var writtenDefault: ThemeOption?

  /// The declared default, or else an empty text, `false`, the first word or the minimum.
  package var standard: ThemeOptionValue {
    if let writtenDefault, case .success(let value) = value(of: writtenDefault) { return value }
    return switch kind {
    case .text: .text("")
    case .flag: .flag(false)
    case .choice: .text(values.first ?? "")
    case .number: .number(least ?? min(most ?? 0, 0))
    }
  }

  /// Converts a value from a site.yml, or the declared default, to a value of this option, or returns the problem.
  func value(of option: ThemeOption) -> Result<ThemeOptionValue, InvalidValue> {
    switch (kind, option) {
    case (.text, .text(let text)): return .success(.text(text))
    case (.text, .flag(let flag)):
      return .failure(InvalidValue("expected text, found \(flag); put it in quotes if it is text"))
    case (.flag, .flag(let flag)): return .success(.flag(flag))
    case (.flag, .text(let text)):
      let hint =
        switch text.lowercased() {
        case "true", "yes", "on", "y": "; did you mean true, without quotes?"
        case "false", "no", "off", "n": "; did you mean false, without quotes?"
        default: ""
        }
      return .failure(InvalidValue("expected true or false, found \(quoted(text))\(hint)"))
    case (.choice, _):
      let word = option.asWritten
      guard values.contains(word) else {
        return .failure(
          InvalidValue(
            "expected \(alternatives(values)), found \(quoted(word))"
              + Suggestion.phrase(for: word, among: values)))
      }
      return .success(.text(word))
    case (.number, _): return number(option.asWritten)
    }
  }

  private func number(_ text: String) -> Result<ThemeOptionValue, InvalidValue> {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    guard !digits.isEmpty, digits.utf8.count <= 9, digits.utf8.allSatisfy(isASCIIDigit),
      let number = Int(text)
    else { return .failure(InvalidValue("expected a whole number, found \(quoted(text))")) }
    guard number >= least ?? .min, number <= most ?? .max else {
      let range =
        switch (least, most) {
        case (let least?, let most?): "from \(least) to \(most)"
        case (let least?, nil): "not below \(least)"
        case (nil, let most?): "not above \(most)"
        case (nil, nil): ""
        }
      return .failure(InvalidValue("expected a number \(range), found \(number)"))
    }
    return .success(.number(number))
  }
}

extension ThemeOption {
  fileprivate var asWritten: String {
    switch self {
    case .text(let text): text
    case .flag(let flag): "\(flag)"
    }
  }
}

extension ThemeOptionDeclaration: ConfigSection {
  package static let defaults = ThemeOptionDeclaration()

  package static let fields: [ConfigField<ThemeOptionDeclaration>] = [
    ConfigField("type", \.kind, .word(), isRequired: true),
    ConfigField("description", \.summary, .paragraph),
    ConfigField("default", \.writtenDefault, .themeOption),
    ConfigField("values", \.values, .list(of: .optionWord)),
    ConfigField("min", \.least, .integer(in: -1_000_000...1_000_000)),
    ConfigField("max", \.most, .integer(in: -1_000_000...1_000_000)),
  ]

  /// Reports keys of other types, and a default that is invalid for the option.
  package func check(_ value: ConfigValue, problems: inout ProblemList) {
    guard case .mapping(let entries) = value.node.content, entries.contains(where: { $0.key == "type" })
    else {
      return
    }
    func place(_ key: String) -> ConfigValue? {
      entries.first { $0.key == key && !$0.value.isNull }.map { value.entry($0) }
    }
    if kind == .choice, values.isEmpty {
      problems.error("a choice needs values: add `values: [one, another]`", at: place("values") ?? value)
      return
    }
    if kind != .choice, let place = place("values") {
      problems.error("only a choice has values; this option is a \(kind.rawValue)", at: place)
    }
    if kind != .number, let place = place("min") ?? place("max") {
      problems.error("only a number has bounds; this option is a \(kind.rawValue)", at: place)
    }
    if kind == .number, let least, let most, least > most, let place = place("max") {
      problems.error("expected a number not below min (\(least))", at: place)
    }
    if let writtenDefault, let place = place("default"),
      case .failure(let error) = self.value(of: writtenDefault)
    {
      problems.error(error.message, at: place)
    }
  }
}

extension ValueReader where Value == [ThemeOptionDeclaration] {
  /// A mapping of names to declarations.
  static var themeOptionDeclarations: ValueReader {
    let section = ValueReader<ThemeOptionDeclaration>.section
    return ValueReader(nestedKeys: section.nestedKeys.map { ".*" + $0 }) { value, problems in
      guard case .mapping(let entries) = value.node.content else {
        problems.error("expected a mapping of options, found \(value.node.kind)", at: value)
        return nil
      }
      var options: [ThemeOptionDeclaration] = []
      for entry in entries {
        guard isOptionName(entry.key) else {
          problems.error(
            "\(quoted(entry.key)) is not the name of an option: expected ASCII letters, digits, \"_\" and \"-\"",
            at: entry.keyMark, path: value.path(of: entry.key))
          continue
        }
        guard var option = section.read(value.entry(entry), &problems) else { continue }
        option.name = entry.key
        options.append(option)
      }
      return options
    }
  }
}

extension ValueReader where Value == ThemeOption {
  /// Text, or an unquoted `true` or `false`.
  static var themeOption: ValueReader {
    ValueReader { value, problems in
      guard case .scalar(let text, let isPlain) = value.node.content else {
        problems.error("expected text or true or false, found \(value.node.kind)", at: value)
        return nil
      }
      guard !problems.refuseSecret(in: text, at: value) else { return nil }
      return isPlain && (text == "true" || text == "false") ? .flag(text == "true") : .text(text)
    }
  }
}

extension ValueReader where Value == String {
  /// A word of a choice, which may become part of a CSS class.
  static var optionWord: ValueReader {
    .text("a word") { text throws(InvalidValue) in
      guard isOptionName(text) else {
        throw InvalidValue(
          "\(quoted(text)) is not a value for a choice: expected ASCII letters, digits, \"_\" and \"-\"")
      }
      return text
    }
  }
}

/// Whether a name can be used in templates and CSS classes.
func isOptionName(_ name: String) -> Bool {
  (1...64).contains(name.utf8.count)
    && name.utf8.allSatisfy { isASCIILetterOrDigit($0) || "_-".utf8.contains($0) }
}

/// A value under `theme_options`, before the theme's declarations are known.
package enum ThemeOption: Sendable, Hashable {
  /// The text in the file: `2024`, `1.0` and `yes` are also text.
  case text(String)
  /// An unquoted `true` or `false`.
  case flag(Bool)
}

/// The value of a theme's option in templates.
package enum ThemeOptionValue: Sendable, Hashable {
  case text(String)
  case flag(Bool)
  case number(Int)
}

/// The values of all options of a theme on one site.
package struct ThemeOptionValues: Sendable, Equatable {
  package private(set) var values: [String: ThemeOptionValue] = [:]
  /// The values that differ from the defaults, as CSS classes of the page's root element: `accent-green`, `columns-2`, `wide`, `no-metrics`. A text
  /// gets a class only if the class name is valid.
  package private(set) var classes: [String] = []

  package init() {}

  /// A problem with a value under `theme_options`.
  package struct Mistake: Sendable, Equatable {
    /// A path such as `theme_options.accent`.
    package let keyPath: String
    package let message: String
  }

  /// Checks the options of a site.yml against the theme's declarations.
  ///
  /// - Returns: the values, including defaults, and all mistakes, sorted by name.
  package static func resolve(
    _ given: [String: ThemeOption], by declarations: [ThemeOptionDeclaration], of theme: String
  ) -> (values: ThemeOptionValues, mistakes: [Mistake]) {
    var result = ThemeOptionValues()
    var mistakes: [Mistake] = []
    for declaration in declarations {
      var value = declaration.standard
      if let option = given[declaration.name] {
        switch declaration.value(of: option) {
        case .success(let chosen): value = chosen
        case .failure(let error):
          mistakes.append(Mistake(keyPath: "theme_options." + declaration.name, message: error.message))
        }
      }
      result.values[declaration.name] = value
      if value != declaration.standard, let name = className(declaration.name, value) {
        result.classes.append(name)
      }
    }
    let names = declarations.map(\.name)
    for name in given.keys where !names.contains(name) {
      let known = names.isEmpty ? "It has no options." : "Its options: \(names.joined(separator: ", "))"
      mistakes.append(
        Mistake(
          keyPath: "theme_options." + name,
          message: "the theme \(quoted(theme)) has no option \(quoted(name))"
            + (Suggestion.nearest(to: name, among: names).map { "; did you mean \(quoted($0))? " } ?? ". ")
            + known))
    }
    return (result, mistakes.sorted { $0.keyPath < $1.keyPath })
  }

  private static func className(_ name: String, _ value: ThemeOptionValue) -> String? {
    switch value {
    case .text(let word): isOptionName(word) ? "\(name)-\(word)" : nil
    case .number(let number): "\(name)-\(number)"
    case .flag(let flag): flag ? name : "no-\(name)"
    }
  }
}
