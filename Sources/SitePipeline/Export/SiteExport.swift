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
  /// What knows how the site reads and renders; nothing is built with it.
  private let build: SiteBuild

  package init(
    _ site: SiteFolder, installation: Installation?, options: ExportOptions,
    progress: @escaping ProgressHandler
  ) {
    self.site = site
    self.options = options
    self.progress = progress
    build = SiteBuild(
      site, installation: installation, options: SiteBuild.Options(jobs: options.jobs), progress: progress)
  }

  /// What is read of the site.
  private func reader() -> SiteBuild {
    var build = build
    build.namedAddresses =
      LeftOutCleaning(site, jobs: options.jobs, progress: progress).namedAddresses()
    return build
  }

  package func run() throws(PipelineError) -> ExportSummary {
    let output = try place()
    let build = reader()
    let inputs = try build.load()
    let selection = try build.threadSelection(inputs.authors)
    let worker = build.threadWorker(inputs, selection)
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
