package import Foundation

/// A new, empty folder, which is removed with this object.
package final class TemporaryFolder: Sendable {
  /// The path without a slash at its end, with symbolic links resolved.
  package let path: String

  package convenience init() throws {
    try self.init(below: FileManager.default.temporaryDirectory.resolvingSymlinksInPath())
  }

  /// Creates a folder in memory if the system supports this and enough bytes are free: a disk's journal takes additional
  /// time, which would be measured as the writer's.
  package convenience init(inMemory bytes: Int) throws {
    let memory = URL(filePath: "/dev/shm")
    let attributes = try? FileManager.default.attributesOfFileSystem(forPath: memory.path)
    if let free = attributes?[.systemFreeSize] as? Int, free >= bytes,
      FileManager.default.isWritableFile(atPath: memory.path)
    {
      try self.init(below: memory)
    } else {
      try self.init()
    }
  }

  private init(below folder: URL) throws {
    let url = folder.appending(path: "threadsite-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit {
    // The system clears its temporary folder of files that remain.
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Writes a file, and creates its folders.
  package func write(_ text: String, to name: String) throws {
    try write(Data(text.utf8), to: name)
  }

  package func write(_ data: Data, to name: String) throws {
    let url = URL(filePath: path).appending(path: name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: url)
  }

  /// Writes a file in one step, as editors save it. A program that watches the folder sees either the old or the new text, never a part, so
  /// that each call is one change even on a busy machine.
  package func save(_ text: String, to name: String) throws {
    let url = URL(filePath: path).appending(path: name)
    let hidden = url.deletingLastPathComponent().appending(path: ".\(url.lastPathComponent).new")
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: hidden)
    guard rename(hidden.path, url.path) == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
  }

  /// Removes a file or folder in one step. A program that watches the folder never sees a part of it.
  package func removeAtOnce(_ name: String) throws {
    let hidden = ".removed-\(UUID().uuidString)"
    guard rename("\(path)/\(name)", "\(path)/\(hidden)") == 0 else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    try remove(hidden)
  }

  package func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: path + "/" + name)
  }

  package func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path + "/" + name) }

  package func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: path).appending(path: name)), as: UTF8.self)
  }

  /// Returns all files in a folder and its subfolders, including hidden ones, by their paths relative to that folder.
  package func tree(_ name: String = "") throws -> [String: Data] {
    let top = name.isEmpty ? path : path + "/" + name
    var files: [String: Data] = [:]
    for case let file as String in FileManager.default.enumerator(atPath: top)
      ?? FileManager.DirectoryEnumerator()
    {
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: top + "/" + file, isDirectory: &isFolder)
      if !isFolder.boolValue { files[file] = try Self.content(of: top + "/" + file) }
    }
    return files
  }

  /// Returns the content of a file. Empty files are not read, because Foundation of Swift 6.3 leaks 4 KB for each, which the address sanitizer
  /// reports.
  private static func content(of path: String) throws -> Data {
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    return size == 0 ? Data() : try Data(contentsOf: URL(filePath: path))
  }
}
