import Basics

/// A file with a value and the later changes to it, so that a program with a small change does not write the whole value again.
///
/// The file begins with the name of its format. Blocks follow: first the value, then one block for each change. A block consists of the length
/// of its content (8 bytes, lowest first), the SHA-256 digest of the content, and the content. A killed program may leave an incomplete last
/// block. The whole file is then damaged.
struct StateFile: Sendable {
  let path: String
  let format: String

  /// The blocks of a file.
  struct Content {
    let bytes: [UInt8]
    /// The byte ranges of the blocks' contents; at least one.
    let blocks: [Range<Int>]
  }

  private static let headerSize = 8 + SHA256.byteCount

  /// Returns the blocks; `nil` if the file is missing, has another format, or is not as it was written.
  func read() -> Content? {
    // A file that cannot be read is as good as missing.
    guard let bytes = try? FileBytes.read(path), bytes.starts(with: format.utf8) else { return nil }
    var blocks: [Range<Int>] = []
    var start = format.utf8.count
    while start < bytes.count {
      guard let block = Self.block(in: bytes, at: start) else { return nil }
      blocks.append(block)
      start = block.upperBound
    }
    return blocks.isEmpty ? nil : Content(bytes: bytes, blocks: blocks)
  }

  /// Writes a file with a value and without changes.
  ///
  /// - Parameter size: an estimate of the value's size in bytes, because a buffer that grows is copied.
  func write(_ value: some ByteCodable, size: Int) throws(FileError) {
    var writer = ByteWriter(capacity: format.utf8.count + Self.headerSize + size)
    writer.append(format.utf8)
    try AtomicFile.write(Self.block(with: value, after: &writer), to: path)
  }

  /// Adds a change.
  func append(_ change: some ByteCodable) throws(FileError) {
    var writer = ByteWriter(capacity: 1 << 14)
    _ = try SpoolFile(existing: path).append(Self.block(with: change, after: &writer))
  }

  /// Returns the bytes of a writer, followed by a block.
  private static func block(with content: some ByteCodable, after writer: inout ByteWriter) -> [UInt8] {
    let header = writer.bytes.count
    writer.append([UInt8](repeating: 0, count: headerSize))
    writer.write(content)
    var bytes = writer.take()
    let start = header + headerSize
    let length = UInt64(bytes.count - start)
    for index in 0..<8 { bytes[header + index] = UInt8(truncatingIfNeeded: length >> (8 * UInt64(index))) }
    bytes.replaceSubrange(header + 8..<start, with: SHA256.hash(bytes[start...]))
    return bytes
  }

  /// Returns the range of the content of the block that begins at an index; `nil` for a damaged block.
  private static func block(in bytes: [UInt8], at header: Int) -> Range<Int>? {
    let start = header + headerSize
    guard start <= bytes.count else { return nil }
    let length = (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[header + $1]) << (8 * UInt64($1)) }
    guard length <= UInt64(bytes.count - start) else { return nil }
    let block = start..<start + Int(length)
    guard bytes[header + 8..<start].elementsEqual(SHA256.hash(bytes[block])) else { return nil }
    return block
  }
}
