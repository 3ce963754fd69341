import Templates
import ThreadModel
package import UTF8Text
import Wording

/// The place that a thread's page keeps open for what depends on the other threads, which are known when all are rendered.
enum OpenPlace {
  /// The template that fills it.
  static let template = "thread-related"

  /// What stands there until then: a byte that UTF-8 never has, so that no text of anybody's can be taken for it.
  private static let mark: UInt8 = 0xFF
  static let value = TemplateValue.markup(UTF8Buffer(bytes: [mark]))

  /// Takes the mark out.
  ///
  /// - Returns: where it stood; `nil` where the layout keeps no place open.
  static func take(from html: inout UTF8Buffer) throws(SiteOutputError) -> Int? {
    // From the end, where layouts have it.
    guard let place = html.bytes.lastIndex(of: mark) else { return nil }
    html.bytes.remove(at: place)
    let greatest = html.bytes.withUnsafeBufferPointer { $0[..<place].reduce(0, max) }
    guard greatest < mark else {
      throw .template("layouts/thread.mustache: error: `related` stands on the page more than once.")
    }
    return place
  }
}

extension PageRenderer {
  /// What goes into the place that a thread's page has kept open.
  ///
  /// - Parameter position: of the thread, in `index.threads`.
  package func renderRelated(
    to position: Int, in index: SiteIndex, into buffer: inout UTF8Buffer
  ) throws(SiteOutputError) {
    try render(OpenPlace.template, relatedValues(position, index), into: &buffer)
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

  /// A name with those pictures of emoji that are the site's own: a page's policy is written before it is known what is related to it.
  private func ownNameHTML(_ author: AuthorSummary, _ links: LinkRoot) -> UTF8Buffer {
    InlineHTML.name(author.name, author.emoji.filter { $0.value.host == nil }, links)
  }

  /// Bytes of HTML: a longer bio is on the author's own page alone, and not on those of all their threads.
  private static let longestBriefBio = 8_000

  /// The author in short.
  private func briefValues(_ group: SiteIndex.AuthorGroup, _ links: LinkRoot) -> TemplateValue {
    // A page's policy is written before its author's profile is known, so only the site's own pictures are sure to be allowed.
    let avatar = group.profile?.avatar.flatMap { $0.host == nil ? $0 : nil }
    return [
      "name": .text(group.author.name),
      "name_html": .markup(ownNameHTML(group.author, links)),
      "handle": group.author.handle.map { .text("@" + $0) } ?? .missing,
      "url": .text(links.href(group.author.path)),
      "profile_url": group.author.url.flatMap(WebAddress.safe).map { .text($0) } ?? .missing,
      "avatar": .picture(avatar, links),
      "bio_html": group.bio.flatMap { $0.count <= Self.longestBriefBio ? .markup($0) : nil } ?? .missing,
      "threads": .text(site.wording.number(group.threads.count)),
      "has_several_threads": .bool(group.threads.count > 1),
    ]
  }
}
