import Basics
package import Templates

/// Digests of the data from which pages are rendered, besides theme and settings. A page is unchanged if its digest is the same as in the
/// last build.
///
/// Computing digests takes far less time than rendering pages. The digest of a list page covers the values for its layout, except for the
/// values of the listed threads, whose summaries' digests are used instead.
package struct PageDigests: Sendable {
  private let index: SiteIndex
  let renderer: PageRenderer
  /// The digests of the threads' summaries.
  private let threads: [UInt64]
  /// The digests of the data about authors on threads' pages.
  private let authors: [UInt64]
  /// The digests of the data about collections on threads' pages.
  private let collections: [UInt64]

  /// - Parameter jobs: the number of system threads.
  package init(of index: SiteIndex, by renderer: PageRenderer, jobs: Int) {
    self.index = index
    self.renderer = renderer
    threads = Self.digests(of: index.threads, jobs: jobs)
    let links = LinkRoot(from: .top)
    authors = index.authors.map { TemplateValue.object(renderer.briefValues($0, links)).digest }
    collections = index.collections.map { group in
      var digest = ContentDigest()
      digest.add(group.collection.title)
      digest.add(group.collection.path.text)
      digest.add(group.threads.count)
      return digest.value
    }
  }

  private static func digests(of threads: ThreadSummaries, jobs: Int) -> [UInt64] {
    let parts = ParallelWork.run(
      count: threads.count, jobs: jobs, chunk: 256, makeState: { [(position: Int, digest: UInt64)]() }
    ) { position, digests in
      digests.append((position, threads[position].digest))
    }
    var all = [UInt64](repeating: 0, count: threads.count)
    for (position, digest) in parts.lazy.joined() { all[position] = digest }
    return all
  }

  /// Returns the digest of the data about other threads and authors on a thread's page.
  ///
  /// - Parameter position: the thread's index in `index.threads`.
  package func related(to position: Int) -> UInt64 {
    // A page of a site with one author neither names authors in lists nor links to the list of authors.
    guard renderer.showsRelated else { return index.hasSeveralAuthors ? 1 : 0 }
    var digest = ContentDigest()
    digest.add(index.hasSeveralAuthors ? 1 : 0)
    func add(_ other: Int?) { digest.add(other.map { threads[$0] } ?? 0) }
    digest.add(index.threads[position].path.text)
    let related = index.related(to: position)
    add(related.newer)
    add(related.older)
    add(related.authorNewer)
    add(related.authorOlder)
    for list in [related.more, related.quotedBy, related.similar] {
      digest.add(list.count)
      for other in list { add(other) }
    }
    digest.add(related.collections.count)
    for (collection, place) in related.collections {
      let members = index.collections[collection].threads
      digest.add(collections[collection])
      digest.add(place)
      add(place > 0 ? members[place - 1] : nil)
      add(place + 1 < members.count ? members[place + 1] : nil)
    }
    digest.add(authors[index.placesInAuthors[position].author])
    return digest.value
  }

  /// Returns the digest of everything that the feed of a list shows.
  package func feed(of list: FeedList, _ newest: ArraySlice<Int>) -> UInt64 {
    var digest = ContentDigest()
    digest.add(list.name)
    digest.add(newest.count)
    for thread in newest { digest.add(threads[thread]) }
    return digest.value
  }

  /// Returns the digest of everything that a list page shows.
  ///
  /// - Parameter own: the result of `PageRenderer.ownValues` for the page.
  package func page(_ page: IndexPage, _ own: TemplateObject) -> UInt64 {
    var digest = ContentDigest()
    digest.add(page.layout)
    own.digest(into: &digest)
    digest.add(page.threads.count)
    digest.add(index.hasSeveralAuthors ? 1 : 0)
    for thread in page.threads {
      digest.add(threads[thread])
      digest.add(index.avatar(of: thread))
    }
    return digest.value
  }
}

extension TemplateValue {
  fileprivate var digest: UInt64 {
    var digest = ContentDigest()
    self.digest(into: &digest)
    return digest.value
  }
}
