import NetworkSources
import SiteConfig
import SiteWorkspace
import ThreadModel
import ThreadStore

/// A task of a fetch: an entry of site.yml's `sources`, or a URL from the command line.
struct FetchTask: Sendable {
  enum Source: Sendable {
    case thread(PostReference)
    case account(ThreadSource.Account)
    case search(ThreadSource.Search)
    case archive(ThreadSource.Archive)
  }

  var source: Source
  /// The index in site.yml's `sources`; `nil` for URLs from the command line.
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

  /// The name of the task in messages.
  var name: String {
    switch source {
    case .thread(let post): post.description
    case .account(let account): account.account.description
    case .search(let search): "the search \"\(search.query)\""
    case .archive(let archive): archive.path
    }
  }

  /// The account whose threads are fetched; `nil` for other tasks.
  var account: AccountReference? {
    if case .account(let account) = source { account.account } else { nil }
  }

  /// The platform that receives the requests; `nil` if no requests are needed.
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
  /// The post that identifies a thread; `nil` for a collection.
  var post: PostReference? { if case .thread(let post) = source { post } else { nil } }

  /// Its key in the record of sources; `nil` for a single thread, which can be found in the store itself.
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

  /// The name under which its responses are stored until its threads are saved. It is the same in each run, so that an interrupted run is
  /// continued.
  var sessionName: String {
    switch source {
    case .thread: "threads"
    case .account(let account): "account-\(account.account.name)"
    case .search(let search): "search-\(search.query)"
    case .archive(let archive): "archive-\(archive.path)"
    }
  }
}

/// The work of one run.
struct FetchWork: Sendable {
  /// Threads and collections to request, and archives to read.
  var tasks: [FetchTask] = []
  /// The files of the threads to which posts belong, as far as they are in the store.
  var known: [PostReference: StoredFile] = [:]
  /// The ids of all conversations in the store.
  var conversations: Set<PostID> = []
  /// Threads whose posts must be looked up again.
  var due: [StoredFile] = []
  /// Threads to search for again: those that were not read completely, and those that may have grown.
  var open: [StoredFile] = []
  var lackingMedia: [StoredFile] = []
  /// The ledger at the start of the run.
  var sourceState = SourceState()

  var isEmpty: Bool { tasks.isEmpty && due.isEmpty && open.isEmpty && lackingMedia.isEmpty }

  /// Returns the part of the work for one network.
  func part(of platform: Platform) -> FetchWork {
    var part = self
    part.tasks = tasks.filter { $0.platform == platform }
    part.due = due.filter { $0.platform == platform }
    part.open = open.filter { $0.platform == platform }
    return part
  }

  /// Whether requests to any network are needed.
  var asksNetworks: Bool { !due.isEmpty || !open.isEmpty || tasks.contains { $0.platform != nil } }
}

extension PipelineError {
  /// Converts the error of a task, with the line of site.yml that requests the task.
  init(_ error: SourceError, task: FetchTask, in site: SiteFolder) {
    let plain = PipelineError(error)
    // An error that stops everything does not belong to a single task, and is reported once.
    guard !error.endsRun else {
      self = plain
      return
    }
    guard let decoded = site.decoded, let entry = task.entry else {
      self.init(plain.kind, plain.messages.map { "\(task.name): \($0)" })
      return
    }
    self.init(
      plain.kind, [decoded.problem(at: "sources[\(entry)]", error.message, severity: .error).description])
  }
}
