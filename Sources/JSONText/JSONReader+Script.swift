/// The literals of JavaScript that JSON has not, as code formatters write them: strings and keys in single quotes, keys without
/// quotes, a comma behind the last member. Nothing is ever evaluated.
extension JSONReader {
  /// Reads one document as `read` does, in the literals of JavaScript.
  package static func readScript<Result>(
    _ bytes: UnsafeBufferPointer<UInt8>, _ body: (inout JSONReader) throws(JSONError) -> Result
  ) throws(JSONError) -> Result {
    try read(bytes) { reader throws(JSONError) in
      reader.isScript = true
      return try body(&reader)
    }
  }

  mutating func isAtSingleQuote() -> Bool {
    skipWhitespace()
    return current == UInt8(ascii: "'")
  }

  /// Reads a string in single quotes, in which a double quote needs no escape.
  mutating func readSingleQuoted() throws(JSONError) -> String {
    try expect(UInt8(ascii: "'"), "a string")
    let start = position
    var text: [UInt8] = []
    position += 1
    while position < end {
      let byte = base[position]
      switch byte {
      case UInt8(ascii: "'"):
        position += 1
        return try string(of: text, at: start + 1)
      case UInt8(ascii: "\\"): try readEscape(into: &text)
      case 0..<0x20: throw error("a control character in a string: write it as an escape, such as \\n")
      default:
        text.append(byte)
        position += 1
      }
    }
    throw error("a string without its closing quote", at: start)
  }

  /// Reads a key in single quotes or without any: an ASCII identifier.
  mutating func readScriptKey() throws(JSONError) -> JSONKey {
    let start = position
    lastStart = start
    if current == UInt8(ascii: "'") {
      let text = Array(try readSingleQuoted().utf8)
      let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: max(text.count, 1))
      copy.initialize(from: text, count: text.count)
      unescapedKeys.append(copy)
      return JSONKey(start: copy, count: text.count, offset: start)
    }
    while position < end, Self.isIdentifier(base[position]) { position += 1 }
    guard position > start, base[start] &- 0x30 >= 10 else { throw error("expected a key", at: start) }
    return JSONKey(start: base + start, count: position - start, offset: start)
  }

  private static func isIdentifier(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26
  }
}
