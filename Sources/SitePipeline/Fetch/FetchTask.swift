import SiteConfig
import ThreadModel
import ThreadStore

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

  /// Its key in the record of sources; `nil` for a single thread, which the store itself tells of.
  var key: SourceState.Key? {
    switch source {
    case .thread: nil
    case .account(let account):
      SourceState.Key(kind: .account, platform: account.account.platform, name: account.account.name)
    case .search(let search):
      SourceState.Key(kind: .search, platform: search.platform, name: search.query)
    case .archive(let archive): SourceState.Key(kind: .archive, platform: nil, name: archive.path)
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

/// What one run has to do.
struct FetchWork: Sendable {
  /// Threads and collections to ask for, and archives to read.
  var tasks: [FetchTask] = []
  /// The file of the thread that a post belongs to, where the store has it.
  var known: [PostReference: StoredFile] = [:]
  /// All conversations of the store.
  var conversations: Set<PostID> = []
  /// Threads whose posts are to be looked up again.
  var due: [StoredFile] = []
  /// Threads to be looked for again: those that were not read to their end, and those that may have grown.
  var open: [StoredFile] = []
  var lackingMedia: [StoredFile] = []
  /// As it was when the run began.
  var sourceState = SourceState()

  var isEmpty: Bool { tasks.isEmpty && due.isEmpty && open.isEmpty && lackingMedia.isEmpty }

  /// The part of it that one network is asked about.
  func part(of platform: Platform) -> FetchWork {
    var part = self
    part.tasks = tasks.filter { $0.platform == platform }
    part.due = due.filter { $0.platform == platform }
    part.open = open.filter { $0.platform == platform }
    return part
  }

  /// Whether any network has to be asked.
  var asksNetworks: Bool { !due.isEmpty || !open.isEmpty || tasks.contains { $0.platform != nil } }
}
