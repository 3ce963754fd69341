import Basics
import Templates
package import ThreadModel

/// A thread as lists show it: all of it that is the same in every list, made once, as half a dozen of them show it.
///
/// It does not keep the summary that it is made of: the index holds that already, and a copy is some three hundred bytes.
package struct ThreadListing: Sendable {
  /// The author's picture, in lists of several authors' threads.
  let avatar: SummaryImage?
  private let constant: TemplateObject
  /// How many tags the lists leave out; missing where they show all.
  private let moreTags: TemplateValue
  /// The author's name as HTML, where that is the same on every page: where it holds no picture.
  private let nameHTML: UTF8Buffer?

  package init(
    _ thread: ThreadSummary, calendar: SiteCalendar, localization: Localization, avatar: SummaryImage? = nil
  ) {
    self.avatar = avatar
    nameHTML = thread.author.emoji.isEmpty ? InlineHTML.name(thread.author.name) : nil
    let more = thread.tags.count - ThreadTag.mostInLists
    moreTags = more > 0 ? .text(localization.number(more)) : .missing
    constant = [
      "title": .text(thread.title),
      "published": Self.date(thread.published, calendar),
      "updated": Self.date(Self.laterDate(of: thread, calendar), calendar),
      "excerpt": .text(thread.excerpt),
      "language": thread.language.map { .text($0) } ?? .missing,
      "posts": .integer(thread.postCount),
      "posts_text": .text(localization.count(thread.postCount, .countPosts)),
      "reading_minutes": thread.readingMinutes > 0 ? .integer(thread.readingMinutes) : .missing,
      "reading_text": thread.readingMinutes > 0
        ? .text(localization.count(thread.readingMinutes, .countMinutes)) : .missing,
      "has_tags": .bool(!thread.tags.isEmpty),
    ]
  }

  /// When the thread was published, as a layout sees it.
  var published: TemplateValue { constant["published"] }

  /// With the links of one page.
  ///
  /// - Parameters:
  ///   - thread: the summary that this was made of.
  ///   - showsAuthor: whether the list has threads of several authors.
  ///   - showsPictures: whether the theme gives lists pictures of people.
  ///   - showsThumbnail: whether it gives them pictures of threads.
  ///   - showsAllTags: whether this is the thread's own page and no list, where a thread with very many tags, shown under each
  ///     of them, would take the square of their number.
  func values(
    of thread: ThreadSummary, for links: LinkRoot, showsAuthor: Bool = true, showsPictures: Bool = false,
    showsThumbnail: Bool = false, showsAllTags: Bool = false
  ) -> TemplateObject {
    var values = constant
    values["url"] = .text(links.href(thread.path))
    values["author"] = [
      "name": .text(thread.author.name),
      "name_html": .markup(nameHTML ?? thread.author.nameHTML(links)),
      "handle": thread.author.handle.map { .text("@" + $0) } ?? .missing,
      "url": .text(links.href(thread.author.path)),
      "avatar": .picture(showsAuthor ? avatar : nil, links),
      "initial": .initial(showsAuthor && showsPictures && avatar == nil ? thread.author.name : nil),
    ]
    values["shows_author"] = .bool(showsAuthor)
    values["thumbnail"] = .picture(showsThumbnail ? thread.thumbnail : nil, links)
    let tags = showsAllTags ? thread.tags[...] : thread.tags.prefix(ThreadTag.mostInLists)
    values["tags"] = .list(
      tags.map {
        ["name": .text(showsAllTags ? $0.name : $0.name.asName), "url": .text($0.href(links))]
      })
    if !showsAllTags { values["more_tags"] = moreTags }
    return values
  }

  private static func date(_ moment: Timestamp?, _ calendar: SiteCalendar) -> TemplateValue {
    guard let moment else { return .missing }
    return ["iso": .text(moment.iso8601), "text": .text(calendar.day(moment))]
  }

  /// When the thread's last post came, if that was on another day than the first.
  private static func laterDate(of thread: ThreadSummary, _ calendar: SiteCalendar) -> Timestamp? {
    guard let published = thread.published, let updated = thread.updated else { return nil }
    let first = calendar.civil(published)
    let last = calendar.civil(updated)
    return (first.year, first.month, first.day) == (last.year, last.month, last.day) ? nil : updated
  }
}
