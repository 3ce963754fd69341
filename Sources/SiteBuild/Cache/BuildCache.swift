package import Basics
import Foundation
import SearchIndex
import SiteConfig
import SiteOutput
import SiteWorkspace
import Synchronization
package import ThreadModel
import ThreadStore

/// The inputs of the previous build of a site, its data about each thread, and the files that it wrote. With it, a build processes only
/// changes, and a repeated build ends at once.
///
/// The cache consists of two files per output folder in `.threadsite/build/`, which may be deleted at any time without loss. It is ignored
/// if it is damaged, was written by a different version of the program, or was written in a different folder (for example, if it was copied
/// from another machine). An update of a few files appends its changes to the state.
struct BuildCache: Sendable {
  /// Must change whenever the meaning of the bytes changes.
  private static let format = "threadsite build cache 18\n"

  private let folder: String
  private let path: String
  private let output: String
  private let memory: BuildMemory
  private let ownsOutput: Bool

  /// - Parameters:
  ///   - memory: what the running program knows of earlier builds.
  ///   - ownsOutput: ``SiteBuild/Options/ownsOutput``.
  init(of site: SiteFolder, in memory: BuildMemory, ownsOutput: Bool) {
    folder = site.path + "/.threadsite/build"
    path = "\(folder)/\(ContentHash.of(site.output.utf8))"
    output = site.output
    self.memory = memory
    self.ownsOutput = ownsOutput
  }

  /// The file with the state.
  private var file: StateFile { StateFile(path: path, format: Self.format) }

  /// The path of the threads' records.
  private var recordsPath: String { path + ".threads" }

  /// The results and messages of a build.
  struct Outcome: Sendable {
    var summary: BuildSummary
    var warnings: [String]
  }

  /// The data of a build's threads.
  struct Threads: Sendable {
    /// The entries of the threads.
    var entries: ThreadEntries
    var authors: [ThreadAuthors.Author]
    /// The names of the files in the store's media folder that the site shows.
    var media: [String]
    /// Digests of the inputs of lists of threads and books, by their files.
    var lists: [String: UInt64]
    /// The state of the authors: ``AuthorDirectory/placeDigest``.
    var people: UInt64
    /// `nil` for a site without a search.
    var search: SearchState?
  }

  /// Returns the data of the previous build; `nil` if they are missing or invalid.
  func load() -> State? {
    guard let state = known()?.state, state.folder == FileSystem.signature(of: folder)?.inode else {
      return nil
    }
    return state
  }

  /// The inputs that were loaded for the previous build; `nil` if another program built the site.
  var loaded: LoadedSite? { memory.known(at: path, FileSystem.signature(of: path))?.loaded }

  /// Returns the data of the previous build from memory or, if another program wrote them, from their file.
  private func known() -> BuildMemory.Known? {
    let signature = FileSystem.signature(of: path)
    if let known = memory.known(at: path, signature) { return known }
    guard let signature, let content = file.read() else { return nil }
    // A value that cannot be read was written by a different version of the program.
    func value<Value: ByteCodable>(of block: Range<Int>) -> Value? {
      var reader = ByteReader(content.bytes, from: block.lowerBound)
      return try? Value(from: &reader)
    }
    guard var state: State = value(of: content.blocks[0]), state.isValid else { return nil }
    var changes: Update?
    for block in content.blocks.dropFirst() {
      guard let change: Update = value(of: block) else { return nil }
      changes = changes?.followed(by: change) ?? change
    }
    if let changes { state.apply(changes) }
    let known = BuildMemory.Known(
      path: path, signature: signature, wholeSize: content.blocks[0].upperBound, state: state,
      loaded: nil, isIntact: false)
    memory.remember(known)
    return known
  }

  /// Returns the digests of a build's inputs, for a comparison with those of the previous build; `nil` if an input might have changed
  /// undetected.
  func digests(of inputs: BuildInputs, for state: State) -> InputDigests? {
    inputs.digests(in: folder) { state.entries.contains($0) }
  }

  /// Returns the outcome of the previous build, if its inputs are unchanged. The files that it wrote may have been changed.
  ///
  /// - Parameter digests: ``digests(of:for:)``.
  func outcome(of state: State, if inputs: BuildInputs, _ digests: InputDigests?) -> Outcome? {
    guard let digests, let old = state.digests else { return nil }
    // Without messages, the line numbers of site.yml make no difference.
    let isSame = state.outcome.warnings.isEmpty ? old.haveSameContent(as: digests) : old == digests
    return isSame && isPublished(state, inputs) ? outcome(of: state, inputs) : nil
  }

  /// Returns the outcome of the previous build without the moves of pages that have been published at their new URLs since.
  func outcome(of state: State, _ inputs: BuildInputs) -> Outcome {
    var outcome = state.outcome
    if state.addresses.first != inputs.addresses { outcome.summary.moved = [] }
    return outcome
  }

  /// Whether the recorded URLs are those before or after the publication of the previous build.
  func isPublished(_ state: State, _ inputs: BuildInputs) -> Bool {
    state.addresses.contains(inputs.addresses)
  }

  /// Returns whether a build would leave the files of the previous build unchanged. Its messages may differ in their line numbers.
  func isCurrent(_ state: State, if inputs: BuildInputs, jobs: Int) -> Bool {
    guard let new = digests(of: inputs, for: state), state.digests?.haveSameContent(as: new) == true else {
      return false
    }
    return isPublished(state, inputs) && isIntact(state, jobs: jobs)
  }

  /// Whether all files that the previous build wrote are untouched.
  ///
  /// - Parameters:
  ///   - state: the state of the previous build.
  ///   - isCompared: whether a file or a folder is compared.
  func isIntact(
    _ state: State, jobs: Int, where isCompared: @Sendable (_ path: String) -> Bool = { _ in true }
  ) -> Bool {
    if isKnownIntact(state) { return true }
    guard let top = OpenFolder(output) else { return false }
    let isChanged = Atomic(false)
    let (files, folders) = (state.files, state.folders)
    _ = ParallelWork.run(count: files.count + folders.count, jobs: jobs, makeState: {}) { position, _ in
      guard !isChanged.load(ordering: .relaxed) else { return }
      let known = position < files.count ? files[position] : folders[position - files.count]
      guard isCompared(known.path) else { return }
      if top.signature(of: known.path) != known.signature { isChanged.store(true, ordering: .relaxed) }
    }
    return !isChanged.load(ordering: .relaxed)
  }

  /// Whether this program knows that the site is untouched, because it left it so and no other program changes it.
  func isKnownIntact(_ state: State) -> Bool {
    guard ownsOutput, memory.known(at: path, FileSystem.signature(of: path))?.isIntact == true,
      let folder = state.folders.first(where: { $0.path.isEmpty })
    else { return false }
    // A replaced folder has a different number.
    return FileSystem.signature(of: output)?.inode == folder.signature.inode
  }

  /// Records that the result of ``isIntact(_:jobs:where:)`` was `true` for all files.
  func noteIntact() { memory.note(isIntact: true) }

  /// Records that files of the site are about to change.
  func noteChange() { memory.note(isIntact: false) }

  /// Returns the data of the previous build for this one.
  ///
  /// - Parameter isIntact: the result of ``isIntact(_:jobs:where:)``.
  func previousBuild(_ state: State, isIntact: Bool, jobs: Int) -> PreviousBuild? {
    build(
      state,
      SiteState(
        of: output, files: state.files, folders: state.folders, media: state.media,
        lists: state.lists, environment: state.environment, isIntact: isIntact, jobs: jobs))
  }

  /// Returns the data of the previous build, whose site is intact, for an update that only reads pages of threads.
  func intactBuild(_ state: State) -> PreviousBuild? {
    build(state, SiteState(intact: output, environment: state.environment))
  }

  private func build(_ state: State, _ site: SiteState) -> PreviousBuild? {
    // A failed build may have appended to the file. Each record is checked when it is read.
    guard let signature = FileSystem.signature(of: recordsPath),
      signature.inode == state.recordsSignature.inode, signature.size >= state.recordsSignature.size,
      let records = try? SpoolFile(existing: recordsPath)
    else { return nil }
    return PreviousBuild(
      site: site, entries: state.entries, authors: state.authors, places: state.places, search: state.search,
      records: records)
  }

  /// Whether the file of records contains nothing that a failed build has appended. A whole build overwrites such remains.
  func hasOnlyRecords(of state: State) -> Bool {
    FileSystem.signature(of: recordsPath)?.size == state.recordsSignature.size
  }

  /// Saves the data of a build whose site is in place.
  ///
  /// A failure, for example in a read-only folder, loses nothing: the next build does all of the work again.
  ///
  /// - Parameters:
  ///   - addresses: digests of the records of URLs with which a build makes the same site: those that it read, and those after the site has
  ///     been published.
  ///   - environment: the common inputs of all threads.
  ///   - threads: the data of the threads.
  ///   - records: the records of the threads, which are moved to their place for the next build.
  ///   - site: the files of the site.
  ///   - known: the state of the previous build, and ``digests(of:for:)`` of the inputs.
  ///   - loaded: the loaded inputs, if they are kept in memory for the next build.
  func save(
    _ outcome: Outcome, of inputs: BuildInputs, after known: (state: State, digests: InputDigests?)?,
    addresses: [[UInt8]], environment: BuildEnvironment,
    threads: Threads, records: ThreadRecords, site: Contents, loaded: LoadedSite?, jobs: Int
  ) {
    guard outcome.summary.leftOut.isEmpty else { return forget() }
    var outcome = outcome
    outcome.summary.rendered = 0
    outcome.summary.fromShards = 0
    outcome.summary.scaledPhotos = 0
    outcome.summary.pagesLeftOut = []
    do {
      try FileSystem.makeFolders(folder)
      try records.move(to: recordsPath, below: folder, keeping: threads.entries.all)
      waitUntilSettled(site.moment)
      guard let site = signatures(of: site, jobs: jobs),
        let records = FileSystem.signature(of: recordsPath),
        let number = FileSystem.signature(of: folder)?.inode
      else { return forget() }
      let state = State(
        digests: digests(of: inputs, for: threads.entries, after: known), folder: number,
        addresses: addresses, environment: environment,
        files: site.files, folders: site.folders,
        media: threads.media.compactMap { name in
          inputs.signature(ofMedia: name).map { SignedPath(path: name, signature: $0) }
        },
        lists: threads.lists,
        places: inputs.places(of: threads.people),
        recordsSignature: records, entries: threads.entries, authors: threads.authors,
        search: threads.search, outcome: outcome)
      try write(state, loaded)
    } catch {
      forget()
    }
  }

  /// Returns the digests of a build's inputs: the known ones if the store has the same threads as in the previous build.
  private func digests(
    of inputs: BuildInputs, for entries: ThreadEntries,
    after known: (state: State, digests: InputDigests?)?
  ) -> InputDigests? {
    if let (state, digests) = known, state.entries.count == entries.count,
      entries.stems.allSatisfy({ state.entries.contains($0) })
    {
      return digests
    }
    return inputs.digests(in: folder) { entries.contains($0) }
  }

  /// The changes of a ``TextUpdate`` or a ``StyleUpdate`` to the data of the previous build.
  struct Changes: Sendable {
    /// The new entries of the changed threads.
    var entries: [String: PreviousBuild.Entry] = [:]
    /// The facts about the new search index; `nil` if it is unchanged, and for a site without a search.
    var search: SearchIndexState?
    /// The paths of the written files.
    var written: Set<String> = []
    /// The paths of the files and folders that were removed.
    var removed: Set<String> = []
    /// The parts of the records that are no longer used.
    var unused: [ThreadRecords.Piece] = []
    /// The common inputs of all pages with the new names of style sheets; `nil` if the names are unchanged.
    var environment: BuildEnvironment?
  }

  /// Saves the data of a build that changed a few files of a site.
  ///
  /// - Parameters:
  ///   - previous: the state before these changes, which the site had when the build began.
  ///   - digests: ``digests(of:for:)`` of the inputs of this build.
  ///   - records: the records of the threads; `nil` if they are unchanged.
  ///   - loaded: the loaded inputs, if they are kept in memory for the next build and differ from those of the previous one.
  func save(
    _ changes: Changes, to previous: State, _ digests: InputDigests?, records: ThreadRecords?,
    loaded: LoadedSite? = nil
  ) {
    let moment = FileSignature.now
    do {
      try records?.erase(changes.unused)
      waitUntilSettled(moment)
      guard let top = OpenFolder(output), let records = FileSystem.signature(of: recordsPath) else {
        return forget()
      }
      let touched = StagedSite.folders(of: Array(changes.written.union(changes.removed)))
        .subtracting(changes.removed)
      func signed(_ paths: Set<String>) -> [SignedPath]? {
        let signed = paths.sorted().compactMap { path in
          top.signature(of: path).map { SignedPath(path: path, signature: $0) }
        }
        return signed.count == paths.count ? signed : nil
      }
      guard let files = signed(changes.written), let folders = signed(touched) else { return forget() }
      let update = Update(
        digests: digests, files: files, folders: folders, removed: changes.removed, recordsSignature: records,
        entries: changes.entries, search: changes.search, environment: changes.environment)
      var state = previous
      state.apply(update)
      try append(update, resultingIn: state, loaded)
    } catch {
      forget()
    }
  }

  /// The files of a site that is in place.
  struct Contents {
    /// The files with the signatures of those that the build kept, so that the next build detects a change made meanwhile.
    let files: [(path: String, signature: FileSignature?)]
    /// The paths that the build removed.
    let removed: [String]
    /// When the last file was put in place, in nanoseconds since 1970.
    let moment: Int64
    /// The state of the site that the build found.
    let previous: SiteState?
  }

  /// Waits until any further change to a file that was written before a moment changes its signature.
  private func waitUntilSettled(_ moment: Int64) {
    let wait = min(moment + FileSignature.grain - FileSignature.now, FileSignature.grain)
    if wait > 0 { usleep(UInt32(wait / 1000) + 1) }
  }

  /// Returns the signatures of the site's files and folders; `nil` if any is missing.
  private func signatures(
    of site: Contents, jobs: Int
  ) -> (files: [SignedPath], folders: [SignedPath])? {
    guard let top = OpenFolder(output) else { return nil }
    func look(_ paths: [(path: String, signature: FileSignature?)]) -> [SignedPath]? {
      let parts = ParallelWork.run(count: paths.count, jobs: jobs, makeState: { [SignedPath]() }) {
        position, part in
        if let signature = paths[position].signature ?? top.signature(of: paths[position].path) {
          part.append(SignedPath(path: paths[position].path, signature: signature))
        }
      }
      let all = Array(parts.joined())
      return all.count == paths.count ? all : nil
    }
    // The build changed the folders in which it wrote or removed a file.
    let written = site.files.filter { $0.signature == nil }.map(\.path)
    let touched = StagedSite.folders(of: written + site.removed)
    let all =
      site.previous?.folders(afterWriting: written, removing: site.removed)
      ?? StagedSite.folders(of: site.files.lazy.map(\.path))
    let folders = all.map { folder in
      (path: folder, signature: touched.contains(folder) ? nil : site.previous?.signature(ofFolder: folder))
    }
    guard let files = look(site.files), let looked = look(folders) else { return nil }
    return (files, looked)
  }

  /// Deletes the cache.
  func forget() {
    memory.remember(nil)
    // Files that cannot be removed do not match the site, and are ignored later.
    for path in [path, recordsPath] { try? FileSystem.remove(path) }
  }

  private func write(_ state: State, _ loaded: LoadedSite?) throws(FileError) {
    memory.remember(nil)
    try file.write(state, size: 4096 + 96 * state.files.count + 192 * state.entries.count)
    remember(state, loaded, wholeSize: nil)
  }

  /// Appends an update to the file, or writes the file anew if the updates in it take more than a fourth of its size.
  private func append(
    _ update: Update, resultingIn state: State, _ loaded: LoadedSite?
  ) throws(FileError) {
    let known = memory.known(at: path, FileSystem.signature(of: path))
    // The loaded theme has the former names of style sheets.
    let loaded = loaded ?? (update.environment == nil ? known?.loaded : nil)
    guard let known, Int(known.signature.size) <= known.wholeSize + known.wholeSize / 4 else {
      return try write(state, loaded)
    }
    memory.remember(nil)
    try file.append(update)
    remember(state, loaded, wholeSize: known.wholeSize)
  }

  /// Keeps the state of the site, which is in the file, for the next build of this program.
  ///
  /// - Parameter wholeSize: the size of the file without the changes in it; `nil` if it contains none.
  private func remember(_ state: State, _ loaded: LoadedSite?, wholeSize: Int?) {
    guard let signature = FileSystem.signature(of: path) else { return }
    memory.remember(
      BuildMemory.Known(
        path: path, signature: signature, wholeSize: wholeSize ?? Int(signature.size), state: state,
        loaded: loaded, isIntact: true))
  }
}

extension BuildCache {
  /// The contents of the file.
  struct State: Sendable {
    /// `nil` if an input might have changed undetected.
    fileprivate(set) var digests: InputDigests?
    /// The inode of the folder in which the cache was written.
    fileprivate let folder: UInt64
    fileprivate let addresses: [[UInt8]]
    fileprivate(set) var environment: BuildEnvironment
    fileprivate(set) var files: [SignedPath]
    fileprivate var folders: [SignedPath]
    fileprivate let media: [SignedPath]
    fileprivate let lists: [String: UInt64]
    /// ``BuildInputs/places(of:)``
    fileprivate let places: [UInt8]
    fileprivate var recordsSignature: FileSignature
    fileprivate(set) var entries: ThreadEntries
    let authors: [ThreadAuthors.Author]
    fileprivate(set) var search: SearchState?
    let outcome: Outcome

    /// Returns the stems of the threads whose files have changed since the build; `nil` if any other input has changed, or if a file was
    /// added or removed.
    ///
    /// - Parameter digests: ``BuildCache/digests(of:for:)``.
    func changedThreads(in inputs: BuildInputs, _ digests: InputDigests?) -> [String]? {
      guard let digests, self.digests?.differOnlyInThreads(from: digests) == true else { return nil }
      var changed: [String] = []
      var isMissing = false
      entries.forEach { stem, entry in
        guard inputs.signature(ofThread: stem) != entry.signature || entry.signature == nil else { return }
        if inputs.has(thread: stem) { changed.append(stem) } else { isMissing = true }
      }
      guard !isMissing else { return nil }
      return changed.sorted()
    }

    /// Changes the state as an update of the site did.
    fileprivate mutating func apply(_ update: Update) {
      func updated(_ known: [SignedPath], _ new: [SignedPath]) -> [SignedPath] {
        let replaced = Set(new.map(\.path)).union(update.removed)
        return known.filter { !replaced.contains($0.path) } + new
      }
      files = updated(files, update.files)
      folders = updated(folders, update.folders)
      digests = update.digests
      recordsSignature = update.recordsSignature
      environment = update.environment ?? environment
      for (stem, entry) in update.entries { entries[stem] = entry }
      if let index = update.search, let search {
        self.search = SearchState(index: index, pages: search.pages)
      }
    }

    /// Whether every entry has an author.
    fileprivate var isValid: Bool { entries.all.allSatisfy { authors.indices.contains($0.author) } }
  }
}

extension BuildCache {
  /// The effect of ``Changes`` on the state.
  fileprivate struct Update {
    let digests: InputDigests?
    /// The written files and the folders that contain them, with their new signatures.
    var files: [SignedPath]
    var folders: [SignedPath]
    /// The paths of removed files and folders.
    var removed: Set<String>
    let recordsSignature: FileSignature
    /// The new entries of the changed threads.
    var entries: [String: PreviousBuild.Entry]
    /// `nil` if the search index is unchanged.
    var search: SearchIndexState?
    /// `nil` if the names of style sheets are unchanged.
    var environment: BuildEnvironment?

    /// Returns the effect of this and a later update.
    func followed(by later: Update) -> Update {
      var both = later
      let (files, folders) = (Set(later.files.map(\.path)), Set(later.folders.map(\.path)))
      both.files += self.files.filter { !files.contains($0.path) && !later.removed.contains($0.path) }
      both.folders += self.folders.filter { !folders.contains($0.path) && !later.removed.contains($0.path) }
      both.removed.formUnion(removed.subtracting(files).subtracting(folders))
      both.entries.merge(entries) { later, _ in later }
      both.search = later.search ?? search
      both.environment = later.environment ?? environment
      return both
    }
  }
}

extension BuildCache.Update: Record {
  fileprivate static let fields = RecordFields(
    Self.init, \.digests, \.files, \.folders, \.removed, \.recordsSignature, \.entries, \.search,
    \.environment)
}

extension BuildCache.State: Record {
  static let fields = RecordFields(
    Self.init, \.digests, \.folder, \.addresses, \.environment, \.files, \.folders,
    \.media,
    \.lists, \.places, \.recordsSignature, \.entries, \.authors, \.search, \.outcome)
}

extension BuildCache.Outcome: Record {
  static let fields = RecordFields(Self.init, \.summary, \.warnings)
}

extension ThreadAuthors.Author: Record {
  static let fields = RecordFields(Self.init, \.id, \.record)
}

/// An author is written in the store's format.
extension Author: ByteCodable {
  package init(from reader: inout ByteReader) throws(ByteReader.Truncated) {
    guard let profile = try? ConversationCoding.decodeProfile(try reader.bytes(), file: "") else {
      throw ByteReader.Truncated()
    }
    self = profile.author
  }

  package func write(to writer: inout ByteWriter) {
    writer.write(ConversationCoding.encode(Profile(author: self)))
  }
}
