import Basics
import ExportFormats
import InterfaceText
import MarkdownHTML
import MediaMirror
import SiteBuild
import SiteConfig
import SiteOutput
import SiteWorkspace
import ThreadMarkdown
import ThreadModel
import ThreadStore

/// Exports threads as posts of a blog.
extension ExportWork {
  func writeBlog<Writer: BlogWriter & ~Copyable>(
    _: Writer.Type, for format: ExportFormat, to output: String?
  ) throws(PipelineError) -> ExportSummary {
    let base = site.config.baseURL?.description
    if format == .wordpress, base == nil {
      throw PipelineError(
        .configuration,
        [
          "error: WordPress downloads images from the published site; set base_url in site.yml, and publish the site before you import the file."
        ])
    }
    let summaries = chosen.threads.map(\.summary)
    var known: Set<SitePath> = []
    let blog = Blog(
      title: title, language: localization.language, baseURL: base,
      authors: summaries.map(\.author).filter { known.insert($0.path).inserted },
      modified: summaries.compactMap { $0.updated ?? $0.published }.max()?.milliseconds ?? 0)
    let names = noteNames
    // The URLs of the new posts are unknown, so links lead to this site.
    var links = links(mediaPrefix: Writer.mediaPrefix(blog)) { _ in nil }
    links.isPost = true
    let place = links
    let media = ExportedMedia(
      site.threadStore, taking: Set(MediaType.allCases), into: "a file for \(format.rawValue)")
    var summary = ExportSummary()
    var shown: Set<String> = []
    var writer = try writing { () throws(ExportFormatError) in try Writer(blog, to: output) }
    try forEachThread(
      prepare: { media.taken($0, [.image, .video, .audio]) }, place: { _ in place }
    ) { (number, rendered) throws(PipelineError) in
      summary.add(rendered)
      let thread = rendered.thread.page.summary
      let post = BlogPost(
        name: names[number], summary: thread, page: base.map { $0 + thread.path.urlText } ?? thread.path.text,
        localTime: thread.published.map { BlogPost.plain(worker.calendar.shown($0).iso8601) },
        body: rendered.html.whole)
      try writing { () throws(ExportFormatError) in
        try writer.add(post)
        for file in rendered.thread.mediaFiles where shown.insert(file).inserted {
          try writer.addMedia(file) { () throws(ExportFormatError) in try media.picture(file) }
        }
      }
    }
    try writing { () throws(ExportFormatError) in try writer.finish() }
    summary.media = shown.count
    summary.mediaLeftOut = media.problems
    return summary
  }
}
