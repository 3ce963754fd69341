import SiteOutput
import ThreadModel

/// The pages of threads to which other URLs of the site redirect, besides the former URLs of threads.
struct RedirectTargets: Sendable {
  /// The pages of entries of site.yml that need redirects from other threads or URLs, by the index of the entry.
  private(set) var entries: [Int: SitePath] = [:]
  /// Threads without a page of their own, because site.yml lists them as the same as another thread.
  private(set) var sameThreads: [SameThread] = []
  /// The posts that pages show, if the site has a URL for each post.
  private(set) var statuses: [Status] = []

  /// A thread that is shown on the page of another thread.
  struct SameThread: Sendable {
    /// The position of the thread's file in the store's listing.
    let position: Int
    /// The URL that redirects to that page.
    let path: SitePath
    /// The index of the entry in site.yml that lists the thread under `same_as`.
    let entry: Int
    /// Whether the URL may be in the public list of redirects.
    let isListed: Bool
  }

  /// A post that a page shows, and not merely quotes.
  struct Status: Sendable {
    let post: PostID
    let page: SitePath
    /// Whether the page is of a thread by the post's author.
    let isOwn: Bool
  }

  /// Returns the page that shows a thread; `nil` if the site lacks it.
  func page(of thread: SameThread) -> SitePath? { entries[thread.entry] }

  mutating func add(_ thread: SameThread) { sameThreads.append(thread) }

  mutating func add(page: SitePath, ofEntry entry: Int) { entries[entry] = page }

  /// Adds the posts that a page shows.
  mutating func add(_ posts: [PostID], on page: SitePath, own: Set<PostID>) {
    statuses += posts.map { Status(post: $0, page: page, isOwn: own.contains($0)) }
  }

  mutating func add(_ other: RedirectTargets) {
    entries.merge(other.entries) { min($0, $1) }
    sameThreads += other.sameThreads
    statuses += other.statuses
  }
}
