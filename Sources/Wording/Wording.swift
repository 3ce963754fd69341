package import ThreadModel
package import UTF8Text

/// The interface's own words in one language: sentences that the stages put together, words for templates, numbers and dates.
///
/// Made from strings files (`templates/strings/<language>.yml`), so that another language needs no Swift.
package struct Wording: Sendable {
  /// BCP 47: what the words are written in, for `lang`.
  package let language: String
  package let dates: DateFormat
  package let numbers: NumberFormat
  package let plurals: PluralRules
  /// Everything that stands in templates by name: all messages but those that count.
  package let words: [String: BracedText]
  /// Names of countries and regions, by their codes.
  private let regions: [String: String]
  /// In the order of the phrases.
  private let phrases: [Message]

  /// - Throws: ``MissingPhrases`` where a phrase has no words.
  package init(
    language: String, dates: DateFormat, numbers: NumberFormat, plurals: PluralRules,
    messages: [String: Message], regions: [String: String] = [:]
  ) throws(MissingPhrases) {
    self.language = language
    self.dates = dates
    self.numbers = numbers
    self.plurals = plurals
    self.regions = regions
    words = messages.filter { !$0.value.isPlural }.mapValues { $0.text() }
    let missing = Phrase.allCases.map(\.name).filter { messages[$0] == nil }
    guard missing.isEmpty else { throw MissingPhrases(names: missing) }
    phrases = Phrase.allCases.compactMap { messages[$0.name] }
  }

  /// The words of a phrase, with values in their places.
  package func text(_ phrase: Phrase, _ values: KeyValuePairs<String, String> = [:]) -> String {
    phrases[phrase.rawValue].text().filled(values)
  }

  /// The words of a phrase that go with a number: `1 post`, `1,004 posts`.
  package func count(_ number: Int, _ phrase: Phrase) -> String {
    phrases[phrase.rawValue].text(plurals.form(of: number)).filled([Message.number: self.number(number)])
  }

  /// The same with another value.
  package func count(_ number: Int, _ phrase: Phrase, _ name: String, _ value: String) -> String {
    phrases[phrase.rawValue].text(plurals.form(of: number))
      .filled([Message.number: self.number(number), name: value])
  }

  /// The text of every form that a number can take, `{n}` in place: for what counts elsewhere, such as a script.
  package func forms(_ phrase: Phrase) -> [(form: PluralForm, text: String)] {
    let message = phrases[phrase.rawValue]
    return plurals.forms.map { ($0, message.text($0).source) }
  }

  /// The name of a country or region (ISO 3166-1 alpha-2); the code itself where no strings file names it.
  package func region(_ code: String) -> String { regions[code] ?? code }

  /// Whether a language is the words' own, whatever the region.
  package func isWritten(in other: String) -> Bool {
    func primary(_ tag: String) -> String { String(tag.prefix { $0 != "-" && $0 != "_" }).lowercased() }
    return primary(other) == primary(language)
  }

  /// `1,004`
  package func number(_ number: Int) -> String { numbers.text(number) }
}

/// Phrases that no strings file has words for.
package struct MissingPhrases: Error, Sendable {
  package let names: [String]
}
