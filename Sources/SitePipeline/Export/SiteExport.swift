import ExportFormats
import Files
import Foundation
import Localization
import SiteConfig
import SiteOutput
import ThreadMarkdown
import ThreadModel
import ThreadStore
import UTF8Text

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

/// One export on its way: what all formats need.
struct ExportWork: Sendable {
  let options: ExportOptions
  let site: SiteFolder
  var worker: ThreadWorker
  let chosen: ChosenThreads
  let localization: Localization
  let progress: ProgressHandler

  /// Links between the threads, by the names that a format gives their documents.
  func links(mediaPrefix: String, _ document: (Int) -> String) -> ExportLinks {
    var documents: [SitePath: String] = [:]
    for (number, thread) in chosen.threads.enumerated() { documents[thread.summary.path] = document(number) }
    for (page, same) in chosen.samePages { documents[page] = documents[same] }
    return ExportLinks(
      mediaPrefix: mediaPrefix, documents: documents, siteURL: site.config.baseURL?.description)
  }

  /// Renders all threads, and hands them over in their order.
  ///
  /// - Parameters:
  ///   - prepare: changes a conversation before it is rendered.
  ///   - place: where the thread of a number is read.
  func forEachThread(
    prepare: @escaping @Sendable (Conversation) -> Conversation,
    place: @escaping @Sendable (Int) -> ExportLinks,
    _ body: (Int, ThreadWorker.Rendered) throws(PipelineError) -> Void
  ) throws(PipelineError) {
    let worker = worker
    try forEachThread(
      making: { (number, thread, conversation) throws(PipelineError) in
        try worker.render(
          prepare(conversation), stem: thread.file.stem, settings: thread.settings,
          place: .export(place(number)))
      }, body)
  }

  /// Makes something of each thread, and hands it over in their order.
  ///
  /// - Parameter make: is called from several threads at once.
  func forEachThread<Value: Sendable>(
    making make: @escaping @Sendable (Int, ChosenThreads.Thread, Conversation) throws(PipelineError) -> Value,
    _ body: (Int, Value) throws(PipelineError) -> Void
  ) throws(PipelineError) {
    let store = site.threadStore
    let threads = chosen.threads
    let counter = ProgressCounter("Exporting threads", total: threads.count, progress)
    // Enough for all workers to be busy while one has a long thread.
    let atOnce = 16 * max(1, options.jobs)
    var start = 0
    while start < threads.count {
      let range = start..<min(start + atOnce, threads.count)
      typealias Outcome = (number: Int, result: Result<Value, PipelineError>)
      let results = ParallelWork.run(
        count: range.count, jobs: options.jobs, chunk: 1, makeState: { [Outcome]() }
      ) { [start] position, outcomes in
        let number = start + position
        let result = Result { () throws(PipelineError) in
          try make(number, threads[number], try ExportWork.read(threads[number].file, from: store))
        }
        outcomes.append((number, result))
      }
      for outcome in results.joined().sorted(by: { $0.number < $1.number }) {
        try body(outcome.number, try outcome.result.get())
        counter.advance()
      }
      start = range.upperBound
    }
  }

  static func read(_ file: StoredFile, from store: ThreadStore) throws(PipelineError) -> Conversation {
    do {
      return try store.read(file)
    } catch {
      throw PipelineError(error).ofOneThread
    }
  }

  /// The same for what a format's writer throws.
  func writing<Result: ~Copyable>(_ body: () throws(ExportFormatError) -> Result) throws(PipelineError)
    -> Result
  {
    do {
      return try body()
    } catch {
      throw PipelineError(error)
    }
  }
}
