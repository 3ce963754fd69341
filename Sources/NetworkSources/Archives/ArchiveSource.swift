import Basics

/// A file in an archive: a name, and what the archive says of its size.
package struct ArchiveEntry: Hashable, Sendable {
  /// Normal: parts separated by `/`, no empty ones, no `.` and `..`.
  package var path: String
  /// Bytes, as the archive's own directory has it: not to be trusted.
  package var size: Int?

  package init(path: String, size: Int?) {
    self.path = path
    self.size = size
  }

  /// The last part of the path.
  package var name: Substring { PathText.name(of: path) }
}

/// What an archive holds that may be read.
package struct ArchiveListing: Sendable {
  /// What the list of allowed names has, each path once.
  package var entries: [ArchiveEntry] = []
  /// Files of any name, the ones that are never opened included.
  package var fileCount = 0
  /// Entries that would be read and are not: each a whole message.
  package var passedOver: [String] = []
  /// Zip files inside.
  package var zips: [String] = []
}

/// An archive as it was downloaded or unpacked. Nothing in it is opened but what is asked for by its path.
package protocol ArchiveSource: Sendable {
  /// As the user gave it.
  var path: String { get }

  /// What is there, by the list of allowed names.
  func list() throws(ExportError) -> ArchiveListing

  /// Opens each of these files, in the order in which they lie, and no other.
  func read(
    _ paths: Set<String>, _ body: (ArchiveEntry, any EntryBytes) throws(ExportError) -> Void
  ) throws(ExportError)
}

extension ArchiveSource {
  /// All bytes of a small file.
  package static func bytes(
    of content: any EntryBytes, atMost limit: Int, tooLarge: () -> ExportError
  ) throws(ExportError) -> [UInt8] {
    var bytes: [UInt8] = []
    while let piece = try content.next() {
      guard piece.count <= limit - bytes.count else { throw tooLarge() }
      bytes.append(contentsOf: piece)
    }
    return bytes
  }
}

/// Which files of an archive may be opened. All else in it is private, or nobody's business.
package protocol ArchiveRules: Sendable {
  /// Whose archives these are, in messages: "X".
  var owner: String { get }
  /// What a file is read for, by its path; `nil` for one that is never opened.
  func role(of path: String) -> ArchiveRole?
  /// Whether a folder of an unpacked archive is looked into.
  ///
  /// - Parameters:
  ///   - depth: how many folders it lies in.
  ///   - names: what lies beside it.
  func enters(_ folder: String, depth: Int, beside names: [String]) -> Bool
  /// Whether something of this path would be read if it were no symbolic link.
  func wouldRead(_ path: String, depth: Int) -> Bool
}

/// What a file of an archive is read for.
package enum ArchiveRole: Hashable, Sendable {
  /// Posts, and who wrote them: nothing can tell which of two such files is meant.
  case facts
  case media
}

/// What no archive comes near.
enum ArchiveLimits {
  /// Entries of any name.
  static let entries = 2_000_000
  /// Messages on entries that were passed over; the rest is a number.
  static let messages = 20
  /// How many times its own size a packed archive may unpack to, beyond `free` bytes. Posts shrink to a tenth, media not at all.
  static let ratio = 200
  static let free = 64 << 20
}

/// Paths in an archive, which anybody may have written.
enum ArchivePath {
  enum Problem: String {
    case absolute = "its path is absolute"
    case leadsOut = "its path leads out of the archive"
    case control = "its path holds a control character"
  }

  /// The path in its normal form, or what is wrong with it.
  static func normal(_ path: String) -> Result<String, ProblemError> {
    if path.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) { return .failure(ProblemError(.control)) }
    let isDrive = path.utf8.dropFirst().first == UInt8(ascii: ":")
    if path.hasBytePrefix("/") || path.hasBytePrefix("\\") || isDrive {
      return .failure(ProblemError(.absolute))
    }
    let parts = path.split(atBytes: "/\\").filter { $0 != "." }
    if parts.contains("..") { return .failure(ProblemError(.leadsOut)) }
    return .success(parts.joined(separator: "/"))
  }

  struct ProblemError: Error {
    let problem: Problem
    init(_ problem: Problem) { self.problem = problem }
  }
}
