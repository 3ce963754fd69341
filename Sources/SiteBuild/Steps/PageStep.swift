import Basics
import SiteOutput
import SiteWorkspace
import ThreadStore

/// The step that writes the pages of threads when all threads are known: from the rendered body or, for a thread that was reused from the last build,
/// from the body in the existing page. Unchanged pages are kept.
struct PageStep: Sendable {
  let context: BuildContext
  let files: [StoredFile]
  let selection: ThreadSelection
  let worker: ThreadWorker
  let renderer: PageRenderer
  let digests: PageDigests
  let bodies: PageBodies
  let records: ThreadRecords

  /// Writes the pages of all threads with the links between threads; unchanged pages are kept.
  ///
  /// - Returns: the cache entry of each page, by its path; without pages that a file of the owner replaces.
  func run(_ threads: WrittenThreads, in index: SiteIndex) throws(PipelineError) -> [SitePath: PreviousBuild
    .Page]
  {
    let counter = ProgressCounter("Writing pages", total: index.threads.count, context.progress)
    struct Written: Sendable {
      var pages: [(path: SitePath, page: PreviousBuild.Page)] = []
      var failures: [(position: Int, error: PipelineError)] = []
    }
    let results = ParallelWork.run(
      count: index.threads.count, jobs: context.jobs, makeState: { Written() }
    ) { position, written in
      let path = index.threads[position].path
      if let source = threads.sources[path] {
        do throws(PipelineError) {
          if let page = try run(source, at: position, in: index) { written.pages.append((path, page)) }
        } catch {
          written.failures.append((position, error))
        }
      }
      counter.advance()
    }
    // A mistake in a template is the same on every page: one report is enough.
    if let failure = results.flatMap(\.failures).min(by: { $0.position < $1.position }) {
      throw failure.error
    }
    var made: [SitePath: PreviousBuild.Page] = [:]
    made.reserveCapacity(index.threads.count)
    for result in results {
      for (path, page) in result.pages { made[path] = page }
    }
    return made
  }

  /// - Parameter position: the thread's index in `index.threads`.
  private func run(
    _ source: WrittenThreads.Source, at position: Int, in index: SiteIndex
  ) throws(PipelineError) -> PreviousBuild.Page? {
    let path = index.threads[position].path
    // A file of the owner replaces the page, which therefore cannot be reused, even if the owner later removes the file.
    let isOwned = context.staged.isOwned(path) || context.staged.isOwned(path.appending("index.md"))
    let digest = digests.related(to: position)
    let previous = source.body == nil && !isOwned ? context.last?.build?.site : nil
    if let previous, let page = source.entry.page, page.related == digest,
      previous.environment == context.environment, let signature = previous.signature(of: path.file)
    {
      try context.keep(path, signature)
      return page
    }
    let body = try body(of: source, at: path, previous)
    var page = try records.thread(source.entry).page(body: body)
    page.related = try related(to: position, in: index)
    let html = try write(page)
    guard !isOwned else { return nil }
    return PreviousBuild.Page(
      related: digest, body: PageRenderer.places(of: body, in: html),
      checksum: PreviousBuild.checksum(of: body.bytes))
  }

  private func body(
    of source: WrittenThreads.Source, at path: SitePath, _ previous: SiteState?
  ) throws(PipelineError) -> UTF8Buffer {
    if let place = source.body { return try bodies.body(at: place) }
    if let page = source.entry.page, let body = previous?.body(page, of: path) { return body }
    // The page was changed during the build, or the theme's layout has changed the body in it.
    return try render(source).body
  }

  /// Renders a thread that was reused from the last build, if its kept data is not what the last build wrote.
  func render(_ source: WrittenThreads.Source) throws(PipelineError) -> ThreadWorker.Rendered {
    let file = files[source.position]
    let conversation = try context.site.read(file)
    let settings = selection.settings(for: conversation).settings
    return try worker.render(
      conversation, stem: file.stem, settings: settings ?? ThreadSelection.Settings())
  }

  private func related(to position: Int, in index: SiteIndex) throws(PipelineError) -> UTF8Buffer? {
    do throws(SiteOutputError) {
      return try renderer.related(to: position, in: index)
    } catch {
      throw PipelineError(error)
    }
  }

  private func write(_ page: ThreadPage) throws(PipelineError) -> UTF8Buffer {
    do throws(SiteOutputError) {
      var html = UTF8Buffer(capacity: page.body.count + 16_384)
      try renderer.render(page, into: &html)
      try context.staged.write(html.bytes, to: page.summary.path)
      return html
    } catch {
      throw PipelineError(error)
    }
  }
}

/// The rendered bodies of pages, kept in a temporary file until all threads are known.
struct PageBodies: Sendable {
  let file: SpoolFile

  /// - Returns: the byte range for `body(at:)`.
  func add(_ body: UTF8Buffer) throws(PipelineError) -> Range<Int> {
    do {
      return try file.append(body.bytes)
    } catch {
      throw PipelineError(error, about: .content)
    }
  }

  func body(at place: Range<Int>) throws(PipelineError) -> UTF8Buffer {
    do {
      return UTF8Buffer(bytes: try file.read(place))
    } catch {
      throw PipelineError(error, about: .content)
    }
  }
}
