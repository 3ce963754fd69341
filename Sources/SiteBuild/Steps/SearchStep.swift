import Basics
import SearchIndex
import SiteOutput
import SiteWorkspace

/// The step that writes the search page and its index.
struct SearchStep: Sendable {
  let context: BuildContext
  let index: SiteIndex
  let sources: [SitePath: PageSource]
  let pages: PageStep

  /// Writes the search page and its index.
  ///
  /// - Parameter documents: the documents of pages that are not threads. Threads that match equally well are listed first.
  /// - Returns: the facts about the index for a ``TextUpdate``; `nil` if the site has no search.
  func run(_ documents: [SearchDocument]) throws(PipelineError) -> SearchIndexState? {
    guard pages.renderer.hasSearch else { return nil }
    let file = try context.spool("words")
    var collected = try threadTerms(after: documents.count, in: file)
    collected.append(try pageTerms(of: documents))
    // The newest threads come last, so that a new thread leaves all other numbers unchanged.
    let order = documents.reversed().map(\.url) + index.threads.reversed().map(\.path.urlText)
    var writer = SearchIndexWriter(collected, order: order)
    collected = []
    while let files = try nextFiles(of: &writer) { try write(files) }
    do throws(SiteOutputError) {
      var html = UTF8Buffer(capacity: 8 * 1024)
      try pages.renderer.renderSearch(of: index, into: &html)
      try context.staged.write(html.bytes, to: SearchPage.path)
    } catch {
      throw PipelineError(error)
    }
    return writer.state
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
      } catch let error as FileError {
        collected.failure = PipelineError(error, about: .content)
      } catch let error as PipelineError {
        collected.failure = error
      } catch {
        collected.failure = PipelineError(.io, ["error: \(error)"])
      }
    }
    if let failure = parts.compactMap(\.failure).first { throw failure }
    return parts.map(\.terms)
  }

  /// Collects the terms of pages that are not threads.
  private func pageTerms(of documents: [SearchDocument]) throws(PipelineError) -> SearchCollector {
    var collector = SearchCollector()
    do {
      for (position, document) in documents.reversed().enumerated() {
        try collector.add(document, at: position)
      }
    } catch {
      throw PipelineError(error, about: .content)
    }
    return collector
  }

  private func nextFiles(of writer: inout SearchIndexWriter) throws(PipelineError) -> [SearchIndex.File]? {
    do {
      return try writer.next()
    } catch {
      throw PipelineError(error, about: .content)
    }
  }

  private func write(_ files: [SearchIndex.File]) throws(PipelineError) {
    let results = ParallelWork.run(
      count: files.count, jobs: context.jobs, makeState: { [SiteOutputError]() }
    ) { position, failures in
      let file = files[position]
      do throws(SiteOutputError) {
        try context.staged.write(file.bytes, to: SearchPage.path.appending(file.path))
      } catch {
        failures.append(error)
      }
    }
    if let failure = results.joined().first { throw PipelineError(failure) }
  }
}
