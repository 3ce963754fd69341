import Basics
import SiteWorkspace

/// Writes a shard's file. Threads are added by several workers at once; the file appears in its place when it is complete.
struct ShardWriter: Sendable {
  private let folder: String
  private let shard: Shard
  private let file: SpoolFile

  /// - Parameter folder: the folder of shard files, which is created if it is missing.
  init(_ shard: Shard, in folder: String) throws(PipelineError) {
    self.folder = folder
    self.shard = shard
    file = try withFiles(about: .io) { () throws(FileError) in
      try FileSystem.makeFolders(folder)
      let unfinished = Self.unfinished(shard, in: folder)
      // A killed program may have left it.
      try FileSystem.remove(unfinished)
      let file = try SpoolFile(unfinished)
      _ = try file.append(ShardIndex.format)
      return file
    }
  }

  private static func unfinished(_ shard: Shard, in folder: String) -> String {
    "\(folder)/.\(shard.number)-of-\(shard.count).tmp"
  }

  /// The path of the complete file.
  var path: String { "\(folder)/\(shard.fileName)" }

  func add(_ thread: ShardedThread, stem: String) throws(PipelineError) -> ShardEntry {
    let bytes = thread.byteCoding
    guard bytes.count <= ShardIndex.longestThread else {
      throw PipelineError(
        .content, ["\(stem): error: the thread is too long for a shard; build the site without shards."])
    }
    let range = try withFiles(about: .io) { () throws(FileError) in try file.append(bytes) }
    return ShardEntry(
      stem: stem, piece: ThreadRecords.Piece(range: range, checksum: PreviousBuild.checksum(of: bytes)))
  }

  /// Writes the index, and puts the file in its place.
  func finish(_ index: ShardIndex) throws(PipelineError) {
    var index = index
    index.entries.sort { $0.stem < $1.stem }
    let sealed = index.sealed
    try withFiles(about: .io) { () throws(FileError) in
      _ = try file.append(sealed)
      try file.move(to: path, below: folder)
    }
  }

  /// Removes the unfinished file.
  func discard() {
    // The next run removes a file that remains.
    try? FileSystem.remove(Self.unfinished(shard, in: folder))
  }
}
