package import Basics
import InterfaceText
import Templates
import ThreadModel

/// The other threads of a site to which a thread's page links, as indices into `SiteIndex.threads`.
struct RelatedThreads {
  /// The next newer and the next older thread of the site.
  var newer: Int?
  var older: Int?
  /// The next newer and the next older thread of the same author.
  var authorNewer: Int?
  var authorOlder: Int?
  /// Threads by the same author, newest first: the nearest in time, without `newer`, `older` and `similar`. There are at most three,
  /// together with `similar`.
  var more: [Int]
  /// Threads that quote a post of the thread or link to the thread, newest first.
  var quotedBy: [Int]
  /// Up to three threads that have tags and words in common with the thread, most similar first.
  var similar: [Int]
  /// The collections that contain the thread, and its place in each of them, from 0.
  var collections: [(collection: Int, place: Int)]
}

extension SiteIndex {
  /// The maximum number of threads in `more` and `similar` together.
  private static let mostInLists = 3

  func related(to position: Int) -> RelatedThreads {
    let newer = position > 0 ? position - 1 : nil
    let older = position + 1 < threads.count ? position + 1 : nil
    let place = placesInAuthors[position]
    let own = authors[place.author].threads
    func neighbour(_ offset: Int) -> Int? {
      let rank = place.rank + offset
      return own.indices.contains(rank) ? own[rank] : nil
    }
    let similar = self.similar.isEmpty ? [] : self.similar[position]
    let most = Self.mostInLists - similar.count
    var more: [Int] = []
    var distance = 1
    while more.count < most, distance < own.count {
      for other in [neighbour(-distance), neighbour(distance)] {
        guard let other, other != newer, other != older, more.count < most,
          !similar.contains(other)
        else { continue }
        more.append(other)
      }
      distance += 1
    }
    return RelatedThreads(
      newer: newer, older: older, authorNewer: neighbour(-1), authorOlder: neighbour(1), more: more.sorted(),
      quotedBy: quotedBy[position] ?? [], similar: similar, collections: memberships[position] ?? [])
  }

  /// Returns, for each thread, its author's index and its rank among the author's threads.
  static func places(in authors: [AuthorGroup], of count: Int) -> [(author: Int, rank: Int)] {
    var places = Array(repeating: (author: 0, rank: 0), count: count)
    for (author, group) in authors.enumerated() {
      for (rank, position) in group.threads.enumerated() { places[position] = (author, rank) }
    }
    return places
  }

  /// Returns collections with their threads as indices; threads that are not in `threads` are left out.
  static func group(_ collections: [ThreadCollection], _ positions: [SitePath: Int]) -> [CollectionGroup] {
    collections.map { CollectionGroup(collection: $0, threads: $0.threads.compactMap { positions[$0] }) }
  }

  static func memberships(in collections: [CollectionGroup]) -> [Int: [(collection: Int, place: Int)]] {
    var memberships: [Int: [(collection: Int, place: Int)]] = [:]
    for (number, group) in collections.enumerated() {
      for (place, position) in group.threads.enumerated() {
        memberships[position, default: []].append((number, place))
      }
    }
    return memberships
  }

  /// Returns the reversed links: for each thread, the threads that link to it, newest first.
  static func reversed(_ links: [SitePath: Set<SitePath>], _ positions: [SitePath: Int]) -> [Int: [Int]] {
    var quotedBy: [Int: [Int]] = [:]
    for (source, targets) in links {
      guard let from = positions[source] else { continue }
      for target in targets {
        if let to = positions[target], to != from { quotedBy[to, default: []].append(from) }
      }
    }
    return quotedBy.mapValues { $0.sorted() }
  }

  /// Returns the indices of the threads in collections and links, which are few on most sites.
  static func positions(
    of threads: ThreadSummaries, in collections: [ThreadCollection], _ links: [SitePath: Set<SitePath>]
  ) -> [SitePath: Int] {
    var named = Set(collections.flatMap(\.threads))
    for (source, targets) in links {
      named.insert(source)
      named.formUnion(targets)
    }
    guard !named.isEmpty else { return [:] }
    var positions: [SitePath: Int] = [:]
    for (position, thread) in threads.enumerated() where named.contains(thread.path) {
      positions[thread.path] = position
    }
    return positions
  }
}

extension PageRenderer {
  /// The name of the theme's template for related threads.
  static let relatedTemplate = "thread-related"

  /// Whether the theme shows related threads.
  var showsRelated: Bool { theme.layouts.contains(Self.relatedTemplate) }

  /// Renders the part of a thread's page about related threads; `nil` if the theme does not show related threads.
  ///
  /// - Parameter position: the thread's index in `index.threads`.
  package func related(to position: Int, in index: SiteIndex) throws(SiteOutputError) -> UTF8Buffer? {
    guard showsRelated else { return nil }
    var html = UTF8Buffer(capacity: 4096)
    try render(Self.relatedTemplate, relatedValues(position, index), into: &html)
    return html
  }

  /// Returns the values that the template `thread-related` receives.
  func relatedValues(_ position: Int, _ index: SiteIndex) -> TemplateObject {
    let links = LinkRoot(from: index.threads[position].path)
    let related = index.related(to: position)
    func link(_ other: Int?) -> TemplateValue {
      other.map { linkValues($0, index, links) } ?? .missing
    }
    var values = sharedValues(for: links)
    values["newer"] = link(related.newer)
    values["older"] = link(related.older)
    values["has_neighbours"] = .bool(related.newer != nil || related.older != nil)
    if showsAuthorNeighbours {
      values["author_newer"] = link(related.authorNewer)
      values["author_older"] = link(related.authorOlder)
    }
    values["more"] = .list(related.more.map(link))
    values["has_more"] = .bool(!related.more.isEmpty)
    values["quoted_by"] = .list(related.quotedBy.map(link))
    values["has_quoted_by"] = .bool(!related.quotedBy.isEmpty)
    values["similar"] = .list(related.similar.map(link))
    values["has_similar"] = .bool(!related.similar.isEmpty)
    values["shows_author"] = .bool(index.hasSeveralAuthors)
    values["collections"] = .list(
      related.collections.map { membershipValues(index.collections[$0.collection], $0.place, index, links) })
    values["has_collections"] = .bool(!related.collections.isEmpty)
    values["author"] = .object(
      briefValues(index.authors[index.placesInAuthors[position].author], links))
    return values
  }

  /// Returns the values for a link to a thread.
  private func linkValues(_ position: Int, _ index: SiteIndex, _ links: LinkRoot) -> TemplateValue {
    let thread = index.threads[position]
    return [
      "title": .text(thread.title), "url": .text(links.href(thread.path)),
      "language": thread.language.map { .text($0) } ?? .missing,
      "author": [
        "name": .text(thread.author.name), "name_html": .markup(ownNameHTML(thread.author, links)),
        "url": .text(links.href(thread.author.path)),
      ],
      "published": .date(thread.published, site.calendar.day),
      // The page's policy allows only the hosts of its own thread's pictures, so only pictures that are stored on the site are shown.
      "thumbnail": .picture(
        theme.showsCardImages && thread.thumbnail?.host == nil ? thread.thumbnail : nil, links),
      "posts": .integer(thread.postCount),
    ]
  }

  private func membershipValues(
    _ group: SiteIndex.CollectionGroup, _ place: Int, _ index: SiteIndex, _ links: LinkRoot
  ) -> TemplateValue {
    func link(_ place: Int) -> TemplateValue {
      group.threads.indices.contains(place)
        ? linkValues(group.threads[place], index, links) : .missing
    }
    return [
      "title": .text(group.collection.title), "url": .text(links.href(group.collection.path)),
      "number": .text(site.localization.number(place + 1)),
      "count": .text(site.localization.number(group.threads.count)),
      "previous": link(place - 1), "next": link(place + 1),
      "has_neighbours": .bool(group.threads.count > 1),
    ]
  }

  /// Returns a name with only those emoji pictures that are stored on the site, because a page's policy allows only the hosts of its own thread.
  func ownNameHTML(_ author: AuthorSummary, _ links: LinkRoot) -> UTF8Buffer {
    InlineHTML.name(author.name, author.emoji.filter { $0.value.host == nil }, links)
  }

  /// In bytes of HTML. A longer bio is shown only on the author's page, not on the pages of all of their threads.
  private static let longestBriefBio = 8_000

  /// Returns the values for a short presentation of the author.
  ///
  /// - Parameter takes: whether the page may show a picture. The policy of a thread's page allows only the hosts of its own thread, so only
  ///   pictures that are stored on the site are certain to be allowed there.
  func briefValues(
    _ group: SiteIndex.AuthorGroup, _ links: LinkRoot,
    where takes: (SummaryImage) -> Bool = { $0.host == nil }
  ) -> TemplateObject {
    let avatar = group.profile?.avatar.flatMap { takes($0) ? $0 : nil }
    let bio = group.bio(links, where: takes)
    return [
      "name": .text(group.author.name),
      "name_html": .markup(
        InlineHTML.name(group.author.name, group.author.emoji.filter { takes($0.value) }, links)),
      "handle": group.author.handle.map { .text("@" + $0.asHandle) } ?? .missing,
      "url": .text(links.href(group.author.path)),
      "profile_url": group.author.url.flatMap(WebAddress.safe).map { .text($0) } ?? .missing,
      "avatar": .picture(avatar, links),
      "initial": .initial(theme.showsAvatars && avatar == nil ? group.author.name : nil),
      "bio_html": bio.flatMap { $0.count <= Self.longestBriefBio ? .markup($0) : nil } ?? .missing,
      "threads": .text(site.localization.number(group.threads.count)),
      "has_several_threads": .bool(group.threads.count > 1),
    ]
  }
}
