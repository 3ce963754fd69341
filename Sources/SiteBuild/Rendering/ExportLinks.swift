import SiteOutput

/// The links of an exported thread to its pictures and to other threads.
package struct ExportLinks: Sendable {
  /// The beginning of the id prefixes of all threads in one document. It makes ids of different threads distinct.
  static let idStart = "thread-"

  /// The relative URL of the pictures from the thread's document: `../media/`.
  var mediaPrefix: String
  /// The documents of the exported threads by their pages on the site, as links within the export.
  var documents: [SitePath: String]
  /// The text between a document's URL and the id of a post in it: `#`, unless all threads are in one document.
  package var anchorStart = "#"
  /// The site's URL, for links to threads that are not exported; `nil` if it is unknown. These links then lead to the threads' networks.
  var siteURL: String?
  /// Whether the documents are pages for another site generator, whose layout shows the title, and no style sheet makes portraits small.
  package var isPost = false
  /// The prefix of this thread's ids.
  package var idPrefix = ""
  package var headingOffset = 0

  func address(of page: SitePath, _ anchor: String?) -> String? {
    if let document = documents[page] { return document + (anchor.map { anchorStart + $0 } ?? "") }
    return siteURL.map { $0 + page.urlText + (anchor.map { "#" + $0 } ?? "") }
  }
}
