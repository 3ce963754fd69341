/// What a search can find of one thread.
package struct SearchDocument: Sendable {
  /// The thread's page, from the site's top, as a URL writes it: also what the document is known by.
  package var url: String
  package var title: String
  /// The author's name as results show it.
  package var author: String
  /// `2026-06-09`; empty where nobody knows.
  package var date: String
  /// The same as a reader of the site's language writes it.
  package var dateText: String
  /// What `from:` goes by: handle and name.
  package var authorNames: [String]
  package var tags: [String]
  /// In reading order.
  package var passages: [Passage]

  /// A piece of text; words of two passages are never next to each other.
  package struct Passage: Sendable {
    package var text: String
    package var weight: Weight

    package init(_ text: String, _ weight: Weight = .full) {
      self.text = text
      self.weight = weight
    }
  }

  /// How much a word of a passage counts.
  package enum Weight: Int, Sendable {
    /// Somebody else's words: quotes, previews of links, replies.
    case half = 1
    /// The author's own.
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
