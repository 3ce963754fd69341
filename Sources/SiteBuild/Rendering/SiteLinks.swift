import SiteConfig
import SiteOutput
import SiteWorkspace
import Synchronization
import ThreadMarkdown
import ThreadModel

/// The links of one thread to the rest of the site, for the place where the thread is read. All lookups of other threads and their results
/// are recorded.
final class SiteLinks: ThreadLinks {
  let authorPage: String?
  private let pages: SitePages
  private let addresses: AddressBook
  private let networks: NetworkRegistry
  /// The stem of the thread's file.
  private let stem: String
  /// `nil` for a page of the owner.
  private let thread: UnrolledThread?
  private let worker: ThreadWorker
  /// Whether texts of the owner show posts in place of their URLs. Exports do not, because they may lack the pages and the media.
  private let embeds: Bool
  private let place: PlaceAddresses
  /// The pages of the thread's tags, by the tags in lower case.
  private let tags: [String: String]
  private let state = Mutex(State())

  private struct State {
    /// The used files of the store's media folder. Only these are copied to the site, because pictures of hidden posts must not be
    /// published.
    var files: Set<String> = []
    var lookups: [BuiltThread.Lookup] = []
    var known: Set<BuiltThread.Lookup> = []
    /// The posts that the page shows as separate posts, and not only as quotes. They are collected when the first link needs them, because
    /// most pages have no such links.
    var shown: Set<PostID>?
  }

  init(
    of thread: UnrolledThread, _ summary: ThreadSummary, stem: String, in place: ThreadWorker.Place,
    by worker: ThreadWorker
  ) {
    embeds = !place.isExport
    self.worker = worker
    let place = PlaceAddresses(place, at: summary.path)
    authorPage = place.page(summary.author.path, nil)
    pages = worker.pages
    addresses = worker.addresses
    networks = worker.networks
    self.stem = stem
    self.thread = thread
    self.place = place
    tags = Dictionary(
      summary.tags.compactMap { tag in place.tag(tag).map { (tag.name.lowercased(), $0) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// The links of a page of the owner.
  init(ofPage path: SitePath, by worker: ThreadWorker) {
    authorPage = nil
    pages = worker.pages
    addresses = worker.addresses
    networks = worker.networks
    self.worker = worker
    embeds = true
    stem = ""
    thread = nil
    place = PlaceAddresses(.page, at: path)
    tags = [:]
  }

  /// Records that the page shows a file of the store's media folder.
  func use(_ file: String) { state.withLock { _ = $0.files.insert(file) } }

  /// The used files of the store's media folder; sorted.
  var files: [String] { state.withLock { $0.files.sorted() } }

  /// The lookups with their results, each once, in order.
  var lookups: [BuiltThread.Lookup] { state.withLock { $0.lookups } }

  func media(_ file: String) -> String {
    use(file)
    return place.media(file)
  }

  func original(of post: PostID, by handle: String?) -> String? {
    networks.url(of: post, handle: handle)
  }

  func archived(_ post: PostID, by handle: String?) -> ArchivedPost? {
    networks.archived(post, handle: handle)
  }

  func page(of post: Post) -> String? {
    page(of: post.id, in: post.conversationID ?? post.id, by: .known(post.authorID))
  }

  func page(ofMissing post: Tombstone) -> String? {
    // Posts that were removed or may not be quoted must not become accessible in another way.
    guard [.unknown, .notInArchive, .notFound].contains(post.reason), post.removedAt == nil else {
      return nil
    }
    let named =
      post.authorID == nil
      ? post.handle.map { AccountReference(platform: post.id.platform, handle: $0) } : nil
    return page(
      of: post.id, in: post.id,
      by: named
        ?? (post.authorID ?? thread?.author.id).map {
          AccountReference(platform: post.id.platform, handle: "", authorID: $0)
        })
  }

  func page(of author: Author) -> String? { answer(.author(.known(author.id))) }

  func page(ofAccount url: String) -> String? {
    addresses.account(linkedBy: url).flatMap { answer(.author($0)) }
  }

  func page(ofTag tag: String) -> String? { tags[tag.lowercased()] }

  func page(linkedBy url: String) -> String? {
    guard let link = addresses.post(linkedBy: url) else { return nil }
    let writer =
      link.handle.map { AccountReference(platform: link.platform, handle: $0) }
      ?? (thread?.author.id).map(AccountReference.known)
    if let post = link.postID { return page(of: post, in: post, by: writer) }
    guard let writer else { return nil }
    if let own = pages.posts(named: link.id, by: writer).lazy.compactMap(ownAddress).first {
      // Looked up so that the lookup is recorded: the handle may pass to another account.
      _ = answer(.author(writer))
      return own
    }
    return answer(.postNamed(link.id, by: writer))
  }

  func embedded(_ url: String) -> Embedded? {
    guard embeds else { return nil }
    let found = pages.embeddable(url)
    guard address(of: found?.place, for: .embedded(url)) != nil, let found else { return nil }
    guard let post = found.post else {
      let summary = worker.summary(
        found.thread, of: found.conversation, stem: found.stem, settings: found.settings)
      guard let page = place.page(summary.path, nil) else { return nil }
      return .thread(
        Embedded.ThreadCard(
          title: summary.title, url: page, excerpt: summary.excerpt, author: summary.author.name,
          published: summary.published))
    }
    let thread =
      worker.images.map { worker.unrolled($0.completing(found.conversation), found.settings) } ?? found.thread
    return thread.shown(post).map { .post($0) }
  }

  private func page(of post: PostID, in conversation: PostID, by writer: AccountReference?) -> String? {
    ownAddress(of: post) ?? answer(.post(post, in: conversation, by: writer))
  }

  /// Returns the URL of a post within the thread's own page; `nil` if the page does not show it.
  private func ownAddress(of post: PostID) -> String? {
    let isShown = state.withLock { state in
      let shown = state.shown ?? thread?.shownPosts ?? []
      state.shown = shown
      return shown.contains(post)
    }
    return isShown ? "#post-\(MarkdownPieces.anchor(post.value))" : nil
  }

  private func answer(_ question: SitePages.Question) -> String? {
    address(of: pages.place(question, askedBy: stem), for: question)
  }

  /// Records a lookup with its result, and returns the URL of the result.
  private func address(of answer: SitePages.Place?, for question: SitePages.Question) -> String? {
    let lookup = BuiltThread.Lookup(question: question, answer: answer)
    state.withLock { if $0.known.insert(lookup).inserted { $0.lookups.append(lookup) } }
    guard let answer else { return nil }
    return place.page(answer.page, answer.post.map { "post-\(MarkdownPieces.anchor($0.value))" })
  }
}

extension AccountReference {
  /// Returns a reference to a known account.
  fileprivate static func known(_ author: AuthorID) -> AccountReference {
    AccountReference(platform: author.platform, handle: "", authorID: author)
  }
}

/// The URLs of pages and files in the place where a thread is read.
private struct PlaceAddresses: Sendable {
  private let place: ThreadWorker.Place
  private let root: LinkRoot

  init(_ place: ThreadWorker.Place, at path: SitePath) {
    self.place = place
    root = if case .feed(let baseURL) = place { LinkRoot(absolute: baseURL) } else { LinkRoot(from: path) }
  }

  /// Returns the URL of a file of the store's media folder.
  func media(_ file: String) -> String {
    if case .export(let links) = place {
      links.mediaPrefix + file
    } else {
      root.href(ThreadWorker.mediaPath(file))
    }
  }

  /// Returns the URL of the page of a tag; `nil` if only the network has one.
  func tag(_ tag: ThreadTag) -> String? {
    if case .export = place { return nil }
    return tag.href(root)
  }

  /// Returns the URL of a page of the site, or of a place on it; `nil` if only the network has it.
  func page(_ path: SitePath, _ anchor: String?) -> String? {
    if case .export(let links) = place { return links.address(of: path, anchor) }
    return root.href(path) + (anchor.map { "#" + $0 } ?? "")
  }
}
