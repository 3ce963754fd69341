import Basics
import Foundation
import InterfaceText
import MediaMirror
import SiteBuild
package import SiteConfig
import SiteOutput
package import SiteWorkspace
import ThreadMarkdown
import ThreadModel
import ThreadStore
import Unroll

/// All threads of a store, with the site's settings for each: `threadsite list` and `threadsite show`.
package struct ThreadCatalog: Sendable {
  /// The wanted threads; all threads if there are no criteria.
  package struct Filter: Sendable {
    /// A handle with or without `@`, the folder of an author, or the URL of an account.
    package var author: String?
    package var tag: String?
    package var since: CalendarDay?
    package var until: CalendarDay?
    package var states: Set<CatalogEntry.State> = []
    /// Whether threads with posts that are missing or may be missing are also in a wanted state.
    package var includesIncomplete = false
    /// Words that all occur in the thread's title, its author's posts, its tags or its author's name.
    package var words: [String] = []
    /// The maximum number of threads; `nil` for all.
    package var limit: Int?

    package init() {}
  }

  /// The threads, and the errors of files that are not valid threads.
  package struct Listing: Sendable {
    package var threads: [CatalogEntry] = []
    package var problems: [String] = []
    /// The number of threads that match but are beyond the limit.
    package var further = 0
  }

  private let site: SiteFolder
  private let store: ThreadStore
  private let jobs: Int
  private let files: [StoredFile]
  private let selection: ThreadSelection
  private let mentions: ConfigMentions
  private let authors: AuthorDirectory
  private let permalinks: Permalinks
  private let shortIDs: ShortIDs
  /// The site's localization, for generated titles, and the English one, for the terminal.
  private let localization: Localization
  private let english: Localization

  package init(
    _ site: SiteFolder, installation: Installation?, jobs: Int, progress: @escaping ProgressHandler
  ) throws(PipelineError) {
    self.site = site
    self.jobs = jobs
    store = site.threadStore
    let loader = SiteLoader(
      site, installation: installation, options: SiteBuild.Options(jobs: jobs), progress: progress)
    files = try loader.listStore()
    authors = loader.authorDirectory(loader.threadAuthors(files))
    selection = try loader.threadSelection(authors)
    mentions = ConfigMentions(site, authors: authors)
    permalinks = try store.permalinks()
    shortIDs = ShortIDs(of: files.map(\.stem))
    localization = try loader.themeLoader.load().words.localization
    english = try loader.themeLoader.englishLocalization()
  }

  // MARK: Lists

  /// Returns the threads that match a filter, newest first.
  package func list(_ filter: Filter) throws(PipelineError) -> Listing {
    let accounts = try accounts(of: filter.author)
    let words = filter.words.map(Self.folded)
    let parts = ParallelWork.run(count: files.count, jobs: jobs, makeState: Listing.init) { position, part in
      do throws(ThreadStoreError) {
        let conversation = try store.read(files[position])
        if let accounts, !accounts.contains(conversation.authorID) { return }
        let entry = entry(conversation, in: files[position])
        guard takes(entry, filter), has(words, entry, conversation) else { return }
        part.threads.append(entry)
      } catch {
        part.problems.append(error.description)
      }
    }
    var listing = Listing()
    for part in parts {
      listing.threads += part.threads
      listing.problems += part.problems
    }
    listing.threads.sort { one, other in
      let (left, right) = (one.began?.milliseconds ?? .max, other.began?.milliseconds ?? .max)
      return left == right ? one.file < other.file : left > right
    }
    listing.problems.sort()
    if let limit = filter.limit, listing.threads.count > limit {
      listing.further = listing.threads.count - limit
      listing.threads.removeLast(listing.further)
    }
    return listing
  }

  /// Returns the named threads, in the order of the names.
  package func show(_ names: [String]) throws(PipelineError) -> [CatalogEntry] {
    try ThreadFinder(site, in: store, jobs: jobs).findAll(names).map { entry($0.conversation, in: $0.file) }
  }

  private func takes(_ entry: CatalogEntry, _ filter: Filter) -> Bool {
    if let tag = filter.tag, !entry.tags.contains(where: { $0.lowercased() == tag.lowercased() }) {
      return false
    }
    if !filter.states.isEmpty || filter.includesIncomplete {
      guard filter.states.contains(entry.state) || filter.includesIncomplete && !entry.isWhole else {
        return false
      }
    }
    guard filter.since != nil || filter.until != nil else { return true }
    guard let began = entry.began else { return false }
    return site.calendar.isDay(of: began, since: filter.since, until: filter.until)
  }

  /// Whether all words occur in a thread's title, posts, tags or author.
  private func has(_ words: [String], _ entry: CatalogEntry, _ conversation: Conversation) -> Bool {
    guard !words.isEmpty else { return true }
    let posts = conversation.posts.filter { $0.authorID == conversation.authorID }
    let names = [entry.title, entry.author.name, entry.author.handle].compactMap(\.self)
    let text = Self.folded((names + entry.tags + posts.map(\.text.text)).joined(separator: "\n"))
    return words.allSatisfy { text.firstRange(of: $0) != nil }
  }

  /// Returns a text without the differences of case and accents.
  private static func folded(_ text: String) -> String {
    text.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
  }

  /// Returns the accounts for a name; `nil` if there is no name.
  private func accounts(of name: String?) throws(PipelineError) -> Set<AuthorID>? {
    guard let name else { return nil }
    return try authors.accounts(named: name, site.networks.addresses)
  }

  // MARK: Single threads

  private func entry(_ conversation: Conversation, in file: StoredFile) -> CatalogEntry {
    let answer = selection.settings(for: conversation)
    let settings = answer.settings ?? ThreadSelection.Settings()
    let thread = UnrolledThread(
      unrolling: authors.updated(conversation, in: localization), hidden: settings.hidden,
      withReplies: settings.showsReplies)
    let title = PageTitle(
      of: thread, of: conversation, settings: settings, in: localization,
      by: site.calendar.written(in: localization.dates))
    let state = state(of: answer)
    let page =
      state == .published || state == .draft
      ? permalinks.page(of: file.stem, title, slug: settings.slug).text : nil
    var seen: Set<String> = []
    let tags = (settings.tags + ThreadTags.make(from: thread)).filter {
      seen.insert($0.lowercased()).inserted
    }
    let span = thread.span
    return CatalogEntry(
      file: file.path, shortID: shortIDs.id(of: file.stem), id: conversation.id, author: thread.author,
      title: title.text, tags: tags,
      began: span.first,
      beganOn: span.first.map(site.calendar.isoDay), lastPost: span.last, posts: thread.completeness.known,
      expectedPosts: thread.completeness.expected, state: state, isWhole: thread.completeness.isWhole,
      reasons: thread.completeness.reasons.map { $0.clause(in: english) },
      gaps: thread.gaps.map { CatalogEntry.Gap(id: $0.tombstone.id, reason: $0.tombstone.reason.rawValue) },
      address: thread.mainPosts.first.flatMap {
        $0.post.url ?? site.networks.url(of: $0.post.id, handle: thread.author.handle)
      },
      page: page, mentions: mentions.of(conversation), provenance: thread.provenance,
      coverage: conversation.coverage, mediaFiles: conversation.mediaFiles.sorted(),
      othersPosts: conversation.posts.count { $0.authorID != conversation.authorID })
  }

  private func state(of answer: ThreadSelection.Answer) -> CatalogEntry.State {
    if answer.sameAs != nil { return .copy }
    guard let settings = answer.settings else { return answer.isEmpty ? .empty : .excluded }
    return settings.isDraft ? .draft : .published
  }
}

extension AuthorDirectory {
  /// Returns the accounts for a name on the command line: a URL, or a handle with or without `@`, on any network.
  ///
  /// - Throws: if the store has no account of that name.
  func accounts(named name: String, _ addresses: AddressBook) throws(PipelineError) -> Set<AuthorID> {
    var found: Set<AuthorID> = []
    // A handle is not a URL, so a failure is expected.
    if name.firstRange(of: "://") != nil, let reference = try? addresses.account(name) {
      found = accounts(of: reference).filter { self[$0] != nil }
    } else {
      let handle = (name.hasPrefix("@") ? String(name.dropFirst()) : name).lowercased()
      found = Set(all.filter { $0.isCalled(handle) }.map(\.author.id))
    }
    guard !found.isEmpty else {
      let known = all.compactMap(\.author.handle)
      throw PipelineError(
        .content,
        [
          "error: the store has no threads of \(quoted(name))"
            + Suggestion.phrase(for: name.hasPrefix("@") ? String(name.dropFirst()) : name, among: known)
            + "; `threadsite list` shows all threads"
        ])
    }
    return found
  }
}

extension UnrolledThread {
  /// The gaps of all lines of the thread.
  fileprivate var gaps: [Gap] {
    func gaps(_ items: [ThreadItem]) -> [Gap] {
      items.flatMap { item in
        switch item {
        case .gap(let gap): [gap]
        case .post(let post): post.branches.flatMap { gaps($0.items) }
        }
      }
    }
    return gaps(items) + answers.flatMap { gaps($0.items) }
  }
}
