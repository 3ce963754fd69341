/// Why a thread could not be written as Markdown: a template's mistake, but for a thread that is too long.
package enum ThreadMarkdownError: Error, Equatable, CustomStringConvertible {
  /// A component has no template; every set must hold all of `ThreadComponents.templateNames`.
  case missingTemplate(String)
  /// A template could not be rendered, in the template engine's words.
  case template(String)
  /// More than `ThreadDocument.maximumLength` came of it.
  case tooLong

  package var description: String {
    switch self {
    case .missingTemplate(let name):
      "The template “\(name)” is missing: every component needs one, so put templates/\(name).mustache back."
    case .template(let message):
      message
    case .tooLong:
      "The document has more than \(ThreadDocument.maximumLength) bytes, the most that is rendered."
    }
  }
}
