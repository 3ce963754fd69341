import Basics
import MarkdownHTML
import SiteOutput
import SiteWorkspace
import ThreadStore

/// The step that writes the pages of threads when all threads are known. A page's body is either newly rendered or, for a thread that was
/// reused from the last build, taken from the existing page. Unchanged pages are kept, apart from the names of changed style sheets.
struct PageStep: Sendable {
  let context: BuildContext
  let files: [StoredFile]
  let selection: ThreadSelection
  let worker: ThreadWorker
  let renderer: PageRenderer
  let digests: PageDigests
  let bodies: PageBodies
  let records: ThreadRecords
  let mentions: MentionedPages

  /// Writes the pages of all threads with the links between threads; unchanged pages are kept.
  ///
  /// - Returns: the cache entry of each page, by the position of the thread's file in the store's listing. Pages that a file of the owner
  ///   replaces are omitted.
  func run(
    _ sources: PageSources, in index: SiteIndex
  ) throws(PipelineError) -> [Int: PreviousBuild.Page] {
    let counter = ProgressCounter("Writing pages", total: index.threads.count, context.progress)
    let pages = try context.collect(index.threads.count) {
      (position) throws(PipelineError) -> (Int, PreviousBuild.Page)? in
      defer { counter.advance() }
      guard let source = sources[index.threads[position].path],
        let page = try run(source, at: position, in: index)
      else {
        return nil
      }
      return (source.position, page)
    }
    return Dictionary(pages) { first, _ in first }
  }

  /// - Parameter position: the thread's index in `index.threads`.
  private func run(
    _ source: PageSource, at position: Int, in index: SiteIndex
  ) throws(PipelineError) -> PreviousBuild.Page? {
    let path = index.threads[position].path
    // A file of the owner replaces the page. So the page cannot be reused, even if the owner later removes the file.
    let isOwned = context.staged.isOwned(path) || context.staged.isOwned(path.appending("index.md"))
    let related = digests.related(to: position)
    let digest = mentions.replies(to: path).map { digests.adding($0, to: related) } ?? related
    let previous = source.body == nil && !isOwned ? context.last?.build?.site : nil
    if let previous, var page = source.entry.page, page.related == digest,
      let signature = previous.signature(of: path.file), try context.reuse(path, signature)
    {
      page.rank = position
      return page
    }
    let (page, html) = try page(of: source, at: position, in: index, previous)
    // The byte ranges of the header and the body in the page.
    let places = try context.write(page.summary.path, capacity: page.body.count + 16_384) {
      (html: inout UTF8Buffer) throws(SiteOutputError) in try renderer.render(page, into: &html)
    }
    guard !isOwned else { return nil }
    return PreviousBuild.Page(
      related: digest,
      parts: places.count == 2 ? PreviousBuild.Parts(header: places[0], body: places[1]) : nil,
      checksum: PreviousBuild.checksum(of: html), rank: position)
  }

  /// Returns a thread's page with its links to other threads.
  func page(
    of source: PageSource, at position: Int, in index: SiteIndex
  ) throws(PipelineError) -> ThreadPage {
    try page(of: source, at: position, in: index, context.last?.build?.site).page
  }

  private func page(
    of source: PageSource, at position: Int, in index: SiteIndex, _ previous: SiteState?
  ) throws(PipelineError) -> (page: ThreadPage, html: DocumentHTML) {
    let html = try html(of: source, at: index.threads[position].path, previous)
    var page = try records.thread(source.entry).page
    page.header = html.header
    page.body = html.body
    let path = page.summary.path
    page.related = try withOutput { () throws(SiteOutputError) in
      try renderer.related(to: position, in: index)
    }
    page.webReplies = try withOutput { () throws(SiteOutputError) in
      try mentions.replies(to: path).flatMap { (replies) throws(SiteOutputError) in
        try renderer.webReplies(replies, on: path)
      }
    }
    return (page, html)
  }

  private func html(
    of source: PageSource, at path: SitePath, _ previous: SiteState?
  ) throws(PipelineError) -> DocumentHTML {
    if let place = source.body { return try bodies.html(at: place) }
    if let page = source.entry.page, let html = previous?.html(page, of: path) { return html }
    // Either the page was changed during the build, or the theme's layout does not show the whole body.
    return try render(source).html
  }

  /// Renders a thread that was reused from the last build, if its stored data differ from the data that the last build wrote.
  func render(_ source: PageSource) throws(PipelineError) -> ThreadWorker.Rendered {
    let file = files[source.position]
    let conversation = try context.site.read(file)
    let settings = selection.settings(for: conversation).settings
    return try worker.render(
      conversation, stem: file.stem, settings: settings ?? ThreadSelection.Settings())
  }
}

/// The rendered HTML of pages, kept in a temporary file until all threads are known.
struct PageBodies: Sendable {
  let file: SpoolFile

  /// The byte ranges of a thread's HTML in the file.
  struct Place: Sendable {
    fileprivate let header: Range<Int>
    fileprivate let body: Range<Int>
  }

  func add(_ html: DocumentHTML) throws(PipelineError) -> Place {
    let whole = try withFiles(about: .content) { () throws(FileError) in try file.append(html.whole.bytes) }
    let end = whole.lowerBound + html.header.count
    return Place(header: whole.lowerBound..<end, body: end..<whole.upperBound)
  }

  func html(at place: Place) throws(PipelineError) -> DocumentHTML {
    try withFiles(about: .content) { () throws(FileError) in
      DocumentHTML(
        header: UTF8Buffer(bytes: try file.read(place.header)),
        body: UTF8Buffer(bytes: try file.read(place.body)))
    }
  }
}
