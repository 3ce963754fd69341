import SiteOutput

/// Where a thread that is taken along finds its pictures and the other threads.
struct ExportLinks: Sendable {
  /// What the ids of all threads of one page begin with, so that those of two threads differ.
  static let idStart = "thread-"

  /// What leads from the thread's document to the pictures: `../media/`.
  var mediaPrefix: String
  /// The documents of the threads that are taken along, by their pages on the site, as links within the export.
  var documents: [SitePath: String]
  /// What stands between a document and the id of a post in it: `#`, unless all threads are in one document.
  var anchorStart = "#"
  /// The site's address, for threads that are not taken along; `nil` where it is not known, and these are found on their networks.
  var siteURL: String?
  /// Put before the ids of this thread.
  var idPrefix = ""
  var headingOffset = 0

  func address(of page: SitePath, _ anchor: String?) -> String? {
    if let document = documents[page] { return document + (anchor.map { anchorStart + $0 } ?? "") }
    return siteURL.map { $0 + page.urlText + (anchor.map { "#" + $0 } ?? "") }
  }
}
