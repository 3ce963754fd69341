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
  /// The page of a thread, and the posts that it shows.
  struct Page {
    let path: SitePath
    let shown: Set<PostID>
  }

  /// Pages that are remembered; then all are forgotten, so that memory does not grow with the site.
  private static let mostPages = 512

  private struct State {
    /// Made by the first question.
    var files: [PostID: [StoredFile]]?
    /// By a file's stem; `nil` for what is no part of the site.
    var pages: [String: Page?] = [:]
  }

  private let files: [StoredFile]
  private let store: ThreadStore
  private let selection: ThreadSelection
  private let permalinks: Permalinks
  private let wording: Wording
  private let includesDrafts: Bool
  private let state = Mutex(State())

  /// - Parameter files: The store's listing, sorted.
  init(
    _ files: [StoredFile], in store: ThreadStore, selection: ThreadSelection, permalinks: Permalinks,
    wording: Wording, includesDrafts: Bool
  ) {
    self.files = files
    self.store = store
    self.selection = selection
    self.permalinks = permalinks
    self.wording = wording
    self.includesDrafts = includesDrafts
  }

  /// The page that shows a post and the post itself, or the page of the conversation that it opens; `nil` where the site has
  /// neither.
  ///
  /// - Parameter stem: The thread that asks, which is not looked at: it knows its own posts.
  func place(of post: PostID, in conversation: PostID, askedBy stem: String) -> (SitePath, PostID?)? {
    let pages = files(of: conversation).filter { $0.stem != stem }.compactMap(page)
    if let page = pages.first(where: { $0.shown.contains(post) }) { return (page.path, post) }
    return post == conversation ? pages.first.map { ($0.path, nil) } : nil
  }

  /// Several where more than one author has a thread in a conversation.
  private func files(of conversation: PostID) -> [StoredFile] {
    state.withLock { state in
      if let files = state.files { return files[conversation] ?? [] }
      let found = Dictionary(grouping: files) { PostID($0.id, on: $0.platform) }
      state.files = found
      return found[conversation] ?? []
    }
  }

  private func page(of file: StoredFile) -> Page? {
    if let known = state.withLock({ $0.pages[file.stem] }) { return known }
    // Two workers may both come here, and find the same.
    let page = read(file)
    state.withLock { state in
      if state.pages.count >= Self.mostPages { state.pages = [:] }
      state.pages[file.stem] = .some(page)
    }
    return page
  }

  private func read(_ file: StoredFile) -> Page? {
    // A damaged conversation is reported where its own page is made; here it is only not there.
    guard let conversation = try? store.read(file),
      let settings = selection.settings(for: conversation).settings, includesDrafts || !settings.isDraft
    else { return nil }
    let thread = UnrolledThread(
      unrolling: conversation, hidden: settings.hidden, withReplies: settings.showsReplies)
    var shown: Set<PostID> = []
    thread.forEachShownPost { shown.insert($0.id) }
    let title = settings.title ?? ThreadTitle.make(from: thread, in: wording)
    return Page(path: permalinks.page(of: file.stem, title: title, slug: settings.slug), shown: shown)
  }
}

extension PostID {
  /// The post on X that an address leads to; `nil` for every other address.
  ///
  /// Ids of other networks are not unique by themselves, so their addresses are left alone.
  init?(linkedBy url: String) {
    // Most links are none, which is cheaper to see than to find out by reading the address.
    guard url.utf8.count < 300, url.holdsStatus, let post = try? PostReference(url),
      post.platform == .x
    else { return nil }
    self.init(post)
  }
}

extension String {
  /// Whether `/status` stands in it, as in every address of a post on X; by bytes.
  fileprivate var holdsStatus: Bool {
    let name = "/status".utf8
    var rest = utf8[...]
    while let slash = rest.firstIndex(of: UInt8(ascii: "/")) {
      rest = rest[slash...]
      if rest.starts(with: name) { return true }
      rest = rest.dropFirst()
    }
    return false
  }
}
