import ArgumentParser
import Basics
import Foundation
import SiteWorkspace

/// The questions that `threadsite init` asks on a terminal. Return chooses the default of each.
struct InitDialog {
  private let installation: Installation?
  private let console: Console

  init(_ installation: Installation?, _ console: Console) {
    self.installation = installation
    self.console = console
  }

  /// Whether a person can answer. CI systems may provide a terminal without a person.
  static var canAsk: Bool {
    let ci = Machine.environment["CI"] ?? ""
    return Terminal.canAsk && (ci.isEmpty || ci == "false")
  }

  /// The answers.
  struct Answers {
    var choices = NewSite.Choices()
    var source: InitSource?
    var wantsSample = false
  }

  /// - Throws: an error if the input ends before the last answer.
  func ask() throws -> Answers {
    var answers = Answers()
    console.inform(
      "Return chooses the default in brackets. Ctrl-C stops; nothing is created before the last answer.")
    try ask("Threads: a URL of a thread or an account, an archive, or \"sample\" [none]:") { text in
      if text == "sample" || text == "\"sample\"" {
        answers.wantsSample = true
      } else if !text.isEmpty, text != "none" {
        answers.source = try InitSource(text)
      }
    }
    var choices = answers.choices
    choices.language = defaultLanguage
    try choose("Title", \.title, &choices)
    try choose("Language", \.language, &choices, among: installation.map(NewSite.languages))
    try choose("Theme", \.theme, &choices, among: installation.map(NewSite.themes))
    answers.choices = choices
    return answers
  }

  private func choose(
    _ name: String, _ key: WritableKeyPath<NewSite.Choices, String>, _ choices: inout NewSite.Choices,
    among values: [String]? = nil
  ) throws {
    let known = choices[keyPath: key]
    let list = (values ?? []).isEmpty ? "" : " (\((values ?? []).joined(separator: ", ")))"
    var chosen = choices
    try ask("\(name)\(list) [\(known)]:") { text in
      chosen[keyPath: key] = text.isEmpty ? known : text
      if let problem = NewSite.problem(with: chosen, installation: installation) {
        throw ValidationError(problem.message)
      }
    }
    choices = chosen
  }

  /// Asks until the answer is valid.
  private func ask(_ question: String, _ use: (String) throws -> Void) throws {
    while true {
      guard let text = Terminal.answer(question) else {
        throw PipelineError(.interrupted, ["error: the input ended, so no site was created."])
      }
      do {
        return try use(text)
      } catch let error as ValidationError {
        console.inform("error: \(error.message)")
      }
    }
  }

  /// The language of the terminal, if the interface is translated to it.
  private var defaultLanguage: String {
    let environment = Machine.environment
    let locale =
      ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    let language = locale.prefix { $0 != "_" && $0 != "." && $0 != "@" }
    guard let known = installation.map(NewSite.languages), known.contains(String(language)) else {
      return "en"
    }
    return String(language)
  }
}
