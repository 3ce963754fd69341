/// Spreads the dictionary over files that are small enough to be fetched for one word.
///
/// A term's postings stand beside it where they are short; long ones have a file of their own, and so have their positions.
struct ShardWriter {
  /// Bytes after which a file of the dictionary is closed.
  private static let shardSize = 3072
  /// Bytes of postings above which they have a file of their own.
  private static let longPostings = 768

  /// The first term of each file of the dictionary.
  private(set) var firstTerms: [String] = []

  private var files: [SearchIndex.File] = []
  private var shard: [UInt8] = []
  private var positions: [UInt8] = []
  private var previous: [UInt8] = []
  private var longTerms = 0

  mutating func add(_ term: [UInt8], _ encoded: PostingEncoder.Encoded) {
    if shard.count >= Self.shardSize { close() }
    if shard.isEmpty {
      firstTerms.append(String(decoding: term, as: UTF8.self))
      previous = []
    }
    let shared = zip(previous, term).prefix { $0 == $1 }.count
    shard.append(varint: shared)
    shard.append(varint: term.count - shared)
    shard += term[shared...]
    shard.append(varint: encoded.texts)
    shard.append(varint: encoded.titles)
    shard.append(varint: encoded.labels)
    let isLong = encoded.postings.count > Self.longPostings
    shard.append(varint: encoded.postings.count << 1 | (isLong ? 1 : 0))
    shard.append(varint: encoded.positions.count)
    if isLong {
      shard.append(varint: longTerms)
      files.append(SearchIndex.File(path: "t/\(longTerms).bin", bytes: encoded.postings))
      files.append(SearchIndex.File(path: "w/\(longTerms).bin", bytes: encoded.positions))
      longTerms += 1
    } else {
      shard += encoded.postings
      positions += encoded.positions
    }
    previous = term
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
