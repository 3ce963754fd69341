package import UTF8Text

/// Threads that the site's owner has put in an order, with a page of their own.
package struct ThreadCollection: Sendable {
  package var title: String
  package var path: SitePath
  /// HTML.
  package var introduction: UTF8Buffer
  /// How the introduction begins: one line of plain text, for previews.
  package var summary: String?
  /// The pages of its threads, in order.
  package var threads: [SitePath]

  package init(
    title: String, path: SitePath, introduction: UTF8Buffer, summary: String? = nil, threads: [SitePath]
  ) {
    self.title = title
    self.path = path
    self.introduction = introduction
    self.summary = summary
    self.threads = threads
  }

  /// The page that lists all collections.
  package static let index: SitePath = "collections/"

  /// Where a collection's page is.
  package static func page(slug: String) -> SitePath { index.appending("\(slug)/") }
}
