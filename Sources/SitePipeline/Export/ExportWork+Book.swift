import ExportFormats
import Localization
import MarkdownHTML
import MediaMirror
import SiteConfig
import SiteOutput
import ThreadModel
import ThreadStore
import UTF8Text

/// Threads as a book for e-readers, and as a page that needs nothing else.
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
    // Those of EPUB 3.3 (3.2), which browsers show as well.
    ExportedMedia(site.threadStore, taking: [.jpeg, .png, .gif, .webp], into: format)
  }

  // MARK: What a book says of itself

  private func book() throws(PipelineError) -> Book {
    let summaries = chosen.threads.map(\.summary)
    let dates = summaries.flatMap { [$0.published, $0.updated].compactMap(\.self) }
    var modified = (dates.max() ?? Timestamp(seconds: 0)).iso8601
    // Without a fraction of a second (EPUB 3.3, 5.5.5).
    if let dot = modified.firstIndex(of: ".") { modified = modified[..<dot] + "Z" }
    var book = Book(
      identifier: identifier, title: title, language: localization.language, modified: modified,
      words: Book.Words(contents: localization.text(.contents), titlePage: localization.text(.titlePage)))
    // Somebody with several accounts has one page, and is one author.
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

  /// What an export is called.
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

  /// The same for every edition of a book, and for no other one: a UUID of version 8 (RFC 9562, 5.8) from what was asked for.
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

  /// The threads as the contents name them: by years where there are many.
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
  /// The line with its thread.
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
