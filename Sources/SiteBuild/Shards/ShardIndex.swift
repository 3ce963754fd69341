import Basics

/// The place of a thread in a shard's file.
struct ShardEntry: Sendable {
  /// The thread's file in the store, without its ending.
  let stem: String
  let piece: ThreadRecords.Piece
}

extension ShardEntry: Record {
  static let fields = RecordFields(Self.init, \.stem, \.piece)
}

/// The table of contents of a shard's file.
///
/// The file consists of the name of the format, the threads, the index, and a trailer: the length of the index in eight bytes, lowest first,
/// and the SHA-256 digest of the index and its length. The index has a checksum of each thread.
struct ShardIndex: Sendable {
  let number: Int
  let count: Int
  let environment: ShardEnvironment
  var entries: [ShardEntry]

  /// The name of the format. Must change whenever the meaning of the bytes changes.
  static let format = Array("threadsite shard 1\n".utf8)
  static let trailerLength = lengthOfLength + SHA256.byteCount
  private static let lengthOfLength = 8
  /// The maximum size of a thread in bytes.
  static let longestThread = 1 << 28
  /// The maximum size of an index in bytes.
  private static let longest = 1 << 30

  /// The index and the trailer.
  var sealed: [UInt8] {
    var bytes = byteCoding
    let count = bytes.count
    bytes += (0..<Self.lengthOfLength).map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
    return bytes + SHA256.hash(bytes)
  }

  /// Returns the length of the index that a trailer states; `nil` if it is incomplete, or if the length is impossible.
  static func length(in trailer: [UInt8]) -> Int? {
    guard trailer.count == trailerLength else { return nil }
    let length = trailer.prefix(lengthOfLength).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return length <= UInt64(longest) ? Int(length) : nil
  }
}

extension ShardIndex {
  /// Reads an index.
  ///
  /// - Returns: `nil` if it is damaged.
  init?(_ bytes: [UInt8], before trailer: [UInt8]) {
    let digest = SHA256.hash(bytes + trailer.prefix(Self.lengthOfLength))
    guard trailer.dropFirst(Self.lengthOfLength).elementsEqual(digest),
      let index = try? ShardIndex(byteCoding: bytes)
    else { return nil }
    self = index
  }
}

extension ShardIndex: ByteCodable {
  init(from reader: inout ByteReader) throws(ByteReader.Truncated) {
    self.init(
      number: try reader.integer(), count: try reader.integer(), environment: try reader.value(), entries: [])
    // The entries are not read as a list, because that reserves memory for a count in the file.
    while try reader.value() { entries.append(try reader.value()) }
  }

  func write(to writer: inout ByteWriter) {
    writer.write(number)
    writer.write(count)
    writer.write(environment)
    for entry in entries {
      writer.write(true)
      writer.write(entry)
    }
    writer.write(false)
  }
}
