import Basics
import SearchIndex

/// The records of the threads of a build that is under way, and the words for the search.
///
/// Those of the last build stay where they are, and new ones are added behind them: so a build of one change does not copy the records of all
/// threads. Where more than half of the file is of no use any more, all that is used is copied into a new one.
struct ThreadRecords: Sendable {
  /// A piece of the file.
  struct Piece: Sendable, Hashable {
    /// In bytes.
    var range: Range<Int>
    /// Of the bytes.
    var checksum: UInt64
  }

  private let file: SpoolFile
  /// Those of the last build; `nil` where none can be believed.
  private let previous: SpoolFile?
  /// Whether new records are added to those of the last build.
  let extendsPrevious: Bool

  /// - Parameters:
  ///   - new: makes an empty file.
  ///   - previous: the last build.
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

  /// Puts the file where the next build looks for it.
  func move(to path: String, below folder: String) throws(FileError) {
    if !extendsPrevious { try file.move(to: path, below: folder) }
  }

  /// Adds the record of a file with this signature; `nil` for one that no other build is to find.
  func add(
    _ record: ThreadRecord, _ terms: SearchTerms? = nil, signature: FileSignature?
  ) throws(PipelineError) -> PreviousBuild.Entry {
    PreviousBuild.Entry(
      signature: signature, record: try append(record.bytes),
      terms: try terms.map { (terms) throws(PipelineError) in try append(terms.bytes) }, author: 0, place: 0,
      page: nil)
  }

  /// Keeps a record of the last build.
  func keep(_ entry: PreviousBuild.Entry) throws(PipelineError) -> PreviousBuild.Entry {
    guard !extendsPrevious, let previous else { return entry }
    var entry = entry
    entry.record = try append(try Self.read(entry.record, from: previous))
    if let terms = entry.terms { entry.terms = try append(try Self.read(terms, from: previous)) }
    return entry
  }

  /// The thread of a record of this build.
  func thread(_ entry: PreviousBuild.Entry) throws(PipelineError) -> BuiltThread {
    let bytes = try Self.read(entry.record, from: file)
    guard let thread = (try? ThreadRecord(bytes))?.built?.thread else { throw Self.changed }
    return thread
  }

  /// What decides about the thread of a record of this build.
  func keys(_ entry: PreviousBuild.Entry) throws(PipelineError) -> ConversationKeys {
    let bytes = try Self.read(entry.record, from: file)
    guard let record = try? ThreadRecord(bytes) else { throw Self.changed }
    return record.keys
  }

  /// What a search finds of it; `nil` where that is not what was written.
  func terms(_ entry: PreviousBuild.Entry) -> SearchTerms? {
    entry.terms.flatMap { try? SearchTerms(Self.read($0, from: file)) }
  }

  private static let changed = PipelineError(
    .io, ["error: what was kept of a thread while the site was built was changed meanwhile; build it again."])

  private func append(_ bytes: [UInt8]) throws(PipelineError) -> Piece {
    do {
      return Piece(range: try file.append(bytes), checksum: PreviousBuild.checksum(of: bytes))
    } catch {
      throw PipelineError(error, about: .content)
    }
  }

  private static func read(_ piece: Piece, from file: SpoolFile) throws(PipelineError) -> [UInt8] {
    do {
      let bytes = try file.read(piece.range)
      guard PreviousBuild.checksum(of: bytes) == piece.checksum else { throw changed }
      return bytes
    } catch let error as FileError {
      throw PipelineError(error, about: .content)
    } catch {
      throw changed
    }
  }
}
