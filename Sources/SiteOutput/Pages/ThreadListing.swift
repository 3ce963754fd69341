import Basics
package import InterfaceText
import Templates
import ThreadModel

/// The values of a thread in lists.
///
/// They are created for each list that shows the thread, because the values of all threads would need more memory than the threads' summaries.
package struct ThreadListing: Sendable {
  /// The author's picture, shown in lists of several authors' threads.
  private let avatar: SummaryImage?
  private let constant: TemplateObject
  /// The number of tags that lists omit; missing if they show all tags.
  private let moreTags: TemplateValue
  /// The author's name as HTML; `nil` if it contains pictures, whose URLs differ between pages.
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
      "long_excerpt": .text(thread.longExcerpt),
      "language": thread.language.map { .text($0) } ?? .missing,
      "posts": .integer(thread.postCount),
      "posts_digits": .text(Self.digits(of: thread.postCount)),
      "posts_text": .text(localization.count(thread.postCount, .countPosts)),
      "reading_minutes": thread.readingMinutes > 0 ? .integer(thread.readingMinutes) : .missing,
      "reading_text": thread.readingMinutes > 0
        ? .text(localization.count(thread.readingMinutes, .countMinutes)) : .missing,
      "has_tags": .bool(!thread.tags.isEmpty),
    ]
  }

  /// Returns the values with the links of one page.
  ///
  /// - Parameters:
  ///   - thread: the summary from which this value was created.
  ///   - showsAuthor: whether the list contains threads of several authors.
  ///   - showsPictures: whether the theme shows pictures of people in lists.
  ///   - showsThumbnail: whether the theme shows pictures of threads in lists.
  ///   - showsAllTags: whether the page is the thread's own page. Lists show only some of the tags: a thread with very many tags is listed
  ///     under each of them, so the total size would grow with the square of their number.
  func values(
    of thread: ThreadSummary, for links: LinkRoot, showsAuthor: Bool = true, showsPictures: Bool = false,
    showsThumbnail: Bool = false, showsAllTags: Bool = false
  ) -> TemplateObject {
    var values = constant
    values["url"] = .text(links.href(thread.path))
    values["author"] = [
      "name": .text(thread.author.name),
      "name_html": .markup(nameHTML ?? thread.author.nameHTML(links)),
      "handle": thread.author.handle.map { .text("@" + $0.asHandle) } ?? .missing,
      "url": .text(links.href(thread.author.path)),
      "avatar": .picture(showsAuthor ? avatar : nil, links),
      "initial": .initial(showsAuthor && showsPictures && avatar == nil ? thread.author.name : nil),
    ]
    values["shows_author"] = .bool(showsAuthor)
    values["thumbnail"] = .picture(showsThumbnail ? thread.thumbnail : nil, links)
    values["picture"] = .picture(showsThumbnail ? thread.picture : nil, links)
    let tags = showsAllTags ? thread.tags[...] : thread.tags.prefix(ThreadTag.mostInLists)
    values["tags"] = .list(
      tags.map {
        ["name": .text(showsAllTags ? $0.name : $0.name.asName), "url": .text($0.href(links))]
      })
    if !showsAllTags { values["more_tags"] = moreTags }
    return values
  }

  /// Returns the classes for the two digits of a number, as on shares; for more than 40, those of 40.
  private static func digits(of count: Int) -> String {
    let count = min(max(count, 0), 40)
    return "t\(count / 10) u\(count % 10)"
  }

  /// Returns a date as a template value; missing if it is `nil`.
  static func date(_ moment: Timestamp?, _ calendar: SiteCalendar) -> TemplateValue {
    guard let moment else { return .missing }
    return ["iso": .text(moment.iso8601), "text": .text(calendar.day(moment))]
  }

  /// Returns the date of the thread's last post, if that is not the day of the first post.
  private static func laterDate(of thread: ThreadSummary, _ calendar: SiteCalendar) -> Timestamp? {
    guard let published = thread.published, let updated = thread.updated else { return nil }
    let first = calendar.civil(published)
    let last = calendar.civil(updated)
    return (first.year, first.month, first.day) == (last.year, last.month, last.day) ? nil : updated
  }
}
