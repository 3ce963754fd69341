import Files
import UTF8Text

/// What the store asks of the file system, with the store's own rules: links are not followed, what is hidden is not seen, and a
/// file that is missing is no error.
enum StoreFiles {
  /// The entries of a folder, sorted, those that begin with a dot left out; none where there is no folder.
  static func entries(of path: String) throws(ThreadStoreError) -> [FileSystem.Entry] {
    guard FileSystem.kind(of: path) != .nothing else { return [] }
    return try withFiles { () throws(FileError) in try FileSystem.entries(of: path) }
      .filter { !PathText.isHidden($0.name) }
  }

  /// The bytes of a file; `nil` where there is none.
  static func read(_ path: String, atMost limit: Int) throws(ThreadStoreError) -> [UInt8]? {
    do throws(FileError) {
      return try FileBytes.read(path, atMost: limit)
    } catch {
      if error.kind == .missing { return nil }
      throw ThreadStoreError(error)
    }
  }

  /// Puts the bytes at a path so that there is, at any moment and after any crash, either the file as it was or the whole
  /// new one.
  static func write(_ bytes: [UInt8], to path: String) throws(ThreadStoreError) {
    try withFiles { () throws(FileError) in try AtomicFile.write(bytes, to: path) }
  }

  private static func withFiles<Result>(
    _ work: () throws(FileError) -> Result
  ) throws(ThreadStoreError) -> Result {
    do {
      return try work()
    } catch {
      throw ThreadStoreError(error)
    }
  }
}
