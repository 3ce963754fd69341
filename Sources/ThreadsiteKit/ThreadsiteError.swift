import SiteWorkspace
import ThreadStore

/// An error with a description for people: the problems, their places, and the solutions.
public struct ThreadsiteError: Error, CustomStringConvertible {
  /// The cause of an error.
  public enum Kind: String, Sendable, CaseIterable {
    /// `site.yml`, a theme, a template or a strings file is invalid or missing.
    case configuration
    /// A thread of the store or a saved response is invalid.
    case content
    /// A file or folder could not be read or written.
    case file
  }

  /// One problem, with its place if it has one.
  public struct Problem: Sendable, Hashable {
    /// The path of the file, as the caller specified it; `nil` if the problem concerns no file.
    public let file: String?
    /// The line, from 1; `nil` if the problem concerns the whole file.
    public let line: Int?
    /// The column in Unicode scalars, from 1.
    public let column: Int?
    /// The problem and its solution, without the place.
    public let message: String

    /// Creates the problem from the first line of a message, such as `site.yml:12:5: error: unknown key "titel"`; `nil` for any other line.
    init?(line text: Substring) {
      guard let match = text.wholeMatch(of: /(?:(.+?)(?::([0-9]+))?(?::([0-9]+))?: )?error: (.*)/) else {
        return nil
      }
      file = match.1.map(String.init)
      line = match.2.flatMap { Int($0) }
      column = match.3.flatMap { Int($0) }
      message = String(match.4)
    }

    /// Creates a problem without a place.
    init(message: String) {
      (file, line, column) = (nil, nil, nil)
      self.message = message
    }

    /// Returns the problems in a message, which may contain several: each has its own line, often followed by a line of the file and a line
    /// with a caret.
    static func all(in message: String) -> [Problem] {
      let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
      var problems: [Problem] = []
      var index = 0
      while index < lines.count {
        let problem = Problem(line: lines[index])
        if let problem { problems.append(problem) }
        let hasExcerpt = index + 2 < lines.count && lines[index + 2].allSatisfy { $0 == " " || $0 == "^" }
        index += problem != nil && hasExcerpt ? 3 : 1
      }
      return problems.isEmpty ? [Problem(message: String(lines[0]))] : problems
    }
  }

  public let kind: Kind
  /// All problems, in the order of the description.
  public let problems: [Problem]
  /// The complete messages, one after the other. Messages about a line of a file include the line.
  public let description: String

  /// - Parameter messages: complete messages with their places.
  init(_ kind: Kind, _ messages: [String]) {
    self.kind = kind
    problems = messages.flatMap(Problem.all)
    description = messages.joined(separator: "\n")
  }

  init(_ kind: Kind, _ error: any Error) { self.init(kind, ["\(error)"]) }

  init(_ error: ThreadStoreError) {
    switch error {
    case .file, .symbolicLink: self.init(.file, ["\(error)"])
    default: self.init(.content, ["\(error)"])
    }
  }

  init(_ error: PipelineError) {
    switch error.kind {
    case .configuration: self.init(.configuration, error.messages)
    case .io: self.init(.file, error.messages)
    default: self.init(.content, error.messages)
    }
  }
}
