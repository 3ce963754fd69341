import Files
package import NetworkSources
import UTF8Text

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An archive that was unpacked. Symbolic links in it are not followed: who unpacked a stranger's zip may have them.
package struct FolderArchive: ArchiveSource {
  package let path: String

  package init(path: String) {
    self.path = PathText.withoutTrailingSlashes(path)
  }

  /// Whether a folder, its `data` folder, or one of a folder below holds a file of posts, or at least the account's: what its posts are
  /// missing from is still an archive.
  package static func isArchive(_ folder: String) -> Bool {
    guard FileSystem.isFolder(folder) else { return false }
    return candidates(folder).contains { data in
      names(in: data).contains { [.posts, .account].contains(ArchiveAllowList.kind(ofFile: $0)) }
    }
  }

  private static func candidates(_ folder: String) -> [String] {
    let below = names(in: folder).filter { !PathText.isHidden($0) }.map { "\(folder)/\($0)/data" }
    return ([folder, folder + "/data"] + below).filter(FileSystem.isFolder)
  }

  /// A folder that cannot be listed holds nothing to us.
  private static func names(in folder: String) -> [String] {
    (try? FileSystem.names(in: folder)) ?? []
  }

  package func list() throws(ExportError) -> ArchiveListing {
    var listing = ArchiveListing()
    var collector = EntryCollector(archive: path)
    try walk("", depth: 0, &collector, &listing)
    collector.finish(&listing)
    return listing
  }

  /// Looks into the folders that data may lie in, and of those within it into the allowed ones.
  private func walk(
    _ folder: String, depth: Int, _ collector: inout EntryCollector, _ listing: inout ArchiveListing
  ) throws(ExportError) {
    let names: [String]
    do {
      names = try FileSystem.names(in: folder.isEmpty ? path : "\(path)/\(folder)")
    } catch {
      throw ExportError(path, nil, .file(error))
    }
    let isData = names.contains { ArchiveAllowList.kind(ofFile: $0) == .posts }
    for name in names where !PathText.isHidden(name) {
      let entry = folder.isEmpty ? name : "\(folder)/\(name)"
      switch FileSystem.kind(of: "\(path)/\(entry)") {
      case .folder:
        let isMedia = ArchiveAllowList.kind(ofFolder: name) != nil
        if isMedia || (!isData && depth < 2) { try walk(entry, depth: depth + 1, &collector, &listing) }
      case .file:
        listing.fileCount += 1
        try collector.add(entry, size: FileSystem.size(of: "\(path)/\(entry)"), isFile: true)
      case .link
      where ArchiveAllowList.kind(ofFolder: name) != nil || ArchiveAllowList.find(entry) != nil
        || (name == "data" && depth < 2):
        throw ExportError(
          path, entry,
          .refused(
            "is a symbolic link, which an unpacked archive does not have: put the file or folder itself there"
          ))
      default: try collector.add(entry, size: nil, isFile: false)
      }
    }
  }

  package func read(
    _ paths: Set<String>, _ body: (ArchiveEntry, any EntryBytes) throws(ExportError) -> Void
  ) throws(ExportError) {
    for entry in paths.sorted() {
      let content = try FileEntryBytes(archive: path, entry: entry)
      try body(ArchiveEntry(path: entry, size: FileSystem.size(of: "\(path)/\(entry)")), content)
    }
  }
}

/// A regular file in pieces.
private final class FileEntryBytes: EntryBytes {
  private let archive: String
  private let file: OpenFile
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)

  init(archive: String, entry: String) throws(ExportError) {
    self.archive = archive
    do {
      file = try OpenFile("\(archive)/\(entry)")
    } catch {
      throw ExportError(archive, nil, .file(error))
    }
  }

  deinit { buffer.deallocate() }

  func next() throws(ExportError) -> UnsafeRawBufferPointer? {
    while true {
      let count = read(file.descriptor, buffer.baseAddress, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw ExportError(
          archive, nil, .file(FileError(operation: "read the file", path: file.path, code: errno)))
      }
      return count == 0 ? nil : UnsafeRawBufferPointer(rebasing: buffer[..<count])
    }
  }
}
