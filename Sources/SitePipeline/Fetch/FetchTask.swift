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
    case .account(let account): "@\(account.account.handle)"
    case .search(let search): "the search \"\(search.query)\""
    case .archive(let archive): archive.path
    }
  }

  /// The platform that has to be asked; `nil` where nobody has to.
  var platform: PostReference.Platform? {
    switch source {
    case .thread(let post): post.platform
    case .account(let account): account.account.platform
    case .search: .x
    case .archive: nil
    }
  }
}
