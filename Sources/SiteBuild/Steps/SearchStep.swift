import Basics
import SearchIndex
import SiteOutput
import SiteWorkspace
import ThreadStore

/// The step that writes the search page and its index. If few threads have changed, only the files of the index with their words are
/// written.
struct SearchStep: Sendable {
  let context: BuildContext
  let index: SiteIndex
  let sources: PageSources
  let pages: PageStep

  /// The number of changed threads above which a new index is built.
  private static let mostChanges = 64

  /// Writes the search page and its index.
  ///
  /// - Parameter documents: the documents of pages that are not threads. Threads that match equally well are listed first.
  /// - Returns: the facts about the index for the next build; `nil` if the site has no search.
  func run(_ documents: [SearchDocument]) throws(PipelineError) -> SearchState? {
    guard pages.renderer.hasSearch else { return nil }
    let digest = digest(of: documents)
    let patched = try patchIndex(documents, digest)
    let state =
      if let patched { patched } else { SearchState(index: try writeIndex(documents), pages: digest) }
    try context.write(SearchPage.path, capacity: 8 * 1024) {
      (html: inout UTF8Buffer) throws(SiteOutputError) in
      try pages.renderer.renderSearch(of: index, into: &html)
    }
    return state
  }

  /// Writes a new index.
  private func writeIndex(_ documents: [SearchDocument]) throws(PipelineError) -> SearchIndexState {
    let file = try context.spool("words")
    var collected = try threadTerms(after: documents.count, in: file)
    collected.append(try pageTerms(of: documents))
    // The newest threads come last, so that a new thread leaves all other numbers unchanged.
    let order = documents.reversed().map(\.url) + index.threads.reversed().map(\.path.urlText)
    var writer = SearchIndexWriter(collected, order: order)
    collected = []
    while let files = try withFiles(about: .content, { () throws(FileError) in try writer.next() }) {
      try write(files)
    }
    return writer.state
  }

  /// Writes the changed files of the existing index, and keeps the others.
  ///
  /// - Returns: `nil` if a new index is necessary.
  private func patchIndex(_ documents: [SearchDocument], _ digest: UInt64) throws(PipelineError)
    -> SearchState?
  {
    guard let patch = patch(documents, digest), let site = context.last?.build?.site else { return nil }
    var kept: [(path: SitePath, signature: FileSignature)] = []
    for file in patch.kept {
      let path = SearchPage.path.appending(file)
      guard let signature = site.signature(of: path.file), !context.staged.isOwned(path) else { return nil }
      kept.append((path, signature))
    }
    for file in kept { try context.keep(file.path, file.signature) }
    try write(patch.files)
    return SearchState(index: patch.state, pages: digest)
  }

  private func patch(_ documents: [SearchDocument], _ digest: UInt64) -> SearchIndexPatch? {
    guard let build = context.last?.build, let known = build.search, known.pages == digest else { return nil }
    var order = documents.reversed().map(\.url)
    var entries: [Int: PreviousBuild.Entry] = [:]
    var changes: [SearchIndexPatch.Change] = []
    for thread in index.threads.reversed() {
      guard let source = sources[thread.path], let terms = source.entry.terms else { continue }
      let number = order.count
      order.append(thread.path.urlText)
      entries[number] = source.entry
      let former = build.known(pages.files[source.position]).flatMap { $0.page == nil ? nil : $0 }
      // The position in the file differs if unused records were removed.
      if let piece = former?.terms, piece.checksum == terms.checksum, piece.range.count == terms.range.count {
        continue
      }
      guard changes.count < Self.mostChanges, let new = pages.records.terms(source.entry) else { return nil }
      changes.append(SearchIndexPatch.Change(document: number, old: former.flatMap(build.terms), new: new))
    }
    let new = Dictionary(changes.map { ($0.document, $0.new) }) { first, _ in first }
    return SearchIndexPatch(
      changes, of: known.index, order: order,
      read: { name in
        let file = SearchPage.path.appending(name).file
        guard build.site.signature(of: file) != nil else { return nil }
        return try? FileBytes.read("\(context.site.output)/\(file)")
      },
      terms: { document in new[document] ?? entries[document].flatMap { pages.records.terms($0) } })
  }

  /// Returns a digest of the documents of pages that are not threads.
  private func digest(of documents: [SearchDocument]) -> UInt64 {
    var analyzer = SearchAnalyzer()
    var writer = ByteWriter()
    for document in documents { writer.write(analyzer.terms(of: document)) }
    return PreviousBuild.checksum(of: writer.bytes)
  }

  /// Collects the terms of threads.
  ///
  /// - Parameter first: the number of the oldest thread.
  private func threadTerms(after first: Int, in file: SpoolFile) throws(PipelineError) -> [SearchCollector] {
    struct Collected: Sendable {
      var terms: SearchCollector
      var failure: PipelineError?
    }
    let parts = ParallelWork.run(
      count: index.threads.count, jobs: context.jobs,
      makeState: { Collected(terms: SearchCollector(in: file)) }
    ) {
      position, collected in
      guard let source = sources[index.threads[position].path] else { return }
      let place = first + index.threads.count - 1 - position
      do {
        guard source.entry.terms != nil else { return }
        if let terms = pages.records.terms(source.entry) {
          try collected.terms.add(terms, at: place)
        } else if let document = try pages.render(source).search {
          // The stored record differs from the one that the last build wrote.
          try collected.terms.add(document, at: place)
        }
      } catch {
        collected.failure = PipelineError(converting: error)
      }
    }
    if let failure = parts.compactMap(\.failure).first { throw failure }
    return parts.map(\.terms)
  }

  /// Collects the terms of pages that are not threads.
  private func pageTerms(of documents: [SearchDocument]) throws(PipelineError) -> SearchCollector {
    var collector = SearchCollector()
    try withFiles(about: .content) { () throws(FileError) in
      for (position, document) in documents.reversed().enumerated() {
        try collector.add(document, at: position)
      }
    }
    return collector
  }

  private func write(_ files: [SearchIndex.File]) throws(PipelineError) {
    _ = try context.collect(files.count) { (position) throws(PipelineError) -> Void? in
      let file = files[position]
      return try context.write([(SearchPage.path.appending(file.path), UTF8Buffer(bytes: file.bytes))])
    }
  }
}

/// The facts about a site's search index for the next build.
struct SearchState: Sendable {
  let index: SearchIndexState
  /// A digest of the documents of pages that are not threads.
  let pages: UInt64
}

extension SearchState: Record {
  static let fields = RecordFields(Self.init, \.index, \.pages)
}
