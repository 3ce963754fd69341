import MarkdownHTML
import SiteConfig
import SiteOutput
import SiteWorkspace
import ThreadStore

/// The step that writes the feeds of the newest threads, which are rendered again with absolute URLs.
///
/// The feeds of lists show only the beginnings of threads. Otherwise, threads would be rendered again for each of their lists.
struct FeedStep: Sendable {
  let context: BuildContext
  let facts: SiteFacts
  let selection: ThreadSelection
  let worker: ThreadWorker
  let icon: SitePath?

  /// Writes the feeds, if the site has any.
  ///
  /// - Parameter newest: the newest threads, newest first, with their files.
  func run(_ newest: [(thread: ThreadSummary, file: StoredFile?)]) throws(PipelineError) {
    let site = context.site
    guard let baseURL = facts.baseURL, site.config.feed.entries > 0 else { return }
    var entries: [FeedEntry] = []
    for (thread, file) in newest {
      var entry = FeedEntry(thread: thread, content: nil)
      if site.config.feed.content == .full, let file {
        let conversation = try site.read(file)
        // The thread has a page, so it is part of the site.
        let settings =
          selection.settings(for: conversation).settings ?? ThreadSelection.Settings()
        let rendered = try worker.render(
          conversation, stem: file.stem, settings: settings, place: .feed(baseURL: baseURL))
        entry.content = rendered.html.whole
        entry.sounds = rendered.sounds
      }
      entries.append(entry)
    }
    guard let feeds = SiteFeeds(site: facts, entries: entries, icon: icon) else { return }
    try context.write([(SiteFeeds.atomPath, feeds.atom()), (SiteFeeds.jsonPath, feeds.json())])
  }
}
