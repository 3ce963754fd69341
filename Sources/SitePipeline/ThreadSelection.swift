import SiteConfig
import ThreadModel

/// Which conversations of the store the site has, and what site.yml says of each.
struct ThreadSelection: Sendable {
  /// What holds for one thread of the site.
  struct Settings: Sendable {
    /// Position in site.yml's `threads`; `nil` for a thread that no entry names.
    var entry: Int?
    var title: String?
    var tags: [String] = []
    var slug: String?
    var hidden: Set<PostID> = []
    var isDraft = false
    /// Whether others' replies stand behind the thread.
    var showsReplies = false
  }

  /// What site.yml says of one conversation.
  struct Answer: Sendable {
    /// `nil` if it is no part of the site.
    var settings: Settings?
    /// Positions in `threads` of all entries that name it, ascending: more than one is a mistake.
    var entries: [Int] = []
    /// Positions in `sources` of single posts and accounts whose thread it is.
    var sources: Set<Int> = []
    /// Places of hidden posts that are none of the conversation's.
    var unknownHidden: [HiddenPlace] = []
  }

  /// Where a hidden post stands: the entry, and its position in the entry's list.
  struct HiddenPlace: Hashable, Sendable, Comparable {
    var entry: Int
    var position: Int

    static func < (lhs: HiddenPlace, rhs: HiddenPlace) -> Bool {
      (lhs.entry, lhs.position) < (rhs.entry, rhs.position)
    }
  }

  private let entries: [ThreadEntry]
  private let entryByPost: [PostID: Int]
  private let takesAll: Bool
  private let sources: [Source]
  private let sourceByPost: [PostID: Int]

  /// - Parameters:
  ///   - ledger: what the sources brought.
  ///   - calendar: the site's days.
  init(_ config: SiteConfig, ledger: SourceLedger, calendar: SiteCalendar) {
    entries = config.threads
    entryByPost = Dictionary(
      entries.indices.map { (PostID(config.threads[$0].url), $0) }, uniquingKeysWith: { first, _ in first })
    takesAll = config.include == .all
    sources = config.sources.map { Source($0, ledger: ledger, calendar: calendar) }
    var sourceByPost: [PostID: Int] = [:]
    for (position, source) in config.sources.enumerated() {
      if case .post(let post) = source { sourceByPost[PostID(post.post)] = position }
    }
    self.sourceByPost = sourceByPost
  }

  /// What site.yml says of a conversation, by any of its author's posts.
  func settings(for conversation: Conversation) -> Answer {
    var answer = Answer()
    answer.entries = positions(of: conversation, in: entryByPost)
    answer.sources = Set(positions(of: conversation, in: sourceByPost))
    for position in sources.indices where sources[position].isAccount(of: conversation) {
      answer.sources.insert(position)
    }
    guard let first = answer.entries.first else {
      guard takesAll else { return answer }
      var settings = Settings()
      settings.showsReplies = showsReplies(conversation, answer.sources)
      answer.settings = settings
      return answer
    }
    let entry = entries[first]
    answer.unknownHidden = unknownHidden(in: conversation, by: first)
    guard !entry.isExcluded else { return answer }
    var settings = Settings(entry: first)
    settings.title = entry.title
    settings.tags = entry.tags
    settings.slug = entry.slug
    settings.hidden = Set(entry.hide.map(PostID.init))
    settings.isDraft = entry.isDraft
    settings.showsReplies = entry.replies ?? showsReplies(conversation, answer.sources)
    answer.settings = settings
    return answer
  }

  /// Whether a source of the thread fetches others' replies for it.
  private func showsReplies(_ conversation: Conversation, _ positions: Set<Int>) -> Bool {
    positions.contains { sources[$0].showsReplies && sources[$0].takes(conversation) }
  }

  /// The positions that name the conversation, ascending.
  private func positions(of conversation: Conversation, in named: [PostID: Int]) -> [Int] {
    guard !named.isEmpty else { return [] }
    var found: Set<Int> = []
    var holdsFirst = false
    for post in conversation.posts {
      if post.id == conversation.id { holdsFirst = true }
      if post.authorID == conversation.authorID, let position = named[post.id] { found.insert(position) }
    }
    // The first post itself may be missing. If it is there and somebody else's, this is a chain in their conversation, which
    // an entry for that post does not mean.
    if !holdsFirst, let position = named[conversation.id] { found.insert(position) }
    return found.sorted()
  }

  /// Hidden posts that are none of the conversation's: to hide nothing would publish what was meant to be hidden.
  private func unknownHidden(in conversation: Conversation, by entry: Int) -> [HiddenPlace] {
    let hide = entries[entry].hide
    guard !hide.isEmpty else { return [] }
    let known = conversation.mentionedPosts
    return hide.indices.filter { !known.contains(PostID(hide[$0])) }.map {
      HiddenPlace(entry: entry, position: $0)
    }
  }

  /// The entry that names this post.
  func entry(of post: PostID) -> Int? { entryByPost[post] }

  /// The single post's source that names this post.
  func source(of post: PostID) -> Int? { sourceByPost[post] }

  func isExcluded(_ entry: Int) -> Bool { entries[entry].isExcluded }

  /// Positions in `threads` that were not among those found.
  func missingEntries(found: Set<Int>) -> [Int] { entries.indices.filter { !found.contains($0) } }

  /// Positions in `sources` of posts and accounts of which no conversation was found, and of searches that were never carried
  /// out.
  func missingSources(found: Set<Int>) -> [Int] {
    sources.indices.filter { sources[$0].isMissing(unlessIn: found, at: $0) }
  }
}

extension ThreadSelection {
  /// An entry of `sources`, as far as the threads of the store are concerned.
  private struct Source: Sendable {
    private enum Kind: Sendable {
      case post
      /// The platform, and the handle in lower case.
      case account(Platform, String)
      case search(isRecorded: Bool)
      case archive
    }

    let showsReplies: Bool
    private let kind: Kind
    private let limits: ThreadSource.Limits
    private let calendar: SiteCalendar

    init(_ source: ThreadSource, ledger: SourceLedger, calendar: SiteCalendar) {
      self.calendar = calendar
      switch source {
      case .post(let post):
        (kind, limits, showsReplies) = (.post, ThreadSource.Limits(), post.replies)
      case .account(let account):
        let platform = Platform(rawValue: account.account.platform.rawValue)
        kind = .account(platform, account.account.handle.lowercased())
        (limits, showsReplies) = (account.limits, account.replies)
      case .search(let search):
        let isRecorded = ledger[SourceLedger.Key(kind: .search, name: search.query)] != nil
        (kind, limits, showsReplies) = (.search(isRecorded: isRecorded), ThreadSource.Limits(), false)
      case .archive(let archive):
        (kind, limits, showsReplies) = (.archive, archive.limits, false)
      }
    }

    /// Whether a conversation is a thread of the account that this is.
    func isAccount(of conversation: Conversation) -> Bool {
      guard case .account(let platform, let handle) = kind else { return false }
      return conversation.platform == platform && conversation.author?.handle?.lowercased() == handle
    }

    func isMissing(unlessIn found: Set<Int>, at position: Int) -> Bool {
      switch kind {
      case .post, .account: !found.contains(position)
      case .search(let isRecorded): !isRecorded
      // What is wrong with an archive is said when it is read.
      case .archive: false
      }
    }

    /// Whether the limits let a conversation pass.
    func takes(_ conversation: Conversation) -> Bool {
      guard limits != ThreadSource.Limits() else { return true }
      let own = conversation.posts.filter { $0.authorID == conversation.authorID }
      guard own.count >= limits.minPosts ?? 2 else { return false }
      guard limits.since != nil || limits.until != nil else { return true }
      guard let first = own.compactMap(\.createdAt).min() else { return false }
      let time = calendar.civil(first)
      let day = (time.year, time.month, time.day)
      if let since = limits.since, day < (since.year, since.month, since.day) { return false }
      if let until = limits.until, day > (until.year, until.month, until.day) { return false }
      return true
    }
  }
}

extension Conversation {
  /// Every post that the conversation holds, or names as answered, quoted, edited or missing.
  fileprivate var mentionedPosts: Set<PostID> {
    var known: Set<PostID> = [id]
    for post in posts + related {
      known.insert(post.id)
      known.formUnion(post.earlierVersions)
      if let answered = post.inReplyTo { known.insert(answered) }
      if let quoted = post.quotes { known.insert(quoted) }
    }
    known.formUnion(tombstones.map(\.id))
    return known
  }
}

extension PostID {
  /// The post that an address in site.yml names.
  init(_ reference: PostReference) {
    self.init(reference.id, on: Platform(rawValue: reference.platform.rawValue))
  }
}
