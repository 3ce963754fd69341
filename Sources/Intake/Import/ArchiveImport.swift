import Basics
import MediaMirror
import NetworkSources
package import SiteConfig
package import SiteWorkspace
import ThreadModel
import ThreadStore

/// The threads to import from an archive, and further options.
package struct ArchiveOptions: Sendable {
  package var limits: ThreadSource.Limits
  /// Whether the author's own chains in other accounts' conversations also count as threads.
  package var includesReplies = false
  /// Whether threads with an unlisted first post are also imported.
  package var includesUnlisted = false
  /// Whether the archives belong to the site's owner. Then an account that its network shows to a limited audience is also imported.
  package var isOwn = false
  /// Whether posts that a newer archive lacks are removed from the store.
  package var prunes = false
  package var copiesMedia = true
  /// The account of the archives, for archives that do not name it.
  package var account: AccountReference?

  package init(limits: ThreadSource.Limits = ThreadSource.Limits()) { self.limits = limits }
}

/// The result of importing an archive.
package struct ArchiveSummary: Sendable, ThreadCounts {
  /// The path of the archive as the user specified it.
  package let path: String
  /// The parts of the archive that are never opened, as a list in words; `nil` if all of it is read.
  package let neverOpened: String?
  /// The consequence for posts whose media the archive lacks, as a clause.
  package let withoutMedia: String
  /// The number of posts read, in all versions.
  package var posts = 0
  package var threads = 0
  package var postsInThreads = 0
  /// The number of posts whose complete text was taken from the archive's notes.
  package var notes = 0
  package var added = 0
  package var updated = 0
  package var unchanged = 0
  /// Threads that were removed from the store earlier and were not restored.
  package var stayRemoved = 0
  /// The number of files added to the store's media folder.
  package var mediaCopied = 0
  /// The names of the added media files.
  var newMedia: Set<String> = []
  /// The number of these threads' files that were already in the store.
  package var mediaKnown = 0
  /// Files that the archive lacks. Their posts keep the network's URLs.
  package var mediaMissing: [String] = []
  /// Files that are damaged or not media: complete messages.
  package var mediaRefused: [String] = []
  /// The omissions and their reasons, each a clause: "643 reposts of others' posts".
  package var leftOut: [String] = []
  /// Conversations that could not be saved: complete messages.
  package var failures: [String] = []
  /// The reasons why the archive is incomplete: complete messages. Its contents were imported anyway. Empty if no part is known to be
  /// missing.
  package var shortfalls: [String] = []
  /// The number of posts according to the archive's manifest; `nil` if the manifest does not state it.
  package var expectedPosts: Int?
  /// Posts that an older archive has and this one lacks: they were deleted meanwhile.
  package var vanished: [String] = []
  /// Posts that an older archive has and this one lacks, of which it is unknown whether they were deleted. `shortfalls` or `doubts` contain
  /// the reasons.
  package var unexplained: [String] = []
  package var doubts: [String] = []
  /// The reason why posts were not removed although their removal was requested: a complete message.
  package var pruneRefusal: String?
  /// Whether the vanished posts were removed.
  package var isPruned = false

  init(_ export: any ThreadExport) {
    path = export.path
    neverOpened = export.neverOpened
    withoutMedia = export.withoutMedia
  }

  /// The reasons why the import is incomplete: complete messages.
  package var problems: [String] { failures + shortfalls + [pruneRefusal].compactMap(\.self) }
}

extension SiteImport {
  /// Imports the threads of a network's export, such as an X archive, into the store.
  ///
  /// The export is read in place, and more than once, so that memory does not grow with its size.
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
      ["\(path): error: this is not an archive of a network, nor a folder with one"])
  }

  func importArchive(
    _ export: any ThreadExport, _ options: ArchiveOptions
  ) throws(PipelineError) -> ArchiveSummary {
    do {
      let export = try options.account.map(export.of) ?? export
      return try ArchiveImport(self, export, options).run()
    } catch {
      throw PipelineError(converting: error)
    }
  }
}

/// The import of one archive.
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
      place.progress(.step("Reading the archive (MB)", done: done, total: total))
    }
    var renaming = AccountRenaming(store, place.networks)
    if let refusal = unnamed.ownersOnly, !options.isOwn { throw refusal }
    let survey = try renaming.knownID(of: unnamed.author).map(unnamed.by) ?? unnamed
    var index = try store.index()
    try renaming.rename(for: survey.author, index: &index)
    let known = try StoredPosts.of(
      survey.author.id, in: store, place, fileNames: { survey.fileNames(of: $0, in: $1) })
    let plan = try survey.plan(choice) { known.conversations[$0] }
    let files = try copyMedia(plan, known, &summary)
    try joinParts(plan, known)
    try saveConversations(plan, files, &summary)
    if known.hasThreads {
      for (old, new) in try store.joinParts(of: survey.author.id) {
        place.progress(.note("\(old.path) is part of \(new.path) and was merged into it"))
      }
    }
    summary.posts = survey.posts
    summary.threads = plan.threadCount
    summary.postsInThreads = plan.posts
    summary.mediaMissing = plan.mediaMissing
    summary.leftOut = plan.leftOut.words
    report(survey, plan, &summary)
    try prune(of: absent(survey, plan, known), survey, known, &summary)
    return summary
  }

  /// Reports the parts that the archive lacks.
  private func report(
    _ survey: any SurveyedExport, _ plan: any PlannedExport, _ summary: inout ArchiveSummary
  ) {
    summary.expectedPosts = survey.expectedPosts
    summary.doubts = survey.doubts
    summary.shortfalls = survey.shortfalls
    if options.copiesMedia, let absence = plan.mediaAbsence, !plan.mediaMissing.isEmpty {
      summary.shortfalls.append(
        "\(archive.path): error: \(absence), so all \(plan.mediaMissing.count) photos and "
          + "videos of these threads are missing (--no-media imports without them)")
    }
    guard !summary.shortfalls.isEmpty else { return }
    var counts = ""
    if let expected = survey.expectedPosts, expected != survey.readPosts {
      counts = " (\(expected) posts expected, \(survey.readPosts) read)"
    }
    summary.shortfalls.append(
      "\(archive.path): error: the archive is incomplete\(counts): its content was imported, and missing posts were not treated "
        + "as deleted. \(survey.advice)")
  }

  private var choice: ExportChoice {
    var choice = ExportChoice()
    choice.minPosts = options.limits.minPosts ?? choice.minPosts
    choice.since = options.limits.since.map(place.calendar.start)
    choice.until = options.limits.until.map { Timestamp(seconds: place.calendar.end(of: $0).seconds + 1) }
    choice.includesReplies = options.includesReplies
    choice.includesUnlisted = options.includesUnlisted
    choice.wantsMedia = options.copiesMedia
    return choice
  }

  // MARK: Conversations

  /// Moves the parts that an archive stored without the beginning of their thread to the conversation where the thread is now known to
  /// begin.
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
      // The part stays, because its removal was not requested.
      guard !outcome.isRefused else { continue }
      try store.remove(old)
      try store.keepAddresses([(old, new)])
      place.progress(.note("\(old.path) is part of \(new.path) and was merged into it"))
    }
  }

  /// The number of conversations saved together.
  private static let portion = 256

  private func saveConversations(
    _ plan: any PlannedExport, _ files: [String: ArchivedMedia], _ summary: inout ArchiveSummary
  ) throws {
    let saver = try ConversationSaver(store)
    let counter = ProgressCounter("Saving threads", total: plan.threadCount, place.progress)
    var portion: [Conversation] = []
    summary.notes = try plan.conversations(files: files) { conversation in
      var conversation = conversation
      if options.isOwn {
        conversation.provenance.append(
          Provenance(source: .ownArchive, fetchedAt: conversation.provenance.first?.fetchedAt))
      }
      portion.append(conversation)
      guard portion.count >= Self.portion else { return }
      saver.save(portion, counter)
      portion.removeAll(keepingCapacity: true)
    }
    saver.save(portion, counter)
    try saver.finish(&summary, place.progress)
    // Removed threads are only known for certain when they are saved, but their media must be copied before that.
    if summary.stayRemoved > 0 || store.leavingOut.counter.threads > 0 {
      summary.mediaCopied -= try removeMedia(summary.newMedia)
    }
  }
}

extension ArchiveImport {
  /// Copies the media files of the plan, except those copied from an earlier archive.
  ///
  /// - Returns: the copied files by their names in the archive. Damaged files and files that are not media are reported and left out.
  func copyMedia(
    _ plan: any PlannedExport, _ known: StoredPosts, _ summary: inout ArchiveSummary
  ) throws -> [String: ArchivedMedia] {
    guard !plan.mediaWanted.isEmpty else { return [:] }
    let mediaStore = try MediaStore(store: store)
    var files: [String: ArchivedMedia] = [:]
    var wanted = plan.mediaWanted
    for name in plan.mediaWanted {
      guard let file = known.files[name], isStored(file.file) else { continue }
      files[name] = file
      wanted.remove(name)
    }
    summary.mediaKnown = files.count
    let counter = ProgressCounter("Copying media", total: wanted.count, place.progress)
    var disk: MediaError?
    try plan.readMedia(wanted) { name, content in
      defer { counter.advance() }
      guard disk == nil else { return }
      switch Self.keep(content, in: mediaStore) {
      case .success(let stored):
        if stored.isNew {
          summary.mediaCopied += 1
          summary.newMedia.insert(stored.name)
        } else {
          summary.mediaKnown += 1
        }
        files[name] = ArchivedMedia(
          file: stored.name, width: stored.shape.width, height: stored.shape.height,
          durationMilliseconds: stored.shape.durationMilliseconds)
      case .failure(.media(let error)) where error.isOfDisk: disk = error
      case .failure(.media(let error)): summary.mediaRefused.append("\(archive.path): \(name): \(error)")
      case .failure(.archive(let error)): summary.mediaRefused.append(error.description)
      }
    }
    if let disk { throw PipelineError(.io, disk) }
    try mediaStore.flush()
    return files
  }

  /// Whether the store still has a copy; a symbolic link does not count.
  private func isStored(_ name: String) -> Bool {
    guard let path = try? store.mediaPath(name) else { return false }  // not the name of a copy
    return FileSystem.kind(of: path) == .file
  }

  private enum CopyFailure: Error {
    case archive(SourceError)
    case media(MediaError)
  }

  private static func keep(
    _ content: any EntryBytes, in mediaStore: MediaStore
  ) -> Result<StoredMedia, CopyFailure> {
    do throws(MediaError) {
      var writer = try mediaStore.begin()
      while true {
        let piece: UnsafeRawBufferPointer?
        do throws(SourceError) {
          piece = try content.next()
        } catch {
          return .failure(.archive(error))
        }
        guard let piece else { return .success(try writer.finish()) }
        try writer.write(piece)
      }
    } catch {
      return .failure(.media(error))
    }
  }
}

extension MediaError {
  /// Whether the error concerns the store's disk and not the file.
  fileprivate var isOfDisk: Bool {
    switch self {
    case .file, .store: true
    default: false
    }
  }
}

extension ArchiveImport {
  /// Returns the posts that an older archive of the account has and this one lacks.
  func absent(_ survey: any SurveyedExport, _ plan: any PlannedExport, _ known: StoredPosts) -> [StoredPosts
    .Archived]
  {
    guard let date = survey.date else { return [] }
    return known.archived.filter { post in
      guard let seen = post.seenAt, seen < date, !survey.holds(post.id) else { return false }
      return !plan.hasLaterVersion(of: post.id) && post.createdAt.map { $0 < date } ?? true
    }
  }

  /// Reports these posts, and removes them on request: their text and media are deleted, and a tombstone stays.
  ///
  /// They count as deleted only if the archive is known to contain every post. Otherwise the archive may just be incomplete.
  func prune(
    of posts: [StoredPosts.Archived], _ survey: any SurveyedExport, _ known: StoredPosts,
    _ summary: inout ArchiveSummary
  ) throws {
    let ids = Set(posts.map(\.id)).sorted().map(\.value)
    guard summary.shortfalls.isEmpty, summary.doubts.isEmpty else {
      summary.unexplained = ids
      guard options.prunes, !summary.shortfalls.isEmpty || !posts.isEmpty else { return }
      let reason =
        summary.shortfalls.isEmpty ? summary.doubts.joined(separator: "; ") : "the archive is incomplete"
      summary.pruneRefusal =
        "\(archive.path): error: --prune removed nothing, because posts missing from this archive may still exist: \(reason)"
      return
    }
    summary.vanished = ids
    guard options.prunes, !posts.isEmpty else { return }
    summary.isPruned = true
    var released: Set<String> = []
    var index = try store.index()
    for (id, gone) in Dictionary(grouping: posts, by: \.conversation).sorted(by: { $0.key < $1.key }) {
      guard let file = try store.find(id, by: survey.author.id, in: index) else { continue }
      let before = try store.read(file)
      var removal = Conversation(id: id, authorID: survey.author.id)
      removal.tombstones = gone.map { post in
        var stone = Tombstone(id: post.id, reason: .deleted)
        stone.authorID = survey.author.id
        stone.handle = survey.author.handle
        stone.removedAt = survey.date
        return stone
      }
      _ = try store.save(removal, index: &index)
      released.formUnion(before.mediaFiles.subtracting(try store.read(file).mediaFiles))
    }
    try removeMedia(released)
    if let site = place.site { try RemovedWords(of: site).deleteCopies(marks: Set(ids)) }
  }

  /// Deletes files that no thread in the store shows anymore.
  ///
  /// - Returns: the number of deleted files.
  @discardableResult
  func removeMedia(_ names: Set<String>) throws -> Int {
    guard !names.isEmpty else { return 0 }
    return try MediaStore(store: store).remove(names, unlessIn: store.mediaInUse()).count
  }
}
