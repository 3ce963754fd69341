package import SiteOutput
package import ThreadModel

/// A writer of the posts of threads as records for other programs, one thread after another.
package protocol RecordsWriter: ~Copyable {
  /// The path of the file: a `String`, or a `String?` if the writer can also write to standard output (`nil`).
  associatedtype Path

  /// - Parameter site: the facts about the site.
  init(site: [(key: String, value: String)], to path: Path) throws(ExportFormatError)

  /// Adds the posts of a thread's page.
  ///
  /// - Parameters:
  ///   - page: the URL of the page.
  ///   - url: the URL of the thread on its network.
  mutating func add(
    _ thread: UnrolledThread, _ summary: ThreadSummary, page: String, url: String?
  ) throws(ExportFormatError)

  /// Moves the file into place.
  ///
  /// - Returns: the number of media of all posts.
  mutating func finish() throws(ExportFormatError) -> Int
}
