import Basics
package import InterfaceText

/// The texts of a site's interface, read from the strings files of several folders.
package struct LoadedLocalization: Sendable {
  package let localization: Localization
  /// Warnings: a language without any texts, and texts that are not translated.
  package let warnings: [String]
  /// The texts that the site or its theme adds, each with a warning that is reported if no template uses the text.
  package let places: [String: ConfigProblem]

  /// Loads the texts of a language.
  ///
  /// - Parameters:
  ///   - language: a BCP 47 tag from site.yml. `de-CH` also uses the texts of `de`.
  ///   - folders: folders with strings files. A text in a later folder replaces the text in an earlier folder.
  /// - Throws: `SiteConfigError` with all problems of the files, each with its location; also if no folder contains the English texts.
  package init(language: String, folders: [String]) throws(SiteConfigError) {
    let files = try StringsFiles(language: language, folders: folders)
    let own = files.ownLayers
    let chosen = own.isEmpty ? files.fallbackLayers : own
    guard let first = chosen.first else { throw Self.noWords(in: folders) }

    var problems = Self.problems(of: files)
    func part<Value>(_ name: String, _ value: (StringsFile) -> Value?) -> Value? {
      for layer in chosen.reversed() {
        if let found = value(layer.content.section) { return found }
      }
      problems.append(first.problem(name, "the key \"\(name)\" is missing: no file of this language has it"))
      return nil
    }
    let plurals = part("plurals", \.plurals)
    let months = part("dates.months") { $0.dates?.months }
    let patterns = [
      part("dates.day") { $0.dates?.day }, part("dates.month") { $0.dates?.month },
      part("dates.year") { $0.dates?.year }, part("dates.minute") { $0.dates?.minute },
    ].compactMap(\.self)
    guard let plurals, let months, patterns.count == 4, problems.isEmpty else {
      throw SiteConfigError(problems: problems)
    }

    var messages: [String: Message] = [:]
    for layer in files.layers {
      for entry in layer.content.section.words { messages[entry.name] = entry.message }
    }
    var regions: [String: String] = [:]
    for layer in files.layers { regions.merge(layer.content.section.regions ?? [:]) { $1 } }
    do {
      localization = try Localization(
        language: own.isEmpty ? StringsFiles.fallback : language,
        dates: Self.dates(of: chosen, months: months, patterns), numbers: Self.numbers(of: chosen),
        plurals: plurals, messages: messages, regions: regions)
    } catch {
      throw SiteConfigError(problems: [
        first.problem("words", "there are no texts for \(error.names.joined(separator: ", "))")
      ])
    }
    warnings = Self.warnings(of: files)
    places = Self.places(of: files)
  }

  private static func noWords(in folders: [String]) -> SiteConfigError {
    SiteConfigError(
      problems: folders.prefix(1).map {
        ConfigProblem(
          file: "\($0)/\(StringsFiles.fallback).yml", location: nil,
          message: "there is no such file with the interface's texts")
      })
  }

  private static func numbers(of layers: [StringsFiles.Layer]) -> NumberFormat {
    let parts = layers.reversed().compactMap(\.content.section.numbers)
    let standard = NumberFormat()
    return NumberFormat(
      group: parts.lazy.compactMap(\.group).first ?? standard.group,
      groupsFrom: parts.lazy.compactMap(\.groupsFrom).first ?? standard.groupsFrom,
      digits: parts.lazy.compactMap(\.digits).first ?? standard.digits)
  }

  /// - Parameter patterns: the patterns for a day, a month, a year and a minute.
  private static func dates(
    of layers: [StringsFiles.Layer], months: [String], _ patterns: [DatePattern]
  ) -> DateFormat {
    let standalone = layers.reversed().lazy.compactMap { $0.content.section.dates?.standaloneMonths }.first
    return DateFormat(
      months: months, standaloneMonths: standalone ?? months, digits: numbers(of: layers).digits,
      day: patterns[0], month: patterns[1], year: patterns[2], minute: patterns[3])
  }

  /// Returns the problems of texts whose placeholders differ from the installed English texts, and of plural forms that the language lacks.
  static func problems(of files: StringsFiles) -> [ConfigProblem] {
    var english: [String: Message] = [:]
    var problems: [ConfigProblem] = []
    for layer in files.layers {
      let forms = files.layers.last { $0.tag == layer.tag && $0.content.section.plurals != nil }
        .flatMap(\.content.section.plurals)?.forms
      for entry in layer.content.section.words {
        let known = english[entry.name]
        problems += self.problems(of: entry, beside: known, forms: forms).map {
          layer.problem("words.\(entry.name)", $0)
        }
        if known == nil, layer.tag == StringsFiles.fallback { english[entry.name] = entry.message }
      }
    }
    return problems
  }

  /// - Parameters:
  ///   - known: the English text; `nil` for texts that the site adds.
  ///   - forms: the plural forms of the language; `nil` if no file declares them.
  private static func problems(
    of entry: StringsFile.Entry, beside known: Message?, forms: [PluralForm]?
  ) -> [String] {
    var problems: [String] = []
    if let known {
      for name in entry.message.names.subtracting(known.names).sorted() {
        problems.append(unknownName(name, known: known.names))
      }
      if entry.message.isPlural, !known.isPlural, !known.names.contains(Message.number) {
        problems.append("this text has no number and therefore only one form")
      }
    }
    if let forms, let form = entry.message.writtenForms.first(where: { !forms.contains($0) }) {
      let names = forms.map(\.rawValue).joined(separator: ", ")
      problems.append("numbers of this language have no form \"\(form.rawValue)\"; they have \(names)")
    }
    return problems
  }

  private static func unknownName(_ name: String, known: Set<String>) -> String {
    let names = known.sorted().map { "{\($0)}" }.joined(separator: ", ")
    return "this text has no value {\(name)}"
      + Suggestion.phrase(for: name, among: known.sorted())
      + (known.isEmpty ? "" : "; available: \(names)")
  }

  static func warnings(of files: StringsFiles) -> [String] {
    let own = files.ownLayers
    guard let last = own.last else {
      let name = "templates/strings/\(files.language).yml"
      let copy = files.fallbackLayers.first.map {
        "copy \($0.file) to \(files.folders.last.map { "\($0)/\(files.language).yml" } ?? name) and translate its texts"
      }
      return [
        "there is no translation for the language \"\(files.language)\", so the interface is English: "
          + "\(copy ?? "add it as \(name)") (`threadsite help theming`)"
      ]
    }
    let translated = Set(own.flatMap { $0.content.section.words.map(\.name) })
    let missing = files.fallbackLayers.flatMap { $0.content.section.words.map(\.name) }
      .filter { !translated.contains($0) }
    var warnings = files.layers.flatMap { $0.content.warnings.map(\.description) }
    if !missing.isEmpty {
      warnings.append(
        "\(last.file): warning: \(missing.count) texts are not translated and stay English: "
          + missing.prefix(12).joined(separator: ", ") + (missing.count > 12 ? " …" : ""))
    }
    return warnings
  }

  /// Returns the positions of texts outside the first folder. The first folder has the installed files, which need no check for unused texts.
  static func places(of files: StringsFiles) -> [String: ConfigProblem] {
    var places: [String: ConfigProblem] = [:]
    let installed = Set(
      files.layers.filter { layer in files.folders.first.map { layer.file.hasPrefix($0 + "/") } ?? false }
        .flatMap { $0.content.section.words.map(\.name) })
    for layer in files.layers {
      for entry in layer.content.section.words where !installed.contains(entry.name) {
        let suggestion = Suggestion.phrase(for: entry.name, among: installed.sorted())
        places[entry.name] = layer.problem(
          "words.\(entry.name)", "no template uses this text\(suggestion)", .warning)
      }
    }
    return places
  }
}

/// The strings files of one language: `<language>.yml` in each of several folders. A later file replaces single texts of an earlier one. The
/// English files come first, for texts without a translation.
struct StringsFiles {
  /// The language whose texts are used for missing translations.
  static let fallback = "en"

  /// The content of one strings file.
  struct Layer {
    let tag: String
    let file: String
    let content: StrictYAML<StringsFile>

    func problem(_ keyPath: String, _ message: String, _ severity: ConfigProblem.Severity = .error)
      -> ConfigProblem
    {
      ConfigProblem(
        file: file, location: content.locations[keyPath], keyPath: keyPath, message: message,
        severity: severity)
    }
  }

  /// The requested language.
  let language: String
  let folders: [String]
  /// In the order of precedence: later layers replace texts of earlier ones.
  private(set) var layers: [Layer] = []

  init(language: String, folders: [String]) throws(SiteConfigError) {
    self.language = language
    self.folders = folders
    var problems: [ConfigProblem] = []
    for tag in Self.tags(of: language) {
      for folder in folders {
        do throws(SiteConfigError) {
          if let layer = try Self.read(tag, in: folder) { layers.append(layer) }
        } catch {
          problems += error.problems
        }
      }
    }
    guard problems.isEmpty else { throw SiteConfigError(problems: problems) }
  }

  /// Returns the tags from the general to the specific: `en`, `zh`, `zh-Hant`, `zh-Hant-TW`.
  private static func tags(of language: String) -> [String] {
    let parts = language.split(separator: "-")
    let own = parts.indices.map { parts[...$0].joined(separator: "-") }
    return own.first == fallback ? own : [fallback] + own
  }

  private static func read(_ tag: String, in folder: String) throws(SiteConfigError) -> Layer? {
    let file = "\(folder)/\(tag).yml"
    let bytes: [UInt8]
    do {
      bytes = try FileBytes.read(file)
    } catch {
      if error.kind == .missing { return nil }
      let message =
        error.kind == .link
        ? "\(error.path) is a symbolic link, and threadsite does not follow links: replace it with the file or folder"
        : "the file cannot be read: \(error.reason)"
      throw SiteConfigError(problems: [ConfigProblem(file: file, location: nil, message: message)])
    }
    return Layer(
      tag: tag, file: file,
      content: try StrictYAML<StringsFile>.decode(bytes: bytes, file: file, kind: "strings file"))
  }

  /// The layers of the language itself, without those of the fallback language.
  var ownLayers: [Layer] {
    language.split(separator: "-").first.map { $0 == Self.fallback } ?? false
      ? layers : layers.filter { $0.tag != Self.fallback }
  }

  var fallbackLayers: [Layer] { layers.filter { $0.tag == Self.fallback } }
}
