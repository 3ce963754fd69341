package import Basics
package import SiteOutput

/// What a book says of itself: on its title page and to the programs that list it.
package struct Book: Sendable {
  /// `urn:uuid:…`, the same for every edition.
  package var identifier: String
  package var title: String
  /// Whose threads these are.
  package var authors: [String] = []
  package var publisher: String?
  /// Where they came from: an address.
  package var source: String?
  /// BCP 47: of the words that are not the threads' own.
  package var language: String
  /// What stands on the title page below the authors: when the threads were written, how many there are.
  package var lines: [String] = []
  /// The owner's words, as XHTML.
  package var introduction: UTF8Buffer?
  /// When what it holds was last changed: `2024-05-06T07:08:09Z`.
  package var modified: String
  package var words: Words

  /// Words of its own.
  package struct Words: Sendable {
    package var contents: String
    package var titlePage: String

    package init(contents: String, titlePage: String) {
      self.contents = contents
      self.titlePage = titlePage
    }
  }

  package init(identifier: String, title: String, language: String, modified: String, words: Words) {
    self.identifier = identifier
    self.title = title
    self.language = language
    self.modified = modified
    self.words = words
  }
}

/// A thread of a book.
package struct BookThread: Sendable {
  package var title: String
  /// Whose it is, where the book has several authors.
  package var author: String?
  /// What stands above it and its neighbours in the table of contents, such as a year.
  package var group: String?
  /// BCP 47; `nil` where it is the book's own or unknown.
  package var language: String?
  /// XHTML.
  package var body = UTF8Buffer()
  /// The parts of the thread, by ids within the body.
  package var contents: [ContentsEntry] = []

  package init(title: String) { self.title = title }
}

/// A picture's content with its type, which was found in its bytes.
package struct BookPicture: Sendable {
  /// ASCII letters, digits and `. - _`.
  package var name: String
  /// MIME.
  package var type: String
  package var bytes: [UInt8]

  package init(name: String, type: String, bytes: [UInt8]) {
    self.name = name
    self.type = type
    self.bytes = bytes
  }
}

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
