#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Random access to a file's bytes, a piece of it in memory at a time: a video's header may stand at its end.
///
/// Every question about a place outside the file has the answer `nil`, whatever the numbers that led there: they come
/// from the file, which is not trusted. A place that cannot be read counts as outside.
struct ByteWindow {
  /// Bytes of the whole file.
  let count: Int
  /// Borrowed; -1 where all the bytes are in memory.
  private let descriptor: Int32
  private var start = 0
  private var bytes: [UInt8]

  private static let size = 16 << 10

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    count = bytes.count
    descriptor = -1
  }

  /// - Parameter descriptor: an open file, which outlives this.
  init(descriptor: Int32, count: Int) {
    self.descriptor = descriptor
    self.count = count
    bytes = []
  }

  /// Whether so many bytes stand from `offset` on.
  func holds(_ length: Int, at offset: Int) -> Bool {
    offset >= 0 && length >= 0 && offset <= count && length <= count - offset
  }

  /// A number of 1 to 8 bytes, the most significant first.
  mutating func big(_ length: Int, at offset: Int) -> Int? {
    guard let first = load(length, at: offset) else { return nil }
    let value = bytes[first..<first + length].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int(exactly: value)
  }

  /// A number of 1 to 8 bytes, the least significant first.
  mutating func little(_ length: Int, at offset: Int) -> Int? {
    guard let first = load(length, at: offset) else { return nil }
    let value = bytes[first..<first + length].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int(exactly: value)
  }

  /// Whether these bytes stand there.
  mutating func matches(_ text: StaticString, at offset: Int) -> Bool {
    let length = text.utf8CodeUnitCount
    guard let first = load(length, at: offset) else { return false }
    return bytes[first..<first + length].elementsEqual(
      UnsafeBufferPointer(start: text.utf8Start, count: length))
  }

  /// The first bytes, or all where there are fewer.
  mutating func head(_ length: Int) -> [UInt8] {
    let length = min(length, count)
    guard let first = load(length, at: 0) else { return [] }
    return Array(bytes[first..<first + length])
  }

  /// Bytes of a range that is small; `nil` where some are outside of the file.
  mutating func bytes(_ range: Range<Int>) -> [UInt8]? {
    guard let first = load(range.count, at: range.lowerBound) else { return nil }
    return Array(bytes[first..<first + range.count])
  }

  /// The first place of a byte from a place on.
  mutating func find(_ byte: UInt8, from offset: Int) -> Int? {
    var offset = offset
    while offset >= 0, offset < count {
      guard let first = load(1, at: offset) else { return nil }
      if let found = bytes[first...].firstIndex(of: byte) { return start + found }
      offset = start + bytes.count
    }
    return nil
  }

  /// All the bytes; `nil` where they are more than `limit`, or cannot be read.
  mutating func whole(upTo limit: Int) -> [UInt8]? {
    guard count <= limit else { return nil }
    var all: [UInt8] = []
    while all.count < count {
      let length = min(Self.size, count - all.count)
      guard let first = load(length, at: all.count) else { return nil }
      all += bytes[first..<first + length]
    }
    return all
  }

  /// Makes sure that the bytes are in memory; where they are there, or `nil`.
  private mutating func load(_ length: Int, at offset: Int) -> Int? {
    guard holds(length, at: offset) else { return nil }
    if offset >= start, offset - start <= bytes.count - length { return offset - start }
    guard descriptor >= 0 else { return nil }
    start = offset
    bytes = Self.read(descriptor, at: offset, min(Self.size, count - offset))
    return length <= bytes.count ? 0 : nil
  }

  private static func read(_ descriptor: Int32, at offset: Int, _ length: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
      while filled < length, let base = buffer.baseAddress {
        let part = pread(descriptor, base + filled, length - filled, off_t(offset + filled))
        if part < 0, errno == EINTR { continue }
        if part <= 0 { break }
        filled += part
      }
    }
  }
}

/// A box of the ISO base media file format (ISO/IEC 14496-12, 4.2): a type, and bytes that mostly are boxes again.
struct Box: Hashable {
  /// Four characters as one number, the first the most significant.
  var type: UInt32
  /// Where what is in it starts: after its own header.
  var start: Int
  /// Where what is in it ends, by its own word.
  var end: Int

  static func type(_ name: StaticString) -> UInt32 {
    UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
      .reduce(0) { $0 << 8 | UInt32($1) }
  }
}

extension ByteWindow {
  /// The boxes from one place to another, at most 10,000; ends at the first that is none, or that says to end behind `end`
  /// (which is listed nevertheless, so that whoever needs it whole can tell).
  mutating func boxes(from start: Int, to end: Int) -> [Box] {
    var boxes: [Box] = []
    var offset = start
    while offset >= 0, offset <= end - 8, boxes.count < 10_000 {
      guard var size = big(4, at: offset), let type = big(4, at: offset + 4).flatMap(UInt32.init(exactly:))
      else {
        break
      }
      var header = 8
      if size == 1 {
        guard let large = big(8, at: offset + 8) else { break }
        size = large
        header = 16
      } else if size == 0 {
        size = end - offset
      }
      guard size >= header else { break }
      let (next, isOverflow) = offset.addingReportingOverflow(size)
      boxes.append(Box(type: type, start: offset + header, end: isOverflow ? .max : next))
      guard !isOverflow, next <= end else { break }
      offset = next
    }
    return boxes
  }

  /// The boxes in a box.
  ///
  /// - Parameter skipping: bytes in front of them: 4 in a full box.
  mutating func boxes(in box: Box, skipping: Int = 0) -> [Box] {
    boxes(from: box.start + skipping, to: min(box.end, count))
  }

  /// The first box of a type.
  mutating func box(_ name: StaticString, in box: Box, skipping: Int = 0) -> Box? {
    let type = Box.type(name)
    return boxes(in: box, skipping: skipping).first { $0.type == type }
  }
}
