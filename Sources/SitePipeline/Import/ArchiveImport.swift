import MediaMirror
import NetworkSources
package import SiteConfig
import ThreadModel
import ThreadStore

/// Which threads of an archive are imported, and what happens beside.
package struct ArchiveOptions: Sendable {
  package var limits: ThreadSource.Limits
  /// Whether the author's own chains in others' conversations are threads, too.
  package var includesReplies = false
  /// Whether posts that vanished from a newer archive leave the store.
  package var prunes = false
  package var copiesMedia = true

  package init(limits: ThreadSource.Limits = ThreadSource.Limits()) { self.limits = limits }
}

/// What the import of an archive did.
package struct ArchiveSummary: Sendable {
  /// The archive, as the user gave it.
  package let path: String
  /// What in it is never opened, as a list in words; `nil` where all of it is read.
  package let neverOpened: String?
  /// What becomes of posts whose media it lacks, as a clause.
  package let withoutMedia: String
  /// Posts read, in all versions.
  package var posts = 0
  package var threads = 0
  package var postsInThreads = 0
  /// Posts that took their whole text from the archive's notes.
  package var notes = 0
  package var added = 0
  package var updated = 0
  package var unchanged = 0
  /// Threads that were removed from the store, and stay so.
  package var stayRemoved = 0
  /// Files that came into the store's media folder.
  package var mediaCopied = 0
  /// Their names.
  var newMedia: Set<String> = []
  /// Files of these threads that were there before.
  package var mediaKnown = 0
  /// Files that the archive lacks; their posts keep the network's addresses.
  package var mediaMissing: [String] = []
  /// Files that are no media, or damaged: each a whole message.
  package var mediaRefused: [String] = []
  /// What was left out and why, each a clause: "643 reposts of others' posts".
  package var leftOut: [String] = []
  /// Conversations that could not be saved: each a whole message.
  package var failures: [String] = []
  /// Why the archive is not whole, each a whole message: what it has was imported all the same. Empty where nothing is known to be missing.
  package var shortfalls: [String] = []
  /// Posts as the archive's manifest counts them; `nil` where it does not.
  package var expectedPosts: Int?
  /// Posts that an older archive had and this one has not: deleted in between.
  package var vanished: [String] = []
  /// The same where nobody can tell whether they were deleted, and why not.
  package var unexplained: [String] = []
  package var doubts: [String] = []
  /// Why posts were not removed though that was asked for: a whole message.
  package var pruneRefusal: String?
  /// Whether these were removed.
  package var isPruned = false

  init(_ export: any ThreadExport) {
    path = export.path
    neverOpened = export.neverOpened
    withoutMedia = export.withoutMedia
  }

  /// What keeps this import from being all that was asked for: each a whole message.
  package var problems: [String] { failures + shortfalls + [pruneRefusal].compactMap(\.self) }

  mutating func count(_ outcome: ThreadStore.Outcome) {
    switch outcome {
    case .added: added += 1
    case .updated: updated += 1
    case .unchanged: unchanged += 1
    case .removed: stayRemoved += 1
    // The store counts them, with the posts of others\' threads.
    case .leftOut: break
    }
  }
}

extension SiteImport {
  /// Puts the threads of a network's export, such as an X archive, into the store.
  ///
  /// It is read in place, and more than once: its size is not what this costs in memory.
  package func importArchive(_ path: String, _ options: ArchiveOptions) throws(PipelineError)
    -> ArchiveSummary
  {
    let export: (any ThreadExport)?
    do {
      export = try networks.export(at: path)
    } catch {
      throw PipelineError(error)
    }
    if let export { return try importArchive(export, options) }
    for network in networks.networks {
      if let problem = network.problem(ofExport: path) { throw PipelineError(problem) }
    }
    throw PipelineError(
      .content,
      ["\(path): error: this is no archive that a network gave to its user, nor a folder with one in it"])
  }

  func importArchive(
    _ export: any ThreadExport, _ options: ArchiveOptions
  ) throws(PipelineError) -> ArchiveSummary {
    do {
      return try ArchiveImport(self, export, options).run()
    } catch let error as PipelineError {
      throw error
    } catch let error as ExportError {
      throw PipelineError(error.isOfDisk ? .io : .content, error)
    } catch let error as ThreadStoreError {
      throw PipelineError(error)
    } catch {
      throw PipelineError(.io, error)
    }
  }
}

/// One archive on its way into the store.
struct ArchiveImport {
  let place: SiteImport
  let archive: any ThreadExport
  let options: ArchiveOptions
  let store: ThreadStore

  init(_ place: SiteImport, _ archive: any ThreadExport, _ options: ArchiveOptions) {
    self.place = place
    self.archive = archive
    self.options = options
    store = ThreadStore(folder: place.store, leavingOut: place.leavingOut)
  }

  func run() throws -> ArchiveSummary {
    var summary = ArchiveSummary(archive)
    for message in archive.passedOver { place.progress(.warning(message)) }
    let unnamed = try archive.survey { done, total in
      place.progress(.step("Reading the archive, in MB", done: done, total: total))
    }
    var adoption = AccountAdoption(store, place.networks)
    let survey = try adoption.knownID(of: unnamed.author).map(unnamed.by) ?? unnamed
    var index = try store.index()
    try adoption.adopt(for: survey.author, index: &index)
    let known = try StoredPosts.of(
      survey.author.id, in: store, place, fileNames: { survey.fileNames(of: $0, in: $1) })
    let plan = try survey.plan(choice) { known.conversations[$0] }
    let files = try copyMedia(plan, known, &summary)
    try joinParts(plan, known)
    try saveConversations(plan, files, &summary)
    summary.posts = survey.posts
    summary.threads = plan.threadCount
    summary.postsInThreads = plan.posts
    summary.mediaMissing = plan.mediaMissing
    summary.leftOut = plan.leftOut.words
    report(survey, plan, &summary)
    try takeLeave(of: absent(survey, plan, known), survey, known, &summary)
    return summary
  }

  /// Says what the archive lacks of what it should have.
  private func report(
    _ survey: any SurveyedExport, _ plan: any PlannedExport, _ summary: inout ArchiveSummary
  ) {
    summary.expectedPosts = survey.expectedPosts
    summary.doubts = survey.doubts
    summary.shortfalls = survey.shortfalls
    if options.copiesMedia, let absence = plan.mediaAbsence, !plan.mediaMissing.isEmpty {
      summary.shortfalls.append(
        "\(archive.path): error: \(absence), so that all \(plan.mediaMissing.count) photos and "
          + "videos of these threads are missing (--no-media imports without them)")
    }
    guard !summary.shortfalls.isEmpty else { return }
    var counts = ""
    if let expected = survey.expectedPosts, expected != survey.readPosts {
      counts = " (\(expected) posts expected, \(survey.readPosts) read)"
    }
    summary.shortfalls.append(
      "\(archive.path): error: the archive is not whole\(counts): what is there was imported, and nothing was taken "
        + "for deleted. \(survey.advice)")
  }

  private var choice: ExportChoice {
    var choice = ExportChoice()
    choice.minPosts = options.limits.minPosts ?? choice.minPosts
    choice.since = options.limits.since.map(place.calendar.start)
    choice.until = options.limits.until.map { Timestamp(seconds: place.calendar.end(of: $0).seconds + 1) }
    choice.includesReplies = options.includesReplies
    choice.wantsMedia = options.copiesMedia
    return choice
  }

  // MARK: Conversations

  /// Moves what an archive brought that lacked the beginning of a thread to where the thread is now known to begin.
  private func joinParts(_ plan: any PlannedExport, _ known: StoredPosts) throws {
    var homes: [StoredFile: PostID] = [:]
    for (post, file) in known.guessed.sorted(by: { $0.key < $1.key }) where homes[file] == nil {
      homes[file] = plan.conversation(of: post)
    }
    guard !homes.isEmpty else { return }
    var index = try store.index()
    for (old, home) in homes.sorted(by: { $0.value < $1.value }) {
      let conversation = try store.read(old)
      guard conversation.id != home else { continue }
      let (new, outcome) = try store.save(conversation.moved(to: home), index: &index)
      // Nobody asked to remove this one.
      guard !outcome.isRefused else { continue }
      try store.remove(old)
      try store.keepAddresses([(old, new)])
      place.progress(.note("\(old.path) is a part of \(new.path), and was joined to it"))
    }
  }

  /// Conversations saved together.
  private static let portion = 256

  private func saveConversations(
    _ plan: any PlannedExport, _ files: [String: ArchivedMedia], _ summary: inout ArchiveSummary
  ) throws {
    let saver = try ConversationSaver(store)
    let counter = ProgressCounter("Saving threads", total: plan.threadCount, place.progress)
    var portion: [Conversation] = []
    summary.notes = try plan.conversations(files: files) { conversation in
      portion.append(conversation)
      guard portion.count >= Self.portion else { return }
      saver.save(portion, counter)
      portion.removeAll(keepingCapacity: true)
    }
    saver.save(portion, counter)
    try saver.finish(&summary, place.progress)
    // Which threads were removed is known for certain when they are made, and their media had to be there by then.
    if summary.stayRemoved > 0 || store.leavingOut.tally.threads > 0 {
      summary.mediaCopied -= try removeMedia(summary.newMedia)
    }
  }
}
