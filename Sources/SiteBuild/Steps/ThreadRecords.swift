import Basics
import SearchIndex
import SiteWorkspace

/// The records of the threads of a running build, and their words for the search.
///
/// The records of the previous build stay in place, and new ones are appended, so that a build with one change does not copy the records of
/// all threads. If more than half of the file is unused, the used part is copied to a new file.
struct ThreadRecords: Sendable {
  /// A piece of the file.
  struct Piece: Sendable, Hashable {
    /// In bytes.
    var range: Range<Int>
    /// The checksum of the bytes.
    var checksum: UInt64
  }

  private let file: SpoolFile
  /// The records of the previous build; `nil` if they are missing or invalid.
  private let previous: SpoolFile?
  /// Whether new records are appended to those of the previous build.
  let extendsPrevious: Bool

  /// - Parameters:
  ///   - new: creates an empty file.
  ///   - previous: the previous build.
  init(
    after previous: PreviousBuild?, orIn new: () throws(PipelineError) -> SpoolFile
  ) throws(PipelineError) {
    self.previous = previous?.records
    if let records = previous?.records, previous?.isWorthExtending == true {
      file = records
      extendsPrevious = true
    } else {
      file = try new()
      extendsPrevious = false
    }
  }

  /// Moves the file to its place for the next build, without the records of earlier builds, because they may contain words that have been
  /// removed.
  func move(
    to path: String, below folder: String, keeping entries: some Collection<PreviousBuild.Entry>
  ) throws(FileError) {
    if extendsPrevious {
      try file.erase(except: entries.flatMap { [$0.record.range] + ($0.terms.map { [$0.range] } ?? []) })
    } else {
      try file.move(to: path, below: folder)
    }
  }

  /// Adds the record of a file with this signature; `nil` if the next build must not reuse the record.
  func add(
    _ record: ThreadRecord, _ terms: SearchTerms? = nil, signature: FileSignature?
  ) throws(PipelineError) -> PreviousBuild.Entry {
    PreviousBuild.Entry(
      signature: signature, record: try append(record.byteCoding),
      terms: try terms.map { (terms) throws(PipelineError) in try append(terms.byteCoding) }, author: 0,
      place: 0,
      page: nil)
  }

  /// Replaces the words of a record of the previous build. ``erase(_:)`` overwrites the former ones when they are no longer needed.
  func replace(termsOf entry: PreviousBuild.Entry, with terms: SearchTerms?) throws(PipelineError)
    -> PreviousBuild.Entry
  {
    var entry = entry
    entry.terms = try terms.map { (terms) throws(PipelineError) in try append(terms.byteCoding) }
    return entry
  }

  /// Overwrites pieces with zeros.
  func erase(_ pieces: [Piece]) throws(FileError) {
    for piece in pieces { try file.erase(piece.range) }
  }

  /// Keeps a record of the previous build.
  func keep(_ entry: PreviousBuild.Entry) throws(PipelineError) -> PreviousBuild.Entry {
    guard !extendsPrevious, let previous else { return entry }
    var entry = entry
    entry.record = try append(try Self.read(entry.record, from: previous))
    if let terms = entry.terms { entry.terms = try append(try Self.read(terms, from: previous)) }
    return entry
  }

  /// Returns the thread of a record of this build.
  func thread(_ entry: PreviousBuild.Entry) throws(PipelineError) -> BuiltThread {
    let bytes = try Self.read(entry.record, from: file)
    guard let thread = (try? ThreadRecord(byteCoding: bytes))?.built?.thread else { throw Self.changed }
    return thread
  }

  /// Returns the keys of the thread of a record of this build.
  func keys(_ entry: PreviousBuild.Entry) throws(PipelineError) -> ConversationKeys {
    let bytes = try Self.read(entry.record, from: file)
    guard let keys = try? ThreadRecord.keys(in: bytes) else { throw Self.changed }
    return keys
  }

  /// Returns the words for the search; `nil` if they are missing or damaged.
  func terms(_ entry: PreviousBuild.Entry) -> SearchTerms? {
    entry.terms.flatMap { try? SearchTerms(byteCoding: Self.read($0, from: file)) }
  }

  private static let changed = PipelineError(
    .io, ["error: what was kept of a thread while the site was built was changed meanwhile; build it again."])

  private func append(_ bytes: [UInt8]) throws(PipelineError) -> Piece {
    let range = try withFiles(about: .content) { () throws(FileError) in try file.append(bytes) }
    return Piece(range: range, checksum: PreviousBuild.checksum(of: bytes))
  }

  private static func read(_ piece: Piece, from file: SpoolFile) throws(PipelineError) -> [UInt8] {
    let bytes = try withFiles(about: .content) { () throws(FileError) in try file.read(piece.range) }
    guard PreviousBuild.checksum(of: bytes) == piece.checksum else { throw changed }
    return bytes
  }
}

extension ThreadRecords.Piece: Record {
  static let fields = RecordFields(Self.init, \.range, \.checksum)
}
