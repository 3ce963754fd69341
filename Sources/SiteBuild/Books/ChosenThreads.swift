import Basics
package import SiteConfig
package import SiteOutput
package import SiteWorkspace
import Templates
package import ThreadModel
package import ThreadStore

/// The threads of an export, in order.
package struct ChosenThreads: Sendable {
  package struct Thread: Sendable {
    package let file: StoredFile
    package let settings: ThreadSelection.Settings
    package let summary: ThreadSummary
    /// The thread's position in a collection.
    package let place: Int?

    package init(file: StoredFile, settings: ThreadSelection.Settings, summary: ThreadSummary, place: Int?) {
      self.file = file
      self.settings = settings
      self.summary = summary
      self.place = place
    }
  }

  /// In the collection's order; otherwise oldest first, with threads without a date last.
  package var threads: [Thread] = []
  /// The requested collection.
  package var collection: SiteConfig.Collection?
  /// The requested author.
  package var author: Author?
  /// Whether a single thread was requested.
  package var isSingle = false
  /// Pages that redirect to another thread's page (`same_as`), by their own paths.
  package var samePages: [SitePath: SitePath] = [:]
  /// The errors of threads that could not be read.
  package var failures: [PipelineError] = []

  package init() {}

  /// Whether a thread comes before another one: in the collection's order, otherwise oldest first, with threads without a date last.
  package static func isBefore(_ one: Thread, _ other: Thread) -> Bool {
    if let place = one.place, let otherPlace = other.place, place != otherPlace { return place < otherPlace }
    guard (one.summary.published == nil) == (other.summary.published == nil) else {
      return one.summary.published != nil
    }
    return ThreadSummary.isNewer(other.summary, one.summary)
  }
}
