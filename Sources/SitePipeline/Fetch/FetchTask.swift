import SiteConfig
import ThreadModel

/// One thing to fetch: an entry of site.yml's `sources`, or an address from the command line.
struct FetchTask: Sendable {
  enum Source: Sendable {
    case thread(PostReference)
    case account(ThreadSource.Account)
    case search(ThreadSource.Search)
    case archive(ThreadSource.Archive)
  }

  var source: Source
  /// Position in site.yml's `sources`; `nil` for what the command line names.
  var entry: Int?
  var wantsReplies: Bool

  init(_ source: ThreadSource, entry: Int?) {
    self.entry = entry
    switch source {
    case .post(let post):
      self.source = .thread(post.post)
      wantsReplies = post.replies
    case .account(let account):
      self.source = .account(account)
      wantsReplies = account.replies
    case .search(let search):
      self.source = .search(search)
      wantsReplies = false
    case .archive(let archive):
      self.source = .archive(archive)
      wantsReplies = false
    }
  }

  /// What the task is called in messages.
  var name: String {
    switch source {
    case .thread(let post): post.description
    case .account(let account): account.account.description
    case .search(let search): "the search \"\(search.query)\""
    case .archive(let archive): archive.path
    }
  }

  /// The platform that has to be asked; `nil` where nobody has to.
  var platform: Platform? {
    switch source {
    case .thread(let post): post.platform
    case .account(let account): account.account.platform
    case .search(let search): search.platform
    case .archive: nil
    }
  }
}

extension FetchTask {
  /// The post that a thread is named by; `nil` for a collection.
  var post: PostReference? { if case .thread(let post) = source { post } else { nil } }

  /// Its name in the ledger; `nil` for a single thread, which the store itself tells of.
  var key: SourceLedger.Key? {
    switch source {
    case .thread: nil
    case .account(let account):
      SourceLedger.Key(kind: .account, platform: account.account.platform, name: account.account.name)
    case .search(let search):
      SourceLedger.Key(kind: .search, platform: search.platform, name: search.query)
    case .archive(let archive): SourceLedger.Key(kind: .archive, platform: nil, name: archive.path)
    }
  }

  /// What its requests are kept under while they are not saved: the same in each run, so that an interrupted one is continued.
  var sessionName: String {
    switch source {
    case .thread: "threads"
    case .account(let account): "account-\(account.account.name)"
    case .search(let search): "search-\(search.query)"
    case .archive(let archive): "archive-\(archive.path)"
    }
  }
}
