import Basics
import Foundation
package import SiteBuild
import SiteConfig
import SiteOutput
package import SiteWorkspace
import ThreadMarkdown
import ThreadModel
import ThreadStore

/// `threadsite export`: exports threads as a book, a page, notes, posts of other programs or a database.
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

  package func run(_ format: ExportFormat) throws(PipelineError) -> ExportSummary {
    let output = try place(of: format)
    var (work, _) = try work()
    if format.entry.isSelfContained, work.worker.media == .link {
      work.worker.media = .mirror
    }
    var summary = try write(work, as: format, to: output)
    summary.leftOut = work.chosen.failures.flatMap(\.messages)
    summary.output = output
    if let output, !format.isFolder { summary.bytes = FileSystem.size(of: output) ?? 0 }
    for problem in summary.mediaLeftOut { progress(.warning(problem)) }
    return summary
  }

  /// Chooses the threads.
  func work() throws(PipelineError) -> (work: ExportWork, inputs: LoadedSite) {
    let loader = loader()
    let inputs = try loader.load()
    let selection = try loader.threadSelection(inputs.authors)
    let worker = ThreadWorker(inputs, of: site, selection, includesDrafts: false)
    let chosen = try ChosenThreads(
      options, site: site, inputs: inputs, worker: worker,
      selection: selection, progress: progress)
    let work = ExportWork(
      options: options, site: site, worker: worker, chosen: chosen, localization: inputs.localization,
      progress: progress)
    return (work, inputs)
  }

  /// - Parameter output: the absolute path; `nil` for standard output.
  private func write(
    _ work: ExportWork, as format: ExportFormat, to output: String?
  ) throws(PipelineError) -> ExportSummary {
    switch format.entry.output {
    case .stream(let write): return try write(work, output)
    case .file(let write), .folder(let write):
      guard let output else {
        throw PipelineError(
          .configuration,
          ["error: this format cannot be written to standard output; set a path with --output."])
      }
      return try write(work, output)
    }
  }

  /// Returns the absolute path of the output.
  private func place(of format: ExportFormat) throws(PipelineError) -> String? {
    guard let output = options.output else { return nil }
    let url = URL(filePath: output).absoluteURL.standardizedFileURL
    let folder = FileSystem.withoutLinks(url.deletingLastPathComponent().path)
    let path = (folder == "/" ? "" : folder) + "/" + url.lastPathComponent
    if !format.isFolder, FileSystem.isFolder(path) {
      throw PipelineError(.io, ["\(path): error: this is a folder; use the path of a file."])
    }
    return path
  }
}
