import Basics
import Foundation
package import SitePipeline
import Synchronization

/// One build for the preview.
package struct PreviewBuild: Sendable {
  package let result: Result<BuildSummary, PipelineError>
  /// Where the site stands on its host; begins and ends with a slash.
  package let basePath: String
  /// What it was made from, whether or not it was made.
  package let inputs: [WatchedPath]

  package init(
    _ result: Result<BuildSummary, PipelineError>, basePath: String, inputs: [WatchedPath]
  ) {
    self.result = result
    self.basePath = basePath
    self.inputs = inputs
  }
}

/// Builds, shows, waits for a change, and builds again, until its task is cancelled.
package struct PreviewSession: Sendable {
  /// What there is to tell the user.
  package enum Event: Sendable {
    /// A build begins, because of changes in these files; none for the first.
    case building([String])
    case built(BuildSummary, changed: [String], seconds: Double)
    case failed(PipelineError, changed: [String])
    /// How it watches, where that is not as it should be.
    case watching(String)
  }

  private let server: PreviewServer
  private let polls: Bool
  private let build: @Sendable () -> PreviewBuild
  private let report: @Sendable (Event) -> Void

  /// - Parameters:
  ///   - polls: whether files are looked at again and again even where the system would tell of changes.
  ///   - build: builds the site as it is now. Called on a thread of its own, never twice at once.
  ///   - report: takes what there is to tell, from that thread.
  package init(
    server: PreviewServer, polls: Bool, build: @escaping @Sendable () -> PreviewBuild,
    report: @escaping @Sendable (Event) -> Void
  ) {
    self.server = server
    self.polls = polls
    self.build = build
    self.report = report
  }

  /// Returns when the task is cancelled, and what was being built is built, or after two seconds of waiting for that.
  package func run(_ inputs: [WatchedPath]) async {
    let isEnded = Flag()
    let (ending, end) = AsyncStream.makeStream(of: Void.self)
    let thread = Thread { [self] in
      follow(inputs, while: { !isEnded.isSet })
      end.finish()
    }
    // Builds ran on threads of this size before (the main thread's): templates and Markdown nest.
    thread.stackSize = 8 << 20
    thread.start()
    for await _ in ending {}
    isEnded.set()
    // Not this task, which is cancelled.
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
    // Before the first build, so that what changes during it is noticed.
    watcher.watch(inputs)
    var changed: [String] = []
    var isBuilt = true
    repeat {
      report(.building(changed))
      let start = ContinuousClock.now
      let build = build()
      watcher.watch(build.inputs)
      switch build.result {
      case .success(let summary):
        // After a build that failed, who knows what else has changed since the one before.
        let onlyStyles = isBuilt && !changed.isEmpty && changed.allSatisfy { $0.hasByteSuffix(".css") }
        server.update {
          $0.show(output: summary.output, basePath: build.basePath, onlyStylesChanged: onlyStyles)
        }
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
