import Basics

/// A file in an archive, with its path and size.
package struct ArchiveEntry: Hashable, Sendable {
  /// The path in normal form: parts separated by `/`, without empty parts, `.` and `..`.
  package var path: String
  /// The size in bytes according to the archive's directory, which may be wrong; `nil` if unknown.
  package var size: Int?

  package init(path: String, size: Int?) {
    self.path = path
    self.size = size
  }

  /// The last part of the path.
  package var name: Substring { PathText.name(of: path) }
}

/// The list of the files in an archive that may be read.
package struct ArchiveListing: Sendable {
  /// The files with allowed paths, each path once.
  package var entries: [ArchiveEntry] = []
  /// The number of all files, including those that are never opened.
  package var fileCount = 0
  /// Whole messages about entries with allowed paths that are skipped, and about invalid paths.
  package var passedOver: [String] = []
  /// The paths of zip files in the archive.
  package var zips: [String] = []
}

/// An archive as it was downloaded or unpacked. Only files that are requested by their paths are opened.
package protocol ArchiveSource: Sendable {
  /// The path as the user gave it.
  var path: String { get }

  /// Lists the files with allowed paths.
  func list() throws(SourceError) -> ArchiveListing

  /// Opens only these files, in the order of the archive, and calls `body` with each.
  func read(
    _ paths: Set<String>, _ body: (ArchiveEntry, any EntryBytes) throws(SourceError) -> Void
  ) throws(SourceError)
}

extension ArchiveSource {
  /// Returns all bytes of a small file.
  ///
  /// - Throws: `tooLarge` if the file has more than `limit` bytes.
  package static func bytes(
    of content: any EntryBytes, atMost limit: Int, tooLarge: () -> SourceError
  ) throws(SourceError) -> [UInt8] {
    var bytes: [UInt8] = []
    while let piece = try content.next() {
      guard piece.count <= limit - bytes.count else { throw tooLarge() }
      bytes.append(contentsOf: piece)
    }
    return bytes
  }
}

/// The rules that decide which files of an archive may be opened. All other files may be private and are never opened.
package protocol ArchiveRules: Sendable {
  /// The network's name in messages: "X".
  var owner: String { get }
  /// Returns the role of a file by its path; `nil` if it is never opened.
  func role(of path: String) -> ArchiveRole?
  /// Returns whether the files of a folder of an unpacked archive are listed.
  ///
  /// - Parameters:
  ///   - depth: the number of folders of the archive that contain the folder.
  ///   - names: the names of all files and folders next to the folder, including its name.
  func enters(_ folder: String, depth: Int, beside names: [String]) -> Bool
  /// Returns whether the file or folder at a path would be read if it were not a symbolic link.
  func wouldRead(_ path: String, depth: Int) -> Bool
}

/// The role of a file of an archive.
package enum ArchiveRole: Hashable, Sendable {
  /// The file has posts or facts about the account. Two such files with the same path are an error, because it is unclear which one is
  /// valid.
  case facts
  case media
}

/// Limits that are far above the values of genuine archives.
enum ArchiveLimits {
  /// The maximum number of entries, with allowed paths or not.
  static let entries = 2_000_000
  /// The maximum number of messages about skipped entries; further entries are only counted.
  static let messages = 20
  /// An archive may unpack to at most `free` bytes plus `ratio` times its size. Compression reduces posts to a tenth of their size, and
  /// media not at all.
  static let ratio = 200
  static let free = 64 << 20
}

/// Checks of paths in an archive, which may come from an attacker.
enum ArchivePath {
  enum Problem: String {
    case absolute = "its path is absolute"
    case leadsOut = "its path leads out of the archive"
    case control = "its path contains a control character"
  }

  /// Returns the path in normal form, or the reason why it is invalid.
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
