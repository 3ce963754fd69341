package import ThreadModel

/// What every page knows of the site that it is part of.
package struct SiteFacts: Sendable {
  package var title: String
  package var summary: String?
  /// BCP 47: the language of the interface.
  package var language: String
  /// Absolute, ending in a slash; `nil` where the owner has not said, and then nothing that needs it is written.
  package var baseURL: String?
  package var calendar: SiteCalendar
  /// Threads on one page of an index.
  package var threadsPerPage: Int

  package init(
    title: String, summary: String?, language: String, baseURL: String?, calendar: SiteCalendar, threadsPerPage: Int
  ) {
    self.title = title
    self.summary = summary
    self.language = language
    self.baseURL = baseURL
    self.calendar = calendar
    self.threadsPerPage = max(threadsPerPage, 1)
  }

  /// The full address of a page; `nil` without a base URL.
  package func url(of path: SitePath) -> String? { baseURL.map { $0 + path.urlText } }

  /// The path part of the base URL, `/` where there is none: where a server's own root finds the site.
  var basePath: String {
    guard let parts = baseURL?.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false),
      parts.count == 4
    else { return "/" }
    return "/" + parts[3]
  }
}
