package import SiteOutput
package import UTF8Text

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
