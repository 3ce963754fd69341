import Basics
import SearchIndex
import SiteOutput
import ThreadModel
import ThreadStore

/// What the pages of all threads leave behind.
struct WrittenThreads: Sendable {
  var summaries: [ThreadSummary] = []
  /// Where each page came from, to write it, and to render the newest again for the feeds: by path.
  var sources: [SitePath: Source] = [:]
  var mediaFiles: Set<String> = []
  var mediaHosts: Set<String> = []
  /// The authors by their pages.
  var authors: [SitePath: AuthorID] = [:]
  /// When they wrote their posts, by the same.
  var counts: [SitePath: PostCounts] = [:]
  /// What their pages show of them.
  var profiles: [SitePath: AuthorProfile] = [:]
  /// What others may learn of the page of each thread that was rendered, by its position: `BuiltThread.placeDigest`.
  var places: [Int: UInt64] = [:]
  /// What the next build will find of each file.
  var entries: [(position: Int, entry: PreviousBuild.Entry)] = []
  var missingAltTexts = 0
  /// Threads that were rendered, and not taken over from the last build.
  var rendered = 0
  var drafts = 0
  /// Threads that site.yml leaves out of the site.
  var excluded = 0
  /// Files with nothing of their authors', below the store's folder.
  var empty: [String] = []
  /// Entries of site.yml's `threads` that were found in the store.
  var foundEntries: Set<Int> = []
  /// Entries of its `sources` that were.
  var foundSources: Set<Int> = []
  /// Addresses under `same_as` that were found.
  var foundSameThreads: Set<ThreadSelection.SameThread> = []
  /// Threads that have no page of their own, as another is the same.
  var sameThreads: [SameThread] = []
  /// The pages of entries from whose other threads, or other addresses, something leads to them.
  var pagesOfEntries: [Int: SitePath] = [:]
  /// The posts that pages show, where each has an address of its own.
  var statuses: [Status] = []
  /// Hidden posts that are none of their threads'.
  var unknownHidden: Set<ThreadSelection.HiddenPlace> = []
  /// Notes on posts that are not there.
  var unknownNotes: Set<ThreadSelection.UnknownNote> = []
  var permalinks = Permalinks()
  /// The pages of threads that a thread quotes or links to, by its own; few threads do.
  var links: [SitePath: Set<SitePath>] = [:]
  var collected = CollectedThreads([])
  var failures: [Failure] = []
  /// Takes the words of each thread apart.
  var analyzer = SearchAnalyzer()
  /// What else the build goes on without.
  var leftOut: [PipelineError] = []

  /// Small, as there is one for each thread.
  struct Source: Sendable {
    /// Of its file in the store's listing.
    let position: Int
    let isDraft: Bool
    /// What is known of it.
    let entry: PreviousBuild.Entry
    /// Where its page's body waits for what the other threads decide; `nil` for a thread that was taken over from the last build.
    let body: Range<Int>?
    /// Of the signatures of the media that it shows; `nil` where one might change unseen.
    let media: UInt64?
  }

  /// A thread whose page is another thread's.
  struct SameThread: Sendable {
    /// Of its file in the store's listing.
    let position: Int
    /// The address that leads to that page.
    let path: SitePath
    /// The entry of site.yml that says so.
    let entry: Int
  }

  /// A post that a page shows in its own right.
  struct Status: Sendable {
    let post: PostID
    let page: SitePath
    /// Whether the page is that of a thread of the post's author.
    let isOwn: Bool
  }

  /// A thread that could not become a page, with its place in the store for a stable order.
  struct Failure: Sendable {
    let position: Int
    let file: StoredFile
    let error: PipelineError
  }

  mutating func add(_ other: WrittenThreads) {
    summaries += other.summaries
    sources.merge(other.sources) { first, _ in first }
    mediaFiles.formUnion(other.mediaFiles)
    mediaHosts.formUnion(other.mediaHosts)
    authors.merge(other.authors) { first, _ in first }
    counts.merge(other.counts) { one, other in
      var both = one
      both.add(other)
      return both
    }
    places.merge(other.places) { first, _ in first }
    entries += other.entries
    missingAltTexts += other.missingAltTexts
    rendered += other.rendered
    drafts += other.drafts
    excluded += other.excluded
    empty += other.empty
    foundEntries.formUnion(other.foundEntries)
    foundSources.formUnion(other.foundSources)
    foundSameThreads.formUnion(other.foundSameThreads)
    sameThreads += other.sameThreads
    pagesOfEntries.merge(other.pagesOfEntries) { min($0, $1) }
    statuses += other.statuses
    unknownHidden.formUnion(other.unknownHidden)
    unknownNotes.formUnion(other.unknownNotes)
    links.merge(other.links) { $0.union($1) }
    collected.add(other.collected)
    failures += other.failures
  }
}

extension WrittenThreads {
  /// Remembers which parts of site.yml a conversation answers.
  mutating func note(_ answer: ThreadSelection.Answer) {
    foundEntries.formUnion(answer.entries)
    foundSources.formUnion(answer.sources)
    if let same = answer.sameAs { foundSameThreads.insert(same) }
    unknownHidden.formUnion(answer.unknownHidden)
    unknownNotes.formUnion(answer.unknownNotes)
  }
}
