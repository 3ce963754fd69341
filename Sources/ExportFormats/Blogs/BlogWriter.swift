package import Basics
package import SiteOutput
import ThreadModel

/// A writer of threads as the posts of a blog, one after another.
package protocol BlogWriter: ~Copyable {
  /// The text before the name of a media file in the HTML of posts.
  static func mediaPrefix(_ blog: Blog) -> String

  init(_ blog: Blog, to path: String?) throws(ExportFormatError)

  mutating func add(_ post: BlogPost) throws(ExportFormatError)

  /// Adds a media file of the last post, once for all posts that show it.
  ///
  /// - Parameter content: reads the file.
  mutating func addMedia(
    _ name: String, content: () throws(ExportFormatError) -> BookPicture
  ) throws(ExportFormatError)

  /// Writes everything that depends on all posts, and moves the file into place.
  mutating func finish() throws(ExportFormatError)
}

/// The facts of a site for all formats of blogs.
package struct Blog: Sendable {
  package var title: String
  package var language: String
  /// The site's URL, which ends with a slash; `nil` if it is unknown.
  package var baseURL: String?
  /// The authors of the posts, each once.
  package var authors: [AuthorSummary]
  /// The last change of any post, in milliseconds since 1970.
  package var modified: Int64

  package init(
    title: String, language: String, baseURL: String?, authors: [AuthorSummary], modified: Int64
  ) {
    self.title = title
    self.language = language
    self.baseURL = baseURL
    self.authors = authors
    self.modified = modified
  }
}

/// A thread as a post of a blog.
package struct BlogPost: Sendable {
  /// The post's slug.
  package var name: String
  package var summary: ThreadSummary
  /// The URL of the thread's page on the site; relative to the site's root if the site's URL is unknown.
  package var page: String
  /// When the first post was written, in the site's time zone: `2024-02-11 09:03:12`.
  package var localTime: String?
  /// The content as XML that is also HTML.
  package var body: UTF8Buffer

  package init(name: String, summary: ThreadSummary, page: String, localTime: String?, body: UTF8Buffer) {
    self.name = name
    self.summary = summary
    self.page = page
    self.localTime = localTime
    self.body = body
  }

  /// When the first post was written, in UTC: `2024-02-11 09:03:12`.
  var time: String? { summary.published.map { Self.plain($0.iso8601) } }
  var updateTime: String? { (summary.updated ?? summary.published).map { Self.plain($0.iso8601) } }

  /// Returns an RFC 3339 time without its zone and fraction, with a space in place of the `T`.
  package static func plain(_ time: String) -> String {
    String(time.prefix(19)).replacing("T", with: " ")
  }
}

extension AuthorSummary {
  /// A name of ASCII letters, digits and hyphens where possible, which no other author of the site has.
  var slug: String { Slug.make(from: path.text.replacing("/", with: " ")) }
}
