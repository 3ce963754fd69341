import SiteConfig
import SiteWorkspace

/// Errors and warnings with their places in site.yml.
extension SiteFolder {
  func error(
    at keyPath: String, _ text: String, _ kind: PipelineError.Kind = .configuration
  ) -> PipelineError {
    PipelineError(kind, [configProblem(keyPath, text)])
  }

  func warning(at keyPath: String, _ text: String) -> ProgressEvent {
    .warning(configProblem(keyPath, text, severity: .warning))
  }
}
