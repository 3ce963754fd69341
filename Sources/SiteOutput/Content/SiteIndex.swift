package import Basics
package import InterfaceText
import ThreadModel

/// All threads of a site, newest first, grouped by author, tag, year, month and collection.
///
/// The index contains summaries only. Groups are indices into `threads` and keep its order, except for collections.
package struct SiteIndex: Sendable {
  package let threads: ThreadSummaries
  package let authors: [AuthorGroup]
  package let tags: [TagGroup]
  /// Newest first.
  package let years: [YearGroup]

  /// When the posts of all threads were written.
  let counts: PostCounts

  /// In the owner's order.
  package let collections: [CollectionGroup]
  /// The threads in the order of the home page: the lead, then the others, newest first.
  let home: [Int]
  /// For each thread, its author's index and its rank among the author's threads, from 0.
  let placesInAuthors: [(author: Int, rank: Int)]
  /// For each thread, its collections and its place in each of them, from 0.
  let memberships: [Int: [(collection: Int, place: Int)]]
  /// For each thread, the threads that quote it or link to it, newest first.
  let quotedBy: [Int: [Int]]
  /// For each thread, the threads that have tags and words in common with it, most similar first; empty if the site does not show them.
  let similar: [[Int]]

  /// Whether threads in lists need the names of their authors.
  package var hasSeveralAuthors: Bool { authors.count > 1 }

  /// The thread that the home page shows first.
  package enum Lead: Sendable {
    case newest
    /// The thread with the most likes, and among equals the newest.
    case liked
    case page(SitePath)
  }

  package struct CollectionGroup: Sendable {
    package let collection: ThreadCollection
    /// In the owner's order.
    package let threads: [Int]
  }

  package struct AuthorGroup: Sendable {
    /// The author's data as last fetched or, if the time of fetching is unknown, as in their newest thread.
    package let author: AuthorSummary
    package let profile: AuthorProfile?
    /// The author's bio as HTML without pictures; created once, because all of the author's threads show it.
    fileprivate let plainBio: UTF8Buffer?
    package let threads: [Int]
    /// The dates of the author's oldest and newest dated thread; computed once, because each page of the author's list shows them.
    let span: ClosedRange<Timestamp>?
    /// When the author's posts were written.
    let counts: PostCounts

    /// Returns the author's bio as HTML.
    ///
    /// - Parameter takes: whether the page may show a picture.
    func bio(_ links: LinkRoot, where takes: (SummaryImage) -> Bool = { _ in true }) -> UTF8Buffer? {
      guard let plainBio, let profile, let bio = profile.bio else { return nil }
      let pictures = profile.bioEmoji.filter { takes($0.value) }
      return pictures.isEmpty ? plainBio : InlineHTML.of(bio, pictures, links)
    }
  }

  package struct TagGroup: Sendable {
    /// The spelling of the newest thread.
    package let name: String
    package let path: SitePath
    package let threads: [Int]
    /// Whether the tag has a page. A tag of only one thread has no page if it comes after that thread's first `ThreadTag.mostPages` tags.
    package let hasPage: Bool
    /// Whether threads link to the tag's entry in the list of all tags.
    let isLinkedInList: Bool
  }

  package struct YearGroup: Sendable {
    package let year: Int
    package let threads: [Int]
    /// Newest first.
    package let months: [MonthGroup]
  }

  package struct MonthGroup: Sendable {
    package let month: Int
    package let threads: [Int]
  }

  /// - Parameters:
  ///   - calendar: determines the month of a thread near midnight.
  ///   - profiles: the profiles of authors, by the authors' pages.
  ///   - collections: the owner's collections, whose threads should be among the summaries.
  ///   - lead: the thread that the home page shows first.
  ///   - links: for each thread, the threads that it quotes or links to.
  ///   - counts: when authors wrote their posts, by the authors' pages.
  ///   - topics: hashes of the words by which threads are compared, by the threads' pages; `nil` if similar threads are not shown.
  ///   - jobs: the number of system threads.
  package init(
    _ summaries: some Sequence<ThreadSummary>, calendar: SiteCalendar,
    profiles: [SitePath: AuthorProfile] = [:], collections: [ThreadCollection] = [], lead: Lead = .newest,
    links: [SitePath: Set<SitePath>] = [:],
    counts: [SitePath: PostCounts] = [:], topics: [SitePath: [UInt32]]? = nil, jobs: Int = 1
  ) {
    let threads = ThreadSummaries(summaries).newestFirst
    self.threads = threads
    let authors = Self.groupAuthors(threads, profiles, counts)
    self.authors = authors
    self.counts = counts.values.reduce(into: PostCounts()) { $0.add($1) }
    placesInAuthors = Self.places(in: authors, of: threads.count)
    let positions = Self.positions(of: threads, in: collections, links)
    home = Self.home(of: threads, lead)
    let groups = Self.group(collections, positions)
    self.collections = groups
    memberships = Self.memberships(in: groups)
    quotedBy = Self.reversed(links, positions)
    (similar, (tags, years)) = ParallelWork.both(
      jobs: jobs, { topics.map { SimilarThreads(threads, topics: $0).all(jobs: jobs) } ?? [] },
      { (Self.groupTags(threads), Self.groupYears(threads, calendar: calendar)) })
  }

  /// Returns the picture of a thread's author for lists; `nil` on a site with one author, whose picture in every entry would be useless.
  func avatar(of thread: Int) -> SummaryImage? {
    hasSeveralAuthors ? authors[placesInAuthors[thread].author].profile?.avatar : nil
  }

  /// Returns the positions of all threads with the lead first.
  private static func home(of threads: ThreadSummaries, _ lead: Lead) -> [Int] {
    let first: Int? =
      switch lead {
      case .newest: nil
      case .liked:
        // `max` returns the first of equal elements.
        threads.indices.max { threads[$0].likes ?? 0 < threads[$1].likes ?? 0 }
      case .page(let path): threads.firstIndex { $0.path == path }
      }
    guard let first else { return Array(threads.indices) }
    return [first] + threads.indices.filter { $0 != first }
  }

  /// Returns the authors' groups sorted by name, ignoring letter case.
  private static func groupAuthors(
    _ threads: ThreadSummaries, _ profiles: [SitePath: AuthorProfile], _ counts: [SitePath: PostCounts]
  ) -> [AuthorGroup] {
    var positions: [SitePath: [Int]] = [:]
    for (position, thread) in threads.enumerated() {
      positions[thread.author.path, default: []].append(position)
    }
    let groups = positions.values.compactMap { members in
      members.first.map { newest in
        let author = threads[newest].author
        let profile = profiles[author.path]
        let bio = profile?.bio.flatMap { $0.isEmpty ? nil : InlineHTML.of($0) }
        // The threads are sorted newest first, and those without a date come last.
        let oldest = members.last { threads[$0].published != nil }.flatMap { threads[$0].published }
        let span = oldest.flatMap { oldest in threads[newest].published.map { oldest...max(oldest, $0) } }
        return AuthorGroup(
          author: profile?.author ?? author, profile: profile, plainBio: bio, threads: members, span: span,
          counts: counts[author.path] ?? PostCounts())
      }
    }
    return sorted(groups) { ($0.author.name, $0.author.path) }
  }

  private static func groupTags(_ threads: ThreadSummaries) -> [TagGroup] {
    var positions: [SitePath: [Int]] = [:]
    var names: [SitePath: String] = [:]
    var withPages: Set<SitePath> = []
    var linkedInList: Set<SitePath> = []
    for (position, thread) in threads.enumerated() {
      for tag in thread.tags {
        if tag.isFurther { linkedInList.insert(tag.path) } else { withPages.insert(tag.path) }
        guard positions[tag.path]?.last != position else { continue }
        positions[tag.path, default: []].append(position)
        if names[tag.path] == nil { names[tag.path] = tag.name }
      }
    }
    let groups = positions.map {
      TagGroup(
        name: names[$0.key] ?? $0.key.text, path: $0.key, threads: $0.value,
        hasPage: withPages.contains($0.key) || $0.value.count > 1,
        isLinkedInList: linkedInList.contains($0.key))
    }
    return sorted(groups) { ($0.name, $0.path) }
  }

  private static func groupYears(_ threads: ThreadSummaries, calendar: SiteCalendar) -> [YearGroup] {
    var positions: [Int: [Int: [Int]]] = [:]
    for (position, thread) in threads.enumerated() {
      guard let published = thread.published else { continue }
      let date = calendar.civil(published)
      positions[date.year, default: [:]][date.month, default: []].append(position)
    }
    return positions.sorted { $0.key > $1.key }.map { year, months in
      let groups = months.sorted { $0.key > $1.key }.map { MonthGroup(month: $0.key, threads: $0.value) }
      return YearGroup(year: year, threads: groups.flatMap(\.threads), months: groups)
    }
  }

  /// Returns groups sorted by lower-case name, then by path, so that the order never depends on the order of a dictionary.
  private static func sorted<Group>(_ groups: [Group], by key: (Group) -> (name: String, path: SitePath))
    -> [Group]
  {
    var keyed: [(name: String, path: SitePath, group: Group)] = []
    for group in groups {
      let (name, path) = key(group)
      keyed.append((name.lowercased(), path, group))
    }
    keyed.sort { $0.name == $1.name ? $0.path < $1.path : $0.name < $1.name }
    return keyed.map(\.group)
  }
}

/// A collection: threads that the site's owner has put in an order, with its own page.
package struct ThreadCollection: Sendable {
  package var title: String
  package var path: SitePath
  /// The introduction as HTML on the collection's page.
  package var introduction: UTF8Buffer
  /// The introduction as HTML in lists of collections, without posts.
  package var brief: UTF8Buffer
  /// The hosts of external media in the introduction.
  package var mediaHosts: Set<String>
  /// The beginning of the introduction: one line of plain text, for previews.
  package var summary: String?
  /// The pages of the collection's threads, in order.
  package var threads: [SitePath]

  package init(
    title: String, path: SitePath, introduction: UTF8Buffer, brief: UTF8Buffer? = nil,
    mediaHosts: Set<String> = [], summary: String? = nil, threads: [SitePath]
  ) {
    self.title = title
    self.path = path
    self.introduction = introduction
    self.brief = brief ?? introduction
    self.mediaHosts = mediaHosts
    self.summary = summary
    self.threads = threads
  }

  /// The page that lists all collections.
  package static let index: SitePath = "collections/"

  /// Returns the path of a collection's page.
  package static func page(slug: String) -> SitePath { index.appending("\(slug)/") }
}
