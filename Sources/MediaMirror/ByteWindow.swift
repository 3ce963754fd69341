#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A view of a file's bytes. Offsets and lengths come from the file, which is not trusted. So every function returns `nil` (or `false`) for
/// a range that is not within the file, whatever the numbers. Bytes that cannot be read count as outside the file.
struct ByteWindow {
  /// The size of the whole file in bytes.
  let count: Int
  /// The descriptor of the open file, which this type does not close; -1 if all bytes are in memory.
  private let descriptor: Int32
  private var start = 0
  private var bytes: [UInt8]

  private static let size = 16 << 10

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    count = bytes.count
    descriptor = -1
  }

  /// - Parameter descriptor: an open file, which must stay open as long as this value is used.
  init(descriptor: Int32, count: Int) {
    self.descriptor = descriptor
    self.count = count
    bytes = []
  }

  /// Returns whether the file has `length` bytes from `offset` on.
  func holds(_ length: Int, at offset: Int) -> Bool {
    offset >= 0 && length >= 0 && offset <= count && length <= count - offset
  }

  /// Returns the unsigned big-endian number of 1 to 8 bytes at `offset`.
  mutating func big(_ length: Int, at offset: Int) -> Int? {
    guard let first = load(length, at: offset) else { return nil }
    let value = bytes[first..<first + length].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int(exactly: value)
  }

  /// Returns the unsigned little-endian number of 1 to 8 bytes at `offset`.
  mutating func little(_ length: Int, at offset: Int) -> Int? {
    guard let first = load(length, at: offset) else { return nil }
    let value = bytes[first..<first + length].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return Int(exactly: value)
  }

  /// Returns whether the UTF-8 bytes of `text` are at `offset`.
  mutating func matches(_ text: StaticString, at offset: Int) -> Bool {
    let length = text.utf8CodeUnitCount
    guard let first = load(length, at: offset) else { return false }
    return bytes[first..<first + length].elementsEqual(
      UnsafeBufferPointer(start: text.utf8Start, count: length))
  }

  /// Returns the first `length` bytes, or all bytes of a shorter file; an empty array if they cannot be read. `length` is at most 16 KB.
  mutating func head(_ length: Int) -> [UInt8] {
    let length = min(length, count)
    guard let first = load(length, at: 0) else { return [] }
    return Array(bytes[first..<first + length])
  }

  /// Returns the bytes of a range of at most 16 KB; `nil` if a part of the range is outside the file.
  mutating func bytes(_ range: Range<Int>) -> [UInt8]? {
    guard let first = load(range.count, at: range.lowerBound) else { return nil }
    return Array(bytes[first..<first + range.count])
  }

  /// Returns the first offset of `byte`, searching from `offset` on.
  mutating func find(_ byte: UInt8, from offset: Int) -> Int? {
    var offset = offset
    while offset >= 0, offset < count {
      guard let first = load(1, at: offset) else { return nil }
      if let found = bytes[first...].firstIndex(of: byte) { return start + found }
      offset = start + bytes.count
    }
    return nil
  }

  /// Returns all bytes; `nil` if there are more than `limit`, or if they cannot be read.
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

  /// Makes sure that the bytes are in memory, and returns the index in `bytes` at which they start; `nil` if they cannot be loaded.
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

/// A box of the ISO base media file format (ISO/IEC 14496-12, 4.2): a type and content, which in most boxes is a sequence of boxes.
struct Box: Hashable {
  /// The four characters of the type as a big-endian number.
  var type: UInt32
  /// The offset at which the content starts, after the box's header.
  var start: Int
  /// The offset after the content according to the box's size. It may be after the end of the file.
  var end: Int

  static func type(_ name: StaticString) -> UInt32 {
    UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
      .reduce(0) { $0 << 8 | UInt32($1) }
  }
}

extension ByteWindow {
  /// Returns the boxes between two offsets, at most 10,000. The list ends before the first invalid box, or with the first box that reaches
  /// beyond `end`. That box is in the list, so that a caller that needs it complete can detect that it is incomplete.
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

  /// Returns the boxes in a box.
  ///
  /// - Parameter skipping: the number of bytes before the first inner box: 4 in a full box.
  mutating func boxes(in box: Box, skipping: Int = 0) -> [Box] {
    boxes(from: box.start + skipping, to: min(box.end, count))
  }

  /// Returns the first inner box of a type.
  mutating func box(_ name: StaticString, in box: Box, skipping: Int = 0) -> Box? {
    let type = Box.type(name)
    return boxes(in: box, skipping: skipping).first { $0.type == type }
  }
}
