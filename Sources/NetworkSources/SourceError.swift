package import Basics

/// The reason why a request to a network failed or was not possible, or why a file of a network is not imported: the place, the problem,
/// and the solution.
package struct SourceError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Kind: Sendable, Hashable {
    /// No credential is configured, so that no request was made.
    case noCredential
    /// The network does not accept the credential.
    case wrongCredential
    /// The credential does not allow the request.
    case access
    /// The network accepts no more requests for now.
    case quota
    /// The account's credits are used up.
    case creditsDepleted
    /// The account has read as many posts as its plan allows.
    case usageCapped
    /// The next request could exceed the maximum cost of the run.
    case overBudget
    /// The requested content does not exist, or is of a kind that is not fetched.
    case content
    /// The account shows its posts only to its followers.
    case protected
    /// The network has suspended the account.
    case suspended
    /// The network cannot be reached or has a problem.
    case network
    /// No response because of the connection or the time limit.
    case noConnection
    /// The network refuses the request itself.
    case invalidRequest
    /// The response does not come from the network.
    case invalidAnswer
    /// The user stopped the run.
    case interrupted
    /// A file cannot be read or written.
    case file
  }

  package var kind: Kind
  /// The problem and its solution, in complete sentences, without any credential.
  package var message: String
  /// The request, or the file with line and column: `X, GET /2/tweets`; `nil` if it is in the message.
  package var place: String?

  package init(_ kind: Kind, _ message: String, at place: String? = nil) {
    self.kind = kind
    self.message = message
    self.place = place
  }

  /// The whole message: `place: error: message`.
  package var description: String { "\(place.map { "\($0): " } ?? "")error: \(Self.continuing(message))" }

  /// Words at the beginning of messages that are not names, so that they are in lower case after `error: `.
  private static let openings: Set<String> = [
    "A", "An", "Fetching", "It", "No", "Only", "Post", "That", "The", "There", "This", "What",
  ]

  private static func continuing(_ message: String) -> String {
    guard let word = message.split(separator: " ", maxSplits: 1).first, openings.contains(String(word)) else {
      return message
    }
    return word.lowercased() + message.dropFirst(word.count)
  }

  /// Whether all further requests to the network in this run would also fail.
  package var endsRun: Bool {
    switch kind {
    case .wrongCredential, .creditsDepleted, .usageCapped, .overBudget, .interrupted, .file: true
    default: false
    }
  }

  /// Whether requests to other networks are not possible either.
  package var stopsAll: Bool { kind == .interrupted || kind == .file }

  /// The error of a run that the user stopped.
  package static var stopped: SourceError { SourceError(.interrupted, "It was stopped.") }
}

extension SourceError {
  /// Creates the error for a file that cannot be read or written.
  package init(_ error: FileError) {
    self.init(error.isAboutTheFile ? .content : .file, error.message, at: error.shownPath)
  }

  /// Creates the error for a file that is not JSON.
  package init(_ error: JSONError, in file: String) {
    self.init(.content, error.message, at: "\(file):\(error.line):\(error.column)")
  }

  /// Creates the error for content of an export that is not imported, because genuine exports do not contain it, or because it must not be
  /// imported.
  ///
  /// - Parameters:
  ///   - export: the path of the export, a file or folder, as the user specified it.
  ///   - entry: the path of the file in the export that causes the error; `nil` if it is the export itself.
  ///   - reason: the problem, and its solution.
  package init(export: String, _ entry: String?, _ reason: String) {
    self.init(.content, reason, at: entry.map { "\(export)/\($0)" } ?? export)
  }

  /// Creates the error for an export that is not imported.
  package init(export: String, _ reason: String) { self.init(.content, reason, at: export) }

  /// Creates the error for an account that was given for an export that names its account.
  package init(namesItsAccount export: String) {
    self.init(
      export: export, "names its account: import it without --account (in site.yml, without `by`)")
  }

  /// Creates the error for a damaged file of an export.
  ///
  /// - Parameter reason: libarchive's message, or this program's.
  package init(export: String, _ entry: String? = nil, damaged reason: String) {
    self.init(
      export: export, entry, "the file is damaged or incomplete (\(reason)): download the archive again")
  }
}
