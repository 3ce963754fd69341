import Templates
import ThreadModel
package import UTF8Text
import Wording

extension PageRenderer {
  /// The theme's template for it.
  private static let relatedTemplate = "thread-related"

  /// Whether the theme says anything of the threads around one.
  var showsRelated: Bool { theme.layouts.contains(Self.relatedTemplate) }

  /// What a thread's page says of the threads around it; `nil` where the theme has nothing to say of them.
  ///
  /// - Parameter position: of the thread, in `index.threads`.
  package func related(to position: Int, in index: SiteIndex) throws(SiteOutputError) -> UTF8Buffer? {
    guard showsRelated else { return nil }
    var html = UTF8Buffer(capacity: 4096)
    try render(Self.relatedTemplate, relatedValues(position, index), into: &html)
    return html
  }

  /// The values that `thread-related` sees.
  private func relatedValues(_ position: Int, _ index: SiteIndex) -> TemplateObject {
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
    values["collections"] = .list(
      related.collections.map { membershipValues(index.collections[$0.collection], $0.place, index, links) })
    values["has_collections"] = .bool(!related.collections.isEmpty)
    values["author"] = briefValues(index.authors[index.placesInAuthors[position].author], links)
    return values
  }

  /// A thread as a link to it shows it.
  private func linkValues(_ position: Int, _ index: SiteIndex, _ links: LinkRoot) -> TemplateValue {
    let thread = index.threads[position]
    return [
      "title": .text(thread.title), "url": .text(links.href(thread.path)),
      "language": thread.language.map { .text($0) } ?? .missing,
      "author": [
        "name": .text(thread.author.name), "name_html": .markup(ownNameHTML(thread.author, links)),
        "url": .text(links.href(thread.author.path)),
      ],
      "published": index.listings[position].published,
      // A page's policy names the hosts of its own thread.
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
      "number": .text(site.wording.number(place + 1)),
      "count": .text(site.wording.number(group.threads.count)),
      "previous": link(place - 1), "next": link(place + 1),
      "has_neighbours": .bool(group.threads.count > 1),
    ]
  }

  /// A name with those pictures of emoji that are the site's own: a page's policy names the hosts of its own thread.
  func ownNameHTML(_ author: AuthorSummary, _ links: LinkRoot) -> UTF8Buffer {
    InlineHTML.name(author.name, author.emoji.filter { $0.value.host == nil }, links)
  }

  /// Bytes of HTML: a longer bio is on the author's own page alone, and not on those of all their threads.
  private static let longestBriefBio = 8_000

  /// The author in short.
  func briefValues(_ group: SiteIndex.AuthorGroup, _ links: LinkRoot) -> TemplateValue {
    // A page's policy names the hosts of its own thread, so only the site's own pictures are sure to be allowed.
    let avatar = group.profile?.avatar.flatMap { $0.host == nil ? $0 : nil }
    let bio = group.bio(links) { $0.host == nil }
    return [
      "name": .text(group.author.name),
      "name_html": .markup(ownNameHTML(group.author, links)),
      "handle": group.author.handle.map { .text("@" + $0) } ?? .missing,
      "url": .text(links.href(group.author.path)),
      "profile_url": group.author.url.flatMap(WebAddress.safe).map { .text($0) } ?? .missing,
      "avatar": .picture(avatar, links),
      "initial": .initial(theme.showsAvatars && avatar == nil ? group.author.name : nil),
      "bio_html": bio.flatMap { $0.count <= Self.longestBriefBio ? .markup($0) : nil } ?? .missing,
      "threads": .text(site.wording.number(group.threads.count)),
      "has_several_threads": .bool(group.threads.count > 1),
    ]
  }
}
