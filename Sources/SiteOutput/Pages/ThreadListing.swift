import Basics
import InterfaceText
import Templates
import ThreadModel

extension PageRenderer {
  /// Returns the values of a thread in a list, or on its own page.
  ///
  /// They are created for each list that shows the thread, because the values of all threads would need more memory than the threads' summaries.
  ///
  /// - Parameters:
  ///   - avatar: the author's picture, shown in lists of several authors' threads.
  ///   - showsAuthor: whether the list contains threads of several authors.
  ///   - isOwnPage: whether the page is the thread's own page. Lists show only some of the tags: a thread with very many tags is listed under
  ///     each of them, so the total size would grow with the square of their number.
  func listingValues(
    of thread: ThreadSummary, avatar: SummaryImage? = nil, showsAuthor: Bool = true, isOwnPage: Bool = false,
    _ links: LinkRoot
  ) -> TemplateObject {
    let localization = site.localization
    let showsInitial = !isOwnPage && showsAuthor && theme.showsAvatars && avatar == nil
    let author: TemplateValue = [
      "name": .text(thread.author.name),
      "name_html": .markup(thread.author.nameHTML(links)),
      "handle": thread.author.handle.map { .text("@" + $0.asHandle) } ?? .missing,
      "url": .text(links.href(thread.author.path)),
      "avatar": .picture(showsAuthor ? avatar : nil, links),
      "initial": .initial(showsInitial ? thread.author.name : nil),
    ]
    let tags = isOwnPage ? thread.tags[...] : thread.tags.prefix(ThreadTag.mostInLists)
    let tagValues: [TemplateValue] = tags.map {
      ["name": .text(isOwnPage ? $0.name : $0.name.asName), "url": .text($0.href(links))]
    }
    let showsPictures = !isOwnPage && theme.showsCardImages
    var values: TemplateObject = [
      "title": .text(thread.title),
      "published": .date(thread.published, site.calendar.day),
      "updated": .date(laterDate(of: thread), site.calendar.day),
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
      "url": .text(links.href(thread.path)),
      "author": author,
      "shows_author": .bool(showsAuthor),
      "thumbnail": .picture(showsPictures ? thread.thumbnail : nil, links),
      "picture": .picture(showsPictures ? thread.picture : nil, links),
      "tags": .list(tagValues),
    ]
    if !isOwnPage {
      let more = thread.tags.count - tags.count
      values["more_tags"] = more > 0 ? .text(localization.number(more)) : .missing
    }
    return values
  }

  /// Returns the classes for the two digits of a number, as on shares; for more than 40, those of 40.
  private static func digits(of count: Int) -> String {
    let count = min(max(count, 0), 40)
    return "t\(count / 10) u\(count % 10)"
  }

  /// Returns the date of the thread's last post, if that is not the day of the first post.
  private func laterDate(of thread: ThreadSummary) -> Timestamp? {
    guard let published = thread.published, let updated = thread.updated else { return nil }
    let first = site.calendar.civil(published)
    let last = site.calendar.civil(updated)
    return (first.year, first.month, first.day) == (last.year, last.month, last.day) ? nil : updated
  }
}

extension TemplateValue {
  /// Returns a date with its text; missing if it is `nil`.
  static func date(_ moment: Timestamp?, _ text: (Timestamp) -> String) -> TemplateValue {
    guard let moment else { return .missing }
    return ["iso": .text(moment.iso8601), "text": .text(text(moment))]
  }
}
