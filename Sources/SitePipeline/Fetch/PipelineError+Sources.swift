import NetworkSources
import SiteConfig

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
