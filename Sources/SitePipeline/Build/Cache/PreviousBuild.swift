import Files
import SiteOutput
import Synchronization
import ThreadModel
import ThreadStore
import UTF8Text

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
  let records: SpoolFile
  /// Whether more of the records is used than not.
  let isWorthExtending: Bool

  init(site: SiteState, entries: [String: Entry], authors: [ThreadAuthors.Author], records: SpoolFile) {
    self.site = site
    self.entries = entries
    self.authors = authors
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

  /// The record of a file; `nil` where it is not what was written.
  func record(_ entry: Entry) -> ThreadRecord? {
    // What cannot be read is made anew.
    guard let bytes = try? records.read(entry.record.range),
      PreviousBuild.checksum(of: bytes) == entry.record.checksum
    else { return nil }
    return try? ThreadRecord(bytes)
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
  /// The folders that are the same ones, by their paths.
  private let folders: Set<String>
  private let top: OpenFolder?

  init(
    of output: String, files: [(path: String, signature: FileSignature)],
    folders: [(path: String, signature: FileSignature)], media: [(path: String, signature: FileSignature)],
    lists: [(file: String, digest: UInt64)], environment: BuildEnvironment
  ) {
    self.output = output
    self.environment = environment
    self.files = Dictionary(files.map { ($0.path, $0.signature) }) { first, _ in first }
    self.media = Dictionary(media.map { ($0.path, $0.signature) }) { first, _ in first }
    self.lists = Dictionary(lists.map { ($0.file, $0.digest) }) { first, _ in first }
    let top = OpenFolder(output)
    var same: Set<String> = []
    // A folder comes before those in it. Another one, or a link, has another number.
    for folder in folders.sorted(by: { $0.path.utf8.count < $1.path.utf8.count })
    where top?.signature(of: folder.path)?.inode == folder.signature.inode
      && (folder.path.isEmpty || same.contains(Self.folder(of: folder.path)))
    {
      same.insert(folder.path)
    }
    self.folders = same
    self.top = top
  }

  /// The folder that a path stands in; empty for the top one.
  static func folder(of path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
  }

  /// The signature of a file that stands there as the build left it.
  func signature(of file: String) -> FileSignature? {
    guard let top, let signature = files[file], folders.contains(Self.folder(of: file)),
      top.signature(of: file) == signature
    else { return nil }
    return signature
  }

  /// Whether a file of the store's media folder is in the site as it is in the store.
  func holdsMedia(_ name: String, _ signature: FileSignature?, at path: SitePath) -> Bool {
    guard let signature, media[name] == signature else { return false }
    return self.signature(of: path.file) != nil
  }

  /// Whether a list or a book stands there that was made from the same.
  func holds(_ file: String, of digest: UInt64) -> Bool {
    lists[file] == digest && signature(of: file) != nil
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
