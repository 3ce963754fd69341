import Basics
import ExportFormats
import NetworkSources
import SiteConfig
import SiteOutput
import ThreadStore

/// Why a command stopped: its kind, which the exit code tells, and every message that the user should read.
package struct PipelineError: Error, Sendable {
  package enum Kind: Sendable {
    /// site.yml, a theme or a template.
    case configuration
    /// What is in the store or in an imported file.
    case content
    /// Files that cannot be read or written.
    case io
    /// A network that cannot be reached, or does not answer as it should.
    case network
    /// A credential that is missing, wrong, or does not allow what was asked.
    case access
    /// What may be asked or spent is used up.
    case quota
    /// The user stopped it.
    case interrupted
  }

  package let kind: Kind
  /// Each complete: what, where, what to do.
  package let messages: [String]
  /// Whether there is simply no credential, and nothing was asked.
  package var isMissingCredential = false
  /// Whether one thread is to blame, so that the rest of a site can be built without it.
  package var isOfOneThread = false

  package init(_ kind: Kind, _ messages: [String]) {
    self.kind = kind
    self.messages = messages
  }

  /// The same, as the fault of one thread.
  var ofOneThread: PipelineError {
    var error = self
    error.isOfOneThread = true
    return error
  }

  package init(_ kind: Kind, _ error: any Error) {
    self.init(kind, ["\(error)"])
  }

  /// Several at once, of the first one's kind; what they have in common, as when one broken template fails every thread, is
  /// said once.
  init(_ errors: [PipelineError]) {
    var seen: Set<String> = []
    self.init(errors.first?.kind ?? .content, errors.flatMap(\.messages).filter { seen.insert($0).inserted })
  }
}

extension PipelineError {
  /// The one of several failures that the exit code should tell: what stopped everything, before what stopped one thread.
  package static func worst(_ failures: [PipelineError]) -> PipelineError? {
    let order: [Kind] = [.interrupted, .io, .access, .quota, .network, .configuration, .content]
    return failures.min { (order.firstIndex(of: $0.kind) ?? 0) < (order.firstIndex(of: $1.kind) ?? 0) }
  }

  /// What a theme or the disk made impossible.
  init(_ error: SiteOutputError) {
    switch error {
    case .template, .badTheme, .badDescription, .noTheme, .unsafeOutput:
      self.init(.configuration, [error.description])
    case .badPermalinks, .samePage, .takenPage, .writtenTwice, .alikePaths:
      self.init(.content, [error.description])
    case .file(let file): self.init(file, about: .configuration)
    case .notOurs, .busy, .unfinished, .halfInPlace: self.init(.io, [error.description])
    }
  }

  /// What is wrong with a file of the store, or with the disk that it is on.
  init(_ error: ThreadStoreError) {
    if case .file(let file) = error {
      self.init(file, about: .content)
    } else {
      self.init(.content, [error.description])
    }
  }

  /// What stopped an export.
  init(_ error: ExportFormatError) {
    switch error {
    case .file(let file): self.init(file, about: .io)
    case .compression, .database, .changed, .notes: self.init(.io, [error.description])
    case .tooLarge: self.init(.content, [error.description])
    }
  }

  /// - Parameter kind: what the file is, where what stands there is to blame and not the disk.
  init(_ error: FileError, about kind: Kind) {
    self.init(error.isAboutTheFile ? kind : .io, [error.description])
  }
}

extension PipelineError {
  /// Why a network was not asked, or did not answer.
  init(_ error: SourceError) {
    let kind: Kind =
      switch error.kind {
      case .access: .access
      case .quota: .quota
      case .content: .content
      case .network: .network
      case .interrupted: .interrupted
      case .file: .io
      }
    self.init(kind, [error.description])
    isMissingCredential = error.isMissingCredential
  }

  /// Why a task was not carried out, or not to its end, with the line of site.yml that asks for it.
  init(_ error: SourceError, task: FetchTask, in site: SiteFolder) {
    let plain = PipelineError(error)
    // What stops everything is no one task's fault, and is said once.
    guard !error.endsTheRun else {
      self = plain
      return
    }
    guard let decoded = site.decoded, let entry = task.entry else {
      self.init(plain.kind, plain.messages.map { "\(task.name): \($0)" })
      return
    }
    self.init(
      plain.kind, [decoded.problem(at: "sources[\(entry)]", error.message, severity: .error).description])
  }
}

extension Result where Failure == PipelineError {
  /// The error of a failure.
  var problem: PipelineError? { if case .failure(let error) = self { error } else { nil } }
}
