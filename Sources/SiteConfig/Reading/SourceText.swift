/// A position in the file: line and column from 1, columns in Unicode scalars as in libyaml.
package struct SourceMark: Sendable, Hashable, Comparable {
  package let line: Int
  package let column: Int

  static let start = SourceMark(line: 1, column: 1)

  package static func < (left: SourceMark, right: SourceMark) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

/// The text of a site.yml with an index of its lines.
struct SourceText: Sendable {
  let bytes: [UInt8]
  /// The byte offset at which each line starts; a line ends where the next line starts.
  private let lineStarts: [Int]
  /// The number of scalars before each line.
  private let scalarsBeforeLines: [Int]
  /// The byte offset of every `checkpointDistance`th scalar of the file, to find positions quickly even in a file with a single line and thousands of
  /// problems.
  private let checkpoints: [Int]
  private static let checkpointDistance = 256

  /// Creates an index of `bytes`, which must be valid UTF-8.
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

  /// Returns the length in bytes of the line break at `index`; 0 if there is no line break at `index`.
  ///
  /// YAML 1.1 breaks lines at CR, LF, CR LF, NEL (U+0085), LS and PS (U+2028, U+2029), and libyaml's line numbers count all of these.
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

  /// The number of lines, including the line after the last line break.
  var lineCount: Int { lineStarts.count }

  /// Returns the position of a comment on the rest of a line that has no space after its `#`, as in `Notes #3`; `nil` for other rests.
  func commentWithoutSpace(after mark: SourceMark) -> SourceMark? {
    // The line is not copied, because a file with thousands of values may be a single line.
    guard let start = scalarRange(at: mark)?.lowerBound else { return nil }
    var sign = start
    while sign < bytes.count, bytes[sign] == UInt8(ascii: " ") || bytes[sign] == UInt8(ascii: "\t") {
      sign += 1
    }
    guard sign > start, sign < bytes.count, bytes[sign] == UInt8(ascii: "#") else { return nil }
    let place = SourceMark(line: mark.line, column: mark.column + sign - start)
    guard let next = scalar(at: SourceMark(line: place.line, column: place.column + 1)),
      next.properties.isAlphabetic || next.properties.numericType != nil
    else { return nil }
    return place
  }

  /// Returns the text of a line (counted from 1) without its line break; empty if the line does not exist.
  func line(_ number: Int) -> String {
    guard lineStarts.indices.contains(number - 1) else { return "" }
    let start = lineStarts[number - 1]
    var end = start
    while end < bytes.count, Self.lineBreakLength(in: bytes, at: end) == 0 { end += 1 }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  /// Whether a line is empty. Does not copy the line, which may be the whole file.
  private func isEmpty(_ number: Int) -> Bool {
    guard lineStarts.indices.contains(number - 1) else { return true }
    let start = lineStarts[number - 1]
    return start >= bytes.count || Self.lineBreakLength(in: bytes, at: start) > 0
  }

  /// Returns the end of the last line with text for a mark after that line; any other mark unchanged.
  func clamped(_ mark: SourceMark) -> SourceMark {
    guard mark.line > lineStarts.count || isEmpty(mark.line) && mark.line == lineStarts.count else {
      return mark
    }
    var number = min(mark.line, lineStarts.count)
    while number > 1, isEmpty(number) { number -= 1 }
    return SourceMark(line: number, column: line(number).unicodeScalars.count + 1)
  }

  /// Returns the byte range of the scalar at `mark`; `nil` if there is no scalar at `mark`.
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

  /// Returns the scalar at `mark`; `nil` after the end of the file.
  func scalar(at mark: SourceMark) -> Unicode.Scalar? {
    scalarRange(at: mark).flatMap { String(decoding: bytes[$0], as: UTF8.self).unicodeScalars.first }
  }

  /// Returns the position of the `?` of an explicit key if it is on the line of the key; otherwise `nil`. Parsers do not report it.
  func signOfExplicitKey(before key: SourceMark) -> SourceMark? {
    guard var offset = scalarRange(at: key)?.lowerBound else { return nil }
    var column = key.column
    while offset > 0 {
      offset -= 1
      column -= 1
      switch bytes[offset] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"): continue
      case UInt8(ascii: "?"): return SourceMark(line: key.line, column: column)
      default: return nil
      }
    }
    return nil
  }

  /// Returns the position of the byte at `offset`.
  func mark(ofByte offset: Int) -> SourceMark {
    let line = max(1, Self.count(of: lineStarts, upTo: offset))
    let checkpoint = Self.count(of: checkpoints, upTo: offset) - 1
    guard checkpoint >= 0 else { return SourceMark(line: line, column: 1) }
    let rest = bytes[checkpoints[checkpoint]..<max(checkpoints[checkpoint], min(offset, bytes.count))]
    let scalars = checkpoint * Self.checkpointDistance + rest.count { $0 & 0xC0 != 0x80 }
    return SourceMark(line: line, column: scalars - scalarsBeforeLines[line - 1] + 1)
  }

  /// Returns the number of ascending offsets that are not greater than `offset`.
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
  /// Whether a scalar is a C0 or C1 control (except tab) or DEL. Such scalars are never printed to a terminal and never part of a value.
  static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09: false
    case 0...0x1F, 0x7F...0x9F: true
    default: false
    }
  }

  /// Returns the first scalar that YAML does not allow in a file (YAML 1.1, `c-printable`), and its position; `nil` if all are allowed.
  func firstUnprintable() -> (scalar: Unicode.Scalar, mark: SourceMark)? {
    var offset = 0
    while offset < bytes.count {
      let byte = bytes[offset]
      // Printable ASCII, tab, LF and CR: nearly all bytes of most files.
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
