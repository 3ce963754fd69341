package import Foundation
import TestSupport

extension FuzzTarget {
  /// Invented inputs: `Tests/Fuzz/Corpus/<name>`.
  package var corpusFolder: URL {
    ProjectFolders.repository.appending(path: "Tests/Fuzz/Corpus/\(name)")
  }

  /// Inputs of former failures, which every test run repeats: `Tests/Fuzz/Findings/<name>`.
  package var findingsFolder: URL {
    ProjectFolders.repository.appending(path: "Tests/Fuzz/Findings/\(name)")
  }

  /// The corpus: its own folder, then the repository's files of the target's kind, in the order of their
  /// names, then an input of maximum nesting for each of the target's openers.
  package func corpus() throws -> [(name: String, bytes: [UInt8])] {
    var files = try Self.files(in: corpusFolder)
    for seeds in seeds {
      let folder = ProjectFolders.repository.appending(path: seeds.folder)
      files += try Self.files(in: folder).filter { $0.name.hasSuffix(seeds.suffix) }
    }
    files += openers.enumerated().map { number, opener in
      ("nested-\(number)", Array([[UInt8]](repeating: opener, count: maximumLength / opener.count).joined()))
    }
    return files.filter { $0.bytes.count <= maximumLength }
  }

  package func findings() throws -> [(name: String, bytes: [UInt8])] { try Self.files(in: findingsFolder) }

  /// All files below a folder; empty if the folder is missing, because a target without findings has none.
  private static func files(in folder: URL) throws -> [(name: String, bytes: [UInt8])] {
    guard let names = FileManager.default.enumerator(atPath: folder.path) else { return [] }
    var files: [(name: String, bytes: [UInt8])] = []
    for name in names.compactMap({ $0 as? String }).sorted() {
      let url = folder.appending(path: name)
      let values = try url.resourceValues(forKeys: [.isRegularFileKey, .fileSizeKey])
      guard values.isRegularFile == true, let size = values.fileSize, size > 0, size <= 1 << 20 else {
        continue
      }
      files.append((name, Array(try Data(contentsOf: url))))
    }
    return files
  }
}

/// A folder for readers that take paths, in memory if the system has such a file system. There is one per
/// process, and each use empties it.
///
/// libFuzzer and the tests run a target on one thread at a time, and each target has its own folder.
struct ScratchFolder: Sendable {
  let path: String

  init(_ name: String) {
    let memory = "/dev/shm"
    let base = FileManager.default.isWritableFile(atPath: memory) ? memory : NSTemporaryDirectory()
    path = "\(base)/threadsite-fuzz-\(ProcessInfo.processInfo.processIdentifier)-\(name)"
  }

  /// Removes the old files and writes files by their relative paths.
  func fill(_ files: [(path: String, bytes: some Collection<UInt8>)]) throws {
    remove()
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for file in files {
      let url = URL(filePath: path).appending(path: file.path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(file.bytes).write(to: url)
    }
  }

  /// Removes the folder; a missing folder is not an error.
  func remove() { try? FileManager.default.removeItem(atPath: path) }
}
