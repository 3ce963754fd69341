import Basics
package import ExportFormats
import Foundation
package import InterfaceText
import MarkdownHTML
import MediaMirror
import SiteConfig
import SiteOutput
package import SiteWorkspace
import ThreadMarkdown
package import ThreadModel
package import ThreadStore

/// A running export, with the data that all formats require.
package struct ExportWork: Sendable {
  package let options: ExportOptions
  package let site: SiteFolder
  package var worker: ThreadWorker
  package let chosen: ChosenThreads
  package let localization: Localization
  package let progress: ProgressHandler

  package init(
    options: ExportOptions, site: SiteFolder, worker: ThreadWorker, chosen: ChosenThreads,
    localization: Localization, progress: @escaping ProgressHandler
  ) {
    self.options = options
    self.site = site
    self.worker = worker
    self.chosen = chosen
    self.localization = localization
    self.progress = progress
  }

  /// Returns the links between the threads, by the document names of the format.
  ///
  /// - Parameter document: returns `nil` if links to the thread lead to the site.
  package func links(mediaPrefix: String, _ document: (Int) -> String?) -> ExportLinks {
    var documents: [SitePath: String] = [:]
    for (number, thread) in chosen.threads.enumerated() { documents[thread.summary.path] = document(number) }
    for (page, same) in chosen.samePages { documents[page] = documents[same] }
    return ExportLinks(
      mediaPrefix: mediaPrefix, documents: documents, siteURL: site.config.baseURL?.description)
  }

  /// Renders all threads, and passes them on in order.
  ///
  /// - Parameters:
  ///   - prepare: changes a conversation before it is rendered.
  ///   - place: returns the links of the thread with a number.
  package func forEachThread(
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

  /// Computes a value for each thread, and passes the values on in order.
  ///
  /// - Parameter make: called from several system threads at once.
  package func forEachThread<Value: Sendable>(
    making make: @escaping @Sendable (Int, ChosenThreads.Thread, Conversation) throws(PipelineError) -> Value,
    _ body: (Int, Value) throws(PipelineError) -> Void
  ) throws(PipelineError) {
    let store = site.threadStore
    let threads = chosen.threads
    let counter = ProgressCounter("Exporting threads", total: threads.count, progress)
    // Enough to keep all workers busy while one of them renders a long thread.
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

  package static func read(_ file: StoredFile, from store: ThreadStore) throws(PipelineError) -> Conversation
  {
    do {
      return try store.read(file)
    } catch {
      throw PipelineError(error).ofOneThread
    }
  }

  /// Runs `body`, and converts the errors of a format's writer.
  package func writing<Result: ~Copyable>(_ body: () throws(ExportFormatError) -> Result)
    throws(PipelineError)
    -> Result
  {
    do {
      return try body()
    } catch {
      throw PipelineError(error)
    }
  }
}

/// Exports threads as a book for e-readers.
extension ExportWork {
  package func writeEPUB(to output: String?) throws(PipelineError) -> ExportSummary {
    let links = links(mediaPrefix: EPUBWriter.mediaPrefix, EPUBWriter.document)
    let media = pictures(for: "a book")
    let book = try book()
    let lines = bookThreads
    var summary = ExportSummary()
    var shown: Set<String> = []
    var writer = try writing { () throws(ExportFormatError) in
      try EPUBWriter(book, to: output)
    }
    try forEachThread(prepare: { media.taken($0, [.image]) }, place: { _ in links }) {
      (number, rendered) throws(PipelineError) in
      summary.add(rendered)
      try writing { () throws(ExportFormatError) in
        try writer.add(lines[number].showing(rendered, in: localization))
        for file in rendered.thread.mediaFiles where shown.insert(file).inserted {
          try writer.add(try media.picture(file))
        }
      }
    }
    try writing { () throws(ExportFormatError) in
      try writer.finish(
        accessibility: accessibility(of: summary, hasPictures: !shown.isEmpty),
        allDescribed: summary.missingAltTexts == 0)
    }
    summary.media = shown.count
    summary.mediaLeftOut = media.problems
    return summary
  }

  package func pictures(for format: String) -> ExportedMedia {
    // The image types of EPUB 3.3 (3.2), which browsers show as well.
    ExportedMedia(site.threadStore, taking: [.jpeg, .png, .gif, .webp], into: format)
  }

  // MARK: A book's metadata

  package func book() throws(PipelineError) -> Book {
    let summaries = chosen.threads.map(\.summary)
    let dates = summaries.flatMap { [$0.published, $0.updated].compactMap(\.self) }
    // Without a fraction of a second (EPUB 3.3, 5.5.5).
    let modified = Timestamp(seconds: dates.max()?.seconds ?? 0).iso8601
    var book = Book(
      identifier: identifier, title: title, language: localization.language, modified: modified,
      words: Book.Words(contents: localization.text(.contents), titlePage: localization.text(.titlePage)))
    // A person with several accounts has one page and counts as one author.
    var pages: Set<SitePath> = []
    book.authors = summaries.map(\.author).filter { pages.insert($0.path).inserted }.map(\.name)
    book.publisher = site.config.author?.name
    book.source = source
    if let first = dates.min(), let last = dates.max() {
      let days = (worker.calendar.day(first), worker.calendar.day(last))
      book.lines.append(
        days.0 == days.1 ? days.0 : localization.text(.dateSpan, ["first": days.0, "last": days.1]))
    }
    let posts = localization.count(summaries.reduce(0) { $0 + $1.postCount }, .countPosts)
    book.lines.append(
      summaries.count == 1 ? posts : localization.count(summaries.count, .countThreads) + " · " + posts)
    book.introduction = try introduction()
    return book
  }

  private var single: ChosenThreads.Thread? { chosen.isSingle ? chosen.threads.first : nil }

  /// The title of the export.
  package var title: String {
    if let single { return single.summary.title }
    var title = chosen.collection?.title
    if let author = chosen.author {
      let name = AuthorSummary(author, path: .top).name
      title = title.map { "\($0) · \(name)" } ?? localization.text(.threadsBy, ["name": name])
    }
    let year = options.year.map(worker.calendar.format.year)
    return [title ?? site.config.title, year].compactMap(\.self).joined(separator: " · ")
  }

  private var source: String? {
    if let single {
      let url = site.config.baseURL.map { $0.description + single.summary.path.urlText }
      return url.flatMap(WebAddress.safe)
    }
    return site.config.baseURL?.description
  }

  /// The same for every edition of a book, and different for other books: a UUID of version 8 (RFC 9562, 5.8), derived from the requested
  /// selection.
  private var identifier: String {
    var key = ["threadsite export"]
    if let single {
      key.append("\(single.summary.id)/\(single.summary.author.path.text)")
    } else {
      key.append(site.config.baseURL?.description ?? site.config.title)
      key += options.threads.map(\.identity).sorted()
      key.append(options.collection ?? "")
      key.append(chosen.author.map { "\($0.id)" } ?? "")
      key.append(options.year.map(String.init) ?? "")
    }
    let text = key.joined(separator: "\n")
    return ContentHash.uuid(of: text)
  }

  private func introduction() throws(PipelineError) -> UTF8Buffer? {
    guard let collection = chosen.collection, let markdown = collection.introduction else { return nil }
    var options = HTMLOptions(headingOffset: 1, baseURL: site.config.baseURL?.description)
    options.syntax = .xml
    options.standsAlone = true
    do {
      return try MarkdownHTML.render(Array(markdown.utf8), options: options).whole
    } catch {
      throw PipelineError(
        .configuration,
        [
          "site.yml: error: the introduction of the collection \"\(collection.title)\" cannot become HTML: \(error)"
        ])
    }
  }

  private func accessibility(of summary: ExportSummary, hasPictures: Bool) -> String {
    guard hasPictures else { return localization.text(.accessible) }
    let pictures =
      summary.missingAltTexts == 0
      ? localization.text(.picturesDescribed)
      : localization.count(summary.missingAltTexts, .picturesUndescribed)
    return localization.text(.accessible) + " " + pictures
  }

  /// The threads as listed in the table of contents; by year if there are many.
  package var bookThreads: [BookThread] {
    let summaries = chosen.threads.map(\.summary)
    let years = summaries.map { $0.published.map { worker.calendar.civil($0).year } }
    let hasYears = chosen.collection == nil && summaries.count > 10 && Set(years).count > 1
    let hasAuthors = Set(summaries.map(\.author.path)).count > 1
    return zip(summaries, years).map { summary, year in
      var thread = BookThread(title: summary.title)
      if hasAuthors { thread.author = summary.author.name }
      if hasYears { thread.group = year.map(worker.calendar.format.year) }
      return thread
    }
  }
}

extension BookThread {
  /// Returns the entry with its rendered thread.
  package func showing(_ rendered: ThreadWorker.Rendered, in localization: Localization) -> BookThread {
    var thread = self
    thread.language = rendered.thread.summary.language
    thread.body = rendered.html.whole
    thread.contents = rendered.thread.page.contents
    return thread
  }
}

extension ExportSummary {
  package mutating func add(_ rendered: ThreadWorker.Rendered) {
    threads += 1
    posts += rendered.thread.summary.postCount
    missingAltTexts += rendered.thread.missingAltTexts
  }
}

extension PipelineError {
  /// Converts an error of an export.
  package init(_ error: ExportFormatError) {
    switch error {
    case .file(let file): self.init(file, about: .io)
    case .compression, .database, .changed, .notes: self.init(.io, [error.description])
    case .tooLarge: self.init(.content, [error.description])
    case .missingTypesetter: self.init(.configuration, [error.description])
    case .typesetter: self.init(.io, [error.description])
    }
  }
}
