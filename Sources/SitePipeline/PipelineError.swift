/// Why a command stopped: its kind, which the exit code tells, and every message that the user should read.
package struct PipelineError: Error, Sendable {
  package enum Kind: Sendable {
    /// site.yml, a theme or a template.
    case configuration
    /// What is in the store or in an imported file.
    case content
    /// Files that cannot be read or written.
    case io
  }

  package let kind: Kind
  /// Each complete: what, where, what to do.
  package let messages: [String]

  package init(_ kind: Kind, _ messages: [String]) {
    self.kind = kind
    self.messages = messages
  }

  package init(_ kind: Kind, _ error: any Error) {
    self.init(kind, ["\(error)"])
  }
}
