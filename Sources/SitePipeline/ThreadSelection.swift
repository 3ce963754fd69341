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
  }

  /// What the list says of one conversation.
  struct Answer: Sendable {
    /// `nil` if it is no part of the site.
    var settings: Settings?
    /// Positions of all entries that name it, ascending: more than one is a mistake.
    var entries: [Int] = []
  }

  private let settingsByPost: [PostID: Settings]
  /// Whether threads that the list does not name belong to the site, too.
  private let takesOthers: Bool

  /// Everything in the store where there is no list, or where the list names sources whose threads are only known once
  /// they are in the store.
  init(_ sources: [ThreadSource]?) {
    var settingsByPost: [PostID: Settings] = [:]
    var takesOthers = sources == nil
    for (position, source) in (sources ?? []).enumerated() {
      guard case .post(let post) = source else {
        takesOthers = true
        continue
      }
      var settings = Settings(entry: position)
      settings.title = post.title
      settings.tags = post.tags
      settings.slug = post.slug
      settings.hidden = Set(post.hide.map(PostID.init))
      settings.isDraft = post.isDraft
      settingsByPost[PostID(post.url)] = settings
    }
    self.settingsByPost = settingsByPost
    self.takesOthers = takesOthers
  }

  /// What the list says of a conversation, by any of its author's posts.
  func settings(for conversation: Conversation) -> Answer {
    let others = takesOthers ? Settings() : nil
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
