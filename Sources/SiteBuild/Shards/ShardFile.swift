import Basics
import SiteWorkspace

/// A shard's file that is open for reading. Only its index is in memory.
final class ShardFile: Sendable {
  let environment: ShardEnvironment
  let path: String
  private let shard: Shard
  private let file: OpenFile
  private let pieces: [String: ThreadRecords.Piece]

  /// - Parameter shard: the shard that the name of the file states.
  init(_ path: String, of shard: Shard) throws(PipelineError) {
    self.path = path
    self.shard = shard
    file = try withFiles(about: .content) { () throws(FileError) in try OpenFile(path) }
    let name = ShardIndex.format
    guard try Self.read(name.count, at: 0, of: file) == name else {
      throw PipelineError(
        .content,
        ["\(path): error: this is not a shard file of this version of threadsite; \(Self.again(shard))."])
    }
    let end = file.count - ShardIndex.trailerLength
    let trailer = try Self.read(ShardIndex.trailerLength, at: max(0, end), of: file)
    guard let count = ShardIndex.length(in: trailer), count <= end - name.count else {
      throw Self.damaged(path, shard)
    }
    let bytes = try Self.read(count, at: end - count, of: file)
    guard let index = ShardIndex(bytes, before: trailer) else { throw Self.damaged(path, shard) }
    guard index.number == shard.number, index.count == shard.count else {
      throw PipelineError(
        .content,
        [
          "\(path): error: this file contains shard \(index.number)/\(index.count), and its name is that of shard \(shard); copy each shard file under its own name."
        ])
    }
    var pieces: [String: ThreadRecords.Piece] = [:]
    pieces.reserveCapacity(index.entries.count)
    for entry in index.entries {
      guard entry.piece.range.upperBound <= file.count, entry.piece.range.count <= ShardIndex.longestThread
      else { throw Self.damaged(path, shard) }
      pieces[entry.stem] = entry.piece
    }
    environment = index.environment
    self.pieces = pieces
  }

  /// Whether the shard has a thread.
  func has(_ stem: String) -> Bool { pieces[stem] != nil }

  /// Returns a thread; `nil` if the shard does not have it.
  ///
  /// - Throws: if the file is damaged.
  func thread(_ stem: String) throws(PipelineError) -> ShardedThread? {
    guard let piece = pieces[stem] else { return nil }
    let bytes = try Self.read(piece.range.count, at: piece.range.lowerBound, of: file)
    guard PreviousBuild.checksum(of: bytes) == piece.checksum,
      let thread = try? ShardedThread(byteCoding: bytes)
    else { throw Self.damaged(path, shard) }
    return thread
  }

  /// Reads bytes; fewer if the file ends before.
  private static func read(
    _ count: Int, at offset: Int, of file: borrowing OpenFile
  ) throws(PipelineError) -> [UInt8] {
    do throws(FileError) {
      return try file.bytes(count, at: offset)
    } catch {
      throw PipelineError(error, about: .content)
    }
  }

  private static func damaged(_ path: String, _ shard: Shard) -> PipelineError {
    PipelineError(
      .content,
      ["\(path): error: this shard file is damaged or incomplete; copy it again, or \(again(shard))."])
  }

  private static func again(_ shard: Shard) -> String {
    "build it again with `threadsite build --shard \(shard)`"
  }
}
