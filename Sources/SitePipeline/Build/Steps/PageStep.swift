import Basics
import SiteOutput
import ThreadStore

/// How a build writes the page of a thread, when all threads are known: from the body that was rendered or, for a thread that was taken over from the
/// last build, from the body in the page that stands there. A page of which nothing has changed is left as it is.
struct PageStep: Sendable {
  let context: BuildContext
  let files: [StoredFile]
  let selection: ThreadSelection
  let worker: ThreadWorker
  let renderer: PageRenderer
  let digests: PageDigests
  let bodies: PageBodies
  let records: ThreadRecords

  /// Writes the pages of all threads, which now say of each other what they have to say; those of which nothing has changed are left as they are.
  ///
  /// - Returns: how each was made, by its path; nothing of those in whose place a file of the owner's stands.
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
    // A template's mistake is the same on every page: one report is enough.
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

  /// - Parameter position: of the thread, in `index.threads`.
  private func run(
    _ source: WrittenThreads.Source, at position: Int, in index: SiteIndex
  ) throws(PipelineError) -> PreviousBuild.Page? {
    let path = index.threads[position].path
    // What stands there now is not what was made of the thread, should the file of the owner's go.
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
    // Somebody has changed the page while the site was built, or the theme has.
    return try render(source).body
  }

  /// Renders a thread that was taken over from the last build, where what was kept of it is not what was written.
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

/// Where the bodies of pages wait for what other threads have to do with them.
struct PageBodies: Sendable {
  let file: SpoolFile

  /// - Returns: what `body(at:)` finds it by.
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
