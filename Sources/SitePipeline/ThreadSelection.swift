import SiteConfig
import ThreadModel

/// Which conversations of the store the site consists of, and what site.yml says of each.
struct ThreadSelection: Sendable {
  /// What the owner decided for one thread.
  struct Settings: Sendable {
    /// Position in site.yml's list; `nil` for a thread that the list does not name.
    var entry: Int?
    var title: String?
    var tags: [String] = []
    var slug: String?
    var hidden: Set<PostID> = []
    var isDraft = false
    /// Whether others' replies stand behind the thread.
    var showsReplies = false
  }

  /// What the list says of one conversation.
  struct Answer: Sendable {
    /// `nil` if it is no part of the site.
    var settings: Settings?
    /// Positions of all entries that name it, ascending: more than one is a mistake.
    var entries: [Int] = []
  }

  private let settingsByPost: [PostID: Settings]
  /// Whether everything in the store belongs to the site.
  private let takesAll: Bool
  private let collections: [Collection]

  /// - Parameters:
  ///   - sources: site.yml's list; `nil` where it has none.
  ///   - ledger: what its searches found.
  ///   - calendar: the site's days.
  init(_ sources: [ThreadSource]?, ledger: SourceLedger, calendar: SiteCalendar) {
    var settingsByPost: [PostID: Settings] = [:]
    for (position, source) in (sources ?? []).enumerated() {
      guard case .post(let post) = source else { continue }
      var settings = Settings(entry: position)
      settings.title = post.title
      settings.tags = post.tags
      settings.slug = post.slug
      settings.hidden = Set(post.hide.map(PostID.init))
      settings.isDraft = post.isDraft
      settings.showsReplies = post.replies
      settingsByPost[PostID(post.url)] = settings
    }
    self.settingsByPost = settingsByPost
    takesAll = sources == nil
    collections = (sources ?? []).compactMap { Collection($0, ledger: ledger, calendar: calendar) }
  }

  /// What the list says of a conversation, by any of its author's posts.
  func settings(for conversation: Conversation) -> Answer {
    let others = settingsOfOthers(conversation)
    guard !settingsByPost.isEmpty else { return Answer(settings: others) }
    var named = conversation.posts.filter { $0.authorID == conversation.authorID }.compactMap {
      settingsByPost[$0.id]
    }
    // The first post itself may be missing. If it is there and somebody else's, this is a chain in their conversation, which
    // an entry for that post does not mean.
    if !conversation.posts.contains(where: { $0.id == conversation.id }),
      let settings = settingsByPost[conversation.id]
    {
      named.append(settings)
    }
    let entries = Set(named.compactMap(\.entry)).sorted()
    return Answer(settings: named.first { $0.entry == entries.first } ?? others, entries: entries)
  }

  /// What holds for a conversation that no entry names; `nil` if it is no part of the site.
  private func settingsOfOthers(_ conversation: Conversation) -> Settings? {
    if takesAll { return Settings() }
    guard let collection = collections.first(where: { $0.contains(conversation) }) else { return nil }
    var settings = Settings()
    settings.showsReplies = collection.showsReplies
    return settings
  }

  /// The entry that names this post.
  func entry(of post: PostID) -> Int? { settingsByPost[post]?.entry }

  /// Positions in site.yml's list of threads that were not among those found.
  func missing(found: Set<Int>) -> [Int] {
    settingsByPost.values.compactMap(\.entry).filter { !found.contains($0) }.sorted()
  }
}

extension PostID {
  /// The post that an address in site.yml names.
  init(_ reference: PostReference) {
    self.init(reference.id, on: Platform(rawValue: reference.platform.rawValue))
  }
}
