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
