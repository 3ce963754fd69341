import Basics
import SiteConfig
import SiteOutput
import SiteWorkspace

/// The step that writes the lists of threads, and the feeds.
struct ListStep: Sendable {
  let context: BuildContext
  let inputs: LoadedSite
  let indexed: IndexedSite
  let selection: ThreadSelection
  let worker: ThreadWorker
  let sources: PageSources

  private var index: SiteIndex { indexed.index }
  private var pages: [IndexPage] { indexed.pages }
  private var facts: SiteFacts { indexed.facts }

  /// The site of the last build, if its lists and feeds were made in the same environment.
  private var previous: SiteState? {
    context.last?.build.flatMap { $0.site.environment.pages == context.environment.pages ? $0.site : nil }
  }

  /// A list or a feed.
  private struct File {
    let path: SitePath
    /// Whether the file may refer to style sheets.
    let isPage: Bool
    /// The digest of its inputs.
    let digest: UInt64
    let write: () throws(PipelineError) -> Void
  }

  /// Writes all lists and feeds; unchanged ones are kept.
  ///
  /// - Returns: the digest of the inputs of each list and feed, by its file. Lists and feeds that a file of the owner replaces are omitted.
  func run() throws(PipelineError) -> [String: UInt64] {
    let counter = ProgressCounter("Writing indexes", total: pages.count, context.progress)
    let lists = try write(pages.count, counter) { file(pages[$0]) }
    let hasFeeds = facts.baseURL != nil && context.site.config.feed.entries > 0
    let feedLists = hasFeeds ? pages.compactMap { FeedList(of: $0, in: index) } : []
    let feeds = try write(feedLists.count) { feed(feedLists[$0]) }
    let newest = index.threads.prefix(context.site.config.feed.entries).map { thread in
      (thread: thread, file: sources[thread.path].map { inputs.files[$0.position] })
    }
    try FeedStep(
      context: context, facts: facts, selection: selection, worker: worker, icon: inputs.theme.icons.any
    ).run(newest)
    return lists.merging(feeds) { first, _ in first }
  }

  private func write(
    _ count: Int, _ counter: ProgressCounter? = nil, _ file: @Sendable (Int) -> File
  ) throws(PipelineError) -> [String: UInt64] {
    let files = try context.collect(count) { (position) throws(PipelineError) -> (String, UInt64)? in
      defer { counter?.advance() }
      let file = file(position)
      guard !context.staged.isOwned(file.path) else {
        try file.write()
        return nil
      }
      if try !keep(file) { try file.write() }
      return (file.path.file, file.digest)
    }
    return Dictionary(files) { first, _ in first }
  }

  /// Keeps a file of the last build, if it was made from the same inputs.
  private func keep(_ file: File) throws(PipelineError) -> Bool {
    guard let known = previous?.signature(of: file.path.file, madeFrom: file.digest) else { return false }
    guard !file.isPage else { return try context.reuse(file.path, known) }
    try context.keep(file.path, known)
    return true
  }

  private func file(_ page: IndexPage) -> File {
    let own = indexed.renderer.ownValues(of: page, in: index)
    return File(path: page.path, isPage: true, digest: indexed.digests.page(page, own)) {
      () throws(PipelineError) in
      try context.write(page.path, capacity: 32 * 1024) {
        (html: inout UTF8Buffer) throws(SiteOutputError) in
        try indexed.renderer.render(page, own, of: index, into: &html)
      }
    }
  }

  /// Returns the feed of an author, a tag or a collection.
  private func feed(_ list: FeedList) -> File {
    let newest = list.threads.prefix(context.site.config.feed.entries)
    return File(path: list.path, isPage: false, digest: indexed.digests.feed(of: list, newest)) {
      () throws(PipelineError) in
      let entries = newest.map { FeedEntry(thread: index.threads[$0], content: nil) }
      if let feed = SiteFeeds(site: facts, entries: entries, list: list, icon: inputs.theme.icons.any) {
        try context.write([(list.path, feed.atom())])
      }
    }
  }
}
