extension JSONReader {
  /// Reads a string.
  package mutating func readString() throws(JSONError) -> String {
    if isScript, isAtSingleQuote() { return try readSingleQuoted() }
    try expect(UInt8(ascii: "\""), "a string")
    let start = position + 1
    let plain = try scanPlain(from: start)
    guard plain.isWhole else { return try string(of: readEscaped(from: start), at: start) }
    let slice = UnsafeBufferPointer(start: base + start, count: position - 1 - start)
    let string = String(decoding: slice, as: UTF8.self)
    // The standard library repairs what is not UTF-8; what it had to repair is an error here. Comparing costs less than
    // looking through the bytes a second time.
    if !plain.isASCII, !isSame(string, as: slice) { try check(from: start, to: position - 1) }
    return string
  }

  private func isSame(_ string: String, as bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    string.utf8.withContiguousStorageIfAvailable { utf8 in
      guard let mine = utf8.baseAddress, let read = bytes.baseAddress else {
        return utf8.count == bytes.count
      }
      return utf8.count == bytes.count && Self.isSame(mine, as: read, count: utf8.count)
    } ?? false
  }

  /// Whether the same bytes stand in two places.
  static func isSame(_ one: UnsafePointer<UInt8>, as other: UnsafePointer<UInt8>, count: Int) -> Bool {
    var index = 0
    while index &+ 8 <= count {
      let word = UnsafeRawPointer(one + index).loadUnaligned(as: UInt64.self)
      if word != UnsafeRawPointer(other + index).loadUnaligned(as: UInt64.self) { return false }
      index &+= 8
    }
    while index < count {
      if one[index] != other[index] { return false }
      index &+= 1
    }
    return true
  }

  /// Reads a string that is given to `body` as bytes, without building a `String`; they are not checked to be UTF-8.
  package mutating func readStringBytes<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) -> Result
  ) throws(JSONError) -> Result {
    if isScript, isAtSingleQuote() { return Array(try readSingleQuoted().utf8).withUnsafeBufferPointer(body) }
    try expect(UInt8(ascii: "\""), "a string")
    let start = position + 1
    guard try scanPlain(from: start).isWhole else {
      let bytes = try readEscaped(from: start)
      return bytes.withUnsafeBufferPointer(body)
    }
    return body(UnsafeBufferPointer(start: base + start, count: position - 1 - start))
  }

  /// Passes over a string, checking it as `readString` does.
  mutating func skipString() throws(JSONError) {
    if isScript, isAtSingleQuote() {
      _ = try readSingleQuoted()
      return
    }
    try expect(UInt8(ascii: "\""), "a string")
    let start = position + 1
    let plain = try scanPlain(from: start)
    if !plain.isWhole {
      _ = try string(of: readEscaped(from: start), at: start)
    } else if !plain.isASCII {
      try check(from: start, to: position - 1)
    }
  }

  /// Reads the key at whose quote the cursor stands.
  @inline(__always)
  mutating func readKey() throws(JSONError) -> JSONKey {
    let start = position &+ 1
    // Nearly all keys end within sixteen bytes: they are found without a loop.
    if start &+ 16 <= end {
      let head = word(at: start)
      var stops = Self.stops(in: head)
      var count = 0
      var seen: UInt64 = 0
      if stops == 0 {
        let tail = word(at: start &+ 8)
        (stops, count, seen) = (Self.stops(in: tail), 8, tail)
      }
      count &+= stops.trailingZeroBitCount / 8
      // Bytes beyond ASCII, if only in what follows the key, are for the careful reading.
      if stops != 0, (head | seen) & Self.highBits == 0, base[start &+ count] == UInt8(ascii: "\"") {
        lastStart = position
        position = start &+ count &+ 1
        return JSONKey(start: base + start, count: count, offset: start &- 1, word: head)
      }
    }
    return try readUnusualKey()
  }

  @inline(never)
  private mutating func readUnusualKey() throws(JSONError) -> JSONKey {
    lastStart = position
    let start = position + 1
    let plain = try scanPlain(from: start)
    guard plain.isWhole else {
      let bytes = Array(try string(of: readEscaped(from: start), at: start).utf8)
      let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(bytes.count, 1))
      copy.initialize(from: bytes, count: bytes.count)
      unescapedKeys.append(copy)
      return JSONKey(start: copy, count: bytes.count, offset: start - 1)
    }
    let stop = position - 1
    if !plain.isASCII { try check(from: start, to: stop) }
    return JSONKey(start: base + start, count: stop &- start, offset: start &- 1)
  }

  /// Finds the string's end. Whole: no escape in it, and the cursor is behind the closing quote. Otherwise the
  /// cursor is at the first escape.
  private mutating func scanPlain(from start: Int) throws(JSONError) -> (isWhole: Bool, isASCII: Bool) {
    var index = start
    var seen: UInt64 = 0
    while index &+ 8 <= end {
      let word = word(at: index)
      let stops = Self.stops(in: word)
      if stops == 0 {
        seen |= word
        index &+= 8
        continue
      }
      let bits = stops.trailingZeroBitCount & ~7
      seen |= word & ((1 &<< UInt64(bits)) &- 1)
      return try stop(at: index &+ bits / 8, start: start, isASCII: seen & Self.highBits == 0)
    }
    while index < end {
      let byte = base[index]
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        return try stop(at: index, start: start, isASCII: seen & Self.highBits == 0)
      }
      seen |= UInt64(byte)
      index &+= 1
    }
    throw error("a string without its closing quote", at: start - 1)
  }

  /// The high bits of the bytes at which a plain run ends: quotes, backslashes and control characters. The lowest is
  /// one; those above it may come from its borrow.
  @inline(__always)
  private static func stops(in word: UInt64) -> UInt64 {
    // Exchanging bit 1 puts the quote (0x22) right above the control characters, as 0x20.
    let controlsAndQuotes = (word ^ 0x0202_0202_0202_0202) &- 0x2121_2121_2121_2121
    let slashes = (word ^ 0x5C5C_5C5C_5C5C_5C5C) &- lowBits
    return (controlsAndQuotes | slashes) & ~word & highBits
  }

  /// What ends a plain run: a quote, a backslash or a control character.
  @inline(__always)
  private mutating func stop(
    at index: Int, start: Int, isASCII: Bool
  ) throws(JSONError) -> (isWhole: Bool, isASCII: Bool) {
    switch base[index] {
    case UInt8(ascii: "\""):
      position = index &+ 1
      return (true, isASCII)
    case UInt8(ascii: "\\"):
      position = index
      return (false, isASCII)
    default:
      throw error("a control character in a string: write it as an escape, such as \\n", at: index)
    }
  }

  private static var highBits: UInt64 { 0x8080_8080_8080_8080 }
  private static var lowBits: UInt64 { 0x0101_0101_0101_0101 }

  private func check(from start: Int, to stop: Int) throws(JSONError) {
    if let offset = firstInvalidUTF8(UnsafeBufferPointer(start: base + start, count: stop - start)) {
      throw error("text that is not valid UTF-8", at: start + offset)
    }
  }

  func string(of bytes: [UInt8], at start: Int) throws(JSONError) -> String {
    let string = String(decoding: bytes, as: UTF8.self)
    guard bytes.withUnsafeBufferPointer({ isSame(string, as: $0) }) else {
      throw error("text that is not valid UTF-8", at: start)
    }
    return string
  }

  // MARK: Escapes

  /// Reads a string whose cursor stands at its first escape; ends behind the closing quote. Unchecked bytes.
  private mutating func readEscaped(from start: Int) throws(JSONError) -> [UInt8] {
    var text: [UInt8] = []
    // What escapes are for comes early as often as late: room for as much again, and for a short string.
    text.reserveCapacity((position - start) * 2 + 64)
    var plainStart = start
    while true {
      text.append(contentsOf: UnsafeBufferPointer(start: base + plainStart, count: position - plainStart))
      try readEscape(into: &text)
      plainStart = position
      if try scanPlain(from: plainStart).isWhole {
        text.append(
          contentsOf: UnsafeBufferPointer(start: base + plainStart, count: position - 1 - plainStart))
        return text
      }
    }
  }

  /// Reads the escape at the cursor, `\` included.
  mutating func readEscape(into text: inout [UInt8]) throws(JSONError) {
    let start = position
    position += 1
    let letter = current
    position += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "'") where isScript: text.append(letter)
    case UInt8(ascii: "u"): text.append(contentsOf: String(try readUnicodeEscape(from: start)).utf8)
    default:
      throw error(
        "an escape that JSON does not have: only \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX", at: start)
    }
  }

  /// The scalar of `\uXXXX`, or of the two halves of a surrogate pair; U+FFFD for a half alone.
  private mutating func readUnicodeEscape(from start: Int) throws(JSONError) -> Unicode.Scalar {
    let replacement: Unicode.Scalar = "\u{FFFD}"
    let unit = try readHexUnit(from: start)
    guard 0xD800...0xDBFF ~= unit else { return Unicode.Scalar(unit) ?? replacement }
    guard position + 1 < end, base[position] == UInt8(ascii: "\\"), base[position + 1] == UInt8(ascii: "u")
    else {
      return replacement
    }
    let afterFirst = position
    position += 2
    let low = try readHexUnit(from: afterFirst)
    guard 0xDC00...0xDFFF ~= low else {
      position = afterFirst  // another escape of its own
      return replacement
    }
    return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)) ?? replacement
  }

  private mutating func readHexUnit(from start: Int) throws(JSONError) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      let digit: UInt8
      switch current {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = current - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = current - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = current - UInt8(ascii: "A") + 10
      default: throw error("a \\u escape needs four hexadecimal digits", at: start)
      }
      unit = unit << 4 | UInt32(digit)
      position += 1
    }
    return unit
  }
}
