import Basics
import MarkdownHTML
import SearchIndex
import SiteOutput
import SiteWorkspace
import Synchronization
import ThreadModel
import ThreadStore

/// The data of the previous build of a site: a record of each thread, and the files of the site with their signatures.
///
/// The data are used as far as signatures show that neither their inputs nor the described files have changed.
struct PreviousBuild: Sendable {
  /// A file of the store.
  struct Entry: Sendable {
    /// The signature of the file when it was read; `nil` if it might change undetected.
    var signature: FileSignature?
    /// The place of its `ThreadRecord`.
    var record: ThreadRecords.Piece
    /// The place of its words for the search; `nil` if it has no words.
    var terms: ThreadRecords.Piece?
    /// The index in `authors`.
    var author: Int
    /// A digest of the data about its page that other threads can use: ``SitePages/placeDigest(_:at:showing:)``; 0 if no page shows it.
    var place: UInt64
    /// `nil` for a thread without a page.
    var page: Page?
  }

  /// The inputs and the parts of a thread's page.
  struct Page: Sendable {
    /// A digest of the page's data about other threads.
    var related: UInt64
    /// The places of the thread's header and body in its file; `nil` if the theme does not show both.
    var parts: Parts?
    /// The checksum of both.
    var checksum: UInt64
    /// The position of the thread among all threads, newest first, from 0.
    var rank: Int
  }

  /// The byte ranges of the header and the body of a thread in the file of its page.
  struct Parts: Sendable {
    private var headerStart: UInt32
    private var headerEnd: UInt32
    private var bodyStart: UInt32
    private var bodyEnd: UInt32

    /// - Returns: `nil` if the ranges overlap, or for a file of more than 4 GB.
    init?(header: Range<Int>, body: Range<Int>) {
      guard header.upperBound <= body.lowerBound, header.lowerBound >= 0,
        let end = UInt32(exactly: body.upperBound)
      else { return nil }
      (headerStart, headerEnd) = (UInt32(header.lowerBound), UInt32(header.upperBound))
      (bodyStart, bodyEnd) = (UInt32(body.lowerBound), end)
    }

    private init(headerStart: UInt32, headerEnd: UInt32, bodyStart: UInt32, bodyEnd: UInt32) {
      self.headerStart = headerStart
      self.headerEnd = max(headerStart, headerEnd)
      self.bodyStart = max(self.headerEnd, bodyStart)
      self.bodyEnd = max(self.bodyStart, bodyEnd)
    }

    var header: Range<Int> { Int(headerStart)..<Int(headerEnd) }
    var body: Range<Int> { Int(bodyStart)..<Int(bodyEnd) }
  }

  let site: SiteState
  private let entries: ThreadEntries
  let authors: [ThreadAuthors.Author]
  /// ``BuildInputs/places(of:)``
  let places: [UInt8]
  /// `nil` for a site without a search.
  let search: SearchState?
  let records: SpoolFile
  /// Whether more than half of the records are in use.
  let isWorthExtending: Bool

  init(
    site: SiteState, entries: ThreadEntries, authors: [ThreadAuthors.Author], places: [UInt8],
    search: SearchState?, records: SpoolFile
  ) {
    self.site = site
    self.entries = entries
    self.authors = authors
    self.places = places
    self.search = search
    self.records = records
    let used = entries.all.reduce(0) {
      $0 + $1.record.range.count + ($1.terms?.range.count ?? 0)
    }
    isWorthExtending = records.isWritable && records.count / 2 <= used
  }

  /// Returns a checksum to detect changed bytes. It does not protect against deliberate changes.
  static func checksum(of bytes: [UInt8]) -> UInt64 {
    ContentHash.value(ofMany: bytes, seed: UInt64(bytes.count) | 1 << 63)
  }

  /// Returns a checksum of a thread's HTML.
  static func checksum(of html: DocumentHTML) -> UInt64 {
    checksum(of: html.header.bytes) &* 31 &+ checksum(of: html.body.bytes)
  }

  /// Returns the entry of a file, whether or not the file has changed since the previous build.
  func known(_ file: StoredFile) -> Entry? { entries[file.stem] }

  /// Returns the entry of a file that has not changed since the previous build.
  func entry(of file: StoredFile, in inputs: BuildInputs) -> Entry? {
    guard let entry = known(file), let signature = entry.signature,
      signature == inputs.signature(of: file)
    else { return nil }
    return entry
  }

  /// The number of the store's files in the previous build.
  var fileCount: Int { entries.count }

  /// Returns the digest of the data about a file's page that other threads could use, whether or not the file has changed since; `nil` if
  /// the previous build did not have the file.
  func place(of file: StoredFile) -> UInt64? { known(file)?.place }

  /// Returns the keys of a file's thread; `nil` if the record is damaged.
  func keys(_ entry: Entry) -> ConversationKeys? { bytes(entry).flatMap { try? ThreadRecord.keys(in: $0) } }

  /// Returns the record of a file; `nil` if it is damaged.
  func record(_ entry: Entry) -> ThreadRecord? { bytes(entry).flatMap { try? ThreadRecord(byteCoding: $0) } }

  /// Returns the words of a thread for the search; `nil` if they are missing or damaged.
  func terms(_ entry: Entry) -> SearchTerms? {
    entry.terms.flatMap { bytes($0) }.flatMap { try? SearchTerms(byteCoding: $0) }
  }

  /// Returns the bytes of the record of a file; `nil` if they are damaged.
  func bytes(_ entry: Entry) -> [UInt8]? { bytes(entry.record) }

  private func bytes(_ piece: ThreadRecords.Piece) -> [UInt8]? {
    // An unreadable record is created again.
    guard let bytes = try? records.read(piece.range), PreviousBuild.checksum(of: bytes) == piece.checksum
    else { return nil }
    return bytes
  }
}

extension PreviousBuild.Entry: Record {
  static let fields = RecordFields(Self.init, \.signature, \.record, \.terms, \.author, \.place, \.page)
}

extension PreviousBuild.Page: Record {
  static let fields = RecordFields(Self.init, \.related, \.parts, \.checksum, \.rank)
}

extension PreviousBuild.Parts: Record {
  static let fields = RecordFields(
    Self.init(headerStart:headerEnd:bodyStart:bodyEnd:), \.headerStart, \.headerEnd, \.bodyStart,
    \.bodyEnd)
}

/// The results of the previous build that a build can use.
package struct LastBuild: Sendable {
  /// The inputs of this build.
  let inputs: BuildInputs
  /// `nil` if the data of the previous build are missing or invalid.
  let build: PreviousBuild?
}

/// A file or a folder of the site with its signature.
///
/// Has no list of fields, for speed: a build reads one for every file of the site.
struct SignedPath: Sendable {
  let path: String
  let signature: FileSignature
}

extension SignedPath: ByteCodable {
  init(from reader: inout ByteReader) throws(ByteReader.Truncated) {
    self.init(path: try reader.string(), signature: try reader.value())
  }

  func write(to writer: inout ByteWriter) {
    writer.write(path)
    writer.write(signature)
  }
}

/// The files of a site as a build left them.
struct SiteState: Sendable {
  /// The common inputs of all threads and of their pages.
  let environment: BuildEnvironment
  private let output: String
  private let files: [String: FileSignature]
  /// The signatures of the store's media when they were copied, by name.
  private let media: [String: FileSignature]
  /// Digests of the inputs of lists of threads and books, by their files.
  private let lists: [String: UInt64]
  /// The folders that still exist and were not replaced, as they were found, by path.
  private let folders: [String: Folder]
  /// Whether these are all of the site's folders.
  private let hasAllFolders: Bool
  private let top: OpenFolder?
  /// Whether all files and folders were found unchanged.
  private let isIntact: Bool

  private struct Folder: Sendable {
    let signature: FileSignature
    /// Whether entries may have been added or removed since the build.
    let isChanged: Bool
  }

  /// Creates the state of an intact site for reading pages of threads. The files are not listed.
  init(intact output: String, environment: BuildEnvironment) {
    self.init(
      of: output, files: [], folders: [], media: [], lists: [:], environment: environment, isIntact: true,
      jobs: 1)
  }

  /// - Parameter isIntact: whether all files and folders were found unchanged. They are not looked at again.
  init(
    of output: String, files: [SignedPath], folders: [SignedPath], media: [SignedPath],
    lists: [String: UInt64], environment: BuildEnvironment, isIntact: Bool, jobs: Int
  ) {
    self.isIntact = isIntact
    self.output = output
    self.environment = environment
    self.files = Dictionary(files.map { ($0.path, $0.signature) }) { first, _ in first }
    self.media = Dictionary(media.map { ($0.path, $0.signature) }) { first, _ in first }
    self.lists = lists
    let top = OpenFolder(output)
    self.top = top
    if isIntact {
      self.folders = Dictionary(
        folders.map { ($0.path, Folder(signature: $0.signature, isChanged: false)) }
      ) { first, _ in first }
      hasAllFolders = true
      return
    }
    // Most of the time is spent in system calls.
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
    // A folder is checked before its subfolders. A replaced folder, or a link, has a different number.
    let outermost = looked.sorted {
      folders[$0.position].path.utf8.count < folders[$1.position].path.utf8.count
    }
    for (position, signature) in outermost {
      let (path, old) = (folders[position].path, folders[position].signature)
      guard path.isEmpty || same[StagedSite.folder(of: path)] != nil else { continue }
      same[path] = Folder(signature: signature, isChanged: signature != old)
    }
    self.folders = same
    hasAllFolders = same.count == folders.count
  }

  /// Returns the signature of a file, if the file is unchanged since the build.
  func signature(of file: String) -> FileSignature? {
    if isIntact { return files[file] }
    guard let top, let signature = files[file], folders[StagedSite.folder(of: file)] != nil,
      top.signature(of: file) == signature
    else { return nil }
    return signature
  }

  /// The contents of the site's folder; `nil` if not all of them are known.
  var contents: StagedSite.KnownContents? {
    guard hasAllFolders else { return nil }
    return StagedSite.KnownContents(files: files, folders: folders.mapValues(\.isChanged))
  }

  /// Returns the paths of the site's folders after a build; `nil` if not all folders were known before.
  ///
  /// - Parameters:
  ///   - written: the paths of the written files.
  ///   - removed: the paths of the removed files and folders.
  func folders(afterWriting written: [String], removing removed: [String]) -> Set<String>? {
    guard hasAllFolders else { return nil }
    // A written file may have replaced a folder, and a folder a removed file.
    return Set(folders.keys).subtracting(removed).subtracting(written).union(StagedSite.folders(of: written))
  }

  /// Returns the signature of a folder as it was found; `nil` if the folder is unknown.
  func signature(ofFolder path: String) -> FileSignature? { folders[path]?.signature }

  /// Returns the signature of the site's copy of a file of the store's media folder, if the copy is up to date.
  func signature(
    ofMedia name: String, _ signature: FileSignature?, at path: SitePath
  ) -> FileSignature? {
    guard let signature, media[name] == signature else { return nil }
    return self.signature(of: path.file)
  }

  /// Returns the signature of a list or a book, if it is unchanged and was made from the same inputs.
  func signature(of file: String, madeFrom digest: UInt64) -> FileSignature? {
    lists[file] == digest ? signature(of: file) : nil
  }

  /// Returns the HTML of a thread, read from the file of its page.
  ///
  /// - Returns: `nil` if the file was changed.
  func html(_ page: PreviousBuild.Page, of path: SitePath) -> DocumentHTML? {
    guard let parts = page.parts, isIntact || signature(of: path.file) != nil,
      let bytes = try? FileBytes.read(output + "/" + path.file), parts.body.upperBound <= bytes.count
    else { return nil }
    let html = DocumentHTML(
      header: UTF8Buffer(bytes: Array(bytes[parts.header])),
      body: UTF8Buffer(bytes: Array(bytes[parts.body])))
    return PreviousBuild.checksum(of: html) == page.checksum ? html : nil
  }
}

/// The common inputs of threads and pages.
struct BuildEnvironment: Sendable, Hashable {
  /// A digest of the components' templates, localized words, settings and the program.
  var threads: [UInt8] = []
  /// A digest of all of these and the theme, without the style sheets.
  var pages: [UInt8] = []
  /// ``Theme/sheetPaths``. The paths contain digests of the contents, except in a preview.
  var sheets: [String: String] = [:]
}

extension BuildEnvironment: Record {
  static let fields = RecordFields(Self.init(threads:pages:sheets:), \.threads, \.pages, \.sheets)
}

/// The threads of the previous build that a build may reuse.
///
/// The results depend only on the store and site.yml, as if every thread were read.
package struct PreviousThreads: Sendable {
  let build: PreviousBuild
  let inputs: BuildInputs
  let selection: ThreadSelection
  let authors: AuthorDirectory
  let permalinks: Permalinks
  let includesDrafts: Bool
  /// Whether the common inputs of threads are unchanged.
  let environmentIsSame: Bool

  /// The data of a file that has not changed.
  struct Known {
    let entry: PreviousBuild.Entry
    let record: ThreadRecord
  }

  /// Returns the keys of the thread in a file that has not changed.
  func keys(_ file: StoredFile) -> ConversationKeys? {
    build.entry(of: file, in: inputs).flatMap(build.keys)
  }

  /// Whether a file is unchanged since the previous build read it.
  func holds(_ file: StoredFile) -> Bool { build.entry(of: file, in: inputs) != nil }

  /// Whether every lookup that a thread made in others has the same result as before, according to the given values.
  ///
  /// - Parameters:
  ///   - files: all of the store's files for the site.
  ///   - changed: the indices of files that are new or changed since the previous build.
  ///   - places: the current data of these files for other threads, by index; no value for files that no page shows.
  func answersAreSame(_ files: [StoredFile], changed: [Int], places: [Int: UInt64]) -> Bool {
    let now = inputs.places(of: authors.placeDigest)
    return !now.isEmpty && now == build.places && files.count == build.fileCount
      && changed.allSatisfy { build.place(of: files[$0]) == places[$0] ?? 0 }
  }

  func known(_ file: StoredFile) -> Known? {
    guard let entry = build.entry(of: file, in: inputs), let record = build.record(entry) else { return nil }
    return Known(entry: entry, record: record)
  }

  /// Returns the thread of a file, if its page would show the same posts under the same title at the same place. Its data about other
  /// threads are not compared.
  func thread(
    _ known: Known, stem: String, settings: ThreadSelection.Settings
  ) -> BuiltThread? {
    guard environmentIsSame, let built = known.record.built,
      built.isCurrent(stem: stem, settings, selection, authors, permalinks)
    else { return nil }
    return built.thread
  }

  /// Returns a page of the site, for links from other threads; `nil` if the thread has to be read for this.
  func page(of file: StoredFile) -> (conversation: PostID, path: SitePath, shownPosts: [PostID])? {
    guard let known = known(file) else { return nil }
    let answer = selection.settings(for: known.record.keys)
    guard answer.sameAs == nil, let settings = answer.settings, includesDrafts || !settings.isDraft,
      let thread = thread(known, stem: file.stem, settings: settings)
    else { return nil }
    return (known.record.keys.id, thread.summary.path, thread.shownPosts)
  }
}
