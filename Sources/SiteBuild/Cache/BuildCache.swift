import Basics
import Foundation
import SiteConfig
import SiteOutput
import SiteWorkspace
import Synchronization
import ThreadModel
import ThreadStore

/// The inputs of the previous build of a site, its data of each thread, and the files that it wrote, so that a build processes only changes, and a
/// repeated build ends at once.
///
/// The cache consists of two files for each output folder in `.threadsite/build/`, which may be deleted at any time without loss. It is ignored if it
/// is damaged, was written by a different version of the program, or was written in a different folder, such as after copying it from another
/// machine.
struct BuildCache: Sendable {
  /// Has to change with the meaning of the bytes.
  private static let format = "threadsite build cache 5\n"

  private let folder: String
  private let path: String
  private let output: String

  init(of site: SiteFolder) {
    folder = site.path + "/.threadsite/build"
    path = "\(folder)/\(ContentHash.of(site.output.utf8))"
    output = site.output
  }

  /// The path of the threads' records.
  private var recordsPath: String { path + ".threads" }

  /// The results and messages of a build.
  struct Outcome: Sendable {
    var summary: BuildSummary
    var warnings: [String]
  }

  /// The data of a build's threads.
  struct Threads: Sendable {
    /// The entries by the stems of the threads' files.
    var entries: [String: PreviousBuild.Entry]
    var authors: [ThreadAuthors.Author]
    /// The names of the files in the store's media folder that the site shows.
    var media: [String]
    /// Digests of the inputs of lists of threads and books, by their files.
    var lists: [String: UInt64]
    /// The state of the authors: ``AuthorDirectory/placeDigest``.
    var people: UInt64
  }

  /// Returns the data of the previous build; `nil` if there are none or they are invalid.
  func load() -> State? {
    // A missing or unreadable cache is ignored.
    guard let bytes = try? FileBytes.read(path), let body = Self.opened(bytes), let state = try? State(body),
      state.folder == FileSystem.signature(of: folder)?.inode
    else { return nil }
    return state
  }

  /// Returns the outcome of the previous build, if its inputs are unchanged and all files that it wrote are untouched.
  func outcome(of state: State, if inputs: BuildInputs, jobs: Int) -> Outcome? {
    guard state.inputs == inputs.digest(in: folder), let top = OpenFolder(output) else { return nil }
    let paths = state.files + state.folders
    let isChanged = Atomic(false)
    _ = ParallelWork.run(count: paths.count, jobs: jobs, makeState: {}) { position, _ in
      if top.signature(of: paths[position].path) != paths[position].signature {
        isChanged.store(true, ordering: .relaxed)
      }
    }
    return isChanged.load(ordering: .relaxed) ? nil : state.outcome(output: output)
  }

  /// Returns the data of the previous build for this one.
  func previousBuild(_ state: State, jobs: Int) -> PreviousBuild? {
    // A failed build may have appended to the file; each record is checked when it is read.
    guard let signature = FileSystem.signature(of: recordsPath),
      signature.inode == state.recordsSignature.inode, signature.size >= state.recordsSignature.size,
      let records = try? SpoolFile(existing: recordsPath)
    else { return nil }
    return PreviousBuild(
      site: SiteState(
        of: output, files: state.files, folders: state.folders, media: state.media,
        lists: state.lists, environment: state.environment, jobs: jobs),
      entries: state.entries, authors: state.authors, places: state.places, records: records)
  }

  /// Saves the data of a build whose site is in place.
  ///
  /// A failure, such as in a read-only folder, loses nothing: the next build does all of the work again.
  ///
  /// - Parameters:
  ///   - environment: the common inputs of all threads.
  ///   - threads: the data of the threads.
  ///   - records: the records of the threads, which are moved to their place for the next build.
  ///   - site: the files of the site.
  func save(
    _ outcome: Outcome, of inputs: BuildInputs, environment: BuildEnvironment, threads: Threads,
    records: ThreadRecords, site: Contents, jobs: Int
  ) {
    guard outcome.summary.leftOut.isEmpty else { return forget() }
    // After this pause, any change to the files just written changes their signatures.
    usleep(UInt32(FileSignature.grain / 1000))
    do {
      try FileSystem.makeFolders(folder)
      try records.move(to: recordsPath, below: folder, keeping: threads.entries.values)
      guard let site = signatures(of: site, jobs: jobs),
        let records = FileSystem.signature(of: recordsPath),
        let number = FileSystem.signature(of: folder)?.inode
      else { return forget() }
      let state = State(
        // Inputs that may have changed since are never equal.
        inputs: inputs.areSettled ? inputs.digest(in: folder) : [], folder: number, environment: environment,
        files: site.files, folders: site.folders,
        media: threads.media.compactMap { name in inputs.signature(ofMedia: name).map { (name, $0) } },
        lists: threads.lists.map { ($0.key, $0.value) },
        places: inputs.places(of: threads.people),
        recordsSignature: records, entries: threads.entries, authors: threads.authors, outcome: outcome)
      try AtomicFile.write(Self.sealed(state.bytes), to: path)
    } catch {
      forget()
    }
  }

  /// The files of a site that is in place.
  struct Contents {
    /// The files with the signatures of those that the build kept: a change in the meantime is then found by the next build.
    let files: [(path: String, signature: FileSignature?)]
    /// The paths that the build removed.
    let removed: [String]
    /// The state of the site that the build found.
    let previous: SiteState?
  }

  /// Returns the signatures of the site's files and folders; `nil` if any is missing.
  private func signatures(
    of site: Contents, jobs: Int
  ) -> (
    files: [(path: String, signature: FileSignature)], folders: [(path: String, signature: FileSignature)]
  )? {
    guard let top = OpenFolder(output) else { return nil }
    func look(_ paths: [(path: String, signature: FileSignature?)]) -> [(
      path: String, signature: FileSignature
    )]? {
      let parts = ParallelWork.run(
        count: paths.count, jobs: jobs, makeState: { [(path: String, signature: FileSignature)]() }
      ) { position, part in
        if let signature = paths[position].signature ?? top.signature(of: paths[position].path) {
          part.append((paths[position].path, signature))
        }
      }
      let all = Array(parts.joined())
      return all.count == paths.count ? all : nil
    }
    // The folders changed by the build are those in which a file was written or removed.
    let touched = StagedSite.folders(
      of: site.files.lazy.filter { $0.signature == nil }.map(\.path) + site.removed)
    let folders = StagedSite.folders(of: site.files.lazy.map(\.path)).map { folder in
      (path: folder, signature: touched.contains(folder) ? nil : site.previous?.signature(ofFolder: folder))
    }
    guard let files = look(site.files), let looked = look(folders) else { return nil }
    return (files, looked)
  }

  /// Deletes the cache.
  func forget() {
    // Files that cannot be removed do not match the site, and are ignored later.
    for path in [path, recordsPath] { try? FileSystem.remove(path) }
  }

  private static func sealed(_ body: [UInt8]) -> [UInt8] {
    Array(format.utf8) + SHA256.hash(body) + body
  }

  private static func opened(_ bytes: [UInt8]) -> [UInt8]? {
    guard bytes.starts(with: format.utf8) else { return nil }
    let sealed = bytes.dropFirst(format.utf8.count)
    let body = Array(sealed.dropFirst(SHA256.byteCount))
    return sealed.prefix(SHA256.byteCount).elementsEqual(SHA256.hash(body)) ? body : nil
  }
}

extension BuildCache {
  /// The contents of the file.
  struct State: Sendable {
    /// A digest of all inputs of the site; empty if they might have changed unnoticed.
    fileprivate let inputs: [UInt8]
    /// The inode of the folder in which the cache was written.
    fileprivate let folder: UInt64
    let environment: BuildEnvironment
    fileprivate let files: [(path: String, signature: FileSignature)]
    fileprivate let folders: [(path: String, signature: FileSignature)]
    fileprivate let media: [(path: String, signature: FileSignature)]
    fileprivate let lists: [(file: String, digest: UInt64)]
    /// ``BuildInputs/places(of:)``
    fileprivate let places: [UInt8]
    fileprivate let recordsSignature: FileSignature
    fileprivate let entries: [String: PreviousBuild.Entry]
    fileprivate let authors: [ThreadAuthors.Author]
    private let counts: [Int]
    private let empty: [String]
    private let warnings: [String]

    fileprivate init(
      inputs: [UInt8], folder: UInt64, environment: BuildEnvironment,
      files: [(path: String, signature: FileSignature)], folders: [(path: String, signature: FileSignature)],
      media: [(path: String, signature: FileSignature)], lists: [(file: String, digest: UInt64)],
      places: [UInt8], recordsSignature: FileSignature,
      entries: [String: PreviousBuild.Entry], authors: [ThreadAuthors.Author], outcome: Outcome
    ) {
      self.inputs = inputs
      self.folder = folder
      self.environment = environment
      self.files = files
      self.folders = folders
      self.media = media
      self.lists = lists
      self.places = places
      self.recordsSignature = recordsSignature
      self.entries = entries
      self.authors = authors
      let summary = outcome.summary
      counts = [
        summary.threads, summary.posts, summary.pages, summary.missingAltTexts, summary.drafts,
        summary.excluded,
      ]
      empty = summary.empty
      warnings = outcome.warnings
    }

    fileprivate func outcome(output: String) -> Outcome? {
      guard counts.count == 6 else { return nil }
      var summary = BuildSummary(
        threads: counts[0], posts: counts[1], pages: counts[2], missingAltTexts: counts[3], drafts: counts[4],
        excluded: counts[5], leftOut: [], output: output)
      summary.empty = empty
      return Outcome(summary: summary, warnings: warnings)
    }

    fileprivate var bytes: [UInt8] {
      var writer = ByteWriter(capacity: (files.count + folders.count + entries.count) * 96)
      writer.write(inputs)
      writer.write(Int(truncatingIfNeeded: folder))
      writer.write(environment.threads)
      writer.write(environment.pages)
      for list in [files, folders, media] {
        writer.write(list) { writer, file in
          writer.write(file.path)
          writer.write(file.signature)
        }
      }
      writer.write(lists) { writer, list in
        writer.write(list.file)
        writer.write(Int(Int64(bitPattern: list.digest)))
      }
      writer.write(places)
      writer.write(recordsSignature)
      writer.write(entries.map { $0 }) { writer, item in
        writer.write(item.key)
        writer.write(item.value)
      }
      writer.write(authors) { writer, author in
        writer.write(author.id)
        writer.write(author.record.map { [$0] } ?? []) { $0.write($1) }
      }
      writer.write(counts) { $0.write($1) }
      writer.write(empty) { $0.write($1) }
      writer.write(warnings) { $0.write($1) }
      return writer.bytes
    }

    fileprivate init(_ bytes: [UInt8]) throws(ByteReader.Truncated) {
      var reader = ByteReader(bytes)
      inputs = try reader.bytes()
      folder = UInt64(truncatingIfNeeded: try reader.integer())
      environment = BuildEnvironment(threads: try reader.bytes(), pages: try reader.bytes())
      func list() throws(ByteReader.Truncated) -> [(path: String, signature: FileSignature)] {
        try reader.list { (reader) throws(ByteReader.Truncated) in
          (path: try reader.string(), signature: try reader.signature())
        }
      }
      files = try list()
      folders = try list()
      media = try list()
      lists = try reader.list { (reader) throws(ByteReader.Truncated) in
        (file: try reader.string(), digest: UInt64(bitPattern: Int64(try reader.integer())))
      }
      places = try reader.bytes()
      recordsSignature = try reader.signature()
      let entries = try reader.list { (reader) throws(ByteReader.Truncated) in
        (stem: try reader.string(), entry: try reader.entry())
      }
      self.entries = Dictionary(entries.map { ($0.stem, $0.entry) }) { first, _ in first }
      authors = try reader.list { (reader) throws(ByteReader.Truncated) in
        ThreadAuthors.Author(
          id: try reader.networkID(),
          record: try reader.optional { (reader) throws(ByteReader.Truncated) in try reader.author() })
      }
      let count = authors.count
      guard entries.allSatisfy({ $0.entry.author < count }) else { throw ByteReader.Truncated() }
      counts = try reader.list { (reader) throws(ByteReader.Truncated) in try reader.integer() }
      empty = try reader.list { (reader) throws(ByteReader.Truncated) in try reader.string() }
      warnings = try reader.list { (reader) throws(ByteReader.Truncated) in try reader.string() }
    }
  }
}

extension ByteWriter {
  fileprivate mutating func write(_ entry: PreviousBuild.Entry) {
    write(entry.signature.map { [$0] } ?? []) { $0.write($1) }
    write(entry.record)
    write(entry.terms.map { [$0] } ?? []) { $0.write($1) }
    write(entry.author)
    write(Int(Int64(bitPattern: entry.place)))
    write(entry.page.map { [$0] } ?? []) { bytes, page in
      bytes.write(Int(Int64(bitPattern: page.related)))
      bytes.write(page.body) { $0.write($1) }
      bytes.write(Int(Int64(bitPattern: page.checksum)))
    }
  }

  private mutating func write(_ piece: ThreadRecords.Piece) {
    write(piece.range)
    write(Int(Int64(bitPattern: piece.checksum)))
  }

  private mutating func write(_ range: Range<Int>) {
    write(range.lowerBound)
    write(range.count)
  }

  /// Writes an author in the store's format.
  fileprivate mutating func write(_ author: Author) {
    write(ConversationCoding.encode(Profile(author: author)).bytes)
  }
}

extension ByteReader {
  fileprivate mutating func entry() throws(Truncated) -> PreviousBuild.Entry {
    PreviousBuild.Entry(
      signature: try optional { (bytes) throws(Truncated) in try bytes.signature() }, record: try piece(),
      terms: try optional { (bytes) throws(Truncated) in try bytes.piece() },
      author: try integer(),
      place: UInt64(bitPattern: Int64(try integer())),
      page: try optional { (bytes) throws(Truncated) in
        PreviousBuild.Page(
          related: UInt64(bitPattern: Int64(try bytes.integer())),
          body: try bytes.list { (bytes) throws(Truncated) in try bytes.range() },
          checksum: UInt64(bitPattern: Int64(try bytes.integer())))
      })
  }

  private mutating func piece() throws(Truncated) -> ThreadRecords.Piece {
    ThreadRecords.Piece(range: try range(), checksum: UInt64(bitPattern: Int64(try integer())))
  }

  private mutating func range() throws(Truncated) -> Range<Int> {
    let (start, count) = (try integer(), try integer())
    guard start >= 0, count >= 0, start <= .max - count else { throw Truncated() }
    return start..<start + count
  }

  fileprivate mutating func author() throws(Truncated) -> Author {
    guard let profile = try? ConversationCoding.decodeProfile(try bytes(), file: "") else {
      throw Truncated()
    }
    return profile.author
  }
}
