import Basics
import SiteOutput
import SiteWorkspace
import ThreadStore

/// The data of threads without pages for the next build. The data of the other threads are in their ``PageSource``.
struct KeptThreads: Sendable {
  /// The cache entry of each file, with the file's position in the store's listing.
  private var entries: [(position: Int, entry: PreviousBuild.Entry)] = []

  /// The data of each thread for other threads, with the file's position in the store's listing.
  var places: some Sequence<(Int, UInt64)> { entries.lazy.map { ($0.position, $0.entry.place) } }

  mutating func add(_ entry: PreviousBuild.Entry, at position: Int) { entries.append((position, entry)) }

  mutating func add(_ other: KeptThreads) { entries += other.entries }

  /// Returns the state of all threads for the next build. It omits threads whose entries have no signature, because the next build could not
  /// use them.
  ///
  /// - Parameters:
  ///   - sources: the sources of threads' pages.
  ///   - content: the pages and lists of the site.
  ///   - media: the names of the files in the store's media folder that the site shows.
  func state(
    of inputs: LoadedSite, _ sources: PageSources, _ content: SiteContent, media: Set<String>
  ) -> BuildCache.Threads {
    let authors = Dictionary(inputs.writers.ofFiles.map { ($0.file.stem, $0.author) }) { first, _ in first }
    var known = ThreadEntries(capacity: entries.count + sources.count)
    func add(_ entry: PreviousBuild.Entry, at position: Int, _ page: PreviousBuild.Page?) {
      let stem = inputs.files[position].stem
      // A thread of an unknown author is not kept.
      guard entry.signature != nil, let author = authors[stem] else { return }
      var entry = entry
      entry.author = author
      entry.page = page
      known[stem] = entry
    }
    for (position, entry) in entries { add(entry, at: position, nil) }
    for (_, source) in sources.pages {
      add(source.entry, at: source.position, content.pages[source.position])
    }
    return BuildCache.Threads(
      entries: known, authors: inputs.writers.seen, media: Array(media), lists: content.lists,
      people: inputs.authors.placeDigest, search: content.search)
  }
}
