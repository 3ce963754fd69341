import SiteConfig
import ThreadModel

extension ThreadSelection {
  /// An entry of site.yml that stands for many threads, as a question that can be asked of each conversation.
  struct Collection: Sendable {
    let showsReplies: Bool
    private let limits: ThreadSource.Limits
    /// A search finds what it finds, single posts, too.
    private let isSearch: Bool
    private let member: @Sendable (Conversation) -> Bool
    private let calendar: SiteCalendar

    init?(_ source: ThreadSource, ledger: SourceLedger, calendar: SiteCalendar) {
      self.calendar = calendar
      if case .search = source { isSearch = true } else { isSearch = false }
      switch source {
      case .post: return nil
      case .author(let author):
        let handle = author.account.handle.lowercased()
        let platform = Platform(rawValue: author.account.platform.rawValue)
        (limits, showsReplies) = (author.limits, author.replies)
        member = { conversation in
          conversation.platform == platform && conversation.author?.handle?.lowercased() == handle
        }
      case .search(let search):
        let found = ledger[SourceLedger.Key(kind: .search, name: search.query)]?.threads ?? []
        (limits, showsReplies) = (ThreadSource.Limits(), false)
        member = { found.contains($0.id) }
      case .archive(let archive):
        (limits, showsReplies) = (archive.limits, false)
        member = { $0.provenance.contains { $0.source == .xArchive } }
      }
    }

    /// Whether a conversation is one of the entry's threads.
    func contains(_ conversation: Conversation) -> Bool {
      guard member(conversation) else { return false }
      let own = conversation.posts.filter { $0.authorID == conversation.authorID }
      guard own.count >= limits.minPosts ?? 2 || isSearch else { return false }
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
