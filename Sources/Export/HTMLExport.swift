import Basics
import ExportFormats
import MediaMirror
import SiteBuild
import SiteConfig
import SiteOutput
import SiteWorkspace
import ThreadMarkdown
import ThreadModel
import ThreadStore

/// Exports threads as a self-contained page.
extension ExportWork {
  func writeHTML(to output: String?) throws(PipelineError) -> ExportSummary {
    try writePage(of: try book(), to: .file(output), called: "a single page").summary
  }

  /// Writes all chosen threads as one page.
  ///
  /// - Parameter name: the result, in messages about pictures that it cannot contain.
  /// - Returns: the summary, and the page if it is not written to a file.
  func writePage(
    of book: Book, to destination: HTMLFileWriter.Destination, called name: String
  ) throws(PipelineError) -> (summary: ExportSummary, page: [UInt8]) {
    let several = chosen.threads.count > 1
    let links = links(mediaPrefix: HTMLFileWriter.mediaPrefix, HTMLFileWriter.document)
    let media = pictures(for: name)
    let lines = bookThreads
    var summary = ExportSummary()
    var shown: Set<String> = []
    var writer = try writing { () throws(ExportFormatError) in
      try HTMLFileWriter(book, hasSeveral: several, to: destination)
    }
    try writing { () throws(ExportFormatError) in try writer.begin(lines) }
    let place: @Sendable (Int) -> ExportLinks = { number in
      var own = links
      own.anchorStart = "-"
      own.idPrefix = HTMLFileWriter.idPrefix(number)
      own.headingOffset = several ? 1 : 0
      return own
    }
    try forEachThread(prepare: { media.taken($0, [.image]) }, place: place) {
      (number, rendered) throws(PipelineError) in
      summary.add(rendered)
      shown.formUnion(rendered.thread.mediaFiles)
      try writing { () throws(ExportFormatError) in
        try writer.add(lines[number].showing(rendered, in: localization)) { file throws(ExportFormatError) in
          try media.picture(file)
        }
      }
    }
    let page: [UInt8]
    do throws(ExportFormatError) {
      page = try writer.finish()
    } catch {
      throw PipelineError(error)
    }
    summary.media = shown.count
    summary.mediaLeftOut = media.problems
    return (summary, page)
  }
}
