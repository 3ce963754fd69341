import Basics

/// Splits the dictionary into files that are small enough to be fetched for a single word.
///
/// Short postings are stored beside their term, and short positions together with those of neighboring terms. Long ones are stored in
/// separate files.
struct ShardWriter {
  /// The minimum size, and approximately the maximum size, of a dictionary file in bytes.
  private static let shardSize = 1536..<8192
  /// The average number of bytes after the minimum size at which a file ends.
  private static let shardRest: UInt64 = 2048
  /// The size in bytes above which postings are stored in a separate file.
  private static let longPostings = 768
  /// The size in bytes above which positions are stored in a separate file.
  private static let longPositions = 2048

  /// A file of the dictionary, and the file with its positions.
  struct Shard {
    let firstTerm: String
    /// The name of both files, a hash of their content.
    let name: String
  }

  private(set) var shards: [Shard] = []

  private var files: [SearchIndex.File] = []
  private var firstTerm: [UInt8] = []
  private var shard: [UInt8] = []
  private var positions: [UInt8] = []
  private var previous: [UInt8] = []
  /// The paths of the files for single terms.
  private var paths: Set<String> = []

  mutating func add(_ term: [UInt8], _ encoded: PostingEncoder.Encoded) {
    if endsShard(before: term, encoded) { close() }
    if shard.isEmpty {
      firstTerm = term
      previous = []
    }
    let shared = Self.shared(previous, term)
    shard.append(varint: shared.units)
    shard.append(varint: term.count - shared.bytes)
    shard += term[shared.bytes...]
    shard.append(varint: encoded.documents)
    shard.append(varint: encoded.titled)
    shard.append(varint: encoded.positions.count)
    let hasLongPostings = encoded.postings.count > Self.longPostings
    let hasLongPositions = encoded.positions.count > Self.longPositions
    shard.append(varint: (hasLongPostings ? 1 : 0) | (hasLongPositions ? 2 : 0))
    if hasLongPostings {
      shard += addFile("t", encoded.postings).utf8
    } else {
      shard.append(varint: encoded.postings.count)
      shard += encoded.postings
    }
    if hasLongPositions {
      shard += addFile("w", encoded.positions).utf8
    } else {
      positions += encoded.positions
    }
    previous = term
  }

  /// Whether a file ends before this term. The term decides, and not only the size of the file. So if a word is added, the files soon end
  /// where they ended before, and all others are unchanged.
  private func endsShard(before term: [UInt8], _ encoded: PostingEncoder.Encoded) -> Bool {
    guard Self.shardSize.contains(shard.count) else { return shard.count >= Self.shardSize.upperBound }
    let size = term.count + 8 + min(encoded.postings.count, Self.longPostings)
    return ContentHash.value(term) % Self.shardRest < size
  }

  /// Returns the length of the common prefix of two terms in whole scalars, counted in bytes and in the UTF-16 units that scripts use.
  private static func shared(_ left: [UInt8], _ right: [UInt8]) -> (bytes: Int, units: Int) {
    var bytes = zip(left, right).prefix { $0 == $1 }.count
    while bytes > 0, bytes < right.count, right[bytes] & 0xC0 == 0x80 { bytes -= 1 }
    // One unit per scalar, and two for a scalar of four bytes.
    let units = right[..<bytes].reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : $1 >= 0xF0 ? 2 : 1) }
    return (bytes, units)
  }

  /// - Returns: the name of the file, a hash of its content. Two terms may have the same file.
  private mutating func addFile(_ folder: String, _ bytes: [UInt8]) -> String {
    let name = SearchIndex.name(of: bytes)
    let path = "\(folder)/\(name).bin"
    if paths.insert(path).inserted { files.append(SearchIndex.File(path: path, bytes: bytes)) }
    return name
  }

  private mutating func close() {
    guard !shard.isEmpty else { return }
    let name = SearchIndex.name(of: positions, SearchIndex.name(of: shard))
    files.append(SearchIndex.File(path: "d/\(name).bin", bytes: shard))
    files.append(SearchIndex.File(path: "p/\(name).bin", bytes: positions))
    shards.append(Shard(firstTerm: String(decoding: firstTerm, as: UTF8.self), name: name))
    shard.removeAll(keepingCapacity: true)
    positions.removeAll(keepingCapacity: true)
  }

  /// Returns the finished files, and removes them from the writer.
  mutating func takeFiles() -> [SearchIndex.File] {
    defer { files = [] }
    return files
  }

  /// - Returns: the last files.
  mutating func finish() -> [SearchIndex.File] {
    close()
    return takeFiles()
  }
}
