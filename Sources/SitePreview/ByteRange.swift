import Basics

/// The part of a file that a request asks for (RFC 9110, section 14). Browsers send such requests to play videos.
enum ByteRange: Equatable {
  /// The whole file. The request has no range, several ranges, or an invalid one; in all of these cases, the whole file is a valid
  /// response.
  case whole
  case part(Range<Int>)
  /// The range begins after the end of the file.
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
    // A number with too many digits for an `Int` is beyond the end of any file.
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
