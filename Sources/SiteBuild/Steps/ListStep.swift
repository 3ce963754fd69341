import Basics
import MarkdownHTML
import SiteConfig
import SiteOutput
import SiteWorkspace
import Templates
import ThreadModel
import ThreadStore

/// The step that writes the lists of threads, and the feeds.
struct ListStep: Sendable {
  let context: BuildContext
  let inputs: LoadedSite
  let indexed: IndexedSite
  let selection: ThreadSelection
  let worker: ThreadWorker
  let sources: [SitePath: PageSource]

  private var index: SiteIndex { indexed.index }
  private var pages: [IndexPage] { indexed.pages }
  private var facts: SiteFacts { indexed.facts }

  /// The site of the last build, if its lists and feeds were made in the same environment.
  private var previous: SiteState? {
    context.last?.build.flatMap { $0.site.environment == context.environment ? $0.site : nil }
  }

  /// Writes all lists and feeds; unchanged ones are kept.
  ///
  /// - Returns: the digest of the inputs of each list and feed, by its file. Lists and feeds that a file of the owner replaces are omitted.
  func run() throws(PipelineError) -> [String: UInt64] {
    let lists = try writeIndexes()
    let feeds = try writeListFeeds()
    let newest = index.threads.prefix(context.site.config.feed.entries).map { thread in
      (thread: thread, file: sources[thread.path].map { inputs.files[$0.position] })
    }
    try FeedStep(
      context: context, facts: facts, selection: selection, worker: worker, icon: inputs.theme.icons.any
    ).run(newest)
    return lists.merging(feeds) { first, _ in first }
  }

  /// Writes the lists of threads; unchanged lists are kept.
  ///
  /// - Returns: the digest of the inputs of each list, by its file. Lists that a file of the owner replaces are omitted.
  private func writeIndexes() throws(PipelineError) -> [String: UInt64] {
    struct Written: Sendable {
      var lists: [(file: String, digest: UInt64)] = []
      var failures: [PipelineError] = []
    }
    let counter = ProgressCounter("Writing indexes", total: pages.count, context.progress)
    let results = ParallelWork.run(count: pages.count, jobs: context.jobs, makeState: { Written() }) {
      position, written in
      let path = pages[position].path
      let own = indexed.renderer.ownValues(of: pages[position], in: index)
      let digest = indexed.digests.page(pages[position], own)
      do throws(PipelineError) {
        if let known = previous?.signature(of: path.file, madeFrom: digest), !context.staged.isOwned(path) {
          try context.keep(path, known)
        } else {
          try write(pages[position], own)
        }
        if !context.staged.isOwned(path) { written.lists.append((path.file, digest)) }
      } catch {
        written.failures.append(error)
      }
      counter.advance()
    }
    // A mistake in a template is the same on every page, so one report is enough.
    if let failure = results.flatMap(\.failures).first { throw failure }
    return Dictionary(results.flatMap(\.lists).map { ($0.file, $0.digest) }) { first, _ in first }
  }

  private func write(
    _ page: IndexPage, _ own: TemplateObject
  ) throws(PipelineError) {
    do throws(SiteOutputError) {
      var html = UTF8Buffer(capacity: 32 * 1024)
      try indexed.renderer.render(page, own, of: index, into: &html)
      try context.staged.write(html.bytes, to: page.path)
    } catch {
      throw PipelineError(error)
    }
  }

  /// Writes the feeds of authors, tags and collections.
  ///
  /// - Returns: the digest of the inputs of each feed, by its file. Feeds that a file of the owner replaces are omitted.
  private func writeListFeeds() throws(PipelineError) -> [String: UInt64] {
    struct Written: Sendable {
      var feeds: [(file: String, digest: UInt64)] = []
      var failures: [PipelineError] = []
    }
    guard facts.baseURL != nil, context.site.config.feed.entries > 0 else { return [:] }
    let lists = pages.compactMap { FeedList(of: $0, in: index) }
    let results = ParallelWork.run(count: lists.count, jobs: context.jobs, makeState: { Written() }) {
      position, written in
      let list = lists[position]
      let newest = list.threads.prefix(context.site.config.feed.entries)
      let digest = indexed.digests.feed(of: list, newest)
      do throws(PipelineError) {
        if let known = previous?.signature(of: list.path.file, madeFrom: digest),
          !context.staged.isOwned(list.path)
        {
          try context.keep(list.path, known)
        } else {
          let entries = newest.map { FeedEntry(thread: index.threads[$0], content: nil) }
          if let feed = SiteFeeds(site: facts, entries: entries, list: list, icon: inputs.theme.icons.any) {
            try context.write([(list.path, feed.atom())])
          }
        }
        if !context.staged.isOwned(list.path) { written.feeds.append((list.path.file, digest)) }
      } catch {
        written.failures.append(error)
      }
    }
    if let failure = results.flatMap(\.failures).first { throw failure }
    return Dictionary(results.flatMap(\.feeds).map { ($0.file, $0.digest) }) { first, _ in first }
  }
}
