import Basics
import SiteOutput

/// The sources of all threads' pages, by the paths of the pages.
struct PageSources: Sendable {
  private var chunks = Chunks<PageSource>()
  /// The indices in `chunks`. The dictionary does not contain the sources, because a source has about 200 bytes, and half of a dictionary's
  /// storage may be unused.
  private var indices: [SitePath: UInt32] = [:]

  var count: Int { indices.count }

  /// The paths of all pages with their sources, in no particular order.
  var pages: some Sequence<(path: SitePath, source: PageSource)> {
    indices.lazy.map { (path: $0.key, source: chunks[$0.value]) }
  }

  subscript(path: SitePath) -> PageSource? { indices[path].map { chunks[$0] } }

  /// Adds the source of a page. If two threads have the same page, only the last one is kept.
  mutating func add(_ source: PageSource, at path: SitePath) {
    if let index = indices[path] {
      chunks.replace(index, with: source)
    } else {
      indices[path] = chunks.append(source)
    }
  }

  /// Adds the sources of other pages.
  mutating func add(_ other: PageSources) {
    let shift = chunks.append(other.chunks)
    indices.merge(other.indices.lazy.map { ($0.key, $0.value + shift) }) { first, _ in first }
  }
}
