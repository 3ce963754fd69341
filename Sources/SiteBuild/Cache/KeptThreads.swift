import Basics
import SiteOutput
import SiteWorkspace
import ThreadStore

/// The data of threads for the next build.
struct KeptThreads: Sendable {
  /// The cache entry of each file, with the file's position in the store's listing.
  private var entries: [(position: Int, entry: PreviousBuild.Entry)] = []
  /// The digest of the data about each rendered thread that other threads can show, by its position in the store's listing:
  /// ``BuiltThread/placeDigest(_:)``.
  private(set) var places: [Int: UInt64] = [:]

  /// Adds the entry of a file that was not rendered.
  mutating func add(_ entry: PreviousBuild.Entry, at position: Int) { entries.append((position, entry)) }

  /// Adds the entry of a rendered thread. Without a signature, the next build would not find it.
  mutating func add(rendered entry: PreviousBuild.Entry, at position: Int) {
    places[position] = entry.place
    if entry.signature != nil { add(entry, at: position) }
  }

  mutating func add(_ other: KeptThreads) {
    entries += other.entries
    places.merge(other.places) { first, _ in first }
  }

  /// Returns the state of the threads for the next build.
  ///
  /// - Parameters:
  ///   - sources: the sources of threads' pages.
  ///   - content: the pages and lists of the site.
  ///   - media: the names of the files in the store's media folder that the site shows.
  func state(
    of inputs: LoadedSite, _ sources: [SitePath: PageSource], _ content: SiteContent, media: Set<String>
  ) -> BuildCache.Threads {
    let authors = Dictionary(inputs.writers.ofFiles.map { ($0.file.stem, $0.author) }) { first, _ in first }
    var made: [Int: PreviousBuild.Page] = [:]
    for (path, source) in sources { made[source.position] = content.pages[path] }
    var known: [String: PreviousBuild.Entry] = [:]
    known.reserveCapacity(entries.count)
    for (position, entry) in entries {
      let stem = inputs.files[position].stem
      // A thread of an unknown author is not kept.
      guard let author = authors[stem] else { continue }
      var entry = entry
      entry.author = author
      entry.page = made[position]
      known[stem] = entry
    }
    return BuildCache.Threads(
      entries: known, authors: inputs.writers.seen, media: Array(media), lists: content.lists,
      people: inputs.authors.placeDigest, search: content.search)
  }
}
