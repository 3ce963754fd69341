import Basics
import SiteOutput
import Synchronization
import ThreadModel
import ThreadStore

/// What the last build of a site left for the next one: a record of each thread, and the files of the site with their signatures.
///
/// All of it is believed as far as signatures show that nobody has changed what it was made from, or what it tells of.
struct PreviousBuild: Sendable {
  /// A file of the store.
  struct Entry: Sendable {
    /// Of the file when it was read; `nil` where it might change unseen.
    var signature: FileSignature?
    /// Where its `ThreadRecord` is.
    var record: ThreadRecords.Piece
    /// Where its words for the search are; `nil` where there is none.
    var terms: ThreadRecords.Piece?
    /// Position in `authors`.
    var author: Int
    /// Of what other threads may learn of its page: ``BuiltThread/placeDigest(_:)``; 0 where there is none.
    var place: UInt64
    /// `nil` for a thread that has no page.
    var page: Page?
  }

  /// How a thread's page was made.
  struct Page: Sendable {
    /// Of what it says of other threads.
    var related: UInt64
    /// Where the parts of its body stand in its file: bytes; none where the theme has changed them on the way.
    var body: [Range<Int>]
    /// Of the body.
    var checksum: UInt64
  }

  let site: SiteState
  private let entries: [String: Entry]
  let authors: [ThreadAuthors.Author]
  /// ``BuildInputs/places(of:)``
  let places: [UInt8]
  let records: SpoolFile
  /// Whether more of the records is used than not.
  let isWorthExtending: Bool

  init(
    site: SiteState, entries: [String: Entry], authors: [ThreadAuthors.Author], places: [UInt8],
    records: SpoolFile
  ) {
    self.site = site
    self.entries = entries
    self.authors = authors
    self.places = places
    self.records = records
    let used = entries.values.reduce(0) { $0 + $1.record.range.count + ($1.terms?.range.count ?? 0) }
    isWorthExtending = records.isWritable && records.count / 2 <= used
  }

  /// Tells bytes that were kept from others; nobody's attack is kept off by it.
  static func checksum(of bytes: [UInt8]) -> UInt64 {
    ContentHash.value(ofMany: bytes, seed: UInt64(bytes.count) | 1 << 63)
  }

  /// What is known of a file that has not changed since.
  func entry(of file: StoredFile, in inputs: BuildInputs) -> Entry? {
    guard let entry = entries[file.stem], let signature = entry.signature,
      signature == inputs.signature(of: file)
    else { return nil }
    return entry
  }

  /// How many files of the store it knew.
  var fileCount: Int { entries.count }

  /// What other threads could learn of a file's page, whether the file has changed since or not; `nil` for one that was not there.
  func place(of file: StoredFile) -> UInt64? { entries[file.stem]?.place }

  /// What decides about the thread of a file; `nil` where it is not what was written.
  func keys(_ entry: Entry) -> ConversationKeys? { bytes(entry).flatMap { try? ThreadRecord.keys(in: $0) } }

  /// The record of a file; `nil` where it is not what was written.
  func record(_ entry: Entry) -> ThreadRecord? { bytes(entry).flatMap { try? ThreadRecord($0) } }

  private func bytes(_ entry: Entry) -> [UInt8]? {
    // What cannot be read is made anew.
    guard let bytes = try? records.read(entry.record.range),
      PreviousBuild.checksum(of: bytes) == entry.record.checksum
    else { return nil }
    return bytes
  }
}

/// What a build knows of the one before it.
struct LastBuild: Sendable {
  /// What this build is made from.
  let inputs: BuildInputs
  /// `nil` where nothing that the last one left can be believed.
  let build: PreviousBuild?
}

/// The files of a site as a build left them.
struct SiteState: Sendable {
  /// Of what all threads are rendered with, and of what their pages are made with beside that.
  let environment: BuildEnvironment
  private let output: String
  private let files: [String: FileSignature]
  /// The store's media when they were copied, by name.
  private let media: [String: FileSignature]
  /// What lists of threads and books were made from, by their files.
  private let lists: [String: UInt64]
  /// The folders that are the same ones, by their paths, as they were found.
  private let folders: [String: Folder]
  /// Whether all of the site's folders are among those.
  private let hasAllFolders: Bool
  private let top: OpenFolder?

  private struct Folder: Sendable {
    let signature: FileSignature
    /// Whether something may have come into it, or gone from it, since the build.
    let isChanged: Bool
  }

  init(
    of output: String, files: [(path: String, signature: FileSignature)],
    folders: [(path: String, signature: FileSignature)], media: [(path: String, signature: FileSignature)],
    lists: [(file: String, digest: UInt64)], environment: BuildEnvironment, jobs: Int
  ) {
    self.output = output
    self.environment = environment
    self.files = Dictionary(files.map { ($0.path, $0.signature) }) { first, _ in first }
    self.media = Dictionary(media.map { ($0.path, $0.signature) }) { first, _ in first }
    self.lists = Dictionary(lists.map { ($0.file, $0.digest) }) { first, _ in first }
    let top = OpenFolder(output)
    // What most of the time goes to are the calls of the system.
    let looked = ParallelWork.run(
      count: folders.count, jobs: jobs, makeState: { [(position: Int, signature: FileSignature)]() }
    ) { position, looked in
      if let signature = top?.signature(of: folders[position].path),
        signature.inode == folders[position].signature.inode
      {
        looked.append((position, signature))
      }
    }.joined()
    var same: [String: Folder] = [:]
    same.reserveCapacity(folders.count)
    // A folder comes before those in it. Another one, or a link, has another number.
    let outermost = looked.sorted {
      folders[$0.position].path.utf8.count < folders[$1.position].path.utf8.count
    }
    for (position, signature) in outermost {
      let (path, old) = folders[position]
      guard path.isEmpty || same[StagedSite.folder(of: path)] != nil else { continue }
      same[path] = Folder(signature: signature, isChanged: signature != old)
    }
    self.folders = same
    hasAllFolders = same.count == folders.count
    self.top = top
  }

  /// The signature of a file that stands there as the build left it.
  func signature(of file: String) -> FileSignature? {
    guard let top, let signature = files[file], folders[StagedSite.folder(of: file)] != nil,
      top.signature(of: file) == signature
    else { return nil }
    return signature
  }

  /// What is in the site's folder; `nil` where not all of it is known.
  var contents: StagedSite.KnownContents? {
    guard hasAllFolders else { return nil }
    return StagedSite.KnownContents(files: Array(files.keys), folders: folders.mapValues(\.isChanged))
  }

  /// The signature of a folder as it was found; `nil` for one that is not known.
  func signature(ofFolder path: String) -> FileSignature? { folders[path]?.signature }

  /// The signature of the copy of a file of the store's media folder, if that is in the site as it is in the store.
  func signature(
    ofMedia name: String, _ signature: FileSignature?, at path: SitePath
  ) -> FileSignature? {
    guard let signature, media[name] == signature else { return nil }
    return self.signature(of: path.file)
  }

  /// The signature of a list or a book that stands there, if it was made from the same.
  func signature(of file: String, madeFrom digest: UInt64) -> FileSignature? {
    lists[file] == digest ? signature(of: file) : nil
  }

  /// The body of a page, which stands in its file.
  ///
  /// - Returns: `nil` where it is not what was written there.
  func body(_ page: PreviousBuild.Page, of path: SitePath) -> UTF8Buffer? {
    guard !page.body.isEmpty, signature(of: path.file) != nil,
      let bytes = try? FileBytes.read(output + "/" + path.file)
    else { return nil }
    var body: [UInt8] = []
    for part in page.body {
      guard part.lowerBound >= 0, part.upperBound <= bytes.count else { return nil }
      body += bytes[part]
    }
    return PreviousBuild.checksum(of: body) == page.checksum ? UTF8Buffer(bytes: body) : nil
  }
}

/// Digests of what threads and pages are made with, beside the threads.
struct BuildEnvironment: Sendable, Hashable {
  /// Of templates of components, words, settings, the program.
  var threads: [UInt8] = []
  /// Of all of that and the theme.
  var pages: [UInt8] = []
}

/// The threads that a build may take over from the last one.
///
/// What it answers depends on the store and site.yml alone, as if every thread were read.
struct PreviousThreads: Sendable {
  let build: PreviousBuild
  let inputs: BuildInputs
  let selection: ThreadSelection
  let authors: AuthorDirectory
  let permalinks: Permalinks
  let includesDrafts: Bool
  /// Whether threads are still rendered with the same.
  let environmentIsSame: Bool

  /// What is known of a file that has not changed.
  struct Known {
    let entry: PreviousBuild.Entry
    let record: ThreadRecord
  }

  /// What decides about the thread of a file that has not changed.
  func keys(_ file: StoredFile) -> ConversationKeys? {
    build.entry(of: file, in: inputs).flatMap(build.keys)
  }

  /// Whether a file is what it was when the last build read it.
  func holds(_ file: StoredFile) -> Bool { build.entry(of: file, in: inputs) != nil }

  /// Whether every question that a thread asked about others has the answer that it had, as far as these can tell.
  ///
  /// - Parameters:
  ///   - files: all of the store that the site is made from.
  ///   - changed: the positions of those that the last build did not know as they are.
  ///   - places: what others may learn of these now, by their positions; nothing of those that have no page.
  func answersAreSame(_ files: [StoredFile], changed: [Int], places: [Int: UInt64]) -> Bool {
    let now = inputs.places(of: authors.placeDigest)
    return !now.isEmpty && now == build.places && files.count == build.fileCount
      && changed.allSatisfy { build.place(of: files[$0]) == places[$0] ?? 0 }
  }

  func known(_ file: StoredFile) -> Known? {
    guard let entry = build.entry(of: file, in: inputs), let record = build.record(entry) else { return nil }
    return Known(entry: entry, record: record)
  }

  /// The thread of a file, if its page would show the same posts under the same title at the same place; what it says of other threads
  /// is not looked at.
  func thread(
    _ known: Known, stem: String, settings: ThreadSelection.Settings
  ) -> BuiltThread? {
    guard environmentIsSame, let built = known.record.built,
      built.settings == settings.digest(copies: selection.copies(settings)),
      built.peopleDigest == authors.digest(of: built.people),
      permalinks.page(
        of: stem, title: built.thread.summary.title, slug: settings.slug, losesWords: built.losesWords)
        == built.thread.summary.path
    else { return nil }
    return built.thread
  }

  /// A page of the site, for links from other threads; `nil` where the thread has to be read to know.
  func page(of file: StoredFile) -> (conversation: PostID, path: SitePath, shownPosts: [PostID])? {
    guard let known = known(file) else { return nil }
    let answer = selection.settings(for: known.record.keys)
    guard answer.sameAs == nil, let settings = answer.settings, includesDrafts || !settings.isDraft,
      let thread = thread(known, stem: file.stem, settings: settings)
    else { return nil }
    return (known.record.keys.id, thread.summary.path, thread.shownPosts)
  }
}
