import Basics
import ExportFormats
package import Publishing
import SiteBuild
import SiteConfig
import SiteOutput
package import SiteWorkspace
import ThreadMarkdown
import ThreadModel

extension SiteExport {
  /// Returns the records about the site and its threads for `publish.atproto`.
  ///
  /// - Throws: also if the site has no base URL, or asks search engines to leave it out.
  package func records() throws(PipelineError) -> SiteRecords {
    let config = site.config
    guard !config.noindex else {
      throw PipelineError(
        .configuration,
        [
          "site.yml: error: `noindex: true` asks search engines to leave out the site, and publish.atproto announces it; remove one of them."
        ])
    }
    let (work, inputs) = try work()
    guard let standardSite = inputs.facts(of: site).standardSite, let base = config.baseURL?.description
    else {
      throw PipelineError(
        .configuration,
        ["site.yml: error: publish.atproto needs base_url, because records contain the URLs of pages."])
    }
    var records = SiteRecords(
      publication: standardSite.publication, url: base, name: config.title, summary: config.description,
      colors: config.publish?.atproto?.colors.map {
        [$0.background, $0.foreground, $0.accent, $0.accentForeground]
      })
    let worker = work.worker
    try work.forEachThread(
      making: { (_, thread, conversation) throws(PipelineError) in
        worker.unrolled(conversation, thread.settings)
      }
    ) { (number, thread) throws(PipelineError) in
      let summary = work.chosen.threads[number].summary
      // A thread that was added after the build has no page yet.
      guard let uri = standardSite.document(of: summary),
        FileSystem.kind(of: "\(site.output)/\(summary.path.text)index.html") == .file
      else { return }
      let posts = PlacedPost.all(of: thread).filter { $0.part == .main }.map(\.post)
      // Texts behind a warning stay on the page, where the reader opens them.
      let text = posts.filter { $0.warningLine == nil }.map(\.text.text).filter { !$0.isEmpty }
      let first = posts.first.flatMap { post in
        standardSite.record(of: post.id).flatMap { uri in
          post.extra["cid"]?.string.map { (uri: uri, cid: $0) }
        }
      }
      records.add(uri, summary, text: text.joined(separator: "\n\n"), post: first)
    }
    return records
  }
}
