package import Basics
import CArchive

/// A zip or tar file, which is read without unpacking it to the disk.
package struct PackedArchive: ArchiveSource {
  package enum Format: Hashable, Sendable {
    case zip
    /// A tar file, uncompressed or compressed by gzip.
    case tar

    /// Returns the format of a file by its first bytes and not by its name; `nil` for other formats.
    package static func of(_ path: String) throws(FileError) -> Format? {
      let file = try OpenFile(path)
      let head = try file.bytes(4, at: 0)
      if head == [0x50, 0x4B, 3, 4] { return .zip }
      if head.starts(with: [0x1F, 0x8B]) { return .tar }
      return try file.bytes(5, at: 257) == Array("ustar".utf8) ? .tar : nil
    }
  }

  package let path: String
  private let format: Format
  private let rules: any ArchiveRules

  package init(path: String, _ format: Format, _ rules: any ArchiveRules) {
    self.path = path
    self.format = format
    self.rules = rules
  }

  package func list() throws(SourceError) -> ArchiveListing {
    var listing = ArchiveListing()
    var collector = EntryCollector(archive: path, rules)
    let reader = try PackedReader(path, format, rules.owner)
    while let entry = try reader.nextEntry() {
      if carchive_is_folder(entry) { continue }
      listing.fileCount += 1
      guard listing.fileCount <= ArchiveLimits.entries else {
        throw SourceError(
          export: path, "more than \(ArchiveLimits.entries) files, too many for an archive of \(rules.owner)")
      }
      guard let name = archive_entry_pathname_utf8(entry) else {
        collector.unnamed += 1
        continue
      }
      let size = archive_entry_size_is_set(entry) != 0 ? Int(exactly: archive_entry_size(entry)) : nil
      let isEncrypted = archive_entry_is_encrypted(entry) != 0
      try collector.add(
        String(cString: name), size: size, isFile: Self.isFile(entry), isEncrypted: isEncrypted)
    }
    collector.finish(&listing)
    return listing
  }

  /// Returns whether an entry is a regular file and not a hard link to a different entry.
  private static func isFile(_ entry: OpaquePointer) -> Bool {
    carchive_is_file(entry) && archive_entry_hardlink(entry) == nil
  }

  package func read(
    _ paths: Set<String>, _ body: (ArchiveEntry, any EntryBytes) throws(SourceError) -> Void
  ) throws(SourceError) {
    guard !paths.isEmpty else { return }
    var wanted = paths
    let reader = try PackedReader(path, format, rules.owner)
    while !wanted.isEmpty, let entry = try reader.nextEntry() {
      guard let name = archive_entry_pathname_utf8(entry), Self.isFile(entry),
        case .success(let path) = ArchivePath.normal(String(cString: name)), wanted.remove(path) != nil
      else { continue }
      let size = archive_entry_size_is_set(entry) != 0 ? Int(exactly: archive_entry_size(entry)) : nil
      try body(
        ArchiveEntry(path: path, size: size), PackedEntryBytes(reader: reader, entry: path, size: size))
    }
    if let missing = wanted.min() {
      throw SourceError(export: path, missing, damaged: "the entry is gone")
    }
  }
}

/// Owns libarchive's handle and frees it; used by one thread.
///
/// Zip files are read by the directory at their end. So entries can be skipped at no cost, and truncated files are recognized.
private final class PackedReader {
  let path: String
  private let format: PackedArchive.Format
  private let owner: String
  let handle: OpaquePointer
  /// The open file, whose descriptor libarchive uses but does not close.
  private let file: OpenFile
  /// The number of bytes that were unpacked.
  private var unpacked = 0
  private var isInEntry = false

  init(_ path: String, _ format: PackedArchive.Format, _ owner: String) throws(SourceError) {
    self.path = path
    self.format = format
    self.owner = owner
    do {
      file = try OpenFile(path)
    } catch {
      throw error.kind == .notRegular
        ? SourceError(export: path, Self.otherwise(format)) : SourceError(error)
    }
    guard let handle = archive_read_new() else {
      throw SourceError(export: path, damaged: "libarchive ran out of memory")
    }
    self.handle = handle
    switch format {
    case .zip: archive_read_support_format_zip_seekable(handle)
    case .tar:
      archive_read_support_filter_gzip(handle)
      archive_read_support_format_tar(handle)
    }
    // Small blocks, because skipping an entry reads one block.
    let code = archive_read_open_fd(handle, file.descriptor, 16 << 10)
    guard code == ARCHIVE_OK else {
      let words = Self.words(handle)
      // To recognize a compressed tar file, libarchive unpacks its beginning, which fails for a damaged file.
      if format == .tar, !words.contains("format") { throw SourceError(export: path, damaged: words) }
      let reason = words.contains("format") ? Self.otherwise(format) : "cannot be opened: \(words)"
      throw SourceError(export: path, reason)
    }
  }

  deinit { archive_read_free(handle) }

  private static func words(_ handle: OpaquePointer) -> String {
    archive_error_string(handle).map { String(cString: $0) } ?? "no reason given"
  }

  var words: String { Self.words(handle) }

  func nextEntry() throws(SourceError) -> OpaquePointer? {
    if format == .tar { try passOver() }
    var entry: OpaquePointer?
    for _ in 0..<10 {
      switch archive_read_next_header(handle, &entry) {
      // Warnings are about the character set of a name.
      case ARCHIVE_OK, ARCHIVE_WARN: return entry
      case ARCHIVE_EOF: return nil
      case ARCHIVE_RETRY: continue
      default:
        throw SourceError(export: path, damaged: words)
      }
    }
    throw SourceError(export: path, damaged: words)
  }

  /// Skips the rest of the current entry of a tar file. Its bytes have to be unpacked for this, so they are counted.
  private func passOver() throws(SourceError) {
    guard isInEntry else {
      isInEntry = true
      return
    }
    var start: UnsafeRawPointer?
    var length = 0
    var offset: Int64 = 0
    while true {
      switch archive_read_data_block(handle, &start, &length, &offset) {
      case ARCHIVE_OK: try count(length, of: nil)
      case ARCHIVE_EOF: return
      default: throw SourceError(export: path, damaged: words)
      }
    }
  }

  private static func otherwise(_ format: PackedArchive.Format) -> String {
    "not a complete \(format == .zip ? "zip" : "tar") file; "
      + "download the archive again, or import the unpacked folder"
  }

  /// Counts unpacked bytes. Throws if an archive unpacks to far more than its size (a zip bomb).
  func count(_ bytes: Int, of entry: String?) throws(SourceError) {
    unpacked += bytes
    guard unpacked <= ArchiveLimits.free + file.count * ArchiveLimits.ratio else {
      throw SourceError(
        export: path, entry,
        "unpacks to more than \(ArchiveLimits.ratio) times the size of the file, too much for an archive of \(owner)"
      )
    }
  }
}

private final class PackedEntryBytes: EntryBytes {
  private let reader: PackedReader
  private let entry: String
  private let size: Int?
  private var count = 0

  init(reader: PackedReader, entry: String, size: Int?) {
    self.reader = reader
    self.entry = entry
    self.size = size
  }

  func next() throws(SourceError) -> UnsafeRawBufferPointer? {
    var start: UnsafeRawPointer?
    var length = 0
    var offset: Int64 = 0
    switch archive_read_data_block(reader.handle, &start, &length, &offset) {
    case ARCHIVE_OK:
      guard offset == count else { throw damaged("a hole in the data") }
      count += length
      if let size, count > size { throw damaged("more data than the archive's directory states") }
      try reader.count(length, of: entry)
      return UnsafeRawBufferPointer(start: start, count: length)
    case ARCHIVE_EOF:
      if let size, count != size { throw damaged("less data than the archive's directory states") }
      return nil
    default: throw damaged(reader.words)
    }
  }

  private func damaged(_ words: String) -> SourceError {
    SourceError(export: reader.path, entry, damaged: words)
  }
}
