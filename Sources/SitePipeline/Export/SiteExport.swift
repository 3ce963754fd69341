import Basics
import ExportFormats
import Foundation
import SiteConfig
import SiteOutput
import ThreadMarkdown
import ThreadModel
import ThreadStore

/// `threadsite export`: threads are taken along, as a book, a page, notes or a database.
///
/// Another end of the same way: what is chosen is unrolled and rendered as for the site, and written in the formats of `ExportFormats` instead of
/// a theme's pages. Threads are rendered a few at a time and written in their order, so that memory does not grow with what they hold.
package struct SiteExport: Sendable {
  let site: SiteFolder
  let options: ExportOptions
  let progress: ProgressHandler
  private let installation: Installation?

  package init(
    _ site: SiteFolder, installation: Installation?, options: ExportOptions,
    progress: @escaping ProgressHandler
  ) {
    self.site = site
    self.options = options
    self.progress = progress
    self.installation = installation
  }

  /// What reads the site.
  private func loader() -> SiteLoader {
    SiteLoader(
      site, installation: installation, options: SiteBuild.Options(jobs: options.jobs),
      namedAddresses: LeftOutCleaning(site, jobs: options.jobs, progress: progress).namedAddresses(),
      progress: progress)
  }

  package func run() throws(PipelineError) -> ExportSummary {
    let output = try place()
    let loader = loader()
    let inputs = try loader.load()
    let selection = try loader.threadSelection(inputs.authors)
    let worker = ThreadWorker(inputs, of: site, selection, includesDrafts: false)
    let chosen = try ChosenThreads(
      options, site: site, inputs: inputs, worker: worker,
      selection: selection, progress: progress)
    var work = ExportWork(
      options: options, site: site, worker: worker, chosen: chosen, localization: inputs.localization,
      progress: progress)
    // A file that stands alone loads nothing from elsewhere.
    if options.format == .epub || options.format == .html, work.worker.media == .link {
      work.worker.media = .mirror
    }
    var summary =
      switch (options.format, output) {
      case (.epub, _): try work.writeEPUB(to: output)
      case (.html, _): try work.writeHTML(to: output)
      case (.markdown, let folder?): try work.writeNotes(to: folder)
      case (.sqlite, let file?): try work.writeDatabase(to: file)
      case (.markdown, nil), (.sqlite, nil):
        throw PipelineError(
          .configuration,
          ["error: this format cannot be written to standard output; name a place with --output."])
      }
    summary.leftOut = chosen.failures.flatMap(\.messages)
    summary.output = output
    if let output, options.format != .markdown { summary.bytes = FileSystem.size(of: output) ?? 0 }
    for problem in summary.mediaLeftOut { progress(.warning(problem)) }
    return summary
  }

  /// The absolute path of what is written.
  private func place() throws(PipelineError) -> String? {
    guard let output = options.output else { return nil }
    let url = URL(filePath: output).absoluteURL.standardizedFileURL
    let folder = FileSystem.withoutLinks(url.deletingLastPathComponent().path)
    let path = (folder == "/" ? "" : folder) + "/" + url.lastPathComponent
    if options.format != .markdown, FileSystem.isFolder(path) {
      throw PipelineError(.io, ["\(path): error: this is a folder; name a file in it."])
    }
    return path
  }
}
