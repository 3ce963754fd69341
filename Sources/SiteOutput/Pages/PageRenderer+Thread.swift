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
    var details = ThreadListing(thread, calendar: site.calendar).values(for: links)
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
}

/// A number with its noun.
enum Plural {
  /// `1,204`
  static func grouped(_ number: Int) -> String {
    let digits = Array(String(number))
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, digits[index - 1] != "-", (digits.count - index).isMultiple(of: 3) { text += "," }
      text.append(digit)
    }
    return text
  }

  static func text(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
