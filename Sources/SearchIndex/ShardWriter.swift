/// Spreads the dictionary over files that are small enough to be fetched for one word.
///
/// A term's postings stand beside it where they are short, its positions with those of its neighbours; long ones have files
/// of their own.
struct ShardWriter {
  /// Bytes after which a file of the dictionary is closed.
  private static let shardSize = 3072
  /// Bytes of postings above which they have a file of their own.
  private static let longPostings = 768
  /// Bytes of positions above which they have one.
  private static let longPositions = 2048

  /// The first term of each file of the dictionary.
  private(set) var firstTerms: [String] = []

  private var files: [SearchIndex.File] = []
  private var shard: [UInt8] = []
  private var positions: [UInt8] = []
  private var previous: [UInt8] = []
  /// Terms with files of their own.
  private var longTerms = 0

  mutating func add(_ term: [UInt8], _ encoded: PostingEncoder.Encoded) {
    if shard.count >= Self.shardSize { close() }
    if shard.isEmpty {
      firstTerms.append(String(decoding: term, as: UTF8.self))
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
    if hasLongPostings || hasLongPositions { longTerms += 1 }
    let files = (hasLongPostings ? 1 : 0) | (hasLongPositions ? 2 : 0)
    shard.append(varint: files == 0 ? 0 : longTerms << 2 | files)
    if hasLongPostings {
      self.files.append(SearchIndex.File(path: "t/\(longTerms).bin", bytes: encoded.postings))
    } else {
      shard.append(varint: encoded.postings.count)
      shard += encoded.postings
    }
    if hasLongPositions {
      self.files.append(SearchIndex.File(path: "w/\(longTerms).bin", bytes: encoded.positions))
    } else {
      positions += encoded.positions
    }
    previous = term
  }

  /// How much two terms have in common: whole scalars, in bytes and in the UTF-16 units that scripts count.
  private static func shared(_ left: [UInt8], _ right: [UInt8]) -> (bytes: Int, units: Int) {
    var bytes = zip(left, right).prefix { $0 == $1 }.count
    while bytes > 0, bytes < right.count, right[bytes] & 0xC0 == 0x80 { bytes -= 1 }
    // A unit for each scalar, and one more for those of four bytes.
    let units = right[..<bytes].reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : $1 >= 0xF0 ? 2 : 1) }
    return (bytes, units)
  }

  private mutating func close() {
    guard !shard.isEmpty else { return }
    let number = firstTerms.count - 1
    files.append(SearchIndex.File(path: "d/\(number).bin", bytes: shard))
    files.append(SearchIndex.File(path: "p/\(number).bin", bytes: positions))
    shard.removeAll(keepingCapacity: true)
    positions.removeAll(keepingCapacity: true)
  }

  mutating func finish() -> [SearchIndex.File] {
    close()
    return files
  }
}
