import Basics
import Dispatch
import NetworkSources
package import SiteConfig
import SiteWorkspace
import Synchronization
import ThreadModel
import ThreadStore

/// The threads to import from saved responses.
package struct FileOptions: Sendable {
  /// Without a minimum number of posts, threads of any length are imported.
  package var limits = ThreadSource.Limits()
  /// Whether authors' own chains in other accounts' conversations also count as threads.
  package var includesReplies = true

  package init() {}
}

/// Imports saved responses into the store.
///
/// Their contents are merged with the stored conversations to which they turn out to belong. So the store is the same after one import of
/// all files as after several imports in any order (`SavedAnswers`).
///
/// Between reading and saving, the conversations are in a file, and only summaries are in memory.
struct FileImport<Answers: SavedAnswers> {
  let place: SiteImport
  let options: FileOptions
  let store: ThreadStore
  /// The data for the path `-`.
  private let input: [UInt8]?

  init(_ place: SiteImport, _ options: FileOptions, input: [UInt8]?) {
    self.place = place
    self.options = options
    self.input = input
    store = ThreadStore(folder: place.store, leavingOut: place.leavingOut)
  }

  /// Imports the files with responses of this network.
  ///
  /// - Returns: the other files, which have responses of other networks.
  func run(_ files: [String], into summary: inout ImportSummary) throws(PipelineError) -> [String] {
    let spool: SpoolFile
    do {
      spool = try SpoolFile(unnamedIn: place.store)
    } catch {
      throw PipelineError(.io, error)
    }
    let (answers, parts, refusals, others) = try read(files, into: spool)
    guard others.count < files.count else { return others }
    summary.refusals += refusals
    summary.failures += refusals.count
    summary.files += files.count - others.count
    let known = try StoredSummaries<Answers>.of(store, jobs: place.jobs)
    let removed = try withStore { () throws(ThreadStoreError) in try store.removedThreads() }
    let grouped = answers.grouped(with: known.files.map(\.summary))
    // Stored conversations to which no file contributes stay unchanged, unless a file states to which conversation they belong.
    let groups = grouped.groups.filter { group in
      group.members.contains { $0 < parts.count || known.files[$0 - parts.count].id != group.id }
    }
    summary.take(grouped.report, place.progress)
    try save(
      known.tasks(groups, parts), from: spool, beside: known.fixedFolders, without: removed, into: &summary)
    return others
  }

  // MARK: Reading

  /// Files that one worker reads, one after another.
  private struct Portion: Sendable {
    let number: Int
    var answers = Answers()
    /// The places of the conversations in the spool, in the order of `answers`.
    var parts: [Range<Int>] = []
    var refusals: [String] = []
    /// The files with responses of other networks, which are not read.
    var others: [String] = []
    /// The reason why the disk accepts no more conversations.
    var disk: PipelineError?
  }

  /// Returns the summaries of the files in order, the places of their conversations in the spool, the reasons why some files have no
  /// contents, and the files with responses of other networks.
  private func read(
    _ files: [String], into spool: SpoolFile
  ) throws(PipelineError) -> (
    answers: Answers, parts: [Range<Int>], refusals: [String], others: [String]
  ) {
    let reading = ProgressCounter("Reading files", total: files.count, place.progress)
    let size = 32
    let portions = ParallelWork.run(
      count: (files.count + size - 1) / size, jobs: place.jobs, chunk: 1, makeState: { [Portion]() }
    ) { number, portions in
      var portion = Portion(number: number)
      for file in files[number * size..<min((number + 1) * size, files.count)] {
        guard portion.disk == nil else { break }
        do throws(FileError) {
          let bytes = if file == "-", let input { input } else { try FileBytes.read(file) }
          guard place.networks.savedAnswers(in: bytes)?.platform == Answers.platform else {
            portion.others.append(file)
            reading.advance()
            continue
          }
          let name = file == "-" && input != nil ? "standard input" : file
          do throws(SourceError) {
            try portion.answers.take(bytes, file: name)
          } catch {
            portion.refusals.append(refusal(of: bytes, file: name) ?? error.description)
          }
          for part in portion.answers.removeParts() {
            do throws(FileError) {
              portion.parts.append(try spool.append(ConversationCoding.encodeCompactly(part).bytes))
            } catch {
              portion.disk = PipelineError(.io, error)
            }
          }
        } catch {
          portion.refusals.append(error.description)
        }
        reading.advance()
      }
      portions.append(portion)
    }
    var answers = Answers()
    var parts: [Range<Int>] = []
    var refusals: [String] = []
    var others: [String] = []
    for portion in portions.joined().sorted(by: { $0.number < $1.number }) {
      if let disk = portion.disk { throw disk }
      answers.add(portion.answers)
      parts += portion.parts
      refusals += portion.refusals
      others += portion.others
    }
    return (answers, parts, refusals, others)
  }

  /// Returns the message for a response of a network whose saved responses cannot be imported; `nil` for other files.
  private func refusal(of bytes: [UInt8], file: String) -> String? {
    guard let network = place.networks.source(ofAnswer: bytes) else { return nil }
    return
      "\(file): error: this is a response of a \(network.name) server, which cannot be imported; "
      + "fetch the thread by its URL with `threadsite add`, or import the account's archive"
  }

  // MARK: Saving

  private func save(
    _ tasks: [ConversationParts], from spool: SpoolFile, beside fixed: ThreadStore.FixedFolders,
    without removed: RemovedThreads, into summary: inout ImportSummary
  ) throws(PipelineError) {
    let counter = ProgressCounter("Saving conversations", total: tasks.count, place.progress)
    let results = Mutex<[(task: Int, result: Result<SavedParts, ThreadStoreError>)]>([])
    let isDiskLost = Mutex(false)
    DiskWork.start(count: tasks.count) { [self] position in
      defer { counter.advance() }
      guard !isDiskLost.withLock({ $0 }) else { return }
      let result = Result { () throws(ThreadStoreError) in
        try save(tasks[position], from: spool, beside: fixed, without: removed)
      }
      if case .failure(let error) = result, PipelineError(error).kind == .io {
        isDiskLost.withLock { $0 = true }
      }
      results.withLock { $0.append((position, result)) }
    }.wait()
    var moved: [(old: StoredFile, new: StoredFile)] = []
    var disk: PipelineError?
    for (_, result) in results.withLock({ $0.sorted { $0.task < $1.task } }) {
      switch result {
      case .success(let saved):
        for (file, outcome) in saved.outcomes {
          summary.count(outcome)
          place.progress(.note("\(outcome.rawValue): \(file.path)"))
        }
        for (old, new) in saved.moved { place.progress(.note("\(old.path) was merged into \(new.path)")) }
        moved += saved.moved
        summary.leftOut.add(saved.leftOut)
      case .failure(let error):
        let problem = PipelineError(error)
        if problem.kind == .io {
          disk = disk ?? problem
        } else {
          summary.refusals.append(error.description)
          summary.failures += 1
        }
      }
    }
    try store.keepAddresses(moved)
    if let disk { throw disk }
  }

  private func save(
    _ task: ConversationParts, from spool: SpoolFile, beside fixed: ThreadStore.FixedFolders,
    without removed: RemovedThreads
  ) throws(ThreadStoreError) -> SavedParts {
    if let obstacle = task.obstacle { throw obstacle }
    var parts: [Conversation] = []
    for part in task.parts {
      let bytes: [UInt8]
      do {
        bytes = try spool.read(part)
      } catch {
        throw .file(error)
      }
      parts.append(try ConversationCoding.decode(bytes, file: "\(task.id)"))
    }
    var old: [StoredFile: AuthorID] = [:]
    var kept: [AuthorID: StoredFile] = [:]
    for file in task.files {
      let part = try store.read(file)
      parts.append(part)
      let author = part.authorID
      old[file] = author
      // A thread that was fetched or came from an archive keeps its folder, because handles change.
      if Answers.isChosen(part), part.id == task.id { kept[author] = min(kept[author] ?? file, file) }
    }
    var saved = SavedParts()
    let stored = Set(old.values)
    let resolved = Answers.resolve(parts, as: task.id).filter { conversation in
      stored.contains(conversation.authorID) || isWanted(conversation, &saved.leftOut)
    }
    guard !resolved.isEmpty else { return saved }
    saved.outcomes = try store.place(resolved, keeping: kept, over: old, beside: fixed, without: removed)
    let written = saved.outcomes.filter { !$0.outcome.isRefused }
    // In the order of the authors, as `place` returns them.
    let files = Dictionary(
      zip(resolved.map(\.authorID).sorted(), saved.outcomes).filter { !$1.outcome.isRefused }.map {
        ($0, $1.file)
      },
      uniquingKeysWith: { first, _ in first })
    let isKept = Set(files.values)
    for (file, author) in old where !isKept.contains(file) {
      guard let new = files[author] ?? written.first?.file else { continue }
      saved.moved.append((file, new))
    }
    saved.moved.sort { $0.old < $1.old }
    return saved
  }

  /// Whether a thread that is not in the store was requested.
  private func isWanted(_ conversation: Conversation, _ leftOut: inout LeftOut) -> Bool {
    let own = conversation.posts.filter { $0.authorID == conversation.authorID }
    guard let first = own.first else { return true }
    let root = conversation.posts.first { $0.id == conversation.id }?.authorID ?? first.inReplyToAuthor
    if !options.includesReplies, let root, root != conversation.authorID {
      leftOut.replies += own.count
      return false
    }
    if let least = options.limits.minPosts, own.count < least {
      leftOut.short += own.count
      return false
    }
    let since = options.limits.since.map(place.calendar.start)
    let until = options.limits.until.map(place.calendar.end)
    guard since != nil || until != nil else { return true }
    // A thread without a time is outside any range of days.
    guard let began = first.createdAt, since.map({ began >= $0 }) ?? true,
      until.map({ began.seconds <= $0.seconds }) ?? true
    else {
      leftOut.outOfRange += 1
      return false
    }
    return true
  }
}

/// The parts of one conversation.
private struct ConversationParts: Sendable {
  var id: PostID
  /// The places in the spool of the parts that were imported.
  var parts: [Range<Int>]
  /// The files that contain parts of it.
  var files: [StoredFile]
  /// The reason why it cannot be saved: one of its files is unreadable.
  var obstacle: ThreadStoreError?
}

private struct SavedParts: Sendable {
  var outcomes: [(file: StoredFile, outcome: ThreadStore.Outcome)] = []
  /// Deleted files, each with the file that now has its contents.
  var moved: [(old: StoredFile, new: StoredFile)] = []
  var leftOut = LeftOut()
}

/// The numbers of intentionally omitted posts and threads of saved responses.
package struct LeftOut: Sendable {
  /// Reposts of others' posts.
  package var reposts = 0
  /// Posts that were included only because they were reposted.
  package var originals = 0
  /// Posts in threads that are shorter than requested.
  package var short = 0
  /// Posts in other accounts' threads.
  package var replies = 0
  /// Threads that began outside the requested days.
  package var outOfRange = 0

  mutating func add(_ other: LeftOut) {
    reposts += other.reposts
    originals += other.originals
    short += other.short
    replies += other.replies
    outOfRange += other.outOfRange
  }

  /// The omissions, each a clause: "643 reposts of others' posts".
  package var words: [String] {
    let omissions: [Omission] = [
      .reposts(reposts),
      Omission(originals, "post that was only reposted", "posts that were only reposted"), .short(short),
      .replies(replies), .outOfRange(outOfRange),
    ]
    return omissions.words
  }
}

/// The stored data of a network that determine which conversations belong together.
private struct StoredSummaries<Answers: SavedAnswers>: Sendable {
  struct Known: Sendable {
    var file: StoredFile
    var id: PostID
    var summary: Answers.Summary
    var author: AuthorID
    /// Whether it keeps its folder.
    var isChosen: Bool
  }

  /// Sorted by path.
  var files: [Known] = []
  /// Files that cannot be read, with their errors.
  var damaged: [StoredFile: ThreadStoreError] = [:]

  static func of(_ store: ThreadStore, jobs: Int) throws(PipelineError) -> Self {
    let all = try withStore { () throws(ThreadStoreError) in
      try store.list().filter { $0.platform == Answers.platform }
    }
    let parts = ParallelWork.run(count: all.count, jobs: jobs, makeState: { StoredSummaries() }) {
      index, part in
      do throws(ThreadStoreError) {
        let conversation = try store.read(all[index])
        part.files.append(
          Known(
            file: all[index], id: conversation.id, summary: Answers.summary(of: conversation),
            author: conversation.authorID,
            isChosen: Answers.isChosen(conversation)))
      } catch {
        part.damaged[all[index]] = error
      }
    }
    var result = StoredSummaries()
    for part in parts {
      result.files += part.files
      result.damaged.merge(part.damaged) { first, _ in first }
    }
    result.files.sort { $0.file < $1.file }
    return result
  }

  var fixedFolders: ThreadStore.FixedFolders {
    Dictionary(
      files.filter(\.isChosen).map {
        (ThreadStore.folderKey($0.file.folder), (folder: $0.file.folder, author: $0.author))
      }, uniquingKeysWith: { first, _ in first })
  }

  func tasks(_ groups: [ConversationGroup], _ parts: [Range<Int>]) -> [ConversationParts] {
    let unread = StoreListing(damaged.keys.sorted())
    return groups.map { group in
      let obstacle = unread.files(thatMayHold: group.id).first.flatMap { damaged[$0] }
      return task(group, parts, obstacle)
    }
  }

  private func task(
    _ group: ConversationGroup, _ parts: [Range<Int>], _ obstacle: ThreadStoreError?
  ) -> ConversationParts {
    ConversationParts(
      id: group.id, parts: group.members.filter { $0 < parts.count }.map { parts[$0] },
      files: group.members.filter { $0 >= parts.count }.map { files[$0 - parts.count].file },
      obstacle: obstacle)
  }
}
