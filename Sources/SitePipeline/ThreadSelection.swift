import SiteConfig
import ThreadModel

/// Which conversations of the store the site consists of, and what site.yml says of each.
struct ThreadSelection: Sendable {
  /// What the owner decided for one thread.
  struct Settings: Sendable {
    /// Position in site.yml's list.
    var entry: Int
    var title: String?
    var tags: [String] = []
    var slug: String?
    var hidden: Set<PostID> = []
    var isDraft = false
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

  /// What the list says of a conversation, by any of its author's posts; `nil` if it is no part of the site.
  func settings(for conversation: Conversation) -> Settings? {
    guard !settingsByPost.isEmpty else { return takesOthers ? Settings(entry: -1) : nil }
    if let settings = settingsByPost[conversation.id] { return settings }
    for post in conversation.posts where post.authorID == conversation.authorID {
      if let settings = settingsByPost[post.id] { return settings }
    }
    return takesOthers ? Settings(entry: -1) : nil
  }

  /// Positions in site.yml's list of threads that were not among those found.
  func missing(found: Set<Int>) -> [Int] {
    settingsByPost.values.map(\.entry).filter { !found.contains($0) }.sorted()
  }
}

extension PostID {
  /// The post that an address in site.yml names.
  init(_ reference: PostReference) {
    self.init(reference.id, on: Platform(rawValue: reference.platform.rawValue))
  }
}
