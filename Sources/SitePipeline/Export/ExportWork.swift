import Basics
import ExportFormats
import Foundation
import MarkdownHTML
import MediaMirror
import SiteConfig
import SiteOutput
import ThreadMarkdown
import ThreadModel
import ThreadStore

/// A running export, with the data that all formats need.
struct ExportWork: Sendable {
  let options: ExportOptions
  let site: SiteFolder
  var worker: ThreadWorker
  let chosen: ChosenThreads
  let localization: Localization
  let progress: ProgressHandler

  /// Returns the links between the threads, by the document names of the format.
  func links(mediaPrefix: String, _ document: (Int) -> String) -> ExportLinks {
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

  /// Computes a value for each thread, and passes the values on in order.
  ///
  /// - Parameter make: is called from several threads at once.
  func forEachThread<Value: Sendable>(
    making make: @escaping @Sendable (Int, ChosenThreads.Thread, Conversation) throws(PipelineError) -> Value,
    _ body: (Int, Value) throws(PipelineError) -> Void
  ) throws(PipelineError) {
    let store = site.threadStore
    let threads = chosen.threads
    let counter = ProgressCounter("Exporting threads", total: threads.count, progress)
    // Enough to keep all workers busy while one of them has a long thread.
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

  /// Runs `body`, and converts the errors of a format's writer.
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

/// Exports threads as Markdown files with their media, for note-taking programs.
extension ExportWork {
  func writeNotes(to folder: String) throws(PipelineError) -> ExportSummary {
    let names = noteNames
    let links = links(mediaPrefix: NotesFolder.mediaPrefix) { names[$0] }
    let store = site.threadStore
    let media = ExportedMedia(store, taking: Set(MediaType.allCases), into: "a folder of notes")
    var summary = ExportSummary()
    var shown: Set<String> = []
    let notes = try writing { () throws(ExportFormatError) in
      try NotesFolder(folder, replacesForeign: options.replacesForeignOutput)
    }
    try forEachThread(
      prepare: { media.taken($0, [.image, .video, .audio]) }, place: { _ in links }
    ) { (number, rendered) throws(PipelineError) in
      summary.add(rendered)
      try writing { () throws(ExportFormatError) in
        try notes.write(rendered.markdown.bytes, to: names[number])
      }
      for file in rendered.thread.mediaFiles where shown.insert(file).inserted {
        let content = try PublishedMedia.open(file, of: store)
        try writing { () throws(ExportFormatError) in
          try notes.copy(content, to: NotesFolder.mediaPrefix + file)
        }
      }
    }
    try writing { () throws(ExportFormatError) in
      try notes.write(noteList(names).bytes, to: Self.listNote)
      try notes.finish()
    }
    summary.media = shown.count
    summary.mediaLeftOut = media.problems
    return summary
  }

  private static let listNote = "index.md"

  /// The names of the notes: the day and the words of the title, and the thread's id if two names would be equal, ignoring letter case. They consist
  /// of letters, digits and hyphens, which all disks and programs allow.
  private var noteNames: [String] {
    let names = chosen.threads.map { thread in
      let summary = thread.summary
      let words = thread.settings.slug ?? Slug.make(from: summary.title)
      let day = summary.published.map { moment in
        let time = worker.calendar.civil(moment)
        return "\(Self.padded(time.year, 4))-\(Self.padded(time.month, 2))-\(Self.padded(time.day, 2))"
      }
      return [day, words.isEmpty ? nil : words].compactMap(\.self).joined(separator: "-")
    }
    var uses: [String: Int] = [Self.listNote: 2, "": 2]
    for name in names { uses[name.lowercased() + ".md", default: 0] += 1 }
    return zip(names, chosen.threads).map { name, thread in
      guard name.isEmpty || uses[name.lowercased() + ".md", default: 0] > 1 else { return name + ".md" }
      let id = "\(thread.summary.id.platform)-\(MarkdownPieces.anchor(thread.summary.id.text))"
        .replacing(":", with: "_")
      // Two authors may have threads in one conversation.
      let author = ContentHash.of(thread.file.stem.utf8).prefix(6)
      return [name, id, String(author)].filter { !$0.isEmpty }.joined(separator: "-") + ".md"
    }
  }

  private static func padded(_ number: Int, _ digits: Int) -> String {
    let text = String(max(0, number))
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  /// Returns the note that lists the others by year.
  private func noteList(_ names: [String]) -> UTF8Buffer {
    let hasAuthors = Set(chosen.threads.map(\.summary.author.path)).count > 1
    var note = UTF8Buffer("# ")
    note.appendEscapingMarkdown(title)
    note.append("\n" as StaticString)
    var heading: Int?
    for (name, thread) in zip(names, chosen.threads) {
      let summary = thread.summary
      let year = chosen.collection == nil ? summary.published.map { worker.calendar.civil($0).year } : nil
      if let year, year != heading {
        note.append("\n## " as StaticString)
        note.appendEscapingMarkdown(worker.calendar.format.year(year))
        note.append("\n" as StaticString)
      }
      if year != heading || thread.file.stem == chosen.threads.first?.file.stem {
        note.append("\n" as StaticString)
      }
      heading = year
      note.append("- [" as StaticString)
      note.appendEscapingMarkdown(summary.title)
      note.append("](" as StaticString)
      note.appendLinkDestination(name)
      note.append(")" as StaticString)
      let more = [
        hasAuthors ? summary.author.name : nil, summary.published.map(worker.calendar.day),
      ].compactMap(\.self)
      if !more.isEmpty {
        note.append(" · " as StaticString)
        note.appendEscapingMarkdown(more.joined(separator: " · "))
      }
      note.append("\n" as StaticString)
    }
    return note
  }
}

/// Exports threads as a book for e-readers, and as a self-contained page.
extension ExportWork {
  func writeEPUB(to output: String?) throws(PipelineError) -> ExportSummary {
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

  func writeHTML(to output: String?) throws(PipelineError) -> ExportSummary {
    let several = chosen.threads.count > 1
    let links = links(mediaPrefix: HTMLFileWriter.mediaPrefix, HTMLFileWriter.document)
    let media = pictures(for: "a page that stands alone")
    let book = try book()
    let lines = bookThreads
    var summary = ExportSummary()
    var shown: Set<String> = []
    var writer = try writing { () throws(ExportFormatError) in
      try HTMLFileWriter(book, hasSeveral: several, to: output)
    }
    try writing { () throws(ExportFormatError) in try writer.begin(lines) }
    let place: @Sendable (Int) -> ExportLinks = { number in
      var own = links
      own.anchorStart = "-"
      own.idPrefix = HTMLFileWriter.idPrefix(number)
      own.headingOffset = several ? 1 : 0
      return own
    }
    try forEachThread(prepare: { media.taken($0, [.image]) }, place: place) {
      (number, rendered) throws(PipelineError) in
      summary.add(rendered)
      shown.formUnion(rendered.thread.mediaFiles)
      try writing { () throws(ExportFormatError) in
        try writer.add(lines[number].showing(rendered, in: localization)) { file throws(ExportFormatError) in
          try media.picture(file)
        }
      }
    }
    try writing { () throws(ExportFormatError) in try writer.finish() }
    summary.media = shown.count
    summary.mediaLeftOut = media.problems
    return summary
  }

  private func pictures(for format: String) -> ExportedMedia {
    // The image types of EPUB 3.3 (3.2), which browsers show as well.
    ExportedMedia(site.threadStore, taking: [.jpeg, .png, .gif, .webp], into: format)
  }

  // MARK: A book's metadata

  private func book() throws(PipelineError) -> Book {
    let summaries = chosen.threads.map(\.summary)
    let dates = summaries.flatMap { [$0.published, $0.updated].compactMap(\.self) }
    var modified = (dates.max() ?? Timestamp(seconds: 0)).iso8601
    // Without a fraction of a second (EPUB 3.3, 5.5.5).
    if let dot = modified.firstIndex(of: ".") { modified = modified[..<dot] + "Z" }
    var book = Book(
      identifier: identifier, title: title, language: localization.language, modified: modified,
      words: Book.Words(contents: localization.text(.contents), titlePage: localization.text(.titlePage)))
    // A person with several accounts has one page, and is one author.
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
  var title: String {
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

  /// The same for every edition of a book, and different for other books: a UUID of version 8 (RFC 9562, 5.8), made from the requested selection.
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
    var html = UTF8Buffer()
    do {
      try MarkdownHTML.render(Array(markdown.utf8), options: options, into: &html)
    } catch {
      throw PipelineError(
        .configuration,
        [
          "site.yml: error: the introduction of the collection \"\(collection.title)\" cannot become HTML: \(error)"
        ])
    }
    return html
  }

  private func accessibility(of summary: ExportSummary, hasPictures: Bool) -> String {
    guard hasPictures else { return localization.text(.accessible) }
    let pictures =
      summary.missingAltTexts == 0
      ? localization.text(.picturesDescribed)
      : localization.count(summary.missingAltTexts, .picturesUndescribed)
    return localization.text(.accessible) + " " + pictures
  }

  /// The threads as listed in the table of contents: by year if there are many.
  private var bookThreads: [BookThread] {
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
  fileprivate func showing(_ rendered: ThreadWorker.Rendered, in localization: Localization) -> BookThread {
    var thread = self
    thread.language = rendered.thread.summary.language
    thread.body = rendered.body
    thread.contents = rendered.thread.contents
    return thread
  }
}

extension ExportSummary {
  mutating func add(_ rendered: ThreadWorker.Rendered) {
    threads += 1
    posts += rendered.thread.summary.postCount
    missingAltTexts += rendered.thread.missingAltTexts
  }
}

/// Exports threads as a database.
extension ExportWork {
  func writeDatabase(to path: String) throws(PipelineError) -> ExportSummary {
    var summary = ExportSummary()
    var facts = [(key: "title", value: title)]
    let base = site.config.baseURL?.description
    if let base { facts.append(("base_url", base)) }
    var writer = try writing { () throws(ExportFormatError) in try DatabaseWriter(site: facts, to: path) }
    let worker = worker
    try forEachThread(
      making: { (_, thread, conversation) throws(PipelineError) in
        worker.unrolled(conversation, thread.settings)
      }
    ) { (number, thread) throws(PipelineError) in
      var line = chosen.threads[number].summary
      line.language = thread.language
      summary.threads += 1
      summary.posts += line.postCount
      try writing { () throws(ExportFormatError) in
        try writer.add(
          thread, line, page: base.map { $0 + line.path.urlText } ?? line.path.text, url: thread.sourceURL)
      }
    }
    summary.media = try writing { () throws(ExportFormatError) in try writer.finish() }
    return summary
  }
}
