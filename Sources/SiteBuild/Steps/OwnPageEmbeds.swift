import Basics
import MarkdownHTML
import SiteConfig
import SiteOutput
import SiteWorkspace

/// The posts and threads of the site that the owner's pages show in place of their URLs.
///
/// They are rendered with the threads, before the site's media are copied.
struct OwnPageEmbeds: Sendable {
  /// The text of one page.
  struct Text: Sendable {
    /// With links in place of URLs that lead to no post of the site.
    var markdown: [UInt8]
    /// Without the URLs that are replaced by a post, for the search and for the summary.
    var words: [UInt8]
    /// The HTML of posts and threads, by the lines of their URLs.
    var html: [Int: UTF8Buffer] = [:]
    var mediaHosts: [String] = []
  }

  /// By the pages' files; only pages with a URL alone in a paragraph.
  private var texts: [String: Text] = [:]
  /// The files of the store's media folder that pages show.
  private(set) var mediaFiles: Set<String> = []

  /// - Parameter language: the site's language.
  init(of own: OwnPages, by worker: ThreadWorker, language: String) throws(PipelineError) {
    for page in own.pages {
      let urls: [MarkdownHTML.SoleURL]
      do throws(MarkdownHTMLError) {
        urls = try MarkdownHTML.soleURLs(of: page.markdown)
      } catch {
        throw own.problem(page.file, error.line, error.message)
      }
      guard !urls.isEmpty else { continue }
      var lines = page.markdown.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
        Array($0)
      }
      var text = Text(markdown: [], words: [])
      var hosts: Set<String> = []
      var words = lines
      for (number, url) in urls.enumerated() {
        if let shown = try worker.embedded(
          url.url, in: page.path, language: page.source.frontMatter.language ?? language, number: number + 1)
        {
          text.html[url.line] = shown.html
          mediaFiles.formUnion(shown.mediaFiles)
          hosts.formUnion(shown.mediaHosts)
          words[url.line - 1] = []
        } else {
          lines[url.line - 1] = Array("<\(url.url)>".utf8)
          words[url.line - 1] = lines[url.line - 1]
        }
      }
      text.markdown = Array(lines.joined(separator: [UInt8(ascii: "\n")]))
      text.words = Array(words.joined(separator: [UInt8(ascii: "\n")]))
      text.mediaHosts = hosts.sorted()
      texts[page.file] = text
    }
  }

  /// The hosts of external media on all pages.
  var mediaHosts: Set<String> { Set(texts.values.flatMap(\.mediaHosts)) }

  subscript(page: OwnPages.Page) -> Text {
    texts[page.file] ?? Text(markdown: page.markdown, words: page.markdown)
  }
}
