import ThreadModel
import UTF8Text
import Wording

extension LoadedWording {
  /// Loads the words of a language.
  ///
  /// - Parameters:
  ///   - language: BCP 47, as site.yml has it; `de-CH` takes the words of `de`.
  ///   - folders: of strings files; a word of a later one takes the place of an earlier one's.
  /// - Throws: everything that is wrong with the files, each with its place; that no folder has English words.
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
      wording = try Wording(
        language: own.isEmpty ? StringsFiles.fallback : language,
        dates: Self.dates(of: chosen, months: months, patterns), numbers: Self.numbers(of: chosen),
        plurals: plurals, messages: messages, regions: regions)
    } catch {
      throw SiteConfigError(problems: [
        first.problem("words", "there are no words for \(error.names.joined(separator: ", "))")
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
          message: "there is no such file, and no other with the interface's words")
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

  /// - Parameter patterns: of a day, a month, a year and a minute.
  private static func dates(
    of layers: [StringsFiles.Layer], months: [String], _ patterns: [DatePattern]
  ) -> DateFormat {
    let standalone = layers.reversed().lazy.compactMap { $0.content.section.dates?.standaloneMonths }.first
    return DateFormat(
      months: months, standaloneMonths: standalone ?? months, digits: numbers(of: layers).digits,
      day: patterns[0], month: patterns[1], year: patterns[2], minute: patterns[3])
  }
}
