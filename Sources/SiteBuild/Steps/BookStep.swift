import Basics
import SiteConfig
import SiteOutput
import SiteWorkspace
import ThreadMarkdown
import ThreadModel

/// The step that writes the books that pages offer, as `threadsite export epub` does. A book is only written if one of its threads has
/// changed.
struct BookStep: Sendable {
  let context: BuildContext
  let inputs: LoadedSite
  let selection: ThreadSelection
  let worker: ThreadWorker
  let sources: PageSources
  /// The authors by their pages.
  let authors: [SitePath: AuthorID]
  let targets: RedirectTargets
  let index: SiteIndex
  let records: ThreadRecords

  /// A book of the site.
  private struct Book: Sendable {
    let path: SitePath
    /// Indices in `index.threads`.
    let threads: [Int]
    var isSingle = false
    var collection: SiteConfig.Collection?
    var author: Author?
  }

  /// The number of threads above which all cores work on one book.
  private static let mostOnOneCore = 16

  /// Writes all books.
  ///
  /// - Returns: the digest of the inputs of each book, by its file. Books whose inputs might change undetected, and books that a file of
  ///   the owner replaces, are omitted.
  func run() throws(PipelineError) -> [String: UInt64] {
    let books = books()
    guard !books.isEmpty else { return [:] }
    let same = Dictionary(grouping: targets.sameThreads) { targets.page(of: $0) ?? .top }
      .mapValues { $0.map(\.path).sorted() }
    let counter = ProgressCounter("Writing books", total: books.count, context.progress)
    var results = ParallelWork.run(
      count: books.count, jobs: context.jobs, makeState: { BookResults() }
    ) { position, made in
      guard books[position].threads.count < Self.mostOnOneCore else { return }
      make(books[position], at: position, same, jobs: 1, &made)
      counter.advance()
    }
    var large = BookResults()
    for position in books.indices where books[position].threads.count >= Self.mostOnOneCore {
      make(books[position], at: position, same, jobs: context.jobs, &large)
      counter.advance()
    }
    results.append(large)
    if let failure = results.flatMap(\.failures).min(by: { $0.position < $1.position }) {
      throw failure.error
    }
    for note in results.reduce(into: Set<String>(), { $0.formUnion($1.notes) }).sorted() {
      context.progress(.note(note))
    }
    return Dictionary(results.flatMap(\.digests).map { ($0.file, $0.digest) }) { first, _ in first }
  }

  /// The results of a worker.
  private struct BookResults: Sendable {
    var digests: [(file: String, digest: UInt64)] = []
    var notes: Set<String> = []
    var failures: [(position: Int, error: PipelineError)] = []
  }

  private func make(
    _ book: Book, at position: Int, _ same: [SitePath: [SitePath]], jobs: Int, _ made: inout BookResults
  ) {
    do throws(PipelineError) {
      let digest = digest(of: book, same)
      if let digest, let known = signature(of: book.path, madeFrom: digest) {
        try context.keep(book.path, known)
      } else {
        made.notes.formUnion(try write(book, same, jobs: jobs))
      }
      if let digest, !context.staged.isOwned(book.path) { made.digests.append((book.path.file, digest)) }
    } catch {
      made.failures.append((position, error))
    }
  }

  private func books() -> [Book] {
    let kinds = Set(context.site.config.books)
    var books: [Book] = []
    if kinds.contains(.threads) {
      books += index.threads.indices.map {
        Book(path: index.threads[$0].path.book, threads: [$0], isSingle: true)
      }
    }
    if kinds.contains(.collections) {
      for (group, collection) in zip(index.collections, context.site.config.collections)
      where !group.threads.isEmpty {
        var book = Book(path: group.collection.path.book, threads: group.threads)
        book.collection = collection
        books.append(book)
      }
    }
    if kinds.contains(.authors) {
      for group in index.authors {
        var book = Book(path: group.author.path.book, threads: group.threads)
        book.author = authors[group.author.path].flatMap { inputs.authors[$0]?.author }
        books.append(book)
      }
    }
    if kinds.contains(.site), !index.threads.isEmpty {
      books.append(Book(path: .top.book, threads: Array(index.threads.indices)))
    }
    return books
  }

  /// Returns the signature of the existing book, if it was made from the same inputs.
  private func signature(of path: SitePath, madeFrom digest: UInt64) -> FileSignature? {
    guard let site = context.last?.build?.site, site.environment.threads == context.environment.threads,
      !context.staged.isOwned(path)
    else { return nil }
    return site.signature(of: path.file, madeFrom: digest)
  }

  /// Returns the digest of a book's inputs besides settings and words; `nil` if one of them might change undetected.
  private func digest(of book: Book, _ same: [SitePath: [SitePath]]) -> UInt64? {
    var digest = ContentDigest()
    digest.add(book.isSingle ? 1 : 0)
    for text in [book.collection?.title, book.collection?.slug, book.collection?.introduction] {
      digest.add(text)
    }
    digest.add(book.author.map { "\($0.id)" })
    digest.add(book.author.map { AuthorSummary($0, path: .top).name })
    digest.add(book.threads.count)
    for position in book.threads {
      let path = index.threads[position].path
      guard let source = sources[path], let signature = source.entry.signature,
        let media = source.media
      else { return nil }
      digest.add(signature)
      digest.add(source.entry.record.checksum)
      digest.add(media)
      for other in same[path] ?? [] { digest.add(other.text) }
    }
    return digest.value
  }

  /// - Returns: the media that the book does not contain, each with the reason.
  private func write(_ book: Book, _ same: [SitePath: [SitePath]], jobs: Int) throws(PipelineError)
    -> [String]
  {
    var chosen = ChosenThreads()
    chosen.collection = book.collection
    chosen.author = book.author
    chosen.isSingle = book.isSingle
    for (place, position) in book.threads.enumerated() {
      let summary = index.threads[position]
      guard let source = sources[summary.path] else { continue }
      let settings = selection.settings(for: try records.keys(source.entry)).settings
      chosen.threads.append(
        ChosenThreads.Thread(
          file: inputs.files[source.position], settings: settings ?? ThreadSelection.Settings(),
          summary: summary, place: book.collection == nil ? nil : place))
      for page in same[summary.path] ?? [] { chosen.samePages[page] = summary.path }
    }
    chosen.threads.sort(by: ChosenThreads.isBefore)
    var options = ExportOptions(jobs: jobs)
    options.collection = book.collection?.slug
    var work = ExportWork(
      options: options, site: context.site, worker: worker, chosen: chosen, localization: inputs.localization,
      progress: { _ in })
    // A book must not load media from other hosts.
    if work.worker.media == .link { work.worker.media = .mirror }
    let file = context.staged.temporaryPath("book-" + ContentHash.of(book.path.text.utf8))
    let summary = try work.writeEPUB(to: file)
    do {
      try context.staged.copy(from: file, to: book.path)
      try FileSystem.remove(file)
    } catch {
      throw PipelineError(converting: error)
    }
    return summary.mediaLeftOut
  }
}

extension ContentDigest {
  mutating func add(_ signature: FileSignature) {
    add(signature.inode)
    for number in [signature.size, signature.modified, signature.changed] { add(Int(number)) }
  }
}
