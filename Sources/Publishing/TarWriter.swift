import Basics
import CArchive

/// Writes a compressed tar file with libarchive.
///
/// The format is GNU tar, in which names are byte strings of any length. For other formats, libarchive converts names depending on the
/// locale.
struct TarWriter: ~Copyable {
  private let path: String
  private let archive: OpaquePointer
  private let entry: OpaquePointer

  /// - Parameter path: the path of the file, which is created or overwritten.
  init(_ path: String) throws(PublishError) {
    self.path = path
    (archive, entry) = try Self.open(path)
  }

  private static func open(
    _ path: String
  ) throws(PublishError) -> (archive: OpaquePointer, entry: OpaquePointer) {
    guard let archive = archive_write_new(), let entry = archive_entry_new() else {
      throw PublishError(.io, "\(path): error: not enough memory for the archive.")
    }
    do throws(PublishError) {
      try check(archive_write_set_format_gnutar(archive), archive, path)
      try check(archive_write_add_filter_gzip(archive), archive, path)
      // Without a timestamp, the same site always produces the same bytes.
      try check(archive_write_set_filter_option(archive, "gzip", "timestamp", nil), archive, path)
      try check(archive_write_open_filename(archive, path), archive, path)
    } catch {
      archive_entry_free(entry)
      archive_write_free(archive)
      throw error
    }
    return (archive, entry)
  }

  deinit {
    archive_entry_free(entry)
    archive_write_free(archive)
  }

  /// Begins a file, whose bytes are written next.
  ///
  /// - Parameter size: the number of bytes that will follow.
  func begin(_ name: String, size: Int) throws(PublishError) {
    archive_entry_clear(entry)
    archive_entry_set_pathname(entry, name)
    carchive_set_file(entry)
    archive_entry_set_perm(entry, 0o644)
    archive_entry_set_size(entry, Int64(size))
    try check(archive_write_header(archive, entry))
  }

  func write(_ bytes: [UInt8]) throws(PublishError) {
    let written = bytes.withUnsafeBytes { archive_write_data(archive, $0.baseAddress, $0.count) }
    guard written == bytes.count else { throw Self.failure(archive, path) }
  }

  func link(_ name: String, to target: String) throws(PublishError) {
    archive_entry_clear(entry)
    archive_entry_set_pathname(entry, name)
    carchive_set_link(entry, target)
    archive_entry_set_perm(entry, 0o777)
    try check(archive_write_header(archive, entry))
  }

  /// Writes the data that is still in memory, and the end of the archive.
  consuming func finish() throws(PublishError) { try check(archive_write_close(archive)) }

  private func check(_ code: Int32) throws(PublishError) { try Self.check(code, archive, path) }

  private static func check(_ code: Int32, _ archive: OpaquePointer, _ path: String) throws(PublishError) {
    guard code == ARCHIVE_OK || code == ARCHIVE_WARN else { throw failure(archive, path) }
  }

  private static func failure(_ archive: OpaquePointer, _ path: String) -> PublishError {
    let words = archive_error_string(archive).map { String(cString: $0) } ?? "no reason given"
    return PublishError(.io, "\(path): error: the archive cannot be written: \(words).")
  }
}
