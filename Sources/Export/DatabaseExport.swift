import Basics
import ExportFormats
import SiteBuild
import SiteConfig
import SiteOutput
import SiteWorkspace
import ThreadMarkdown
import ThreadModel
import ThreadStore

/// Exports the posts of threads as records, such as a database.
extension ExportWork {
  func writeRecords<Writer: RecordsWriter & ~Copyable>(
    _: Writer.Type, to path: Writer.Path
  ) throws(PipelineError) -> ExportSummary {
    var summary = ExportSummary()
    var facts = [(key: "title", value: title)]
    let base = site.config.baseURL?.description
    if let base { facts.append(("base_url", base)) }
    var writer = try writing { () throws(ExportFormatError) in try Writer(site: facts, to: path) }
    let worker = worker
    try forEachThread(
      making: { (_, thread, conversation) throws(PipelineError) in
        worker.unrolled(conversation, thread.settings)
      }
    ) { (number, thread) throws(PipelineError) in
      var line = chosen.threads[number].summary
      line.language = thread.language
      summary.threads += 1
      summary.posts += line.postCount
      try writing { () throws(ExportFormatError) in
        try writer.add(
          thread, line, page: base.map { $0 + line.path.urlText } ?? line.path.text, url: thread.sourceURL)
      }
    }
    summary.media = try writing { () throws(ExportFormatError) in try writer.finish() }
    return summary
  }
}
