import Templates
import ThreadModel
import UTF8Text

extension PageRenderer {
  /// The values that the `thread` layout sees.
  func values(of page: ThreadPage) -> TemplateObject {
    let thread = page.summary
    let links = LinkRoot(from: thread.path)
    let head = PageHead(
      path: thread.path, title: thread.title, summary: thread.excerpt, author: thread.author.name,
      published: thread.published, updated: thread.updated, image: thread.image, mediaHosts: page.mediaHosts,
      isArticle: true)
    var values = commonValues(head, links: links)
    var details = listingValues(of: thread, links: links)
    details["direction"] = thread.language.map { .text(TextDirection.of($0)) } ?? .missing
    details["url"] = "./"
    details["markdown_url"] = "index.md"
    details["source"] =
      page.sourceURL.flatMap(WebAddress.safe).map {
        ["url": .text($0), "name": .text(thread.id.platform.displayName)]
      } ?? .missing
    values["thread"] = .object(details)
    values["body"] = .markup(page.body)
    values["json_ld"] = .markup(structuredData(of: page))
    return values
  }

  /// A thread as lists show it.
  func listingValues(of thread: ThreadSummary, links: LinkRoot) -> TemplateObject {
    var values = TemplateObject()
    values["title"] = .text(thread.title)
    values["url"] = .text(links.href(thread.path))
    values["author"] = [
      "name": .text(thread.author.name),
      "handle": thread.author.handle.map { .text("@" + $0) } ?? .missing,
      "url": .text(links.href(thread.author.path)),
    ]
    values["published"] = dateValues(thread.published)
    values["updated"] = laterDateValues(thread)
    values["excerpt"] = .text(thread.excerpt)
    values["language"] = thread.language.map { .text($0) } ?? .missing
    values["posts"] = .integer(thread.postCount)
    values["posts_text"] = .text(Plural.text(thread.postCount, "post"))
    values["tags"] = .list(
      thread.tags.map { ["name": .text($0.name), "url": .text(links.href($0.path))] })
    values["has_tags"] = .bool(!thread.tags.isEmpty)
    return values
  }

  func dateValues(_ moment: Timestamp?) -> TemplateValue {
    guard let moment else { return .missing }
    return ["iso": .text(moment.iso8601), "text": .text(site.calendar.day(moment))]
  }

  /// When the thread's last post came, if that was on another day than the first.
  private func laterDateValues(_ thread: ThreadSummary) -> TemplateValue {
    guard let published = thread.published, let updated = thread.updated,
      site.calendar.day(published) != site.calendar.day(updated)
    else { return .missing }
    return dateValues(updated)
  }
}

/// A number with its noun.
enum Plural {
  static func text(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
