/// One thing that the users of a theme may choose, as its theme.yml declares it.
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
  /// What it is for, in a sentence.
  package var summary: String?
  /// The words of a choice.
  package var values: [String] = []
  /// The bounds of a number.
  package var least: Int?
  package var most: Int?
  /// As written; `nil` where the file does not say.
  var writtenDefault: ThemeOption?
}

extension ThemeOptionDeclaration {
  /// What holds where a site says nothing: the declared default, or else nothing, `false`, the first word, the least number.
  package var standard: ThemeOptionValue {
    if let writtenDefault, case .success(let value) = value(of: writtenDefault) { return value }
    return switch kind {
    case .text: .text("")
    case .flag: .flag(false)
    case .choice: .text(values.first ?? "")
    case .number: .number(least ?? min(most ?? 0, 0))
    }
  }

  /// What is written in a site.yml, or as the default, as a value of this option; or what is wrong with it.
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
            "expected \(values.joined(separator: " or ")), found \(quoted(word))"
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
