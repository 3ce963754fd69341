import Basics
import InterfaceText
import SiteConfig
package import Templates
import ThreadModel

/// One page of a list of threads, authors, tags and so on: the kind of list, and the part of it that this page shows.
package struct IndexPage: Sendable {
  package enum Kind: Sendable {
    case home
    case authors
    case tags
    case archive
    case collections
    /// With the author's index in the list of the site index; the other kinds work alike.
    case author(Int)
    case tag(Int)
    case collection(Int)
    case year(Int)
    case month(year: Int, month: Int)
    /// The statistics of an author, by the index in the site index's authors; `nil` for the statistics of the whole site.
    case statistics(author: Int?)
    case notFound
  }

  package let kind: Kind
  /// The path of the first page of the list. The further pages are below it in `page/2/`, `page/3/`, ….
  let first: SitePath
  /// The page's number, from 1.
  package let number: Int
  package let count: Int
  /// The threads on this page, as indices into `SiteIndex.threads`.
  package let threads: ArraySlice<Int>

  package var path: SitePath { Self.path(of: number, from: first) }
  package var newer: SitePath? { number > 1 ? Self.path(of: number - 1, from: first) : nil }
  package var older: SitePath? { number < count ? Self.path(of: number + 1, from: first) : nil }

  private static func path(of number: Int, from first: SitePath) -> SitePath {
    number == 1 ? first : first.appending("page/\(number)/")
  }
}

extension SiteIndex {
  /// Returns every index page of the site, in a fixed order.
  ///
  /// - Parameter withStatistics: whether to include pages of statistics, for the site and for authors with enough threads.
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
    var pages = list(.home, at: .top, home)
    pages += list(.authors, at: "authors/", [])
    pages += list(.tags, at: TagPath.index, [])
    pages += list(.archive, at: "archive/", [])
    if !collections.isEmpty { pages += list(.collections, at: ThreadCollection.index, []) }
    for (position, group) in collections.enumerated() {
      // A collection is on a single page, because its order is essential.
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

extension PageRenderer {
  /// Returns the values that an index page's layout receives.
  func values(of page: IndexPage, _ own: TemplateObject, in index: SiteIndex) -> TemplateObject {
    let links = links(on: page)
    let showsAuthor = index.hasSeveralAuthors && !page.kind.isAuthor
    var values = sharedValues(for: links)
    values.add(own)
    let lead = page.kind.isHome && page.number == 1 ? page.threads.first : nil
    var dates = theme.layouts.mentions("new_year") && page.kind.isByDate ? ListDates(site.calendar) : nil
    values["threads"] = .list(
      page.threads.map {
        var thread = listingValues(
          of: index.threads[$0], avatar: index.avatar(of: $0), showsAuthor: showsAuthor, links)
        thread["lead"] = .bool($0 == lead)
        dates?.add(index.threads[$0].published, to: &thread)
        return .object(thread)
      })
    return values
  }

  private func links(on page: IndexPage) -> LinkRoot {
    if case .notFound = page.kind { LinkRoot(absolute: site.basePath) } else { LinkRoot(from: page.path) }
  }

  /// Returns the values of the page itself, without the values of the threads in its list and the values that many pages share.
  package func ownValues(of page: IndexPage, in index: SiteIndex) -> TemplateObject {
    let links = links(on: page)
    var values = headValues(head(of: page, in: index), links: links)
    values["pagination"] = .object(paginationValues(of: page, links: links))
    if site.hasFeeds, let list = FeedList(of: page, in: index) {
      values["feed"] = ["url": .text(links.href(list.path)), "title": .text(list.title(on: site))]
    }
    switch page.kind {
    case .home:
      values["me"] = .list((site.owner?.profiles ?? []).map { ["url": .text($0)] })
      if page.number == 1 {
        values["about"] = aboutValues(in: index, links)
        if !index.threads.isEmpty { values["book"] = bookValue(.site, of: page.path, links) }
        values["statistics"] = statisticsValue(in: index, links)
        values["index"] = .object(indexValues(of: index, links))
        if let script = wanderingScript(on: page, in: index) {
          values["wander"] = ["script": .text(links.href(script))]
        }
      }
    case .notFound: break
    case .authors: values["authors"] = .list(index.authors.map { authorValues($0, links: links) })
    case .tags:
      values["tags"] = .list(index.tags.map { tagValues($0, in: index, links: links, isShort: true) })
    case .archive:
      let titled = index.threads.count <= Self.mostTitlesInArchive ? index : nil
      values["shows_author"] = .bool(index.hasSeveralAuthors)
      values["years"] = .list(index.years.map { yearValues($0, links: links, titles: titled) })
      values["has_titles"] = .bool(titled != nil)
      values["statistics"] = statisticsValue(in: index, links)
    case .collections:
      values["collections"] = .list(index.collections.map { collectionValues($0, links: links) })
    case .collection(let position):
      values["collection"] = collectionValues(
        index.collections[position], links: links, isOwnPage: page.number == 1)
      if !page.threads.isEmpty { values["book"] = bookValue(.collections, of: page.path, links) }
    case .author(let position):
      values["author"] = profileValues(index.authors[position], links: links)
      if page.number == 1 {
        values["book"] = bookValue(.authors, of: page.path, links)
        values["statistics"] = statisticsValue(ofAuthor: position, in: index, links)
        let liked = likedValues(ofAuthor: position, in: index, links)
        values["liked"] = .list(liked)
        values["has_liked"] = .bool(!liked.isEmpty)
      }
    case .tag(let position): values["tag"] = tagValues(index.tags[position], in: index, links: links)
    case .year(let position):
      values["period"] = .object(periodValues(year: position, in: index, links: links))
    case .month(let year, let month):
      values["period"] = .object(periodValues(year: year, month: month, in: index, links: links))
    case .statistics(let author):
      values["statistics"] = statisticsValues(ofAuthor: author, in: index, links)
    }
    return values
  }

  private func head(of page: IndexPage, in index: SiteIndex) -> PageHead {
    var head = PageHead(path: page.path, title: site.title, isFirst: page.number == 1)
    head.mediaHosts = mediaHosts(of: page, in: index)
    let localization = site.localization
    let number = localization.text(.pageNumber, ["page": localization.number(page.number)])
    let suffix = page.number == 1 ? "" : " · " + number
    switch page.kind {
    case .home:
      head.summary = site.summary
      head.section = .threads
      if wanderingScript(on: page, in: index) != nil { head.scripts = .reading }
      if page.number > 1 { head.title = localization.text(.threads) + suffix }
    case .authors:
      head.title = localization.text(.authors)
      head.section = .authors
    case .tags:
      head.title = localization.text(.tags)
      head.section = .tags
    case .archive:
      head.title = localization.text(.archive)
      head.section = .archive
    case .collections:
      head.title = localization.text(.collections)
      head.section = .collections
    case .collection(let position):
      head.title = index.collections[position].collection.title
      head.summary = index.collections[position].collection.summary
      head.section = .collections
    case .author(let position):
      head.title = index.authors[position].author.name + suffix
      head.summary = index.authors[position].profile?.bio.map { TextControls.withoutDirections($0.text) }
      head.section = .authors
      head.isHidden = index.authors[position].author.isHiddenFromSearch
    case .tag(let position):
      head.title = "#" + index.tags[position].name + suffix
      head.section = .tags
    case .year(let position):
      head.title = dates.year(index.years[position].year) + suffix
      head.section = .archive
    case .month(let year, let month):
      head.title = name(of: index.years[year].months[month], in: index.years[year]) + suffix
      head.section = .archive
    case .statistics(let author):
      head.title = localization.text(.statistics)
      head.section = .archive
      if let author {
        head.title += " · " + index.authors[author].author.name
        head.isHidden = index.authors[author].author.isHiddenFromSearch
      }
    case .notFound:
      head.title = localization.text(.pageNotFound)
      head.isHidden = true
    }
    return head
  }

  /// The numbers of entries at the foot of the home page.
  private static let (mostAuthorsOnHome, mostTagsOnHome) = (12, 20)

  /// Returns the authors at the foot of the home page: those with the most threads, in the order of the list of authors.
  static func authorsOnHome(of index: SiteIndex) -> [SiteIndex.AuthorGroup] {
    index.authors.count > 1 ? most(index.authors, mostAuthorsOnHome) { $0.threads.count } : []
  }

  /// Returns the groups with the most threads, in their order.
  private static func most<Group>(
    _ groups: [Group], _ count: Int, _ threads: (Group) -> Int
  ) -> [Group] {
    let largest = groups.indices.sorted { (threads(groups[$1]), $0) < (threads(groups[$0]), $1) }
    return largest.prefix(count).sorted().map { groups[$0] }
  }

  /// Returns the beginnings of the lists of collections, authors and tags, for the foot of the home page and the search page. A tag of a
  /// single thread leads nowhere new.
  func indexValues(of index: SiteIndex, _ links: LinkRoot) -> TemplateObject {
    let authors = Self.authorsOnHome(of: index)
    let tags = Self.most(
      index.tags.filter { $0.hasPage && $0.threads.count > 1 }, Self.mostTagsOnHome
    ) { $0.threads.count }
    return [
      "collections": .list(index.collections.map { collectionValues($0, links: links) }),
      "has_collections": .bool(!index.collections.isEmpty),
      "authors": .list(authors.map { authorValues($0, links: links) }),
      "has_authors": .bool(!authors.isEmpty),
      "tags": .list(tags.map { tagValues($0, in: index, links: links, isShort: true) }),
      "has_tags": .bool(!tags.isEmpty),
      "has_any": .bool(!index.collections.isEmpty || !authors.isEmpty || !tags.isEmpty),
    ]
  }

  /// Returns the theme's script for wandering through the site. Only the first home page has it, and only if the theme uses it there.
  private func wanderingScript(on page: IndexPage, in index: SiteIndex) -> SitePath? {
    guard page.number == 1, index.years.count > 1, theme.layouts.mentions("wander") else { return nil }
    return theme.assets.first { $0.name == "wander.js" }?.path
  }

  private var dates: DateFormat { site.calendar.format }

  /// `January 2021`
  private func name(of month: SiteIndex.MonthGroup, in year: SiteIndex.YearGroup) -> String {
    dates.month(month.month, of: year.year)
  }

  private func paginationValues(of page: IndexPage, links: LinkRoot) -> TemplateObject {
    var values = TemplateObject()
    values["page"] = .text(site.localization.number(page.number))
    values["pages"] = .text(site.localization.number(page.count))
    values["several"] = .bool(page.count > 1)
    values["previous_url"] = page.newer.map { .text(links.href($0)) } ?? .missing
    values["next_url"] = page.older.map { .text(links.href($0)) } ?? .missing
    return values
  }

  private func authorValues(_ group: SiteIndex.AuthorGroup, links: LinkRoot) -> TemplateValue {
    [
      "name": .text(group.author.name),
      "name_html": .markup(group.author.nameHTML(links)),
      "handle": .text(group.author.handle.map { "@" + $0.asHandle } ?? ""),
      "url": .text(links.href(group.author.path)),
      "avatar": .picture(group.profile?.avatar, links),
      "initial": .initial(theme.showsAvatars && group.profile?.avatar == nil ? group.author.name : nil),
      "threads": .text(site.localization.number(group.threads.count)),
    ]
  }

  /// A tag without a page belongs to only one thread, to which it links.
  private func tagValues(
    _ group: SiteIndex.TagGroup, in index: SiteIndex, links: LinkRoot, isShort: Bool = false
  ) -> TemplateValue {
    let target = group.hasPage ? group.path : group.threads.first.map { index.threads[$0].path } ?? group.path
    return [
      "name": .text(isShort ? group.name.asName : group.name), "url": .text(links.href(target)),
      "anchor": group.isLinkedInList ? .text(TagPath.anchor(of: group.path)) : .missing,
      "threads": .text(site.localization.number(group.threads.count)),
      "threads_text": .text(site.localization.count(group.threads.count, .countThreads)),
    ]
  }

  /// The maximum number of threads whose titles the archive lists. With more threads, the archive lists only months, with links to their
  /// lists, because a page with thousands of titles is hard to use.
  private static let mostTitlesInArchive = 1000

  /// - Parameter titles: the index whose threads' titles are listed below their months; `nil` to list only months.
  private func yearValues(
    _ group: SiteIndex.YearGroup, links: LinkRoot, titles: SiteIndex?
  ) -> TemplateValue {
    [
      "name": .text(dates.year(group.year)), "url": .text(links.href(group.path)),
      "threads": .text(site.localization.number(group.threads.count)),
      "months": .list(monthValues(group, links: links, titles: titles)),
    ]
  }

  private func monthValues(
    _ group: SiteIndex.YearGroup, links: LinkRoot, titles: SiteIndex? = nil
  ) -> [TemplateValue] {
    group.months.map { month in
      var values: TemplateObject = [
        "name": .text(dates.monthName(month.month)), "url": .text(links.href(group.path(of: month))),
        "threads": .text(site.localization.number(month.threads.count)),
      ]
      if let titles {
        values["titles"] = .list(month.threads.map { titleValues(titles.threads[$0], links) })
      }
      return .object(values)
    }
  }

  private func titleValues(_ thread: ThreadSummary, _ links: LinkRoot) -> TemplateValue {
    [
      "title": .text(thread.title), "url": .text(links.href(thread.path)),
      "language": thread.language.map { .text($0) } ?? .missing,
      "author": [
        "name": .text(thread.author.name),
        // Without pictures from other hosts, because the page's policy does not allow them.
        "name_html": .markup(ownNameHTML(thread.author, links)),
      ],
    ]
  }

  /// Returns a thread's title with its date.
  func latestValues(_ thread: Int, in index: SiteIndex, _ links: LinkRoot) -> TemplateValue {
    guard case .object(var values) = titleValues(index.threads[thread], links) else { return .missing }
    values["published"] = .date(index.threads[thread].published, site.calendar.day)
    return .object(values)
  }

  private func periodValues(year position: Int, in index: SiteIndex, links: LinkRoot) -> TemplateObject {
    let years = index.years
    let group = years[position]
    return periodValues(
      name: dates.year(group.year), count: group.threads.count, months: monthValues(group, links: links),
      within: nil,
      newer: position > 0 ? (dates.year(years[position - 1].year), years[position - 1].path) : nil,
      older: position + 1 < years.count
        ? (dates.year(years[position + 1].year), years[position + 1].path) : nil,
      links: links)
  }

  private func periodValues(
    year position: Int, month: Int, in index: SiteIndex, links: LinkRoot
  ) -> TemplateObject {
    let year = index.years[position]
    func link(_ month: SiteIndex.MonthGroup?, of year: SiteIndex.YearGroup) -> (String, SitePath)? {
      month.map { (name(of: $0, in: year), year.path(of: $0)) }
    }
    // Uses the neighboring months that have threads, instead of counting through empty months. They are sorted newest first, so the
    // previous index is later.
    let newer: (String, SitePath)? =
      if month > 0 {
        link(year.months[month - 1], of: year)
      } else if position > 0 {
        link(index.years[position - 1].months.last, of: index.years[position - 1])
      } else {
        nil
      }
    let older: (String, SitePath)? =
      if month + 1 < year.months.count {
        link(year.months[month + 1], of: year)
      } else if position + 1 < index.years.count {
        link(index.years[position + 1].months.first, of: index.years[position + 1])
      } else {
        nil
      }
    return periodValues(
      name: self.name(of: year.months[month], in: year), count: year.months[month].threads.count, months: [],
      within: year, newer: newer, older: older, links: links)
  }

  private func periodValues(
    name: String, count: Int, months: [TemplateValue], within year: SiteIndex.YearGroup?,
    newer: (name: String, path: SitePath)?, older: (name: String, path: SitePath)?, links: LinkRoot
  ) -> TemplateObject {
    func link(_ neighbour: (name: String, path: SitePath)?) -> TemplateValue {
      neighbour.map { ["name": .text($0.name), "url": .text(links.href($0.path))] } ?? .missing
    }
    return [
      "name": .text(name), "threads": .text(site.localization.number(count)),
      "threads_text": .text(site.localization.count(count, .countThreads)),
      "months": .list(months), "has_months": .bool(!months.isEmpty),
      "year": link(year.map { (dates.year($0.year), $0.path) }), "newer": link(newer), "older": link(older),
      "has_neighbours": .bool(newer != nil || older != nil),
    ]
  }
}

extension IndexPage.Kind {
  /// Whether the page belongs to one author, whose picture is shown above the list.
  fileprivate var isAuthor: Bool { if case .author = self { true } else { false } }

  fileprivate var isHome: Bool { if case .home = self { true } else { false } }
  /// Whether its threads are sorted by date, newest first. The order of a collection is the owner's.
  fileprivate var isByDate: Bool { if case .collection = self { false } else { true } }
}

extension PageRenderer {
  /// Returns the values of a collection for its own page and for the list of collections.
  func collectionValues(
    _ group: SiteIndex.CollectionGroup, links: LinkRoot, isOwnPage: Bool = false
  ) -> TemplateValue {
    let introduction = isOwnPage ? group.collection.introduction : group.collection.brief
    return [
      "title": .text(group.collection.title), "url": .text(links.href(group.collection.path)),
      "introduction_html": introduction.isEmpty ? .missing : .markup(introduction),
      "threads": .text(site.localization.number(group.threads.count)),
      "threads_text": .text(site.localization.count(group.threads.count, .countThreads)),
    ]
  }
}
