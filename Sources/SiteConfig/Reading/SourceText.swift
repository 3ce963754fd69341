/// A place in the file as libyaml counts it: both from 1, columns in Unicode scalars.
struct SourceMark: Sendable, Hashable, Comparable {
  let line: Int
  let column: Int

  static let start = SourceMark(line: 1, column: 1)

  static func < (left: SourceMark, right: SourceMark) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

/// The text of a site.yml, and where its lines are.
struct SourceText: Sendable {
  let bytes: [UInt8]
  /// Where each line starts, in bytes; its end is found from the next line's start.
  private let lineStarts: [Int]
  /// How many scalars stand before each line.
  private let scalarsBeforeLines: [Int]
  /// Where every `checkpointDistance`th scalar of the file begins, in bytes: a file may be a single line with thousands of mistakes, of which
  /// each has its place.
  private let checkpoints: [Int]
  private static let checkpointDistance = 256

  /// `bytes` must be valid UTF-8.
  init(bytes: [UInt8]) {
    self.bytes = bytes
    var starts = [0]
    var scalarsBefore = [0]
    var checkpoints: [Int] = []
    var scalars = 0
    var index = 0
    while index < bytes.count {
      let lineBreak = Self.lineBreakLength(in: bytes, at: index)
      let end = index + max(1, lineBreak)
      while index < end {
        if bytes[index] & 0xC0 != 0x80 {
          if scalars.isMultiple(of: Self.checkpointDistance) { checkpoints.append(index) }
          scalars += 1
        }
        index += 1
      }
      if lineBreak > 0 {
        starts.append(index)
        scalarsBefore.append(scalars)
      }
    }
    lineStarts = starts
    scalarsBeforeLines = scalarsBefore
    self.checkpoints = checkpoints
  }

  /// How many bytes the line break at `index` takes; 0 where there is none.
  ///
  /// YAML 1.1 breaks lines at CR, LF, CR LF, NEL (U+0085), LS and PS (U+2028, U+2029), and libyaml's marks
  /// count them all.
  private static func lineBreakLength(in bytes: [UInt8], at index: Int) -> Int {
    switch bytes[index] {
    case 0x0A: return 1
    case 0x0D: return index + 1 < bytes.count && bytes[index + 1] == 0x0A ? 2 : 1
    case 0xC2: return index + 1 < bytes.count && bytes[index + 1] == 0x85 ? 2 : 0
    case 0xE2:
      let isSeparator =
        index + 2 < bytes.count && bytes[index + 1] == 0x80 && (bytes[index + 2] | 1) == 0xA9
      return isSeparator ? 3 : 0
    default: return 0
    }
  }

  /// Lines, the one behind the last line break among them.
  var lineCount: Int { lineStarts.count }

  /// The text of a line (counted from 1) without its line break; empty beyond the end.
  func line(_ number: Int) -> String {
    guard lineStarts.indices.contains(number - 1) else { return "" }
    let start = lineStarts[number - 1]
    var end = start
    while end < bytes.count, Self.lineBreakLength(in: bytes, at: end) == 0 { end += 1 }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  /// Whether a line holds nothing, without making a text of it: a file may be a single line.
  private func isEmpty(_ number: Int) -> Bool {
    guard lineStarts.indices.contains(number - 1) else { return true }
    let start = lineStarts[number - 1]
    return start >= bytes.count || Self.lineBreakLength(in: bytes, at: start) > 0
  }

  /// The same place, moved to the end of the last line that holds text where libyaml means the end of the file.
  func clamped(_ mark: SourceMark) -> SourceMark {
    guard mark.line > lineStarts.count || isEmpty(mark.line) && mark.line == lineStarts.count else {
      return mark
    }
    var number = min(mark.line, lineStarts.count)
    while number > 1, isEmpty(number) { number -= 1 }
    return SourceMark(line: number, column: line(number).unicodeScalars.count + 1)
  }

  /// The bytes of the scalar at `mark`; `nil` where there is none.
  func scalarRange(at mark: SourceMark) -> Range<Int>? {
    guard lineStarts.indices.contains(mark.line - 1) else { return nil }
    let scalar = scalarsBeforeLines[mark.line - 1] + max(0, mark.column - 1)
    let (checkpoint, rest) = scalar.quotientAndRemainder(dividingBy: Self.checkpointDistance)
    guard checkpoints.indices.contains(checkpoint) else { return nil }
    var start = checkpoints[checkpoint]
    for _ in 0..<rest {
      guard start < bytes.count else { return nil }
      start = end(ofScalarAt: start)
    }
    guard start < bytes.count else { return nil }
    return start..<end(ofScalarAt: start)
  }

  /// The scalar at `mark`; `nil` beyond the end.
  func scalar(at mark: SourceMark) -> Unicode.Scalar? {
    scalarRange(at: mark).flatMap { String(decoding: bytes[$0], as: UTF8.self).unicodeScalars.first }
  }

  /// Where the byte at `offset` stands.
  func mark(ofByte offset: Int) -> SourceMark {
    let line = max(1, Self.count(of: lineStarts, upTo: offset))
    let checkpoint = Self.count(of: checkpoints, upTo: offset) - 1
    guard checkpoint >= 0 else { return SourceMark(line: line, column: 1) }
    let rest = bytes[checkpoints[checkpoint]..<max(checkpoints[checkpoint], min(offset, bytes.count))]
    let scalars = checkpoint * Self.checkpointDistance + rest.count { $0 & 0xC0 != 0x80 }
    return SourceMark(line: line, column: scalars - scalarsBeforeLines[line - 1] + 1)
  }

  /// How many of some offsets, ascending, are no greater than `offset`.
  private static func count(of offsets: [Int], upTo offset: Int) -> Int {
    var (low, high) = (0, offsets.count)
    while low < high {
      let middle = (low + high) / 2
      if offsets[middle] <= offset { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func end(ofScalarAt start: Int) -> Int {
    var end = start + 1
    while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
    return end
  }
}

extension SourceText {
  /// C0 and C1 controls and DEL: never shown on a terminal, never part of a value.
  static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09: false
    case 0...0x1F, 0x7F...0x9F: true
    default: false
    }
  }

  /// The first scalar that YAML does not allow in a file at all (YAML 1.1, `c-printable`), and its place.
  func firstUnprintable() -> (scalar: Unicode.Scalar, mark: SourceMark)? {
    var offset = 0
    while offset < bytes.count {
      let byte = bytes[offset]
      // Printable ASCII, tab, LF and CR: nearly every byte of nearly every file.
      if byte >= 0x20 && byte < 0x7F || byte == 0x0A || byte == 0x0D || byte == 0x09 {
        offset += 1
        continue
      }
      let end = self.end(ofScalarAt: offset)
      guard let scalar = String(decoding: bytes[offset..<end], as: UTF8.self).unicodeScalars.first else {
        break
      }
      switch scalar.value {
      case 0x85, 0xA0...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD, 0x10000...0x10FFFF: break
      default: return (scalar, mark(ofByte: offset))
      }
      offset = end
    }
    return nil
  }
}
