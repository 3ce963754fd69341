import Basics

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An unpacked archive. Symbolic links in it are not followed, because they may come from an attacker's zip file.
package struct FolderArchive: ArchiveSource {
  package let path: String
  private let rules: any ArchiveRules

  package init(path: String, _ rules: any ArchiveRules) {
    self.path = PathText.withoutTrailingSlashes(path)
    self.rules = rules
  }

  /// The maximum depth of folders that are read. Mastodon's media are nine levels deep.
  private static let deepest = 16

  package func list() throws(SourceError) -> ArchiveListing {
    var listing = ArchiveListing()
    var collector = EntryCollector(archive: path, rules)
    try walk("", depth: 0, &collector, &listing)
    collector.finish(&listing)
    return listing
  }

  /// Collects the files in a folder and in its allowed subfolders, down to ``deepest`` levels.
  private func walk(
    _ folder: String, depth: Int, _ collector: inout EntryCollector, _ listing: inout ArchiveListing
  ) throws(SourceError) {
    let names: [String]
    do {
      names = try FileSystem.names(in: folder.isEmpty ? path : "\(path)/\(folder)")
    } catch {
      throw SourceError(error)
    }
    for name in names where !PathText.isHidden(name) {
      let entry = folder.isEmpty ? name : "\(folder)/\(name)"
      switch FileSystem.kind(of: "\(path)/\(entry)") {
      case .folder:
        guard depth < Self.deepest, rules.enters(entry, depth: depth, beside: names) else { continue }
        try walk(entry, depth: depth + 1, &collector, &listing)
      case .file:
        listing.fileCount += 1
        guard listing.fileCount <= ArchiveLimits.entries else {
          throw SourceError(
            export: path,
            "more than \(ArchiveLimits.entries) files, too many for an archive of \(rules.owner)"
          )
        }
        try collector.add(entry, size: FileSystem.size(of: "\(path)/\(entry)"), isFile: true)
      case .link where rules.wouldRead(entry, depth: depth):
        throw SourceError(
          export: path, entry,
          "is a symbolic link, which threadsite does not follow in archives: replace it with the file or folder"
        )
      default: try collector.add(entry, size: nil, isFile: false)
      }
    }
  }

  package func read(
    _ paths: Set<String>, _ body: (ArchiveEntry, any EntryBytes) throws(SourceError) -> Void
  ) throws(SourceError) {
    for entry in paths.sorted() {
      let content = try FileEntryBytes(archive: path, entry: entry)
      try body(ArchiveEntry(path: entry, size: FileSystem.size(of: "\(path)/\(entry)")), content)
    }
  }
}

/// The bytes of a regular file, read in pieces.
private final class FileEntryBytes: EntryBytes {
  private let archive: String
  private let file: OpenFile
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)

  init(archive: String, entry: String) throws(SourceError) {
    self.archive = archive
    do {
      file = try OpenFile("\(archive)/\(entry)")
    } catch {
      throw SourceError(error)
    }
  }

  deinit { buffer.deallocate() }

  func next() throws(SourceError) -> UnsafeRawBufferPointer? {
    while true {
      let count = read(file.descriptor, buffer.baseAddress, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw SourceError(FileError(operation: "read the file", path: file.path, code: errno))
      }
      return count == 0 ? nil : UnsafeRawBufferPointer(rebasing: buffer[..<count])
    }
  }
}
