import Basics
import SearchIndex
import SiteOutput
import ThreadMarkdown
import ThreadModel

extension SiteBuild {
  /// Writes the search page and the index that it reads; nothing where the site has no search.
  ///
  /// - Parameter documents: what is found beside threads, and after them where it fits as well.
  func writeSearch(
    of index: SiteIndex, _ threads: WrittenThreads, _ documents: [SearchDocument], with step: PageStep,
    to staged: StagedSite
  ) throws(PipelineError) {
    guard step.renderer.hasSearch else { return }
    let file = try spool("words", in: staged)
    var collected = try searchTerms(of: index, threads, after: documents.count, with: step, in: file)
    collected.append(try pageTerms(of: documents))
    // The newest threads last: a new one changes nobody's number.
    let order = documents.reversed().map(\.url) + index.threads.reversed().map(\.path.urlText)
    var writer = SearchIndexWriter(collected, order: order)
    collected = []
    while let files = try nextFiles(of: &writer) { try write(files, to: staged) }
    do throws(SiteOutputError) {
      var html = UTF8Buffer(capacity: 8 * 1024)
      try step.renderer.renderSearch(into: &html)
      try staged.write(html.bytes, to: SearchPage.path)
    } catch {
      throw PipelineError(error)
    }
  }
}

extension SiteBuild {
  /// What is found beside threads.
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

  private func write(_ files: [SearchIndex.File], to staged: StagedSite) throws(PipelineError) {
    let results = ParallelWork.run(
      count: files.count, jobs: options.jobs, makeState: { [SiteOutputError]() }
    ) { position, failures in
      let file = files[position]
      do throws(SiteOutputError) {
        try staged.write(file.bytes, to: SearchPage.path.appending(file.path))
      } catch {
        failures.append(error)
      }
    }
    if let failure = results.joined().first { throw PipelineError(failure) }
  }

  private func searchTerms(
    of index: SiteIndex, _ threads: WrittenThreads, after first: Int, with step: PageStep,
    in file: SpoolFile
  ) throws(PipelineError) -> [SearchCollector] {
    struct Collected: Sendable {
      var terms: SearchCollector
      var failure: PipelineError?
    }
    let parts = ParallelWork.run(
      count: index.threads.count, jobs: options.jobs,
      makeState: { Collected(terms: SearchCollector(in: file)) }
    ) {
      position, collected in
      guard let source = threads.sources[index.threads[position].path] else { return }
      let place = first + index.threads.count - 1 - position
      do {
        guard source.entry.terms != nil else { return }
        if let terms = step.records.terms(source.entry) {
          try collected.terms.add(terms, at: place)
        } else if let document = try step.render(source).search {
          // What was kept of it is not what was written.
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
}

extension ThreadWorker {
  /// What a search finds of a thread: all that its page shows of it, the words of others for half.
  func searchDocument(of thread: UnrolledThread, _ summary: ThreadSummary) -> SearchDocument {
    var document = SearchDocument(
      url: summary.path.urlText, title: summary.title, author: summary.author.name)
    if let published = summary.published {
      document.date = calendar.isoDay(published)
      document.dateText = calendar.day(published)
    }
    document.authorNames = [summary.author.handle, summary.author.name].compactMap(\.self)
    document.tags = summary.tags.map(\.name)
    var long = LongQuotes()
    document.add(thread.context, &long)
    document.add(thread.items, &long)
    for answer in thread.answers {
      document.add(answer.inReplyTo, &long)
      document.add(answer.items, &long)
    }
    for reply in thread.replies {
      reply.forEachPost { document.add($0, &long) }
    }
    return document
  }
}

extension SearchDocument {
  fileprivate mutating func add(_ items: [ThreadItem], _ long: inout LongQuotes) {
    for case .post(let threadPost) in items {
      add(threadPost.post, .full)
      add(threadPost.quote, &long)
      for branch in threadPost.branches { add(branch.items, &long) }
    }
  }

  fileprivate mutating func add(_ post: Post, _ weight: Weight) {
    add(post.contentWarning, weight)
    add(post.title, weight)
    add(post.text.text, weight)
    for media in post.media { add(media.altText, weight) }
    for option in post.poll?.options ?? [] { add(option.label, weight) }
    add(post.card?.title, .half)
    add(post.card?.summary, .half)
  }

  /// A quoted or answered post, with whose it is.
  fileprivate mutating func add(_ quote: Quote?, _ long: inout LongQuotes) {
    guard case .post(let post, let author, let inner)? = quote, !long.repeats(post) else { return }
    add(author)
    add(post, .half)
    add(inner, &long)
  }

  fileprivate mutating func add(_ reply: Reply, _ long: inout LongQuotes) {
    if !reply.isByAuthor { add(reply.author) }
    add(reply.post, reply.isByAuthor ? .full : .half)
    add(reply.quote, &long)
  }

  private mutating func add(_ author: Author?) {
    add(author?.name, .half)
    add(author?.handle, .half)
  }

  private mutating func add(_ text: String?, _ weight: Weight) {
    if let text, !text.isEmpty { passages.append(Passage(text, weight)) }
  }
}

extension SiteCalendar {
  /// `2026-06-09`, in the site's time zone.
  fileprivate func isoDay(_ moment: Timestamp) -> String {
    let date = civil(moment)
    func padded(_ number: Int, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))"
  }
}
