import SiteConfig
import XNetwork

extension PipelineError {
  /// Why X was not asked, or did not answer.
  init(_ error: XClientError) {
    let kind: Kind =
      switch error.kind {
      case .noCredential, .wrongCredential, .noAccess: .access
      case .creditsDepleted, .usageCapped, .rateLimited, .overBudget: .quota
      case .notFound, .protected, .suspended, .repost: .content
      case .invalidRequest, .serverTrouble, .invalidAnswer, .noConnection: .network
      case .cancelled: .interrupted
      case .file: .io
      }
    self.init(kind, [error.description])
    isMissingCredential = error.kind == .noCredential
  }
}

extension XClientError.Kind {
  /// Whether nothing else that would be asked in this run could fare better.
  var endsTheRun: Bool {
    switch self {
    case .noCredential, .wrongCredential, .creditsDepleted, .usageCapped, .overBudget, .cancelled, .file: true
    case .noAccess, .rateLimited, .notFound, .protected, .suspended, .repost, .invalidRequest, .serverTrouble,
      .invalidAnswer,
      .noConnection:
      false
    }
  }
}

extension PipelineError {
  /// Why a task was not carried out, or not to its end, with the line of site.yml that asks for it.
  init(_ error: XClientError, task: FetchTask, in site: SiteFolder) {
    let plain = PipelineError(error)
    // What stops everything is no one task's fault, and is said once.
    guard !error.kind.endsTheRun, let decoded = site.decoded, let entry = task.entry else {
      let messages = error.kind.endsTheRun ? plain.messages : plain.messages.map { "\(task.name): \($0)" }
      self.init(plain.kind, messages)
      return
    }
    self.init(
      plain.kind, [decoded.problem(at: "sources[\(entry)]", error.message, severity: .error).description])
  }
}
