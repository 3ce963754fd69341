extension ThemeOptionDeclaration: ConfigSection {
  static let defaults = ThemeOptionDeclaration()

  static let fields: [ConfigField<ThemeOptionDeclaration>] = [
    ConfigField("type", \.kind, .word(), isRequired: true),
    ConfigField("description", \.summary, .paragraph),
    ConfigField("default", \.writtenDefault, .themeOption),
    ConfigField("values", \.values, .list(of: .optionWord)),
    ConfigField("min", \.least, .integer(in: -1_000_000...1_000_000)),
    ConfigField("max", \.most, .integer(in: -1_000_000...1_000_000)),
  ]

  /// Keys that belong to another type, and a default that the option itself would refuse.
  func check(_ value: ConfigValue, problems: inout ProblemList) {
    guard case .mapping(let entries) = value.node.content, entries.contains(where: { $0.key == "type" })
    else {
      return
    }
    func place(_ key: String) -> ConfigValue? {
      entries.first { $0.key == key && !$0.value.isNull }.map { value.entry($0) }
    }
    if kind == .choice, values.isEmpty {
      problems.error("a choice needs its words: add `values: [one, another]`", at: place("values") ?? value)
      return
    }
    if kind != .choice, let place = place("values") {
      problems.error("only a choice has values, and this is a \(kind.rawValue)", at: place)
    }
    if kind != .number, let place = place("min") ?? place("max") {
      problems.error("only a number has bounds, and this is a \(kind.rawValue)", at: place)
    }
    if kind == .number, let least, let most, least > most, let place = place("max") {
      problems.error("expected a number not below min, which is \(least)", at: place)
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
            "\(quoted(entry.key)) is not a name for an option: expected ASCII letters, digits, \"_\" and \"-\"",
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
  /// A word of a choice, which may become part of a class in HTML.
  static var optionWord: ValueReader {
    .text("a word") { text throws(InvalidValue) in
      guard isOptionName(text) else {
        throw InvalidValue(
          "\(quoted(text)) is not a word for a choice: expected ASCII letters, digits, \"_\" and \"-\"")
      }
      return text
    }
  }
}

/// Whether a name can stand in a template and in a class.
func isOptionName(_ name: String) -> Bool {
  (1...64).contains(name.utf8.count)
    && name.utf8.allSatisfy { isASCIILetterOrDigit($0) || "_-".utf8.contains($0) }
}
