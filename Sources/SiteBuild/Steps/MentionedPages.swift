import SiteConfig
import SiteOutput
import SiteWorkspace
import ThreadModel

/// The webmentions of a site by the pages of threads that they are about.
struct MentionedPages: Sendable {
  private var mentions: [SitePath: [WebMention]] = [:]

  /// - Parameters:
  ///   - mentions: the webmentions that the site shows.
  ///   - permalinks: the current and former URLs of threads.
  init(
    _ mentions: [WebMention], on site: SiteFolder, of sources: PageSources,
    _ targets: RedirectTargets, _ permalinks: Permalinks
  ) {
    guard !mentions.isEmpty else { return }
    // A preview or a copy of the site has another URL than the published site.
    let places = Set([site.config.baseURL, site.decoded?.config.baseURL].compactMap(\.self))
    let others = Self.otherURLs(on: site, to: targets)
    for mention in mentions {
      guard let path = places.lazy.compactMap({ SitePath(ofURL: mention.target, on: $0) }).first else {
        continue
      }
      let page = sources[path] == nil ? others[path] ?? permalinks.moved[path] ?? path : path
      // A thread of another network that redirects may itself have moved.
      let last = sources[page] == nil ? others[page] ?? page : page
      guard sources[last]?.showsWebReplies == true else { continue }
      self.mentions[last, default: []].append(mention)
    }
  }

  /// Returns the replies to the thread of a page; `nil` for a page without replies.
  func replies(to page: SitePath) -> WebReplies? { mentions[page].map { WebReplies($0) } }

  /// Returns the pages to which other URLs of the site redirect, besides the recorded former URLs of threads.
  private static func otherURLs(on site: SiteFolder, to targets: RedirectTargets) -> [SitePath: SitePath] {
    var pages: [SitePath: SitePath] = [:]
    for (entry, page) in targets.entries {
      for alias in site.config.threads[entry].aliases { pages[SitePath(alias)] = page }
    }
    for thread in targets.sameThreads { pages[thread.path] = targets.page(of: thread) }
    for status in targets.statuses where status.isOwn {
      let url = SitePath("status/\(status.post.value)/")
      // The order in which workers collected them makes no difference.
      pages[url] = min(pages[url] ?? status.page, status.page)
    }
    return pages
  }
}
