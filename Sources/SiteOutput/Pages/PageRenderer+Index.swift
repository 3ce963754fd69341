import Templates
import ThreadModel
import UTF8Text

extension PageRenderer {
  /// The values that an index page's layout sees.
  func values(of page: IndexPage, in index: SiteIndex) -> TemplateObject {
    let links =
      if case .notFound = page.kind { LinkRoot(absolute: site.basePath) } else { LinkRoot(from: page.path) }
    var values = commonValues(head(of: page, in: index), links: links)
    values["threads"] = .list(
      page.threads.map {
        .object(index.listings[$0].values(for: links, showsAvatar: !page.kind.isAuthor))
      })
    values["pagination"] = .object(paginationValues(of: page, links: links))
    switch page.kind {
    case .home, .notFound: break
    case .authors: values["authors"] = .list(index.authors.map { authorValues($0, links: links) })
    case .tags: values["tags"] = .list(index.tags.map { tagValues($0, links: links) })
    case .archive: values["years"] = .list(index.years.map { yearValues($0, links: links) })
    case .collections:
      values["collections"] = .list(index.collections.map { collectionValues($0, links: links) })
    case .collection(let position):
      values["collection"] = collectionValues(index.collections[position], links: links)
    case .author(let position): values["author"] = profileValues(index.authors[position], links: links)
    case .tag(let position): values["tag"] = tagValues(index.tags[position], links: links)
    case .year(let position):
      values["period"] = .object(periodValues(year: position, in: index, links: links))
    case .month(let year, let month):
      values["period"] = .object(periodValues(year: year, month: month, in: index, links: links))
    }
    return values
  }

  private func head(of page: IndexPage, in index: SiteIndex) -> PageHead {
    var head = PageHead(path: page.path, title: site.title, isFirst: page.number == 1)
    head.mediaHosts = mediaHosts(of: page, in: index)
    let suffix = page.number == 1 ? "" : " · Page \(page.number)"
    switch page.kind {
    case .home:
      head.summary = site.summary
      head.section = .threads
      if page.number > 1 { head.title = "Threads" + suffix }
    case .authors:
      head.title = "Authors"
      head.section = .authors
    case .tags:
      head.title = "Tags"
      head.section = .tags
    case .archive:
      head.title = "Archive"
      head.section = .archive
    case .collections:
      head.title = "Collections"
      head.section = .collections
    case .collection(let position):
      head.title = index.collections[position].collection.title
      head.section = .collections
    case .author(let position):
      head.title = index.authors[position].author.name + suffix
      head.summary = index.authors[position].profile?.bio?.text
      head.section = .authors
    case .tag(let position):
      head.title = "#" + index.tags[position].name + suffix
      head.section = .tags
    case .year(let position):
      head.title = "\(index.years[position].year)" + suffix
      head.section = .archive
    case .month(let year, let month):
      head.title = index.years[year].name(of: index.years[year].months[month]) + suffix
      head.section = .archive
    case .notFound:
      head.title = "Page not found"
      head.isHidden = true
    }
    return head
  }

  private func paginationValues(of page: IndexPage, links: LinkRoot) -> TemplateObject {
    var values = TemplateObject()
    values["page"] = .integer(page.number)
    values["pages"] = .integer(page.count)
    values["several"] = .bool(page.count > 1)
    values["previous_url"] = page.newer.map { .text(links.href($0)) } ?? .missing
    values["next_url"] = page.older.map { .text(links.href($0)) } ?? .missing
    return values
  }

  private func authorValues(_ group: SiteIndex.AuthorGroup, links: LinkRoot) -> TemplateValue {
    [
      "name": .text(group.author.name),
      "handle": .text(group.author.handle.map { "@" + $0 } ?? ""),
      "url": .text(links.href(group.author.path)),
      "avatar": .picture(group.profile?.avatar, links),
      "threads": .integer(group.threads.count),
    ]
  }

  private func tagValues(_ group: SiteIndex.TagGroup, links: LinkRoot) -> TemplateValue {
    [
      "name": .text(group.name), "url": .text(links.href(group.path)),
      "threads": .integer(group.threads.count),
      "threads_text": .text(Plural.text(group.threads.count, "thread")),
    ]
  }

  private func yearValues(_ group: SiteIndex.YearGroup, links: LinkRoot) -> TemplateValue {
    [
      "name": .text("\(group.year)"), "url": .text(links.href(group.path)),
      "threads": .integer(group.threads.count), "months": .list(monthValues(group, links: links)),
    ]
  }

  private func monthValues(_ group: SiteIndex.YearGroup, links: LinkRoot) -> [TemplateValue] {
    group.months.map { month in
      [
        "name": .text(SiteCalendar.monthName(month.month)), "url": .text(links.href(group.path(of: month))),
        "threads": .integer(month.threads.count),
      ]
    }
  }

  private func periodValues(year position: Int, in index: SiteIndex, links: LinkRoot) -> TemplateObject {
    let years = index.years
    let group = years[position]
    return periodValues(
      name: "\(group.year)", count: group.threads.count, months: monthValues(group, links: links),
      within: nil,
      newer: position > 0 ? ("\(years[position - 1].year)", years[position - 1].path) : nil,
      older: position + 1 < years.count ? ("\(years[position + 1].year)", years[position + 1].path) : nil,
      links: links)
  }

  private func periodValues(
    year position: Int, month: Int, in index: SiteIndex, links: LinkRoot
  ) -> TemplateObject {
    let all = index.years.flatMap { year in year.months.map { (year, $0) } }
    let before = index.years[..<position].reduce(0) { $0 + $1.months.count }
    func neighbour(_ offset: Int) -> (String, SitePath)? {
      let at = before + month + offset
      guard all.indices.contains(at) else { return nil }
      return (all[at].0.name(of: all[at].1), all[at].0.path(of: all[at].1))
    }
    let year = index.years[position]
    return periodValues(
      name: year.name(of: year.months[month]), count: year.months[month].threads.count, months: [],
      within: year,
      newer: neighbour(-1), older: neighbour(1), links: links)
  }

  private func periodValues(
    name: String, count: Int, months: [TemplateValue], within year: SiteIndex.YearGroup?,
    newer: (name: String, path: SitePath)?, older: (name: String, path: SitePath)?, links: LinkRoot
  ) -> TemplateObject {
    func link(_ neighbour: (name: String, path: SitePath)?) -> TemplateValue {
      neighbour.map { ["name": .text($0.name), "url": .text(links.href($0.path))] } ?? .missing
    }
    return [
      "name": .text(name), "threads": .integer(count), "threads_text": .text(Plural.text(count, "thread")),
      "months": .list(months), "has_months": .bool(!months.isEmpty),
      "year": link(year.map { ("\($0.year)", $0.path) }), "newer": link(newer), "older": link(older),
      "has_neighbours": .bool(newer != nil || older != nil),
    ]
  }
}

extension SiteIndex.YearGroup {
  /// `January 2021`
  func name(of month: SiteIndex.MonthGroup) -> String { "\(SiteCalendar.monthName(month.month)) \(year)" }
}

extension IndexPage.Kind {
  /// Whether the page is of one author, whose picture stands above its list.
  fileprivate var isAuthor: Bool { if case .author = self { true } else { false } }
}
