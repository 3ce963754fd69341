package import Foundation

/// An empty folder that vanishes with the value.
package final class TemporaryFolder: Sendable {
  /// Without a slash at its end, symbolic links followed.
  package let path: String

  package convenience init() throws {
    try self.init(below: FileManager.default.temporaryDirectory.resolvingSymlinksInPath())
  }

  /// A folder in memory where the system offers that and so many bytes of it are free: a disk's journal takes a time
  /// of its own, which counts as the writer's.
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
    // What stays behind in the system's own temporary folder is cleared by the system.
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Writes a file, and the folders on its way.
  package func write(_ text: String, to name: String) throws {
    try write(Data(text.utf8), to: name)
  }

  package func write(_ data: Data, to name: String) throws {
    let url = URL(filePath: path).appending(path: name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: url)
  }

  package func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: path + "/" + name)
  }

  package func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path + "/" + name) }

  package func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: path).appending(path: name)), as: UTF8.self)
  }

  /// Every file below a folder, hidden ones too, by its path relative to that folder.
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

  /// Foundation of Swift 6.3 loses 4 KB with each empty file that it reads, which the address sanitizer rightly reports.
  private static func content(of path: String) throws -> Data {
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    return size == 0 ? Data() : try Data(contentsOf: URL(filePath: path))
  }
}
