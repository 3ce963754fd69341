import Basics
import SearchIndex
import SiteOutput
import SiteWorkspace
import ThreadModel
import ThreadStore

/// The data that a build collects from all threads, for the steps that follow.
struct WrittenThreads: Sendable {
  var summaries: [ThreadSummary] = []
  /// The source of each page by its path, for writing the page, and for rendering the newest threads again for the feeds.
  var sources: [SitePath: Source] = [:]
  var mediaFiles: Set<String> = []
  var mediaHosts: Set<String> = []
  /// The authors by their pages.
  var authors: [SitePath: AuthorID] = [:]
  /// The counts of the authors' posts by time, by the paths of the authors' pages.
  var counts: [SitePath: PostCounts] = [:]
  /// The profiles that the authors' pages show, by the paths of these pages.
  var profiles: [SitePath: AuthorProfile] = [:]
  /// The digest of the data about each rendered thread that other threads can show, by its position in the store's listing:
  /// `BuiltThread.placeDigest`.
  var places: [Int: UInt64] = [:]
  /// The cache entry of each file for the next build, with the file's position in the store's listing.
  var entries: [(position: Int, entry: PreviousBuild.Entry)] = []
  var missingAltTexts = 0
  /// The number of threads that were rendered, and not reused from the last build.
  var rendered = 0
  /// The number of threads that other processes rendered.
  var fromShards = 0
  var drafts = 0
  /// The number of threads that site.yml leaves out of the site.
  var excluded = 0
  /// Files that contain no post of the thread's author, relative to the store's folder.
  var empty: [String] = []
  /// The indices of entries of site.yml's `threads` that were found in the store.
  var foundEntries: Set<Int> = []
  /// The indices of entries of site.yml's `sources` that were found in the store.
  var foundSources: Set<Int> = []
  /// URLs under `same_as` that were found.
  var foundSameThreads: Set<ThreadSelection.SameThread> = []
  /// Threads without a page of their own, because site.yml lists them as the same as another thread.
  var sameThreads: [SameThread] = []
  /// The pages of entries of site.yml that need redirects from other threads or URLs, by the index of the entry.
  var pagesOfEntries: [Int: SitePath] = [:]
  /// The posts that pages show, if the site has a URL for each post.
  var statuses: [Status] = []
  /// The places in site.yml of hidden posts that are not in their threads.
  var unknownHidden: Set<ThreadSelection.HiddenPlace> = []
  /// Notes in site.yml on posts that the page does not show as the author's.
  var unknownNotes: Set<ThreadSelection.UnknownNote> = []
  /// The positions of the threads with texts under `alt` in site.yml, by the index of the entry.
  var described: [Int: Int] = [:]
  var permalinks = Permalinks()
  /// The pages of threads that a thread quotes or links to, by the path of the thread's page; few threads have any.
  var links: [SitePath: Set<SitePath>] = [:]
  /// The topics of threads by the threads' pages, if the site shows similar threads.
  var topics: [SitePath: [UInt32]] = [:]
  var collected = CollectedThreads()
  var failures: [Failure] = []
  /// Splits the text of threads into words for the search.
  var analyzer = SearchAnalyzer()
  /// Errors in data other than threads that a build which keeps going leaves out.
  var leftOut: [PipelineError] = []

  /// The source of a page; kept small because there is one per thread.
  struct Source: Sendable {
    /// The position of the thread's file in the store's listing.
    let position: Int
    let isDraft: Bool
    /// Whether the page shows replies from other sites.
    let showsWebReplies: Bool
    /// The cache entry of the thread.
    let entry: PreviousBuild.Entry
    /// The place of the rendered HTML in ``PageBodies``; `nil` for a thread that was reused from the last build.
    let body: PageBodies.Place?
    /// The digest of the signatures of the media that the thread shows; `nil` if a file has no signature, because a change could then not
    /// be detected.
    let media: UInt64?
  }

  /// A thread that is shown on the page of another thread.
  struct SameThread: Sendable {
    /// The position of the thread's file in the store's listing.
    let position: Int
    /// The URL that redirects to that page.
    let path: SitePath
    /// The index of the entry in site.yml that lists the thread under `same_as`.
    let entry: Int
    /// Whether the URL may be in the public list of redirects.
    let isListed: Bool
  }

  /// A post that a page shows, and not merely quotes.
  struct Status: Sendable {
    let post: PostID
    let page: SitePath
    /// Whether the page is of a thread by the post's author.
    let isOwn: Bool
  }

  /// A thread that could not be built, with its position in the store's listing for a stable order.
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
    fromShards += other.fromShards
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
    described.merge(other.described) { min($0, $1) }
    links.merge(other.links) { $0.union($1) }
    topics.merge(other.topics) { first, _ in first }
    collected.add(other.collected)
    failures += other.failures
  }
}

extension WrittenThreads {
  /// Records which parts of site.yml match a conversation.
  mutating func note(_ answer: ThreadSelection.Answer) {
    foundEntries.formUnion(answer.entries)
    foundSources.formUnion(answer.sources)
    if let same = answer.sameAs { foundSameThreads.insert(same) }
    unknownHidden.formUnion(answer.unknownHidden)
    unknownNotes.formUnion(answer.unknownNotes)
  }
}
