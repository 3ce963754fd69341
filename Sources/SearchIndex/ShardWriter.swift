import Basics

/// Spreads the dictionary over files that are small enough to be fetched for one word.
///
/// A term's postings stand beside it where they are short, its positions with those of its neighbours; long ones have files
/// of their own.
struct ShardWriter {
  /// Bytes that a file of the dictionary has at least and about at most.
  private static let shardSize = 1536..<8192
  /// Between the two a file ends, on the average, after so many more bytes.
  private static let shardRest: UInt64 = 2048
  /// Bytes of postings above which they have a file of their own.
  private static let longPostings = 768
  /// Bytes of positions above which they have one.
  private static let longPositions = 2048

  /// A file of the dictionary, and the one with its positions.
  struct Shard {
    let firstTerm: String
    /// Both are named by what is in them.
    let name: String
  }

  private(set) var shards: [Shard] = []

  private var files: [SearchIndex.File] = []
  private var firstTerm: [UInt8] = []
  private var shard: [UInt8] = []
  private var positions: [UInt8] = []
  private var previous: [UInt8] = []
  /// Of the files of single terms.
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

  /// Whether a file ends before this term. Terms decide, and not how much stands before them: where there is a word more, the files end where they did before
  /// soon after it, and all others stay as they are.
  private func endsShard(before term: [UInt8], _ encoded: PostingEncoder.Encoded) -> Bool {
    guard Self.shardSize.contains(shard.count) else { return shard.count >= Self.shardSize.upperBound }
    let size = term.count + 8 + min(encoded.postings.count, Self.longPostings)
    return ContentHash.value(term) % Self.shardRest < size
  }

  /// How much two terms have in common: whole scalars, in bytes and in the UTF-16 units that scripts count.
  private static func shared(_ left: [UInt8], _ right: [UInt8]) -> (bytes: Int, units: Int) {
    var bytes = zip(left, right).prefix { $0 == $1 }.count
    while bytes > 0, bytes < right.count, right[bytes] & 0xC0 == 0x80 { bytes -= 1 }
    // A unit for each scalar, and one more for those of four bytes.
    let units = right[..<bytes].reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : $1 >= 0xF0 ? 2 : 1) }
    return (bytes, units)
  }

  /// - Returns: the name of the file, which is that of its content; two terms may have the same.
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

  /// The files that are finished, which are not kept any longer.
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
