import Basics
import SiteConfig
import SiteOutput
import Synchronization
import Templates
import ThreadMarkdown
import ThreadModel
import ThreadStore

extension SiteBuild {
  /// A build that was killed while it put its site in place left a mixture, which must not stay when this one fails early.
  func finishInterruptedBuild() throws(PipelineError) {
    do {
      try StagedSite.finish(output: site.output)
    } catch {
      throw PipelineError(error)
    }
  }

  /// A place for what waits for other threads, or for the next build.
  func spool(_ name: String, in staged: StagedSite) throws(PipelineError) -> SpoolFile {
    do {
      return try staged.spool(name)
    } catch {
      throw PipelineError(error)
    }
  }

  /// Copies the owner's own files, whatever they are called: `static/CNAME` becomes `CNAME`.
  ///
  /// - Returns: their paths.
  func copyOwnFiles(to staged: StagedSite) throws(PipelineError) -> [SitePath] {
    let folder = site.staticFolder
    var paths: [SitePath] = []
    for file in FileTree(folder).files.map(\.path).sorted() where !Self.isLitter(file) {
      let path = SitePath(file)
      do {
        try staged.copyOwn(from: folder + "/" + file, to: path)
      } catch .writtenTwice {
        throw PipelineError(
          .configuration,
          ["\(folder)/\(file): error: threadsite needs this name for itself; call the file something else."])
      } catch {
        throw PipelineError(error)
      }
      paths.append(path)
    }
    return paths
  }

  /// What systems leave in folders without being asked.
  static func isLitter(_ path: String) -> Bool {
    let name = String(PathText.name(of: path))
    return [".DS_Store", "Thumbs.db", "desktop.ini", ".gitkeep"].contains(name) || name.hasPrefix("._")
  }

  /// Says which of the files that threadsite makes the owner's own stand for.
  func noteReplaced(by staged: StagedSite) {
    for path in staged.replaced {
      progress(
        .note("\(site.staticFolder)/\(path.text) takes the place of the \(path.text) that threadsite makes."))
    }
  }

  /// Leaves a file of the site as it is.
  ///
  /// - Parameter signature: of the file, as it was looked at.
  func keep(
    _ path: SitePath, _ signature: FileSignature, in staged: StagedSite
  ) throws(PipelineError) {
    do {
      try staged.keep(path, signature)
    } catch .writtenTwice {
      // Another thread has this page: `problems` finds both by their summaries, whichever came first.
    } catch {
      throw PipelineError(error)
    }
  }

  func stage() throws(PipelineError) -> StagedSite {
    do {
      return try StagedSite(output: site.output, force: options.replacesForeignOutput)
    } catch {
      throw PipelineError(error)
    }
  }

  /// Writes the pages of all threads, which now say of each other what they have to say; those of which nothing has changed are left as they are.
  ///
  /// - Returns: how each was made, by its path; nothing of those in whose place a file of the owner's stands.
  func writePages(
    of threads: WrittenThreads, in index: SiteIndex, with pages: PageStep
  ) throws(PipelineError) -> [SitePath: PreviousBuild.Page] {
    let counter = ProgressCounter("Writing pages", total: index.threads.count, progress)
    struct Written: Sendable {
      var pages: [(path: SitePath, page: PreviousBuild.Page)] = []
      var failures: [(position: Int, error: PipelineError)] = []
    }
    let results = ParallelWork.run(
      count: index.threads.count, jobs: options.jobs, makeState: { Written() }
    ) { position, written in
      let path = index.threads[position].path
      if let source = threads.sources[path] {
        do throws(PipelineError) {
          if let page = try pages.run(source, at: position, in: index) { written.pages.append((path, page)) }
        } catch {
          written.failures.append((position, error))
        }
      }
      counter.advance()
    }
    // A template's mistake is the same on every page: one report is enough.
    if let failure = results.flatMap(\.failures).min(by: { $0.position < $1.position }) {
      throw failure.error
    }
    var made: [SitePath: PreviousBuild.Page] = [:]
    made.reserveCapacity(index.threads.count)
    for result in results {
      for (path, page) in result.pages { made[path] = page }
    }
    return made
  }

  /// Writes the lists of threads; those that would be the same are left as they are.
  ///
  /// - Returns: what each was made from, by its file; nothing of those in whose place a file of the owner's stands.
  func writeIndexes(
    _ pages: [IndexPage], of index: SiteIndex, with renderer: PageRenderer, _ digests: PageDigests,
    after last: LastBuild?, in environment: BuildEnvironment, to staged: StagedSite
  ) throws(PipelineError) -> [String: UInt64] {
    struct Written: Sendable {
      var lists: [(file: String, digest: UInt64)] = []
      var failures: [PipelineError] = []
    }
    let previous = last?.build?.site.environment == environment ? last?.build?.site : nil
    let counter = ProgressCounter("Writing indexes", total: pages.count, progress)
    let results = ParallelWork.run(count: pages.count, jobs: options.jobs, makeState: { Written() }) {
      position, written in
      let path = pages[position].path
      let own = renderer.ownValues(of: pages[position], in: index)
      let digest = digests.page(pages[position], own)
      do throws(PipelineError) {
        if let known = previous?.signature(of: path.file, madeFrom: digest), !staged.isOwned(path) {
          try keep(path, known, in: staged)
        } else {
          try write(pages[position], own, of: index, with: renderer, to: staged)
        }
        if !staged.isOwned(path) { written.lists.append((path.file, digest)) }
      } catch {
        written.failures.append(error)
      }
      counter.advance()
    }
    // A template's mistake is the same on every page: one report is enough.
    if let failure = results.flatMap(\.failures).first { throw failure }
    return Dictionary(results.flatMap(\.lists).map { ($0.file, $0.digest) }) { first, _ in first }
  }

  private func write(
    _ page: IndexPage, _ own: TemplateObject, of index: SiteIndex, with renderer: PageRenderer,
    to staged: StagedSite
  ) throws(PipelineError) {
    do throws(SiteOutputError) {
      var html = UTF8Buffer(capacity: 32 * 1024)
      try renderer.render(page, own, of: index, into: &html)
      try staged.write(html.bytes, to: page.path)
    } catch {
      throw PipelineError(error)
    }
  }

  /// The feeds show the newest threads, which are rendered once more with full addresses.
  ///
  /// Those of lists show beginnings: whole threads would be rendered again for each of their lists.
  func writeFeeds(
    of index: SiteIndex, threads: WrittenThreads, _ inputs: Inputs, _ selection: ThreadSelection,
    worker: ThreadWorker, facts: SiteFacts, to staged: StagedSite
  ) throws(PipelineError) {
    guard let baseURL = facts.baseURL, site.config.feed.entries > 0 else { return }
    let store = site.threadStore
    var entries: [FeedEntry] = []
    for thread in index.threads.prefix(site.config.feed.entries) {
      var entry = FeedEntry(thread: thread, content: nil)
      if site.config.feed.content == .full, let source = threads.sources[thread.path] {
        let file = inputs.files[source.position]
        let conversation = try read(file, from: store)
        // The thread has a page, so it is part of the site.
        let settings =
          selection.settings(for: conversation).settings ?? ThreadSelection.Settings()
        let rendered = try worker.render(
          conversation, stem: file.stem, settings: settings, place: .feed(baseURL: baseURL))
        entry.content = rendered.body
        entry.sounds = rendered.sounds
      }
      entries.append(entry)
    }
    guard let feeds = SiteFeeds(site: facts, entries: entries, icon: inputs.theme.icon) else { return }
    try write([(SiteFeeds.atomPath, feeds.atom()), (SiteFeeds.jsonPath, feeds.json())], to: staged)
  }

  /// The feeds of authors, tags and collections.
  ///
  /// - Returns: digests of what they are made from, by their files.
  func writeListFeeds(
    _ pages: [IndexPage], of index: SiteIndex, _ digests: PageDigests, facts: SiteFacts, icon: SitePath?,
    after last: LastBuild?, in environment: BuildEnvironment, to staged: StagedSite
  ) throws(PipelineError) -> [String: UInt64] {
    struct Written: Sendable {
      var feeds: [(file: String, digest: UInt64)] = []
      var failures: [PipelineError] = []
    }
    guard facts.baseURL != nil, site.config.feed.entries > 0 else { return [:] }
    let previous = last?.build?.site.environment == environment ? last?.build?.site : nil
    let lists = pages.compactMap { FeedList(of: $0, in: index) }
    let results = ParallelWork.run(count: lists.count, jobs: options.jobs, makeState: { Written() }) {
      position, written in
      let list = lists[position]
      let newest = list.threads.prefix(site.config.feed.entries)
      let digest = digests.feed(of: list, newest)
      do throws(PipelineError) {
        if let known = previous?.signature(of: list.path.file, madeFrom: digest), !staged.isOwned(list.path) {
          try keep(list.path, known, in: staged)
        } else {
          let entries = newest.map { FeedEntry(thread: index.threads[$0], content: nil) }
          if let feed = SiteFeeds(site: facts, entries: entries, list: list, icon: icon) {
            try write([(list.path, feed.atom())], to: staged)
          }
        }
        if !staged.isOwned(list.path) { written.feeds.append((list.path.file, digest)) }
      } catch {
        written.failures.append(error)
      }
    }
    if let failure = results.flatMap(\.failures).first { throw failure }
    return Dictionary(results.flatMap(\.feeds).map { ($0.file, $0.digest) }) { first, _ in first }
  }

  /// Pages at the addresses that authors and threads had, at those of threads that are the same as others, at the aliases of site.yml and at the
  /// numbers of posts: they lead to what is there now. The last of the site's files, as none of them takes the place of another.
  func writeRedirects(
    of authors: AuthorDirectory, _ threads: WrittenThreads, from files: [StoredFile],
    and permalinks: Permalinks, beside index: SiteIndex, facts: SiteFacts, to staged: StagedSite
  ) throws(PipelineError) {
    var redirects = SiteRedirects(beside: staged)
    let former = Dictionary(grouping: permalinks.moved.keys) { permalinks.moved[$0] ?? $0 }
    let isLedTo = Set(threads.pagesOfEntries.values)
    var titles: [SitePath: String] = [:]
    for thread in index.threads where isLedTo.contains(thread.path) { titles[thread.path] = thread.title }
    try addAliases(of: threads, titles, to: &redirects, staged)
    for thread in index.threads {
      guard let old = former[thread.path], let source = threads.sources[thread.path] else { continue }
      // Words that a thread has lost stand in the names of its former pages' folders, and in no list that anybody can read.
      let isListed = !Permalinks.hasNoWords(thread.path, of: files[source.position].stem)
      for path in old.sorted() {
        redirects.add(from: path, to: thread.path, title: thread.title, isListed: isListed)
      }
    }
    for thread in threads.sameThreads.sorted(by: { $0.path < $1.path }) {
      guard let path = threads.pagesOfEntries[thread.entry], let title = titles[path] else { continue }
      for old in [thread.path] + (former[thread.path] ?? []).sorted() {
        redirects.add(from: old, to: path, title: title)
      }
    }
    let accounts = Set(index.authors.map(\.author.path))
    for account in authors.all where accounts.contains(account.page) {
      for path in account.formerPages {
        redirects.add(
          from: path, to: account.page, title: AuthorSummary(account.author, path: path).name)
      }
    }
    let rules = redirects.rules(of: facts)
    if redirects.count > rules.count {
      progress(
        .note(
          "\(SiteRedirects.fileName) names \(rules.count) of \(redirects.count) addresses, as many as every host takes; pages lead on from all of them."
        ))
    }
    if !rules.isEmpty {
      try write([(SiteRedirects.fileName, rules.text)], to: staged)
    }
    addStatusPages(of: threads, in: index, to: &redirects)
    try redirects.write(of: facts, jobs: options.jobs, to: staged)
  }

  /// The aliases of site.yml, each of which has to be free.
  private func addAliases(
    of threads: WrittenThreads, _ titles: [SitePath: String], to redirects: inout SiteRedirects,
    _ staged: StagedSite
  ) throws(PipelineError) {
    var problems: [String] = []
    for (entry, thread) in site.config.threads.enumerated() {
      // A thread that is not on the site has no page to lead to.
      guard let page = threads.pagesOfEntries[entry], let title = titles[page] else { continue }
      for (position, alias) in thread.aliases.enumerated() {
        let path = SitePath(alias)
        let problem: String
        switch redirects.problem(with: path) {
        case nil:
          redirects.add(from: path, to: page, title: title)
          continue
        case _ where path == page: problem = "this is the thread's own page; take it out"
        case .taken(let other) where staged.isOwned(SitePath(other)):
          problem = "static/\(other) stands at this address; take one of the two out"
        case .taken(let other): problem = "the site has \(other) at this address; choose another"
        case .folder(let other):
          problem = "the site cannot have both a file and a folder called \(other); choose another"
        }
        problems.append(configProblem("threads[\(entry)].aliases[\(position)]", problem))
      }
    }
    guard problems.isEmpty else { throw PipelineError(.configuration, problems) }
  }

  /// `status/<id>/` for every post that a page shows.
  private func addStatusPages(
    of threads: WrittenThreads, in index: SiteIndex, to redirects: inout SiteRedirects
  ) {
    guard site.config.statusPages else { return }
    // By the number, then the author's own page before one that shows a reply; X's posts before others that have the same number.
    let posts = threads.statuses.sorted { one, other in
      if one.post.value != other.post.value { return one.post.value < other.post.value }
      if one.post != other.post {
        return (one.post.platform == .x ? 0 : 1, one.post) < (other.post.platform == .x ? 0 : 1, other.post)
      }
      return (one.isOwn ? 0 : 1, one.page) < (other.isOwn ? 0 : 1, other.page)
    }
    let titles = Dictionary(index.threads.map { ($0.path, $0.title) }) { first, _ in first }
    var last: PostID?
    for status in posts {
      defer { last = status.post }
      if let last, last.value == status.post.value {
        if last != status.post {
          progress(
            .warning(
              "status/\(status.post.value)/ leads to \(last), as \(status.post) has the same number"))
        }
        continue
      }
      guard Self.isName(status.post.value), let title = titles[status.page] else { continue }
      redirects.add(
        from: SitePath("status/\(status.post.value)/"), to: status.page,
        anchor: "post-\(MarkdownPieces.anchor(status.post.value))", title: title)
    }
  }

  /// Whether an id is a name for a folder on every disk, whatever the network that gave it.
  private static func isName(_ id: String) -> Bool {
    (1...100).contains(id.utf8.count)
      && id.utf8.allSatisfy { byte in
        (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
          || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
      }
  }

  func writeServerFiles(
    _ pages: [IndexPage], _ own: OwnPages, _ files: [SitePath], of index: SiteIndex, facts: SiteFacts,
    theme: Theme, mediaHosts: Set<String>, to staged: StagedSite
  ) throws(PipelineError) {
    try write(WebManifest.file(of: facts, in: theme), to: staged)
    try write(SearchDescription.file(of: facts, in: theme), to: staged)
    try write(Sitemap.files(site: facts, index: index, pages: pages, own: own.pages.map(\.path)), to: staged)
    try write(
      ServerFiles.files(
        site: facts, mediaHosts: mediaHosts.sorted(), inline: theme.inlineScript(on: facts),
        own: files + own.paths), to: staged)
  }

  private func write(
    _ files: [(path: SitePath, content: UTF8Buffer)], to staged: StagedSite
  ) throws(PipelineError) {
    do throws(SiteOutputError) {
      for file in files { try staged.write(file.content.bytes, to: file.path) }
    } catch {
      throw PipelineError(error)
    }
  }

  func copyAssets(of theme: Theme, to staged: StagedSite) throws(PipelineError) {
    do throws(SiteOutputError) {
      for asset in theme.assets {
        switch asset.content {
        case .file(let source): try staged.copy(from: source, to: asset.path)
        case .text(let bytes): try staged.write(bytes, to: asset.path)
        }
      }
    } catch {
      throw PipelineError(error)
    }
  }

  /// Copies the media that pages show; all that are missing, or no media, are reported at once.
  ///
  /// - Parameter last: the last build, which may have copied what has not changed since.
  func copyMedia(
    _ names: Set<String>, of media: PublishedMedia, after last: LastBuild?, to staged: StagedSite
  ) throws(PipelineError) {
    let names = names.sorted()
    let results = ParallelWork.run(
      count: names.count, jobs: options.jobs, makeState: { [(position: Int, error: PipelineError)]() }
    ) { position, failures in
      let path = ThreadWorker.mediaPath(names[position])
      do throws(PipelineError) {
        if let last,
          let known = last.build?.site.signature(
            ofMedia: names[position], last.inputs.signature(ofMedia: names[position]), at: path)
        {
          return try keep(path, known, in: staged)
        }
        try media.copy(names[position], to: staged)
      } catch {
        failures.append((position, error))
      }
    }
    let failures = results.joined().sorted { $0.position < $1.position }.map(\.error)
    guard let worst = PipelineError.worst(failures) else { return }
    throw PipelineError(worst.kind, PipelineError(failures).messages)
  }

  /// The pages of threads that the site in place still has and the new one has not.
  ///
  /// Known from where threads were published: what is recorded there and not built now was taken off the site, or left the store.
  func pagesLeftOut(of new: Permalinks, previous: Permalinks) -> [String] {
    previous.pages(besides: new).map(\.text).filter { page in
      FileSystem.kind(of: "\(site.output)/\(page)index.html") == .file
    }
  }

  /// - Returns: the paths of what was removed.
  func putInPlace(_ staged: StagedSite, after last: LastBuild?) throws(PipelineError) -> [String] {
    do {
      return try staged.putInPlace(last?.build?.site.contents)
    } catch {
      throw PipelineError(error)
    }
  }

  /// Writes down where new threads were published; what is recorded already stays, whether or not it is on the site now.
  ///
  /// The site stands by then, so a store that may not be written to, as in some CI, is worth a warning and no more. A disk that is full
  /// is an error.
  func savePermalinks(_ new: Permalinks, previous: Permalinks) throws(PipelineError) {
    AtomicFile.removeAbandoned(in: site.store)
    let merged = previous.adding(new)
    guard merged != previous else { return }
    do {
      try AtomicFile.write(merged.bytes, to: permalinksPath)
    } catch {
      let text =
        "The site is built, but where its new threads are was not written down: their addresses follow their titles."
      guard error.kind == .forbidden else { throw PipelineError(.io, ["\(error)\n\(text)"]) }
      progress(.warning("\(error)\n\(text)"))
    }
  }

  func discard(_ staged: StagedSite) throws(PipelineError) {
    do {
      try staged.discard()
    } catch {
      throw PipelineError(error)
    }
  }

  /// Clears what a failed build left, and keeps its error.
  func discard(_ staged: StagedSite, after error: PipelineError) -> PipelineError {
    do {
      try staged.discard()
      return error
    } catch let second {
      return PipelineError(error.kind, error.messages + [second.description])
    }
  }
}
