import Basics
import MarkdownHTML
import SiteConfig
import SiteWorkspace

/// The posts and threads of the site that the owner's pages show in place of their URLs.
///
/// They are rendered with the threads, before the site's media are copied.
struct OwnPageEmbeds: Sendable {
  /// By the pages' files; only pages with a URL alone in a paragraph.
  private var texts: [String: EmbeddingText] = [:]

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
      texts[page.file] = try EmbeddingText(
        page.markdown, urls, on: page.path, language: page.source.frontMatter.language ?? language, by: worker
      )
    }
  }

  /// The media of all pages.
  var media: PageMedia {
    PageMedia(files: Set(texts.values.flatMap(\.mediaFiles)), hosts: Set(texts.values.flatMap(\.mediaHosts)))
  }

  subscript(page: OwnPages.Page) -> EmbeddingText { texts[page.file] ?? EmbeddingText(page.markdown) }
}
