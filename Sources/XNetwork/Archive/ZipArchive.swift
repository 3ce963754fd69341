import CArchive
import Files
package import NetworkSources

/// A zip file, read in place: nothing is unpacked, and only what is asked for leaves the file.
package struct ZipArchive: ArchiveSource {
  package let path: String

  package init(path: String) { self.path = path }

  package func list() throws(ExportError) -> ArchiveListing {
    var listing = ArchiveListing()
    var collector = EntryCollector(archive: path)
    let reader = try ZipReader(path)
    while let entry = try reader.nextEntry() {
      if carchive_is_folder(entry) { continue }
      listing.fileCount += 1
      guard listing.fileCount <= ArchiveLimits.entries else {
        throw ExportError(
          path, nil, .refused("more than \(ArchiveLimits.entries) files, which no archive of X's has"))
      }
      guard let name = archive_entry_pathname_utf8(entry) else {
        collector.unnamed += 1
        continue
      }
      let size = archive_entry_size_is_set(entry) != 0 ? Int(exactly: archive_entry_size(entry)) : nil
      let isEncrypted = archive_entry_is_encrypted(entry) != 0
      try collector.add(
        String(cString: name), size: size, isFile: carchive_is_file(entry), isEncrypted: isEncrypted)
    }
    collector.finish(&listing)
    return listing
  }

  package func read(
    _ paths: Set<String>, _ body: (ArchiveEntry, any EntryBytes) throws(ExportError) -> Void
  ) throws(ExportError) {
    guard !paths.isEmpty else { return }
    var wanted = paths
    let reader = try ZipReader(path)
    while !wanted.isEmpty, let entry = try reader.nextEntry() {
      guard let name = archive_entry_pathname_utf8(entry), carchive_is_file(entry),
        case .success(let path) = ArchivePath.normal(String(cString: name)), wanted.remove(path) != nil
      else { continue }
      let size = archive_entry_size_is_set(entry) != 0 ? Int(exactly: archive_entry_size(entry)) : nil
      try body(
        ArchiveEntry(path: path, size: size), ZipEntryBytes(reader: reader, entry: path, size: size))
    }
    if let missing = wanted.min() {
      throw ExportError(path, missing, .damaged("the entry is gone"))
    }
  }
}

/// libarchive's handle, freed with the value; used by one thread.
///
/// Zip files are read by their directory at the end, so that passing over an entry costs nothing however large it is, and a
/// file whose end is missing is not taken for a whole one.
private final class ZipReader {
  let path: String
  let handle: OpaquePointer
  /// The zip file itself, which libarchive borrows.
  private let file: OpenFile
  /// Bytes that came out of it.
  private var unpacked = 0

  init(_ path: String) throws(ExportError) {
    self.path = path
    do {
      file = try OpenFile(path)
    } catch {
      throw ExportError(path, nil, error.kind == .notRegular ? .noArchive(Self.notZip) : .file(error))
    }
    guard let handle = archive_read_new() else {
      throw ExportError(path, nil, .damaged("libarchive has no memory"))
    }
    self.handle = handle
    archive_read_support_format_zip_seekable(handle)
    // Small blocks: walking over entries reads one for each.
    let code = archive_read_open_fd(handle, file.descriptor, 16 << 10)
    guard code == ARCHIVE_OK else {
      let words = Self.words(handle)
      let reason = words.contains("format") ? Self.notZip : "cannot be opened: \(words)"
      throw ExportError(path, nil, .noArchive(reason))
    }
  }

  deinit { archive_read_free(handle) }

  private static func words(_ handle: OpaquePointer) -> String {
    archive_error_string(handle).map { String(cString: $0) } ?? "no reason given"
  }

  var words: String { Self.words(handle) }

  func nextEntry() throws(ExportError) -> OpaquePointer? {
    var entry: OpaquePointer?
    for _ in 0..<10 {
      switch archive_read_next_header(handle, &entry) {
      // A warning is about a name's character set.
      case ARCHIVE_OK, ARCHIVE_WARN: return entry
      case ARCHIVE_EOF: return nil
      case ARCHIVE_RETRY: continue
      default:
        throw ExportError(path, nil, .damaged(words))
      }
    }
    throw ExportError(path, nil, .damaged(words))
  }

  private static let notZip =
    "no whole zip file: either it is something else, or the download was cut short; download the archive again, or "
    + "give the folder that it was unpacked to"

  /// Counts what came out, against bombs.
  func count(_ bytes: Int, of entry: String) throws(ExportError) {
    unpacked += bytes
    guard unpacked <= ArchiveLimits.free + file.count * ArchiveLimits.ratio else {
      throw ExportError(
        path, entry,
        .refused(
          "unpacks to more than \(ArchiveLimits.ratio) times the size of the zip file, as no archive of X's does"
        ))
    }
  }
}

private final class ZipEntryBytes: EntryBytes {
  private let reader: ZipReader
  private let entry: String
  private let size: Int?
  private var count = 0

  init(reader: ZipReader, entry: String, size: Int?) {
    self.reader = reader
    self.entry = entry
    self.size = size
  }

  func next() throws(ExportError) -> UnsafeRawBufferPointer? {
    var start: UnsafeRawPointer?
    var length = 0
    var offset: Int64 = 0
    switch archive_read_data_block(reader.handle, &start, &length, &offset) {
    case ARCHIVE_OK:
      guard offset == count else { throw damaged("a hole in the data") }
      count += length
      if let size, count > size { throw damaged("more data than the zip file's directory says") }
      try reader.count(length, of: entry)
      return UnsafeRawBufferPointer(start: start, count: length)
    case ARCHIVE_EOF:
      if let size, count != size { throw damaged("less data than the zip file's directory says") }
      return nil
    default: throw damaged(reader.words)
    }
  }

  private func damaged(_ words: String) -> ExportError {
    ExportError(reader.path, entry, .damaged(words))
  }
}
