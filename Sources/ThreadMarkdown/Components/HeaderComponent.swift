import Basics
import InterfaceText
import MarkdownHTML
import Templates
import ThreadModel

/// The title, or the first words of the thread if these are the heading, with the author, the number of posts and the dates.
struct HeaderComponent: Component {
  static let kind = ComponentKind.header

  let thread: UnrolledThread
  /// The URL of the thread on its network.
  let source: String?
  /// The first words of the thread, if they are its heading.
  let opening: ThreadOpening?

  func values(in document: inout DocumentWriter) -> TemplateObject? {
    let (options, components, localization) = (document.options, document.components, document.localization)
    let date = dates(by: options.calendar, in: localization)
    let name = document.shownName(thread.author)
    var values: TemplateObject = [
      "title": options.showsTitle || !components.setsOpening ? .text(document.title) : .missing,
      "name": name,
      "name_link": MarkdownPieces.link(name, safe: options.links.authorPage),
      "handle_link": MarkdownPieces.handleLink(thread.author),
      "date": date.map { .text($0) } ?? .missing,
      // If the first post shows its date, that date links to the network.
      "date_link": date.map { MarkdownPieces.link($0, options.showsPermalinks ? nil : source) } ?? .missing,
      "posts": .text(localization.count(thread.postCount, .countPosts)),
    ]
    if options.showsTitle, components.showsReadingTime {
      values["reading_time"] = .text(
        localization.count(ReadingTime.minutes(of: thread), .minutesToRead))
    }
    if let opening {
      values["anchor"] = .text(MarkdownPieces.anchor(opening.post.id.value))
      if options.showsTitle {
        values["opening"] = .markup(
          document.markdown(opening.heading, .inline, emoji: opening.post.emoji))
      }
    }
    if components.showsAvatars, options.showsAvatars, let avatar = document.avatar(of: thread.author) {
      values["avatar"] = MarkdownPieces.destination(avatar.url)
    }
    return values
  }

  /// Returns the day on which the main line was written, or the first and the last day.
  private func dates(by calendar: SiteCalendar, in localization: Localization) -> String? {
    let dates = thread.mainPosts.compactMap(\.post.createdAt)
    guard let first = dates.min(), let last = dates.max() else { return nil }
    if calendar.isSameDay(first, last) { return calendar.day(first) }
    return localization.text(.dateSpan, ["first": calendar.day(first), "last": calendar.day(last)])
  }
}
