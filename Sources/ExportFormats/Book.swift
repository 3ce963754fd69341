package import Basics
package import SiteOutput

/// The metadata of a book, shown on its title page and by programs that list books.
package struct Book: Sendable {
  /// In the form `urn:uuid:…`, the same for every edition.
  package var identifier: String
  package var title: String
  /// The authors of the threads.
  package var authors: [String] = []
  package var publisher: String?
  /// The URL from which the threads were exported.
  package var source: String?
  /// The language of the book's texts outside of the threads, as a BCP 47 tag.
  package var language: String
  /// Lines on the title page below the authors: when the threads were written, and their number.
  package var lines: [String] = []
  /// The introduction by the owner, as XHTML.
  package var introduction: UTF8Buffer?
  /// The last change of the content, such as `2024-05-06T07:08:09Z`.
  package var modified: String
  package var words: Words

  /// Texts of the book's interface.
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
  /// The author, if the book has several authors.
  package var author: String?
  /// The heading above the thread and its neighbors in the table of contents, such as a year.
  package var group: String?
  /// A BCP 47 tag; `nil` if the language is the book's or unknown.
  package var language: String?
  /// The thread's content as XHTML.
  package var body = UTF8Buffer()
  /// The parts of the thread, with the ids of elements in the body.
  package var contents: [ContentsEntry] = []

  package init(title: String) { self.title = title }
}

/// A picture's content, with the type that was determined from its bytes.
package struct BookPicture: Sendable {
  /// The file name, of ASCII letters, digits and `. - _`.
  package var name: String
  /// The MIME type.
  package var type: String
  package var bytes: [UInt8]

  package init(name: String, type: String, bytes: [UInt8]) {
    self.name = name
    self.type = type
    self.bytes = bytes
  }
}

/// Markup that is the same in books and in HTML files.
extension UTF8Buffer {
  /// Appends ` name="value"`.
  mutating func appendAttribute(_ name: StaticString, _ value: String) {
    append(" " as StaticString)
    append(name)
    append("=\"" as StaticString)
    appendEscapingXML(value)
    append("\"" as StaticString)
  }

  /// Appends the content of a title page.
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

  /// Appends a thread's line in the table of contents, without the end of its list item.
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

  /// Appends the list of a thread's parts; appends nothing for a thread without parts.
  ///
  /// - Parameter start: the URL before the ids of the thread's elements, such as `text/t00001.xhtml#`.
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
