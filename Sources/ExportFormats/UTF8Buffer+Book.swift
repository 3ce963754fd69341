import SiteOutput
import UTF8Text

/// What books and pages that stand alone write alike.
extension UTF8Buffer {
  /// Appends ` name="value"`.
  mutating func appendAttribute(_ name: StaticString, _ value: String) {
    append(" " as StaticString)
    append(name)
    append("=\"" as StaticString)
    appendEscapingXML(value)
    append("\"" as StaticString)
  }

  /// Appends what a title page says.
  mutating func appendTitlePage(of book: Book) {
    append("<h1 dir=\"auto\">" as StaticString)
    appendEscapingXML(book.title)
    append("</h1>\n" as StaticString)
    if !book.authors.isEmpty {
      append("<p class=\"authors\">" as StaticString)
      for (position, author) in book.authors.enumerated() {
        if position > 0 { append(" · " as StaticString) }
        append("<bdi>" as StaticString)
        appendEscapingXML(author)
        append("</bdi>" as StaticString)
      }
      append("</p>\n" as StaticString)
    }
    for line in book.lines {
      append("<p>" as StaticString)
      appendEscapingXML(line)
      append("</p>\n" as StaticString)
    }
    if let source = book.source {
      append("<p><a" as StaticString)
      appendAttribute("href", source)
      append(">" as StaticString)
      appendEscapingXML(source)
      append("</a></p>\n" as StaticString)
    }
    if let introduction = book.introduction, !introduction.isEmpty {
      append("<div class=\"introduction\">\n" as StaticString)
      append(introduction)
      append("</div>\n" as StaticString)
    }
  }

  /// Appends a thread's line in the contents, without what ends its list item.
  mutating func appendLine(of thread: BookThread, href: String) {
    append("<a dir=\"auto\"" as StaticString)
    appendAttribute("href", href)
    append(">" as StaticString)
    appendEscapingXML(thread.title)
    if let author = thread.author {
      append(" — " as StaticString)
      appendEscapingXML(author)
    }
    append("</a>" as StaticString)
  }

  /// Appends the list of a thread's parts; nothing for a thread that has none.
  ///
  /// - Parameter start: what leads to the thread's ids, such as `text/t00001.xhtml#`.
  mutating func appendParts(of thread: BookThread, in start: String) {
    guard !thread.contents.isEmpty else { return }
    append("\n<ol>\n" as StaticString)
    for entry in thread.contents {
      append("<li><a dir=\"auto\"" as StaticString)
      appendAttribute("href", start + entry.anchor)
      append(">" as StaticString)
      appendEscapingXML(entry.title)
      append("</a></li>\n" as StaticString)
    }
    append("</ol>\n" as StaticString)
  }
}
