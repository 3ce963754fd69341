import Templates
import ThreadModel
import UTF8Text
import Wording

extension ThreadComposer {
  /// The title, or the first words of the thread where it is these, and who wrote how much of it when.
  ///
  /// - Parameter source: The thread on its network.
  mutating func header(_ thread: UnrolledThread, source: String?) throws(ThreadMarkdownError) {
    let date = dates(of: thread)
    let name = shownName(thread.author)
    var values: TemplateObject = [
      "title": options.showsTitle || !components.setsOpening ? .text(title) : .missing,
      "name": name,
      "name_link": MarkdownPieces.link(name, safe: options.authorURL),
      "handle_link": MarkdownPieces.handleLink(thread.author),
      "date": date.map { .text($0) } ?? .missing,
      // The first post's own date leads there, where it has one.
      "date_link": date.map { MarkdownPieces.link($0, options.showsPermalinks ? nil : source) } ?? .missing,
      "posts": .text(wording.count(thread.postCount, .countPosts)),
    ]
    if let opening {
      values["anchor"] = .text(MarkdownPieces.anchor(opening.post.id.value))
      if options.showsTitle {
        values["opening"] = .markup(
          markdown(opening.heading, .inline, pictures: EmojiPictures(opening.post.emoji)))
      }
    }
    if components.showsAvatars, let avatar = avatar(of: thread.author) {
      values["avatar"] = MarkdownPieces.destination(avatar.url)
    }
    try append(.header, values)
  }

  /// The day on which the main line was written, or the first and the last.
  private func dates(of thread: UnrolledThread) -> String? {
    let dates = thread.mainPosts.compactMap(\.post.createdAt)
    guard let first = dates.min(), let last = dates.max() else { return nil }
    let calendar = options.calendar
    if calendar.isSameDay(first, last) { return calendar.day(first) }
    return wording.text(.dateSpan, ["first": calendar.day(first), "last": calendar.day(last)])
  }
}
