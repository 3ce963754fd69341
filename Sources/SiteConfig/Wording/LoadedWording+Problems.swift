import ThreadModel
import Wording

extension LoadedWording {
  /// Words that do not fit the installed English ones, and forms that the language has not.
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
  ///   - known: the English words; `nil` for words of a site's own.
  ///   - forms: what numbers of the language have; `nil` where no file says it.
  private static func problems(
    of entry: StringsFile.Entry, beside known: Message?, forms: [PluralForm]?
  ) -> [String] {
    var problems: [String] = []
    if let known {
      for name in entry.message.names.subtracting(known.names).sorted() {
        problems.append(unknownName(name, known: known.names))
      }
      if entry.message.isPlural, !known.isPlural, !known.names.contains(Message.number) {
        problems.append("these words go with no number: write one text for all")
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
    return "there is no value {\(name)} for these words"
      + Suggestion.phrase(for: name, among: known.sorted())
      + (known.isEmpty ? "; they take none" : "; they take \(names)")
  }

  static func warnings(of files: StringsFiles) -> [String] {
    let own = files.ownLayers
    guard let last = own.last else {
      return [
        "there are no words for the language \"\(files.language)\", so the interface is English: "
          + "write them into templates/strings/\(files.language).yml (docs/theming.md)"
      ]
    }
    let translated = Set(own.flatMap { $0.content.section.words.map(\.name) })
    let missing = files.fallbackLayers.flatMap { $0.content.section.words.map(\.name) }
      .filter { !translated.contains($0) }
    var warnings = files.layers.flatMap { $0.content.warnings.map(\.description) }
    if !missing.isEmpty {
      warnings.append(
        "\(last.file): warning: \(missing.count) words are not translated and stay English: "
          + missing.prefix(12).joined(separator: ", ") + (missing.count > 12 ? " …" : ""))
    }
    return warnings
  }

  /// Of words that are not in the first folder: the installed files are known to be used.
  static func places(of files: StringsFiles) -> [String: ConfigProblem] {
    var places: [String: ConfigProblem] = [:]
    let installed = Set(
      files.layers.filter { layer in files.folders.first.map { layer.file.hasPrefix($0 + "/") } ?? false }
        .flatMap { $0.content.section.words.map(\.name) })
    for layer in files.layers {
      for entry in layer.content.section.words where !installed.contains(entry.name) {
        let suggestion = Suggestion.phrase(for: entry.name, among: installed.sorted())
        places[entry.name] = layer.problem(
          "words.\(entry.name)", "no template puts these words in\(suggestion)", .warning)
      }
    }
    return places
  }
}
