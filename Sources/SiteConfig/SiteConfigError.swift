/// A site.yml which cannot be used: everything that is wrong with it at once, in the order of its lines,
/// with the warnings that were found on the way.
package struct SiteConfigError: Error, Sendable, Equatable, CustomStringConvertible {
  package let problems: [ConfigProblem]

  package init(problems: [ConfigProblem]) {
    self.problems = problems
  }

  /// All problems, one after the other.
  package var description: String {
    problems.map(\.description).joined(separator: "\n")
  }
}

/// What is wrong with one value, as a sentence, before it is known where the value stands.
///
/// In a site.yml it becomes a ``ConfigProblem``; a command-line option reports it under its own name.
package struct InvalidValue: Error, Sendable, Equatable, CustomStringConvertible {
  package let message: String

  package init(_ message: String) {
    self.message = message
  }

  package var description: String { message }
}
