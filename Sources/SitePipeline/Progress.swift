package import NetworkSources

/// What a long command is doing, for whoever shows it.
package enum ProgressEvent: Sendable {
  /// So many of so many things of this step are done: "Rendering threads", 120 of 10,000.
  case step(String, done: Int, total: Int)
  /// Nothing goes on for so many seconds, and why; said once a second.
  case waiting(String, secondsLeft: Int)
  /// What a network was asked and has cost so far, while a fetch goes on.
  case spent(SourceUsage)
  /// Something that the user should know and that stops nothing.
  case warning(String)
  /// Detail for those who ask for it.
  case note(String)
}

/// Takes progress from any thread.
package typealias ProgressHandler = @Sendable (ProgressEvent) -> Void
