import Basics
import SiteOutput

/// The sources of all threads' pages, by the paths of the pages.
///
/// The dictionary contains only indices: half of its storage is unused on average, and a source has about 200 bytes.
struct PageSources: Sendable {
  /// The sources in no particular order.
  private(set) var all: [PageSource] = []
  /// The indices in `all`.
  private var indices: [SitePath: Int32] = [:]

  var count: Int { all.count }

  /// The paths of all pages with their sources, in no particular order.
  var pages: some Sequence<(path: SitePath, source: PageSource)> {
    indices.lazy.map { (path: $0.key, source: all[Int($0.value)]) }
  }

  subscript(path: SitePath) -> PageSource? { indices[path].map { all[Int($0)] } }

  /// Adds the source of a page. If two threads have the same page, only the last one is kept.
  mutating func add(_ source: PageSource, at path: SitePath) {
    if let index = indices[path] {
      all[Int(index)] = source
    } else {
      indices[path] = Int32(all.count)
      all.append(source)
    }
  }

  /// Adds the sources of other pages.
  mutating func add(_ other: PageSources) {
    all.reserveCapacity(all.count + other.count)
    indices.reserveCapacity(all.count + other.count)
    for (path, source) in other.pages where indices[path] == nil { add(source, at: path) }
  }
}
