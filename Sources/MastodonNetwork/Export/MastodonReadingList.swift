import Basics
import NetworkSources

/// The likes or bookmarks in an archive of Mastodon and related servers: `likes.json` and `bookmarks.json`, collections of ActivityPub
/// with the URIs of the posts (Mastodon's `backup_service.rb`), which are their URLs on most servers.
struct MastodonReadingList {
  let path: String
  let kind: ReadingList.Kind

  /// In bytes; enough for a million posts.
  private static let largestFile = 256 << 20

  private var file: String { kind.rawValue + ".json" }

  /// Reads the list in the order of the archive.
  func list() throws(SourceError) -> ReadingList {
    guard let source = try source(), let entry = try source.list().entries.first else {
      throw SourceError(export: path, "contains no \(kind.rawValue): there is no \(file) in it")
    }
    var bytes: [UInt8] = []
    try source.read([entry.path]) { (entry, content) throws(SourceError) in
      bytes = try PackedArchive.bytes(of: content, atMost: Self.largestFile) {
        SourceError(export: path, entry.path, "is too large")
      }
    }
    let items: [JSONValue]
    do throws(JSONError) {
      items = try JSONValue(parsing: bytes)["orderedItems"]?.array ?? []
    } catch {
      throw SourceError(error, in: "\(path)/\(entry.path)")
    }
    var list = ReadingList()
    for item in items {
      list.add((item.string ?? item["id"]?.string).flatMap { ReadingList.Entry(url: $0) })
    }
    return list
  }

  /// Returns the archive with rules for only this file; `nil` for an export that is a single file.
  private func source() throws(SourceError) -> (any ArchiveSource)? {
    let rules = MastodonListRules(file: file)
    if FileSystem.isFolder(path) { return FolderArchive(path: path, rules) }
    do throws(FileError) {
      return try PackedArchive.Format.of(path).map { PackedArchive(path: path, $0, rules) }
    } catch {
      throw SourceError(error)
    }
  }
}

/// The rules for reading only one list.
private struct MastodonListRules: ArchiveRules {
  let owner = "Mastodon"
  let file: String

  func role(of path: String) -> ArchiveRole? {
    path.split(atBytes: "/").count <= MastodonArchiveRules.deepest + 1 && PathText.name(of: path) == file
      ? .facts : nil
  }

  func enters(_ folder: String, depth: Int, beside names: [String]) -> Bool {
    depth < MastodonArchiveRules.deepest
  }

  func wouldRead(_ path: String, depth: Int) -> Bool { role(of: path) != nil }
}
