import Basics
import InterfaceText
import SiteBuild
import SiteConfig
import SiteOutput
import SiteWorkspace
import Templates
import ThreadModel
import ThreadStore

extension ChosenThreads {
  /// Reads the store. Threads that the site does not show are not chosen: drafts, threads that site.yml excludes, and threads that are the
  /// same as others.
  init(
    _ options: ExportOptions, site: SiteFolder, inputs: LoadedSite, worker: ThreadWorker,
    selection: ThreadSelection, progress: @escaping ProgressHandler
  ) throws(PipelineError) {
    self.init()
    collection = try Self.collection(options.collection, of: site)
    let accounts = try Self.accounts(options.author, site: site, among: inputs.authors)
    author = accounts?.first.flatMap { inputs.authors[inputs.authors.owner(of: $0)]?.author }
    let wanted = Set((accounts ?? []).map(inputs.authors.owner))
    let isOfAuthor: @Sendable (AuthorID) -> Bool = { [authors = inputs.authors] id in
      accounts == nil || wanted.contains(authors.owner(of: id))
    }
    let named = PostReferences(options.threads)
    let collected = PostReferences(collection?.threads ?? [])
    let hasCollection = collection != nil
    let files = inputs.files
    let calendar = site.calendar
    let counter = ProgressCounter("Choosing threads", total: files.count, progress)
    let results = ParallelWork.run(count: files.count, jobs: options.jobs, makeState: Found.init) {
      position, found in
      defer { counter.advance() }
      do throws(PipelineError) {
        let conversation = try site.read(files[position])
        let names = named.positions(of: conversation)
        let answer = selection.settings(for: conversation)
        if let same = answer.sameAs {
          found.hidden.formUnion(names)
          found.same.append(
            (
              worker.pages.leadingPage(of: conversation, stem: files[position].stem, to: same).path,
              same.entry
            ))
          return
        }
        guard let settings = answer.settings, !settings.isDraft else { return found.hidden.formUnion(names) }
        found.named.formUnion(names)
        let place = collected.positions(of: conversation).first
        if !named.isEmpty, names.isEmpty { return }
        if hasCollection, place == nil { return }
        guard isOfAuthor(conversation.authorID) else { return }
        let summary = worker.summary(of: conversation, stem: files[position].stem, settings: settings)
        if let year = options.year {
          guard let first = summary.published, calendar.civil(first).year == year else { return }
        }
        found.threads.append(
          Thread(file: files[position], settings: settings, summary: summary, place: place))
      } catch {
        found.failures.append((position, error))
      }
    }
    try take(results, options, site.networks)
  }

  /// The results of a worker.
  private struct Found: Sendable {
    var threads: [Thread] = []
    var failures: [(position: Int, error: PipelineError)] = []
    var same: [(page: SitePath, entry: Int)] = []
    /// The indices of the requested URLs, for threads on the site and for others.
    var named: Set<Int> = []
    var hidden: Set<Int> = []
  }

  private mutating func take(
    _ results: [Found], _ options: ExportOptions, _ networks: NetworkRegistry
  ) throws(PipelineError) {
    failures = results.flatMap(\.failures).sorted { $0.position < $1.position }.map(\.error)
    guard failures.isEmpty || options.keepsGoing else { throw PipelineError(failures).ofOneThread }
    let named = results.reduce(into: Set<Int>()) { $0.formUnion($1.named) }
    let hidden = results.reduce(into: Set<Int>()) { $0.formUnion($1.hidden) }
    let problems = options.threads.indices.filter { !named.contains($0) }.map { position in
      "error: \(options.threads[position].address) "
        + (hidden.contains(position)
          ? "is not on the site: in site.yml it is excluded, a draft or listed under same_as of another thread."
          : "is not in the store; "
            + networks.waysToGetThread(by: "add", on: options.threads[position].platform).joined(
              separator: ", or ") + ".")
    }
    guard problems.isEmpty else { throw PipelineError(.content, problems) }
    threads = results.flatMap(\.threads).sorted(by: Self.isBefore)
    guard !threads.isEmpty else { throw PipelineError(.content, [nothing(options)]) }
    isSingle = options.threads.count == 1 && threads.count == 1
    var pages: [Int: SitePath] = [:]
    for thread in threads { if let entry = thread.settings.entry { pages[entry] = thread.summary.path } }
    for (page, entry) in results.flatMap(\.same) { samePages[page] = pages[entry] }
  }

  /// Returns the message for an export without threads.
  private func nothing(_ options: ExportOptions) -> String {
    let limits = [
      collection.map { "in the collection \"\($0.title)\"" }, options.author.map { "by \($0)" },
      options.year.map { "from \($0)" },
    ].compactMap(\.self)
    return limits.isEmpty
      ? "error: this site has no threads; fetch some with `threadsite add`, or import an archive with `threadsite import`."
      : "error: this site has no threads \(limits.joined(separator: " ")); `threadsite list` shows all threads."
  }

  private static func collection(
    _ slug: String?, of site: SiteFolder
  ) throws(PipelineError) -> SiteConfig.Collection? {
    guard let slug else { return nil }
    let all = site.config.collections
    if let found = all.first(where: { $0.slug == slug }) { return found }
    let hint = Suggestion.phrase(for: slug, among: all.map(\.slug))
    let list = all.map(\.slug).joined(separator: ", ")
    throw PipelineError(
      .configuration,
      [
        "error: site.yml has no collection with the slug \"\(slug)\"\(hint.isEmpty ? "." : hint) "
          + (all.isEmpty ? "It has no collections." : "It has: \(list).")
      ])
  }

  /// Returns the accounts for a handle or a URL.
  private static func accounts(
    _ text: String?, site: SiteFolder, among authors: AuthorDirectory
  ) throws(PipelineError) -> Set<AuthorID>? {
    guard let text else { return nil }
    if text.contains("://"), let reference = try? site.networks.addresses.account(text) {
      let found = authors.accounts(of: reference).filter { authors[$0] != nil }
      if !found.isEmpty { return found }
    }
    let handle = text.hasPrefix("@") ? String(text.dropFirst()) : text
    let known = authors.all.filter { $0.author.handle?.lowercased() == handle.lowercased() }
    // A former handle, or a handle without its server.
    let others = known.isEmpty ? authors.all.filter { $0.isCalled(handle.lowercased()) } : known
    guard others.isEmpty else { return Set(others.map(\.author.id)) }
    let hint = Suggestion.phrase(for: handle, among: authors.all.compactMap(\.author.handle))
    throw PipelineError(
      .content,
      [
        "error: no thread of \(text) is in the store\(hint.isEmpty ? "." : hint) "
          + "Use the handle as shown on pages, or the URL of an account."
      ])
  }
}
