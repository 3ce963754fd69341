package import Basics
package import NetworkSources
import SiteConfig
package import SiteOutput
package import ThreadStore

/// The error that stopped a command: its kind, which determines the exit code, and all messages for the user.
package struct PipelineError: Error, Sendable {
  package enum Kind: Sendable {
    /// An error in site.yml, a theme or a template.
    case configuration
    /// An error in the contents of the store or of an imported file.
    case content
    /// Files cannot be read or written.
    case io
    /// A network cannot be reached, or its responses are invalid.
    case network
    /// A credential is missing, wrong, or insufficient for the request.
    case access
    /// A limit on requests or spending is reached.
    case quota
    /// The user stopped the command.
    case interrupted
  }

  package let kind: Kind
  /// Complete messages: the problem, its place, and the solution.
  package let messages: [String]
  /// Whether the only problem is a missing credential, and no requests were made.
  package var isMissingCredential = false
  /// Whether the error concerns a single thread, so that the rest of a site can be built without it.
  package var isOfOneThread = false

  package init(_ kind: Kind, _ messages: [String]) {
    self.kind = kind
    self.messages = messages
  }

  /// The same error, marked as concerning a single thread.
  package var ofOneThread: PipelineError {
    var error = self
    error.isOfOneThread = true
    return error
  }

  package init(_ kind: Kind, _ error: any Error) {
    self.init(kind, ["\(error)"])
  }

  /// Combines several errors, with the first one's kind. Repeated messages, for example if one broken template affects every thread, are
  /// included once.
  package init(_ errors: [PipelineError]) {
    var seen: Set<String> = []
    self.init(errors.first?.kind ?? .content, errors.flatMap(\.messages).filter { seen.insert($0).inserted })
  }
}

extension PipelineError {
  /// Returns the failure that determines the exit code. Failures that stop everything take precedence over failures of one thread.
  package static func worst(_ failures: [PipelineError]) -> PipelineError? {
    let order: [Kind] = [.interrupted, .io, .access, .quota, .network, .configuration, .content]
    return failures.min { (order.firstIndex(of: $0.kind) ?? 0) < (order.firstIndex(of: $1.kind) ?? 0) }
  }

  /// Converts an error of a theme or of the output.
  package init(_ error: SiteOutputError) {
    switch error {
    case .template, .badTheme, .badDescription, .noTheme, .unsafeOutput:
      self.init(.configuration, [error.description])
    case .badPermalinks, .samePage, .takenPage, .writtenTwice, .alikePaths:
      self.init(.content, [error.description])
    case .file(let file): self.init(file, about: .configuration)
    case .notOurs, .busy, .unfinished, .halfInPlace: self.init(.io, [error.description])
    }
  }

  /// Converts an error in a file of the store, or of its disk.
  package init(_ error: ThreadStoreError) {
    if case .file(let file) = error {
      self.init(file, about: .content)
    } else {
      self.init(.content, [error.description])
    }
  }

  /// - Parameter kind: the kind to use if the file's contents, and not the disk, cause the error.
  package init(_ error: FileError, about kind: Kind) {
    self.init(error.isAboutTheFile ? kind : .io, [error.description])
  }
}

extension PipelineError {
  /// Converts an error of work that throws several kinds of errors.
  ///
  /// - Parameters:
  ///   - kind: the kind to use if the contents of a file, and not the disk, cause the error.
  ///   - file: the file of JSON that was read.
  ///   - advice: added to an error in this file.
  package init(
    converting error: any Error, about kind: Kind = .content, in file: String? = nil, advice: String = ""
  ) {
    switch error {
    case let error as PipelineError: self = error
    case let error as ThreadStoreError: self.init(error)
    case let error as SiteOutputError: self.init(error)
    case let error as SourceError: self.init(error)
    case let error as SiteConfigError: self.init(.configuration, error)
    case let error as FileError: self.init(error, about: kind)
    case let error as JSONError:
      self.init(.content, [(file.map { error.description(file: $0) } ?? error.description) + advice])
    default: self.init(.io, error)
    }
  }
}

/// Does work on files, and converts its errors.
///
/// - Parameter kind: the kind of an error that the contents of a file, and not the disk, cause.
package func withFiles<Value: ~Copyable>(
  about kind: PipelineError.Kind, _ work: () throws(FileError) -> Value
) throws(PipelineError) -> Value {
  do {
    return try work()
  } catch {
    throw PipelineError(error, about: kind)
  }
}

/// Does work on a store, and converts its errors.
package func withStore<Value>(_ work: () throws(ThreadStoreError) -> Value) throws(PipelineError) -> Value {
  do {
    return try work()
  } catch {
    throw PipelineError(error)
  }
}

extension PipelineError {
  /// Converts an error of a network.
  package init(_ error: SourceError) {
    let kind: Kind =
      switch error.kind {
      case .noCredential, .wrongCredential, .access: .access
      case .quota, .creditsDepleted, .usageCapped, .overBudget: .quota
      case .content, .protected, .suspended: .content
      case .network, .noConnection, .invalidRequest, .invalidAnswer: .network
      case .interrupted: .interrupted
      case .file: .io
      }
    self.init(kind, [error.description])
    isMissingCredential = error.kind == .noCredential
  }
}

extension Result where Failure == PipelineError {
  /// The error of a failure.
  package var problem: PipelineError? { if case .failure(let error) = self { error } else { nil } }
}
