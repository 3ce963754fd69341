import Basics
import MarkdownHTML
import SiteOutput
import SiteWorkspace

/// A text of the owner in which posts and threads of the site take the place of their URLs.
struct EmbeddingText: Sendable {
  /// With links in place of URLs that lead to no post of the site.
  private(set) var markdown: [UInt8]
  /// With links in place of all URLs that are alone in a paragraph.
  private(set) var links: [UInt8]
  /// Without the URLs that are replaced by a post, for the search and for summaries.
  private(set) var words: [UInt8]
  /// The HTML of posts and threads, by the lines of their URLs in `markdown`.
  private(set) var html: [Int: UTF8Buffer] = [:]
  /// The files of the store's media folder that the posts show.
  private(set) var mediaFiles: Set<String> = []
  /// The hosts of external media.
  private(set) var mediaHosts: Set<String> = []

  /// A text without posts.
  init(_ markdown: [UInt8]) {
    self.markdown = markdown
    links = markdown
    words = markdown
  }

  /// - Parameters:
  ///   - markdown: the text.
  ///   - urls: the URLs that are alone in a paragraph of the text.
  ///   - page: the page that shows the text.
  ///   - language: the language of the page.
  init(
    _ markdown: [UInt8], _ urls: [MarkdownHTML.SoleURL], on page: SitePath, language: String,
    by worker: ThreadWorker
  ) throws(PipelineError) {
    self.init(markdown)
    guard !urls.isEmpty else { return }
    var lines = markdown.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
      Array($0)
    }
    var (linked, worded) = (lines, lines)
    for (number, url) in urls.enumerated() {
      let link = Array("<\(url.url)>".utf8)
      linked[url.line - 1] = link
      if let shown = try worker.embedded(url.url, in: page, language: language, number: number + 1) {
        html[url.line] = shown.html
        mediaFiles.formUnion(shown.mediaFiles)
        mediaHosts.formUnion(shown.mediaHosts)
        worded[url.line - 1] = []
      } else {
        lines[url.line - 1] = link
        worded[url.line - 1] = link
      }
    }
    func joined(_ lines: [[UInt8]]) -> [UInt8] { Array(lines.joined(separator: [UInt8(ascii: "\n")])) }
    (self.markdown, links, words) = (joined(lines), joined(linked), joined(worded))
  }
}
