/// One page of an index: what it lists, and which part of it.
package struct IndexPage: Sendable {
  package enum Kind: Sendable {
    case home
    case authors
    case tags
    case archive
    case collections
    /// Positions in the index's own lists.
    case author(Int)
    case tag(Int)
    case collection(Int)
    case year(Int)
    case month(year: Int, month: Int)
    /// Of an author, by the position in the index's list, or of the whole site.
    case statistics(author: Int?)
    case notFound
  }

  package let kind: Kind
  /// The first page of the listing; the others are below it in `page/2/`, `page/3/`, ….
  let first: SitePath
  /// From 1.
  package let number: Int
  package let count: Int
  /// Positions in `SiteIndex.threads` of what this page lists.
  package let threads: ArraySlice<Int>

  package var path: SitePath { Self.path(of: number, from: first) }
  package var newer: SitePath? { number > 1 ? Self.path(of: number - 1, from: first) : nil }
  package var older: SitePath? { number < count ? Self.path(of: number + 1, from: first) : nil }

  private static func path(of number: Int, from first: SitePath) -> SitePath {
    number == 1 ? first : first.appending("page/\(number)/")
  }
}

extension SiteIndex {
  /// Every index page of the site, in a fixed order.
  ///
  /// - Parameter withStatistics: whether there are pages of statistics, where there is enough to count.
  package func pages(threadsPerPage: Int, withStatistics: Bool = false) -> [IndexPage] {
    let threadsPerPage = max(threadsPerPage, 1)
    func list(_ kind: IndexPage.Kind, at path: SitePath, _ positions: [Int]) -> [IndexPage] {
      let count = max(1, (positions.count + threadsPerPage - 1) / threadsPerPage)
      return (0..<count).map { number in
        let start = number * threadsPerPage
        return IndexPage(
          kind: kind, first: path, number: number + 1, count: count,
          threads: positions[start..<min(start + threadsPerPage, positions.count)])
      }
    }
    var pages = list(.home, at: .top, Array(threads.indices))
    pages += list(.authors, at: "authors/", [])
    pages += list(.tags, at: TagPath.index, [])
    pages += list(.archive, at: "archive/", [])
    if !collections.isEmpty { pages += list(.collections, at: ThreadCollection.index, []) }
    for (position, group) in collections.enumerated() {
      // On one page whatever their number: their order is the point of it.
      pages.append(
        IndexPage(
          kind: .collection(position), first: group.collection.path, number: 1, count: 1,
          threads: group.threads[...]))
    }
    for (position, group) in authors.enumerated() {
      pages += list(.author(position), at: group.author.path, group.threads)
    }
    for (position, group) in tags.enumerated() where group.hasPage {
      pages += list(.tag(position), at: group.path, group.threads)
    }
    for (position, group) in years.enumerated() {
      pages += list(.year(position), at: group.path, group.threads)
      for (month, members) in group.months.enumerated() {
        pages += list(.month(year: position, month: month), at: group.path(of: members), members.threads)
      }
    }
    for (author, path) in withStatistics ? statisticsPages : [] {
      pages.append(
        IndexPage(kind: .statistics(author: author), first: path, number: 1, count: 1, threads: []))
    }
    pages.append(
      IndexPage(kind: .notFound, first: "404.html", number: 1, count: 1, threads: []))
    return pages
  }
}

extension SiteIndex.YearGroup {
  package var path: SitePath { SitePath("\(year)/") }

  package func path(of month: SiteIndex.MonthGroup) -> SitePath {
    path.appending(month.month < 10 ? "0\(month.month)/" : "\(month.month)/")
  }
}
