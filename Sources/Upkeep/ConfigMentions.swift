import SiteConfig
import SiteWorkspace
import ThreadModel

/// Finds the lines of site.yml that concern a thread.
struct ConfigMentions: Sendable {
  private struct List: Sendable {
    let what: String
    let references: PostReferences
    /// Key paths by index.
    let keys: [String]
    /// The entries by index, for editing.
    let entries: [ConfigEntry]

    init(_ what: String, _ entries: [(post: PostReference, key: String, entry: ConfigEntry)]) {
      self.what = what
      references = PostReferences(entries.map(\.post))
      keys = entries.map(\.key)
      self.entries = entries.map(\.entry)
    }
  }

  private let site: SiteFolder
  private let lists: [List]
  /// The account sources, with the accounts of the store to which they refer.
  private let accounts: [(key: String, position: Int, ids: Set<AuthorID>)]

  init(_ site: SiteFolder, authors: AuthorDirectory) {
    self.site = site
    let config = site.config
    var sources: [(post: PostReference, key: String, entry: ConfigEntry)] = []
    var accounts: [(key: String, position: Int, ids: Set<AuthorID>)] = []
    for (position, source) in config.sources.enumerated() {
      switch source {
      case .post(let post): sources.append((post.post, "sources[\(position)]", .source(position)))
      case .account(let account):
        accounts.append(("sources[\(position)]", position, authors.accounts(of: account.account)))
      case .search, .archive: break
      }
    }
    self.accounts = accounts
    let copies = config.threads.enumerated().flatMap { entry, thread in
      thread.sameAs.enumerated().map {
        (post: $1, key: "threads[\(entry)].same_as[\($0)]", entry: ConfigEntry.sameAs(thread: entry, $0))
      }
    }
    let collected = config.collections.enumerated().map { number, collection in
      List(
        "the collection \(quoted(collection.title))",
        collection.threads.enumerated().map {
          (
            post: $1, key: "collections[\(number)].threads[\($0)]",
            entry: ConfigEntry.collected(collection: number, $0)
          )
        })
    }
    lists =
      [
        List("sources", sources),
        List(
          "threads",
          config.threads.enumerated().map {
            (post: $1.url, key: "threads[\($0)]", entry: ConfigEntry.thread($0))
          }),
        List("same_as", copies),
      ] + collected
  }

  /// Returns the lines that name a thread, in the order of the lists, followed by account sources that fetch it.
  ///
  /// - Parameter going: accounts that are removed completely, together with their sources.
  func of(_ conversation: Conversation, going: Set<AuthorID> = []) -> [CatalogEntry.Mention] {
    var mentions: [CatalogEntry.Mention] = []
    let keys = ConversationKeys(conversation)
    for list in lists {
      for position in list.references.positions(of: keys) {
        mentions.append(
          CatalogEntry.Mention(
            place: place(list.keys[position]), what: list.what, entry: list.entries[position]))
      }
    }
    for (key, position, ids) in accounts where ids.contains(conversation.authorID) {
      mentions.append(
        CatalogEntry.Mention(
          place: place(key), what: "sources, by account",
          entry: ids.isSubset(of: going) ? .source(position) : nil))
    }
    return mentions
  }

  private func place(_ key: String) -> String {
    site.decoded?.problem(at: key, "", severity: .warning).place ?? "site.yml"
  }
}
