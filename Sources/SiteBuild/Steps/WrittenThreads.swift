import Basics
import SiteOutput
import SiteWorkspace
import ThreadModel
import ThreadStore

/// The results of ``RenderStep`` for the later steps, besides the data for the index.
struct WrittenThreads: Sendable {
  var sources = PageSources()
  /// The authors by their pages.
  var authors: [SitePath: AuthorID] = [:]
  var media = PageMedia()
  var found = FoundEntries()
  var targets = RedirectTargets()
  var collected: CollectedThreads
  var kept = KeptThreads()
  var figures = Figures()
  /// Errors in data other than threads that a build which keeps going leaves out.
  var leftOut: [PipelineError] = []

  /// The numbers of threads.
  struct Figures: Sendable {
    /// The number of threads that were rendered, and not reused from the last build.
    var rendered = 0
    /// The number of threads that other processes rendered.
    var fromShards = 0
    var drafts = 0
    /// The number of threads that site.yml leaves out of the site.
    var excluded = 0
    /// Files that contain no post of the thread's author, relative to the store's folder.
    var empty: [String] = []

    mutating func add(_ other: Figures) {
      rendered += other.rendered
      fromShards += other.fromShards
      drafts += other.drafts
      excluded += other.excluded
      empty += other.empty
    }
  }

  init(collected: CollectedThreads) { self.collected = collected }

  mutating func add(_ other: WrittenThreads) {
    sources.add(other.sources)
    authors.merge(other.authors) { first, _ in first }
    media.add(other.media)
    found.add(other.found)
    targets.add(other.targets)
    collected.add(other.collected)
    kept.add(other.kept)
    figures.add(other.figures)
  }

  /// Returns the URLs of all threads, and the former URLs of those that move.
  func permalinks(of inputs: LoadedSite) -> Permalinks {
    var permalinks = Permalinks()
    // A published draft, built with `--drafts`, gets no permanent URL, because its title may still change.
    for (path, source) in sources.pages where !source.isDraft {
      let stem = inputs.files[source.position].stem
      if let old = inputs.permalinks[stem], old != path {
        permalinks.move(stem, from: old, to: path)
      } else {
        permalinks[stem] = path
      }
    }
    for thread in targets.sameThreads where targets.page(of: thread) != nil {
      permalinks[inputs.files[thread.position].stem] = thread.path
    }
    return permalinks
  }
}
