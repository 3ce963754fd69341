import SiteConfig
import SiteOutput
import ThreadModel
import ThreadStore
import UTF8Text

/// What the pages of all threads leave behind.
struct WrittenThreads: Sendable {
  var summaries: [ThreadSummary] = []
  /// Where each page came from, to render the newest again for the feeds: by path.
  var sources: [SitePath: Source] = [:]
  var mediaFiles: Set<String> = []
  var mediaHosts: Set<String> = []
  var missingAltTexts = 0
  var drafts = 0
  /// Entries of site.yml's list that were found in the store.
  var entries: Set<Int> = []
  var permalinks = Permalinks()
  var failures: [Failure] = []

  struct Source: Sendable {
    let file: StoredFile
    let settings: ThreadSelection.Settings
  }

  /// A thread that could not become a page, with its place in the store for a stable order.
  struct Failure: Sendable {
    let position: Int
    let error: PipelineError
  }

  mutating func add(_ other: WrittenThreads) {
    summaries += other.summaries
    sources.merge(other.sources) { first, _ in first }
    mediaFiles.formUnion(other.mediaFiles)
    mediaHosts.formUnion(other.mediaHosts)
    missingAltTexts += other.missingAltTexts
    drafts += other.drafts
    entries.formUnion(other.entries)
    failures += other.failures
  }
}

extension SiteBuild {
  /// Renders and writes the page of every thread that belongs to the site.
  ///
  /// - Throws: one error with every thread's message, so that one run shows all there is to mend.
  func writeThreads(
    _ files: [StoredFile], with worker: ThreadWorker, renderer: PageRenderer, to staged: StagedSite
  ) throws(PipelineError) -> WrittenThreads {
    let store = ThreadStore(folder: site.store)
    let selection = ThreadSelection(site.config.threads)
    let counter = ProgressCounter("Rendering threads", total: files.count, progress)
    let results = ParallelWork.run(count: files.count, jobs: options.jobs, makeState: WrittenThreads.init) {
      position, written in
      do throws(PipelineError) {
        try writeThread(files[position], store, selection, worker, renderer, staged, &written)
      } catch {
        written.failures.append(WrittenThreads.Failure(position: position, error: error))
      }
      counter.advance()
    }
    var written = WrittenThreads()
    for result in results { written.add(result) }
    try checkAll(&written, selection: selection)
    return written
  }

  private func writeThread(
    _ file: StoredFile, _ store: ThreadStore, _ selection: ThreadSelection, _ worker: ThreadWorker,
    _ renderer: PageRenderer, _ staged: StagedSite, _ written: inout WrittenThreads
  ) throws(PipelineError) {
    let conversation = try read(file, from: store)
    guard let settings = selection.settings(for: conversation) else { return }
    written.entries.insert(settings.entry)
    if settings.isDraft, !options.includesDrafts {
      written.drafts += 1
      return
    }
    let rendered = try worker.render(conversation, stem: file.stem, settings: settings)
    let summary = rendered.page.summary
    var html = UTF8Buffer(capacity: rendered.page.body.count + 8192)
    do {
      try renderer.render(rendered.page, into: &html)
      try staged.write(html.bytes, to: summary.path)
      try staged.write(rendered.markdown.bytes, to: summary.path.appending("index.md"))
    } catch {
      throw PipelineError(error)
    }
    written.summaries.append(summary)
    written.sources[summary.path] = WrittenThreads.Source(file: file, settings: settings)
    written.mediaFiles.formUnion(rendered.mediaFiles)
    written.mediaHosts.formUnion(rendered.page.mediaHosts)
    written.missingAltTexts += rendered.missingAltTexts
  }

  func read(_ file: StoredFile, from store: ThreadStore) throws(PipelineError) -> Conversation {
    do {
      return try store.read(file)
    } catch {
      throw PipelineError(.content, error)
    }
  }

  /// Turns what went wrong into one error: threads that failed, pages that two threads want, entries that no thread answers.
  private func checkAll(_ written: inout WrittenThreads, selection: ThreadSelection) throws(PipelineError) {
    let failures = written.failures.sorted { $0.position < $1.position }
    var messages = failures.flatMap(\.error.messages)
    var pages: [SitePath: ThreadSummary] = [:]
    for summary in written.summaries.sorted(by: ThreadSummary.isNewer) {
      if let other = pages.updateValue(summary, forKey: summary.path) {
        let error = SiteOutputError.samePage(path: summary.path.text, first: "\(other.id)", second: "\(summary.id)")
        messages.append(error.description)
      }
    }
    for entry in selection.missing(found: written.entries) { messages.append(missingMessage(entry)) }
    for (path, source) in written.sources { written.permalinks[source.file.stem] = path }
    guard messages.isEmpty else { throw PipelineError(failures.first?.error.kind ?? .content, unique(messages)) }
  }

  /// One broken template fails every thread; it is said once.
  private func unique(_ messages: [String]) -> [String] {
    var seen: Set<String> = []
    return messages.filter { seen.insert($0).inserted }
  }

  private func missingMessage(_ entry: Int) -> String {
    let text = "this thread is not in the store; import it with `threadsite import`, or take it off the list"
    guard let decoded = site.decoded else { return text }
    return decoded.problem(at: "threads[\(entry)]", text, severity: .error).description
  }
}

extension PipelineError {
  /// What a theme or the disk made impossible.
  init(_ error: SiteOutputError) {
    switch error {
    case .template, .badTheme, .noTheme, .unsafeOutput: self.init(.configuration, [error.description])
    case .badPermalinks, .samePage: self.init(.content, [error.description])
    case .notOurs, .file: self.init(.io, [error.description])
    }
  }
}
