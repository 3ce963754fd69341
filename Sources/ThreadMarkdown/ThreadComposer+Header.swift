import Templates
import ThreadModel

extension ThreadComposer {
  /// The title, and who wrote how much of it when.
  ///
  /// - Parameter source: The thread on its network.
  mutating func header(_ thread: UnrolledThread, source: String?) throws(ThreadMarkdownError) {
    var values = TemplateObject()
    values["title"] = .text(title)
    values["name"] = .text(MarkdownPieces.name(thread.author))
    values["handle_link"] = MarkdownPieces.handleLink(thread.author)
    if let date = thread.firstPost?.createdAt {
      values["date"] = .text(options.calendar.day(date))
      values["date_link"] = MarkdownPieces.link(options.calendar.day(date), source)
    }
    values["posts"] = .text(Wording.count(thread.postCount, "post"))
    try append(.header, values)
  }
}
