import SiteOutput

/// The data of threads from which the index of the site is created. They are released once it exists, because they take much memory.
struct IndexedThreads: Sendable {
  private(set) var summaries = ThreadSummaries()
  /// The values of authors by their pages. Threads with the same author share the texts of one of them.
  private var authors: [SitePath: AuthorSummary] = [:]
  /// The pages of threads that a thread quotes or links to, by the path of the thread's page; few threads have any.
  private var links: [SitePath: Set<SitePath>] = [:]
  /// The counts of the authors' posts by time, by the paths of the authors' pages.
  private var counts: [SitePath: PostCounts] = [:]
  /// The topics of threads by the threads' pages, if the site shows similar threads.
  private var topics: [SitePath: [UInt32]] = [:]

  mutating func add(_ thread: BuiltThread, withTopics: Bool) {
    var summary = thread.summary
    if let author = authors[summary.author.path], author == summary.author {
      summary.author = author
    } else {
      authors[summary.author.path] = summary.author
    }
    summaries.append(summary)
    let linked = thread.linkedPages
    if !linked.isEmpty { links[summary.path] = linked }
    counts[summary.author.path, default: PostCounts()].add(thread.hours)
    if withTopics { topics[summary.path] = thread.topics }
  }

  mutating func add(_ other: IndexedThreads) {
    summaries.append(other.summaries)
    links.merge(other.links) { $0.union($1) }
    counts.merge(other.counts) { one, other in
      var both = one
      both.add(other)
      return both
    }
    topics.merge(other.topics) { first, _ in first }
  }

  /// Creates the index, with similar threads if `withTopics` is true.
  ///
  /// - Parameter jobs: the number of system threads.
  consuming func index(
    of settings: SiteFacts, _ profiles: AuthorProfiles, _ collections: CollectionStep.Collections,
    withTopics: Bool, jobs: Int
  ) -> SiteIndex {
    SiteIndex(
      summaries, calendar: settings.calendar, profiles: profiles.pages,
      collections: collections.all, lead: collections.lead, links: links, counts: counts,
      topics: withTopics ? topics : nil, jobs: jobs)
  }
}
