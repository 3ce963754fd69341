import SiteConfig
import SiteOutput
import Synchronization
import ThreadMarkdown
import ThreadModel
import ThreadStore
import Unroll
import Wording

/// Where the site shows a post, for links from one thread to another.
///
/// Knows the store's listing from the start and reads a conversation only when something links to it. What it answers depends
/// on the store and site.yml alone, never on what was asked before.
final class SitePages: Sendable {
  /// Where a post is shown.
  struct Place: Sendable, Hashable {
    let page: SitePath
    /// The post there; `nil` for the page as a whole.
    let post: PostID?
  }

  /// The threads of one conversation that are part of the site: several where more than one author has one.
  private struct Threads {
    let platform: Platform
    /// By their files' stems, in the order of the store's listing.
    private(set) var pages: [(stem: String, path: SitePath, hasPosts: Bool)] = []
    /// Which post is shown by which page, by its position; sorted by posts, then pages.
    private var shown: [(post: UInt64, page: Int32)] = []
    /// The same for posts whose ids are no numbers.
    private var named: [PostID: [Int]] = [:]

    init(on platform: Platform) { self.platform = platform }

    /// - Parameter hasPosts: whether the posts are on this page, and not on one that it leads to.
    mutating func add(stem: String, path: SitePath, hasPosts: Bool, showing posts: Set<PostID>) {
      for post in posts {
        if let number = number(post) {
          shown.append((number, Int32(pages.count)))
        } else {
          named[post, default: []].append(pages.count)
        }
      }
      pages.append((stem, path, hasPosts))
    }

    /// To be called when all pages are in.
    mutating func finish() { shown = Array(shown.sorted { ($0.post, $0.page) < ($1.post, $1.page) }) }

    /// The positions of the pages that show a post, ascending.
    func positions(showing post: PostID) -> [Int] {
      guard let number = number(post) else { return named[post] ?? [] }
      var (low, high) = (0, shown.count)
      while low < high {
        let middle = (low + high) / 2
        if shown[middle].post < number { low = middle + 1 } else { high = middle }
      }
      return shown[low...].prefix { $0.post == number }.map { Int($0.page) }
    }

    /// An id that is a number, written in the one way that numbers are.
    private func number(_ post: PostID) -> UInt64? {
      guard post.platform == platform, post.authority == nil, let number = UInt64(post.value) else {
        return nil
      }
      return String(number) == post.value ? number : nil
    }
  }

  private struct State {
    /// Made by the first question.
    var files: StoreListing?
    /// Conversations that something links to: all of them, as reading one again for each link to it would take time in the square
    /// of a site whose threads link to each other. Sixteen bytes for each of their posts.
    var known: [PostID: Threads] = [:]
  }

  private let files: [StoredFile]
  private let store: ThreadStore
  private let selection: ThreadSelection
  private let authors: AuthorDirectory
  private let permalinks: Permalinks
  private let wording: Wording
  private let calendar: SiteCalendar
  private let includesDrafts: Bool
  private let previous: PreviousThreads?
  private let state = Mutex(State())

  /// - Parameters:
  ///   - files: the store's listing, sorted.
  ///   - previous: threads of the last build, which need not be read again.
  init(
    _ files: [StoredFile], in store: ThreadStore, selection: ThreadSelection, authors: AuthorDirectory,
    permalinks: Permalinks, wording: Wording, calendar: SiteCalendar, includesDrafts: Bool,
    previous: PreviousThreads?
  ) {
    self.files = files
    self.store = store
    self.selection = selection
    self.authors = authors
    self.permalinks = permalinks
    self.wording = wording
    self.calendar = calendar
    self.includesDrafts = includesDrafts
    self.previous = previous
  }

  /// The page that shows a post and the post itself, or the page of the conversation that it opens; `nil` where the site has
  /// neither.
  ///
  /// - Parameter stem: The thread that asks, which is no answer: it knows its own posts.
  func place(of post: PostID, in conversation: PostID, askedBy stem: String) -> Place? {
    let files = files(thatMayHold: conversation)
    // Most links of a thread to its own conversation.
    guard !files.isEmpty, files.count > 1 || files[0].stem != stem else { return nil }
    let threads = threads(of: conversation, in: files)
    if let shown = threads.positions(showing: post).first(where: { threads.pages[$0].stem != stem }) {
      return Place(page: threads.pages[shown].path, post: threads.pages[shown].hasPosts ? post : nil)
    }
    guard post == conversation else { return nil }
    return threads.pages.first { $0.stem != stem }.map { Place(page: $0.path, post: nil) }
  }

  /// The path of a thread's file, for messages.
  func file(of stem: String) -> String { "\(store.folder)/\(stem).json" }

  private func files(thatMayHold conversation: PostID) -> [StoredFile] {
    state.withLock { state in
      let listing = state.files ?? StoreListing(files)
      state.files = listing
      return listing.files(thatMayHold: conversation)
    }
  }

  private func threads(of conversation: PostID, in files: [StoredFile]) -> Threads {
    if let known = state.withLock({ $0.known[conversation] }) { return known }
    // Two workers may both come here, and find the same.
    var threads = Threads(on: conversation.platform)
    for file in files {
      guard let (path, hasPosts, posts) = page(of: file, if: conversation) else { continue }
      threads.add(stem: file.stem, path: path, hasPosts: hasPosts, showing: posts)
    }
    threads.finish()
    let found = threads
    state.withLock { $0.known[conversation] = found }
    return found
  }

  /// The page of a thread and the posts that it shows; `nil` for what is no part of the site, or of another conversation.
  private func page(
    of file: StoredFile, if id: PostID
  ) -> (path: SitePath, hasPosts: Bool, shown: Set<PostID>)? {
    // A damaged conversation is reported where its own page is made; here it is only not there.
    if let known = previous?.page(of: file) {
      return known.conversation == id ? (known.path, true, Set(known.shownPosts)) : nil
    }
    guard let conversation = try? store.read(file), conversation.id == id else { return nil }
    let answer = selection.settings(for: conversation)
    if let same = answer.sameAs {
      guard selection.hasPage(same.entry, withDrafts: includesDrafts) else { return nil }
      let (path, thread) = page(of: conversation, stem: file.stem, settings: ThreadSelection.Settings())
      return (path, false, thread.shownPosts)
    }
    guard let settings = answer.settings, includesDrafts || !settings.isDraft else { return nil }
    let (path, thread) = page(of: conversation, stem: file.stem, settings: settings)
    return (path, true, thread.shownPosts)
  }

  private func page(
    of conversation: Conversation, stem: String, settings: ThreadSelection.Settings
  ) -> (path: SitePath, thread: UnrolledThread) {
    let thread = UnrolledThread(
      unrolling: authors.updated(conversation, in: wording), hidden: settings.hidden,
      withReplies: settings.showsReplies)
    let title =
      PlainText.nonEmptyLine(settings.title) ?? ThreadTitle(of: thread, in: wording, by: calendar).text
    let path = permalinks.page(
      of: stem, title: title, slug: settings.slug, losesWords: conversation.hasRemovedPosts)
    return (path, thread)
  }

  /// The address that a thread has beside the page of another one that site.yml says is the same.
  func leadingPage(of conversation: Conversation, stem: String) -> SitePath {
    page(of: conversation, stem: stem, settings: ThreadSelection.Settings()).path
  }
}
