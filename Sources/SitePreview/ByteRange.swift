import Basics

/// The one part of a file that a request asks for (RFC 9110, section 14), as videos are played.
enum ByteRange: Equatable {
  /// All of it: no range is asked for, several are, or it is not understood, which all may be answered by the whole.
  case whole
  case part(Range<Int>)
  /// It begins behind the end.
  case unsatisfiable

  init(_ header: String?, of count: Int) {
    self = header.flatMap { Self.part($0, of: count) } ?? .whole
  }

  private static func part(_ header: String, of count: Int) -> ByteRange? {
    guard let ranges = header.without(bytePrefix: "bytes=") else { return nil }
    let ends = ranges.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map {
      $0.trimmed
    }
    guard ends.count == 2, ends.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
      return nil
    }
    // More digits than a number holds: further than any file reaches.
    let (first, last) = (
      ends[0].isEmpty ? nil : Int(ends[0]) ?? .max, ends[1].isEmpty ? nil : Int(ends[1]) ?? .max
    )
    switch (first, last) {
    case (nil, nil): return nil
    case (nil, let length?):
      return length == 0 || count == 0 ? .unsatisfiable : .part(max(0, count - length)..<count)
    case (let first?, nil): return first < count ? .part(first..<count) : .unsatisfiable
    case (let first?, let last?):
      guard first <= last else { return nil }
      return first < count ? .part(first..<min(last, count - 1) + 1) : .unsatisfiable
    }
  }
}
