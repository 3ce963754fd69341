import Basics
import Foundation
import InterfaceText
import SiteConfig
package import SiteOutput
package import SiteWorkspace
import Synchronization
import ThreadMarkdown
package import ThreadModel
import ThreadStore
import Unroll

/// Finds where the site shows a post or an author, for links from one thread to another.
///
/// It has the store's listing from the start, and reads a conversation only if a link leads to it, or to a post by its author whose
/// conversation is unknown. The results depend only on the store and site.yml, never on earlier lookups.
package final class SitePages: Sendable {
  /// A thread's lookup in the rest of the site, with only data from its own posts, so that the next build can repeat the lookup and compare
  /// the results.
  enum Question: Sendable, Hashable {
    /// A post, with the conversation and the author that are stated for it.
    case post(PostID, in: PostID, by: AccountReference?)
    /// A post whose id is known only without its authority.
    case postNamed(String, by: AccountReference)
    /// The page of an author.
    case author(AccountReference)
    /// The post or the thread that a text of the owner shows in place of its URL.
    case embedded(String)

    var isEmbedded: Bool { if case .embedded = self { true } else { false } }
  }

  /// The place where a post is shown.
  struct Place: Sendable, Hashable {
    let page: SitePath
    /// The post's id; `nil` for the page as a whole.
    let post: PostID?
    /// A digest of everything that an embedded post or thread shows; `nil` for links.
    var content: UInt64?
  }

  /// A thread, or one of its posts, that a text of the owner can show.
  struct Embeddable: Sendable {
    let stem: String
    let conversation: Conversation
    let settings: ThreadSelection.Settings
    let path: SitePath
    let thread: UnrolledThread
    /// `nil` for the whole thread.
    let post: PostID?

    /// The place with a digest of everything that the post or the thread shows.
    var place: Place {
      var digest = ContentDigest()
      digest.add(bytes: ConversationCoding.encode(conversation).bytes)
      digest.add(settings)
      return Place(page: path, post: post, content: digest.value)
    }
  }

  /// The threads of one conversation that are part of the site; several if several authors have one.
  private struct Threads {
    /// The pages with their files, in the order of the store's listing.
    private(set) var pages: [(file: StoredFile, path: SitePath, hasPosts: Bool)] = []
    /// The index of the page that shows each post.
    private(set) var shown: PostTable

    init(on platform: Platform) { shown = PostTable(on: platform) }

    /// - Parameter hasPosts: whether the posts are on this page, and not on a page to which it redirects.
    mutating func add(_ file: StoredFile, path: SitePath, hasPosts: Bool, showing posts: Set<PostID>) {
      shown.add(posts, at: pages.count)
      pages.append((file, path, hasPosts))
    }

    /// Must be called after all pages were added.
    mutating func finish() { shown.finish() }
  }

  /// The conversations of one account by its posts. The first worker that needs them computes them while others wait.
  private final class OwnPosts: Sendable {
    struct Known {
      var conversations: [PostID] = []
      var table: PostTable
    }

    let known = Mutex<Known?>(nil)
  }

  /// A map from posts to indices. It uses sixteen bytes per post whose id is a number.
  private struct PostTable {
    private let platform: Platform
    /// Sorted by post, then by index.
    private var numbered: [(post: UInt64, position: Int32)] = []
    /// The entries of posts whose ids are not numbers.
    private var named: [PostID: [Int]] = [:]

    init(on platform: Platform) { self.platform = platform }

    /// - Parameter position: not less than that of earlier calls.
    mutating func add(_ posts: some Sequence<PostID>, at position: Int) {
      for post in posts {
        if let number = number(post) {
          numbered.append((number, Int32(position)))
        } else {
          named[post, default: []].append(position)
        }
      }
    }

    /// Must be called after all posts were added.
    mutating func finish() {
      numbered = Array(numbered.sorted { ($0.post, $0.position) < ($1.post, $1.position) })
    }

    /// Returns the indices for a post, ascending.
    func positions(of post: PostID) -> [Int] {
      guard let number = number(post) else { return named[post] ?? [] }
      var (low, high) = (0, numbered.count)
      while low < high {
        let middle = (low + high) / 2
        if numbered[middle].post < number { low = middle + 1 } else { high = middle }
      }
      return numbered[low...].prefix { $0.post == number }.map { Int($0.position) }
    }

    /// Returns the id as a number, if it is a number in canonical form.
    private func number(_ post: PostID) -> UInt64? {
      guard post.platform == platform, post.authority == nil, let number = UInt64(post.value) else {
        return nil
      }
      return String(number) == post.value ? number : nil
    }
  }

  private struct State {
    /// Created by the first lookup.
    var files: StoreListing?
    /// Conversations to which links lead. All of them are kept: reading one again for each link to it would take quadratic time in a site
    /// whose threads link to each other. Each of their posts takes sixteen bytes.
    var known: [PostID: Threads] = [:]
    /// The store's files by platform and folder; created by the first lookup that needs them.
    var folders: [String: [StoredFile]]?
    /// The indices of the store's files by stem; created by the first lookup that needs them.
    var positions: [String: Int]?
    /// Accounts with a linked post whose link does not state its conversation.
    var ownPosts: [AuthorID: OwnPosts] = [:]
    /// Whether authors' pages exist, by the accounts that own them.
    var authorsWithPage: [AuthorID: Bool] = [:]
  }

  private let files: [StoredFile]
  private let store: ThreadStore
  private let selection: ThreadSelection
  private let authors: AuthorDirectory
  private let permalinks: Permalinks
  private let localization: Localization
  private let calendar: SiteCalendar
  private let includesDrafts: Bool
  private let previous: PreviousThreads?
  private let addresses: AddressBook
  private let baseURL: String?
  private let state = Mutex(State())

  /// - Parameters:
  ///   - files: the store's listing, sorted.
  ///   - previous: threads of the previous build, which need not be read again.
  ///   - addresses: reads the URLs of posts.
  ///   - baseURL: the URL of the site, which ends in a slash; `nil` if it is unknown.
  init(
    _ files: [StoredFile], in store: ThreadStore, selection: ThreadSelection, authors: AuthorDirectory,
    permalinks: Permalinks, localization: Localization, calendar: SiteCalendar, includesDrafts: Bool,
    previous: PreviousThreads?, addresses: AddressBook, baseURL: String?
  ) {
    self.addresses = addresses
    self.baseURL = baseURL
    self.files = files
    self.store = store
    self.selection = selection
    self.authors = authors
    self.permalinks = permalinks
    self.localization = localization
    self.calendar = calendar
    self.includesDrafts = includesDrafts
    self.previous = previous
  }

  /// Releases the results of earlier lookups. They take much memory, and few lookups follow once all threads are rendered.
  func releaseConversations() {
    state.withLock {
      $0.known = [:]
      $0.ownPosts = [:]
      $0.folders = nil
      $0.positions = nil
    }
  }

  /// Returns the page for a lookup, and the post on it; `nil` if the site has no such page.
  ///
  /// - Parameter stem: the thread that makes the lookup. It is never the result for posts, because it knows its own posts.
  func place(_ question: Question, askedBy stem: String) -> Place? {
    switch question {
    case .post(let post, in: let conversation, by: let writer):
      if let place = place(of: post, in: conversation, askedBy: stem) { return place }
      return place(of: post, by: writers(of: post, writer), askedBy: stem)
    case .postNamed(let name, by: let writer):
      for post in posts(named: name, by: writer) {
        if let place = place(.post(post, in: post, by: nil), askedBy: stem) { return place }
      }
      return nil
    case .author(let reference):
      let found = authors.accounts(of: reference).filter { authors[$0] != nil }
      guard let owner = Set(found.map(authors.owner)).only, hasPage(owner), let account = authors[owner]
      else { return nil }
      return Place(page: account.page, post: nil)
    case .embedded(let url):
      return embeddable(url)?.place
    }
  }

  /// Returns a digest of all facts that other threads can look up about where a thread's posts and its author are shown.
  ///
  /// - Parameters:
  ///   - keys: the keys of the thread's file.
  ///   - path: the page of the thread, or the URL that redirects to the page of the same thread.
  ///   - posts: the posts that are shown there; sorted.
  static func placeDigest(
    _ keys: ConversationKeys, at path: SitePath, showing posts: [PostID]
  ) -> UInt64 {
    var digest = ContentDigest()
    digest.add(keys.id)
    digest.add(keys.authorID)
    digest.add(keys.ownPosts)
    digest.add(path)
    digest.add(posts)
    return digest.value
  }

  // MARK: Embedded posts and threads

  /// Returns the thread or the post of the site for a URL: of a post on its network, or of a page of this site or a post on it.
  ///
  /// Drafts are never shown in other places, even if they are built, and neither are hidden posts and threads that the site leaves out.
  func embeddable(_ url: String) -> Embeddable? {
    if let (path, anchor) = ownAddress(url) {
      guard let file = file(ofPage: path), let found = embeddable(file) else { return nil }
      guard let anchor else { return found }
      return found.thread.shownPosts.sorted()
        .first { "post-\(MarkdownPieces.anchor($0.value))" == anchor }.flatMap(found.showing)
    }
    guard let link = addresses.post(linkedBy: url) else { return nil }
    let writer = link.handle.map { AccountReference(platform: link.platform, handle: $0) }
    let posts = link.postID.map { [$0] } ?? writer.map { self.posts(named: link.id, by: $0) } ?? []
    for post in posts {
      guard let file = file(showing: post, by: writer) else { continue }
      return embeddable(file)?.showing(post)
    }
    return nil
  }

  /// Returns the path of a URL of this site, and its fragment.
  private func ownAddress(_ url: String) -> (path: SitePath, anchor: String?)? {
    guard let baseURL, url.hasBytePrefix(baseURL) else { return nil }
    let rest = String(decoding: url.utf8.dropFirst(baseURL.utf8.count), as: UTF8.self)
    let page = rest.prefix(upToBytes: "?#")
    let anchor = rest.split(separator: "#", maxSplits: 1).dropFirst().first.map { String($0) }
    let text = String(page).removingPercentEncoding ?? String(page)
    let folder = text.without(byteSuffix: "index.html").map { String($0) } ?? text
    guard !folder.isEmpty else { return nil }
    return (SitePath(folder.hasByteSuffix("/") ? folder : folder + "/"), anchor)
  }

  /// Returns the file of the thread whose page is or was at a path.
  private func file(ofPage path: SitePath) -> StoredFile? {
    if let stem = permalinks.stem(ofPage: path) {
      return state.withLock { state in
        let positions =
          state.positions
          ?? Dictionary(files.enumerated().map { ($1.stem, $0) }, uniquingKeysWith: { first, _ in first })
        state.positions = positions
        return positions[stem].map { files[$0] }
      }
    }
    // The URL of an unpublished thread ends with its id, after the words of its title.
    let text = path.text.utf8.dropLast()
    return files.first { file in
      let name = file.stem.utf8
      guard text.count >= name.count,
        text.suffix(file.name.utf8.count).elementsEqual(file.name.utf8)
      else { return false }
      return embeddable(file)?.path == path
    }
  }

  /// Returns the file of the thread whose page shows a post.
  private func file(showing post: PostID, by writer: AccountReference?) -> StoredFile? {
    if let file = file(showing: post, in: post) { return file }
    // The URL of a post need not name its author.
    let everyone = writer == nil ? authors.all.map(\.author.id).filter { $0.platform == post.platform } : []
    for account in writers(of: post, writer) + everyone where authors[account] != nil {
      for conversation in conversations(of: account, holding: post) {
        if let file = file(showing: post, in: conversation) { return file }
      }
    }
    return nil
  }

  private func file(showing post: PostID, in conversation: PostID) -> StoredFile? {
    let files = files(thatMayHold: conversation)
    guard !files.isEmpty else { return nil }
    let threads = threads(of: conversation, in: files)
    return threads.shown.positions(of: post).lazy.map { threads.pages[$0] }.first(where: \.hasPosts)?.file
  }

  private func embeddable(_ file: StoredFile) -> Embeddable? {
    guard let stored = try? store.read(file) else { return nil }
    let answer = selection.settings(for: stored)
    guard answer.sameAs == nil, let settings = answer.settings, !settings.isDraft else { return nil }
    let conversation = authors.updated(settings.describing(stored), in: localization)
    let (path, thread) = page(of: conversation, stem: file.stem, settings: settings)
    return Embeddable(
      stem: file.stem, conversation: conversation, settings: settings, path: path, thread: thread, post: nil)
  }

  /// Returns the possible posts for an author's name and a part of an id without an authority.
  func posts(named name: String, by writer: AccountReference) -> [PostID] {
    // An account without an authority is an authority itself, as on Bluesky.
    authors.accounts(of: writer).sorted().map {
      PostID(name, by: $0.authority ?? $0.value, on: writer.platform)
    }
  }

  /// Returns the accounts that may have written a post: the stated ones, and the one in its id.
  private func writers(of post: PostID, _ reference: AccountReference?) -> [AuthorID] {
    var writers = reference.map { authors.accounts(of: $0).sorted() } ?? []
    guard let authority = post.authority else { return writers }
    if let reference, reference.authorID == nil {
      // On their own server, handles have no server name.
      let local = AccountReference(
        platform: reference.platform, handle: reference.handle, instance: authority)
      writers += authors.accounts(of: local).sorted()
    }
    return writers + [AuthorID(authority, on: post.platform)]
  }

  /// Returns the place of a post whose conversation must be found among its author's threads.
  private func place(of post: PostID, by writers: [AuthorID], askedBy stem: String) -> Place? {
    for writer in writers where authors[writer] != nil {
      for conversation in conversations(of: writer, holding: post) {
        if let place = place(of: post, in: conversation, askedBy: stem) { return place }
      }
    }
    return nil
  }

  private func conversations(of account: AuthorID, holding post: PostID) -> [PostID] {
    let posts = state.withLock { state in
      let posts = state.ownPosts[account] ?? OwnPosts()
      state.ownPosts[account] = posts
      return posts
    }
    return posts.known.withLock { known in
      let all = known ?? ownPosts(of: account)
      known = all
      return all.table.positions(of: post).map { all.conversations[$0] }
    }
  }

  private func ownPosts(of account: AuthorID) -> OwnPosts.Known {
    var known = OwnPosts.Known(table: PostTable(on: account.platform))
    for file in files(inFoldersOf: account) {
      guard let own = ownPosts(in: file), own.authorID == account else { continue }
      known.table.add(own.posts, at: known.conversations.count)
      known.conversations.append(own.conversation)
    }
    known.table.finish()
    return known
  }

  /// Whether any thread of a person's accounts is part of the site.
  private func hasPage(_ owner: AuthorID) -> Bool {
    if let known = state.withLock({ $0.authorsWithPage[owner] }) { return known }
    let accounts = [owner] + (authors[owner]?.others ?? [])
    let found = accounts.contains { account in
      files(inFoldersOf: account).contains { file in
        guard let keys = keys(of: file), keys.authorID == account else { return false }
        let answer = selection.settings(for: keys)
        guard answer.sameAs == nil, let settings = answer.settings else { return false }
        return includesDrafts || !settings.isDraft
      }
    }
    state.withLock { $0.authorsWithPage[owner] = found }
    return found
  }

  private func files(inFoldersOf account: AuthorID) -> [StoredFile] {
    let folders = authors.folders(of: account).map { "\(account.platform.rawValue)/\($0)" }
    return state.withLock { state in
      let all = state.folders ?? Dictionary(grouping: files) { "\($0.platform.rawValue)/\($0.folder)" }
      state.folders = all
      return folders.flatMap { all[$0] ?? [] }
    }
  }

  /// Returns the author's posts in a file; `nil` for a damaged file, which is reported when its page is rendered.
  private func ownPosts(
    in file: StoredFile
  ) -> (conversation: PostID, authorID: AuthorID, posts: [PostID])? {
    if let keys = previous?.keys(file) { return (keys.id, keys.authorID, keys.ownPosts) }
    return try? store.readOwnPosts(file)
  }

  /// Returns the keys of a file; `nil` for a damaged file, which is reported when its page is rendered.
  private func keys(of file: StoredFile) -> ConversationKeys? {
    previous?.keys(file) ?? (try? store.read(file)).map { ConversationKeys($0) }
  }

  /// Returns the page that shows a post, with the post, or the page of the conversation that the post begins; `nil` if the site has neither.
  private func place(of post: PostID, in conversation: PostID, askedBy stem: String) -> Place? {
    let files = files(thatMayHold: conversation)
    // Most links of a thread lead to its own conversation.
    guard !files.isEmpty, files.count > 1 || files[0].stem != stem else { return nil }
    let threads = threads(of: conversation, in: files)
    if let shown = threads.shown.positions(of: post).first(where: { threads.pages[$0].file.stem != stem }) {
      return Place(page: threads.pages[shown].path, post: threads.pages[shown].hasPosts ? post : nil)
    }
    guard post == conversation else { return nil }
    return threads.pages.first { $0.file.stem != stem }.map { Place(page: $0.path, post: nil) }
  }

  /// Returns the path of a thread's file, for messages.
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
    // Two workers may both reach this point, with the same result.
    var threads = Threads(on: conversation.platform)
    for file in files {
      guard let (path, hasPosts, posts) = page(of: file, if: conversation) else { continue }
      threads.add(file, path: path, hasPosts: hasPosts, showing: posts)
    }
    threads.finish()
    let found = threads
    state.withLock { $0.known[conversation] = found }
    return found
  }

  /// Returns the page of a thread and the posts that it shows; `nil` if the file is not part of the site or contains a different conversation.
  private func page(
    of file: StoredFile, if id: PostID
  ) -> (path: SitePath, hasPosts: Bool, shown: Set<PostID>)? {
    // A damaged conversation is reported when its page is rendered. Here it counts as missing.
    if let known = previous?.page(of: file) {
      return known.conversation == id ? (known.path, true, Set(known.shownPosts)) : nil
    }
    guard let conversation = try? store.read(file), conversation.id == id else { return nil }
    let answer = selection.settings(for: conversation)
    if let same = answer.sameAs {
      guard selection.hasPage(same.entry, withDrafts: includesDrafts) else { return nil }
      let (path, thread) = leadingPage(of: conversation, stem: file.stem, to: same)
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
      unrolling: authors.updated(conversation, in: localization), hidden: settings.hidden,
      withReplies: settings.showsReplies)
    let title = PageTitle(
      of: thread, of: conversation, settings: settings, in: localization, by: calendar)
    return (permalinks.page(of: stem, title, slug: settings.slug), thread)
  }

  /// Returns the URL that a thread would have without the other page that site.yml declares to be the same.
  ///
  /// If posts of the other page are hidden, this thread probably has the same posts, so it does not get a new URL with words of them.
  package func leadingPage(
    of conversation: Conversation, stem: String, to same: ThreadSelection.SameThread
  ) -> (path: SitePath, thread: UnrolledThread) {
    let (path, thread) = page(of: conversation, stem: stem, settings: ThreadSelection.Settings())
    guard selection.hidesPosts(same.entry) else { return (path, thread) }
    return (permalinks[stem] ?? permalinks.page(of: stem, title: ""), thread)
  }
}

extension Collection {
  /// The element, if it is the only one.
  fileprivate var only: Element? { count == 1 ? first : nil }
}

extension SitePages.Embeddable {
  /// Returns one post of the thread; `nil` if the page does not show it.
  fileprivate func showing(_ post: PostID) -> Self? {
    guard thread.shown(post) != nil else { return nil }
    return Self(
      stem: stem, conversation: conversation, settings: settings, path: path, thread: thread, post: post)
  }
}
