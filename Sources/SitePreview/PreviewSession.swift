import Basics
import Foundation
package import SiteBuild
package import SiteWorkspace
import Synchronization

/// The result of one build for the preview.
package struct PreviewBuild: Sendable {
  package let result: Result<BuildSummary, PipelineError>
  /// The path of the site on its host; begins and ends with a slash.
  package let basePath: String
  /// The files and folders from which the site is made, whether or not the build succeeded.
  package let inputs: [WatchedPath]
}

/// Builds the site, serves it, waits for a change, and builds again, until the task is canceled.
package struct PreviewSession: Sendable {
  /// A message to the user.
  package enum Event: Sendable {
    /// A build begins, because these files changed; empty for the first build.
    case building([String])
    case built(BuildSummary, changed: [String], seconds: Double)
    case failed(PipelineError, changed: [String])
    /// A problem with watching files.
    case watching(String)
  }

  /// Builds the site after changes of files; `nil` for the first build.
  package typealias Build =
    @Sendable (
      _ changed: [String]?, _ whenInPlace: (BuildSummary, _ basePath: String) -> Void
    ) -> PreviewBuild

  private let server: PreviewServer
  private let polls: Bool
  private let build: Build
  private let report: @Sendable (Event) -> Void

  /// - Parameters:
  ///   - polls: whether to compare files repeatedly even if the system can report changes.
  ///   - build: builds the site in its current state. Called on a separate thread, never twice at the same time. It calls its last argument as
  ///     soon as a changed site is in place.
  ///   - report: receives the events, on that thread.
  package init(
    server: PreviewServer, polls: Bool,
    build: @escaping Build,
    report: @escaping @Sendable (Event) -> Void
  ) {
    self.server = server
    self.polls = polls
    self.build = build
    self.report = report
  }

  /// Runs until the task is canceled. Then waits for the end of the current build, but at most two seconds.
  package func run(_ inputs: [WatchedPath]) async {
    let isEnded = Flag()
    let (ending, end) = AsyncStream.makeStream(of: Void.self)
    let thread = Thread { [self] in
      follow(inputs, while: { !isEnded.isSet })
      end.finish()
    }
    // The stack size of the main thread, on which builds usually run. Nested templates and Markdown may need a deep stack.
    thread.stackSize = 8 << 20
    thread.start()
    for await _ in ending {}
    isEnded.set()
    // In a separate task, because this task is canceled.
    await Task.detached {
      let patience = ContinuousClock.now.advanced(by: .seconds(2))
      while thread.isExecuting, ContinuousClock.now < patience {
        guard (try? await Task.sleep(for: .milliseconds(10))) != nil else { return }
      }
    }.value
  }

  private final class Flag: Sendable {
    private let value = Atomic(false)
    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
  }

  private func follow(_ inputs: [WatchedPath], while goesOn: () -> Bool) {
    var watcher = FileWatcher(polls: polls) { report(.watching($0)) }
    // Before the first build, so that changes during the build are detected.
    watcher.watch(inputs)
    var changed: [String] = []
    var isBuilt = true
    repeat {
      report(.building(changed))
      let start = ContinuousClock.now
      // After a failed build, other files may have changed since the last successful one.
      let onlyStyles = isBuilt && !changed.isEmpty && changed.allSatisfy { $0.hasByteSuffix(".css") }
      var isShown = false
      func show(_ summary: BuildSummary, _ basePath: String) {
        // If a build shows the site a second time, it has found other changes after it replaced the style sheets.
        let onlyStylesChanged = onlyStyles && !isShown
        isShown = true
        server.update {
          $0.show(output: summary.output, basePath: basePath, onlyStylesChanged: onlyStylesChanged)
        }
      }
      let build = build(changed.isEmpty ? nil : changed, show)
      watcher.watch(build.inputs)
      switch build.result {
      case .success(let summary):
        if !isShown { show(summary, build.basePath) }
        report(.built(summary, changed: changed, seconds: (ContinuousClock.now - start) / .seconds(1)))
        isBuilt = true
      case .failure(let error):
        server.update { $0.show(messages: error.messages) }
        report(.failed(error, changed: changed))
        isBuilt = false
      }
      changed = watcher.changes(while: goesOn)
    } while !changed.isEmpty
  }
}
