/// The searchable content of a thread.
package struct SearchDocument: Sendable {
  /// The thread's page, relative to the site's top folder and percent-encoded. It identifies the document.
  package var url: String
  package var title: String
  /// The author's name for search results.
  package var author: String
  /// The date in the form `2026-06-09`; empty if unknown.
  package var date: String
  /// The date in the format of the site's language.
  package var dateText: String
  /// The names for `from:`: handle and name.
  package var authorNames: [String]
  package var tags: [String]
  /// The passages in reading order.
  package var passages: [Passage]

  /// A part of the text. Words of different passages are never neighbors.
  package struct Passage: Sendable {
    package var text: String
    package var weight: Weight

    package init(_ text: String, _ weight: Weight = .full) {
      self.text = text
      self.weight = weight
    }
  }

  /// The weight of a passage's words.
  package enum Weight: Int, Sendable {
    /// Words by others: quotes, previews of links, replies.
    case half = 1
    /// Words by the author.
    case full = 2
  }

  package init(url: String, title: String, author: String) {
    self.url = url
    self.title = title
    self.author = author
    date = ""
    dateText = ""
    authorNames = []
    tags = []
    passages = []
  }
}
