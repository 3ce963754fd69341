import Basics
import InterfaceText
import MarkdownHTML
import Templates
import ThreadModel

/// The author's exact text: the text that a reader sees in HTML is the original, character for character. The headline of an article
/// precedes it, unless the page already shows it.
struct TextComponent: Component {
  static let kind = ComponentKind.text

  /// The text without the parts that are shown elsewhere on the page.
  let text: InlineText
  let post: Post
  /// The first line of the post as a heading. The text is then without it.
  var divided: ThreadHeadings.DividedText?

  func values(in document: inout DocumentWriter) -> TemplateObject? {
    let headline = PlainText.nonEmptyLine(post.title).flatMap { $0 == document.title ? nil : $0 }
    guard !text.isEmpty || headline != nil || divided != nil else { return nil }
    func markup(_ text: InlineText?) -> TemplateValue {
      text.map { .markup(document.markdown($0, .inline, emoji: post.emoji)) } ?? .missing
    }
    let (heading, number) = (markup(divided?.heading), markup(divided?.number))
    return [
      "headline": headline.map { .text($0) } ?? .missing,
      "heading": heading,
      "heading_number": number,
      "lang": document.otherLanguage(of: post),
      "dir": direction(within: document).map { .text($0) } ?? .missing,
      "text": .markup(document.markdown(text, .block, emoji: post.emoji, at: post.createdAt)),
    ]
  }

  /// Returns the writing direction; `nil` if both the text and the thread run from left to right.
  private func direction(within document: borrowing DocumentWriter) -> String? {
    guard text.text.holdsRightToLeft || divided?.heading.text.holdsRightToLeft ?? false else {
      return document.runsRightToLeft ? "auto" : nil
    }
    let language = LanguageTag.valid(post.language)
    return (language.map(LanguageTag.isRightToLeft) ?? document.runsRightToLeft) ? "rtl" : "auto"
  }
}

/// A post's URL within the page and on its network, and when it was written. The day is shown if it differs from that of the previous post;
/// otherwise only the time is shown, so that a date is not read or heard a dozen times.
struct PermalinkComponent: Component {
  static let kind = ComponentKind.permalink

  let post: Post
  let author: Author?
  /// When the previous post was written.
  let previous: Timestamp?
  /// The post's number in the main line, if it is part of it.
  let number: Int?
  /// The number of posts of the main line.
  let count: Int

  func values(in document: inout DocumentWriter) -> TemplateObject? {
    let (calendar, localization) = (document.options.calendar, document.localization)
    let address = document.address(of: post, by: author)
    let isSameDay =
      previous.flatMap { previous in post.createdAt.map { calendar.isSameDay(previous, $0) } } ?? false
    let date = post.createdAt.map { isSameDay ? calendar.time($0) : calendar.minute($0) }
    let link = date ?? (address == nil ? nil : localization.text(.original))
    var values: TemplateObject = [
      "anchor": .text(MarkdownPieces.anchor(post.id.value)),
      "date": date.map { .text($0) } ?? .missing,
      "date_link": link.map { MarkdownPieces.link($0, safe: address) } ?? .missing,
      "new_day": .bool(date != nil && !isSameDay),
      "edited": post.editedAt.map { .text(calendar.day($0)) } ?? .missing,
    ]
    if let number {
      values["number"] = .text(localization.number(number))
      values["count"] = .text(localization.number(count))
    }
    return values
  }
}

/// The author of a post, for themes that show posts separately.
struct PostByline {
  let author: Author

  func values(in document: inout DocumentWriter) -> TemplateObject {
    var values: TemplateObject = ["name": document.shownName(author)]
    if let handle = PlainText.nonEmptyLine(author.handle)?.asHandle {
      // Between letters that run from right to left, the @ would appear after the handle.
      values["handle"] = .text(document.runsRightToLeft ? "\u{2068}@\(handle)\u{2069}" : "@" + handle)
    }
    if let avatar = document.avatar(of: author) {
      values["avatar"] = MarkdownPieces.destination(avatar.url)
    }
    return values
  }
}

/// How often a post was liked, reposted and answered when last seen. Unknown numbers and zeros are omitted.
struct PostMetricsList {
  let post: Post

  func values(in localization: Localization) -> [TemplateValue] {
    let counts: [(name: String, number: Int?, key: StringKey)] = [
      ("replies", post.metrics.replies, .countReplies),
      ("reposts", post.metrics.reposts, .countReposts),
      ("likes", post.metrics.likes, .countLikes),
    ]
    let known = counts.filter { ($0.number ?? 0) > 0 }
    return known.enumerated().map { index, count in
      let number = count.number ?? 0
      return [
        "name": .text(count.name), "number": .text(localization.number(number)),
        "text": .text(localization.count(number, count.key)), "first": .bool(index == 0),
      ]
    }
  }
}
