package import Foundation
import TestSupport

extension FuzzTarget {
  /// Inputs of our own inventing: `Tests/Fuzz/Corpus/<name>`.
  package var corpusFolder: URL {
    ProjectFolders.repository.appending(path: "Tests/Fuzz/Corpus/\(name)")
  }

  /// Inputs that once broke something, replayed by every test run: `Tests/Fuzz/Findings/<name>`.
  package var findingsFolder: URL {
    ProjectFolders.repository.appending(path: "Tests/Fuzz/Findings/\(name)")
  }

  /// The corpus: its own folder, then the files of the repository that are of the target's kind; in the order of their names.
  package func corpus() throws -> [(name: String, bytes: [UInt8])] {
    var files = try Self.files(in: corpusFolder)
    for seeds in seeds {
      let folder = ProjectFolders.repository.appending(path: seeds.folder)
      files += try Self.files(in: folder).filter { $0.name.hasSuffix(seeds.suffix) }
    }
    return files.filter { $0.bytes.count <= maximumLength }
  }

  package func findings() throws -> [(name: String, bytes: [UInt8])] { try Self.files(in: findingsFolder) }

  /// All files below a folder; none where it is missing, as a target without findings has no folder.
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

/// A folder in memory, where the system has one, for readers that take paths; one for the whole process, emptied by each use.
///
/// libFuzzer and the tests run a target on one thread at a time, and each target has a folder of its own.
struct ScratchFolder: Sendable {
  let path: String

  init(_ name: String) {
    let memory = "/dev/shm"
    let base = FileManager.default.isWritableFile(atPath: memory) ? memory : NSTemporaryDirectory()
    path = "\(base)/threadsite-fuzz-\(ProcessInfo.processInfo.processIdentifier)-\(name)"
  }

  /// Removes what is there, and writes files by their relative paths.
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

  /// Leaves nothing; what is not there needs no removing.
  func remove() { try? FileManager.default.removeItem(atPath: path) }
}
