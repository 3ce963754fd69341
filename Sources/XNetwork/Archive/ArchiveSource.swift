package import NetworkSources
import UTF8Text

/// A file in an archive: a name, and what the archive says of its size.
package struct ArchiveEntry: Hashable, Sendable {
  /// Normal: parts separated by `/`, no empty ones, no `.` and `..`.
  package var path: String
  /// Bytes, as the archive's own directory has it: not to be trusted.
  package var size: Int?

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
  static func bytes(
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

/// What no archive of X's comes near.
enum ArchiveLimits {
  /// Entries of any name.
  static let entries = 2_000_000
  /// Bytes of account, profile and the like.
  static let smallFile = 32 << 20
  /// Bytes of one post: the longest are 25,000 characters.
  static let element = 4 << 20
  /// Bytes of one file of posts; X splits them long before.
  static let postsFile = 4 << 30
  /// Messages on entries that were passed over; the rest is a number.
  static let messages = 20
  /// How many times its own size a zip file may unpack to, beyond `free` bytes. Posts shrink to a tenth, media not at all.
  static let ratio = 200
  static let free = 64 << 20
}
