import Basics
import SiteOutput
import ThreadStore

/// How a build writes the page of a thread, when all threads are known: from the body that was rendered or, for a thread that was taken over from the
/// last build, from the body in the page that stands there. A page of which nothing has changed is left as it is.
struct PageStep: Sendable {
  let build: SiteBuild
  let files: [StoredFile]
  let selection: ThreadSelection
  let worker: ThreadWorker
  let renderer: PageRenderer
  let digests: PageDigests
  let last: LastBuild?
  /// What pages are made with.
  let environment: BuildEnvironment
  let bodies: PageBodies
  let records: ThreadRecords
  let staged: StagedSite

  /// - Parameter position: of the thread, in `index.threads`.
  func run(
    _ source: WrittenThreads.Source, at position: Int, in index: SiteIndex
  ) throws(PipelineError) -> PreviousBuild.Page? {
    let path = index.threads[position].path
    // What stands there now is not what was made of the thread, should the file of the owner's go.
    let isOwned = staged.isOwned(path) || staged.isOwned(path.appending("index.md"))
    let digest = digests.related(to: position)
    let previous = source.body == nil && !isOwned ? last?.build?.site : nil
    if let previous, let page = source.entry.page, page.related == digest,
      previous.environment == environment, let signature = previous.signature(of: path.file)
    {
      try build.keep(path, signature, in: staged)
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
    let conversation = try build.read(file, from: build.site.threadStore)
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
      try staged.write(html.bytes, to: page.summary.path)
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
