import Basics
import ExportFormats
import Foundation
package import SiteBuild
import SiteConfig
import SiteOutput
package import SiteWorkspace
import ThreadMarkdown
import ThreadModel
import ThreadStore

/// `threadsite export`: exports threads as a book, a page, notes or a database.
///
/// The chosen threads are unrolled and rendered as for the site, but written in the formats of `ExportFormats` instead of a theme's pages.
/// Only a few threads are rendered at a time and then written in order, so that memory use does not grow with the contents.
package struct SiteExport: Sendable {
  let site: SiteFolder
  let options: ExportOptions
  let progress: ProgressHandler
  /// Defines how the site's threads are read and rendered. It is not executed.
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

  /// Returns a build for reading the site's inputs.
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
    // A self-contained file loads nothing from other files or hosts.
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
          ["error: this format cannot be written to standard output; set a path with --output."])
      }
    summary.leftOut = chosen.failures.flatMap(\.messages)
    summary.output = output
    if let output, options.format != .markdown { summary.bytes = FileSystem.size(of: output) ?? 0 }
    for problem in summary.mediaLeftOut { progress(.warning(problem)) }
    return summary
  }

  /// Returns the absolute path of the output.
  private func place() throws(PipelineError) -> String? {
    guard let output = options.output else { return nil }
    let url = URL(filePath: output).absoluteURL.standardizedFileURL
    let folder = FileSystem.withoutLinks(url.deletingLastPathComponent().path)
    let path = (folder == "/" ? "" : folder) + "/" + url.lastPathComponent
    if options.format != .markdown, FileSystem.isFolder(path) {
      throw PipelineError(.io, ["\(path): error: this is a folder; use the path of a file."])
    }
    return path
  }
}
