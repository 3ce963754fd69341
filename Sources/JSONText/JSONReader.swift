/// Reads JSON (RFC 8259) from UTF-8 bytes, value by value, as the caller asks for them.
///
/// Why our own: the store's reader is half of a build, and Foundation's decoder takes ten times as long.
/// Nothing is built that was not asked for.
///
/// ```swift
/// let name = try JSONReader.read(bytes) { reader throws(JSONError) in
///   var name = ""
///   try reader.beginObject()
///   while let key = try reader.nextKey() {
///     switch key {
///     case "name": name = try reader.readString()
///     default: try reader.skipValue()
///     }
///   }
///   return name
/// }
/// ```
///
/// Every `beginObject` is followed by `nextKey` until it gives `nil`, every `beginArray` by `nextElement` until
/// it gives `false`, and each of them by exactly one value read or skipped.
///
/// Strict: no trailing commas, comments, NaN, leading zeros or control characters in strings; invalid UTF-8 is an
/// error. `readScript` reads more: what JavaScript's literals add to JSON. Lenient in two things: a byte order mark at the beginning is passed over, and an escaped surrogate
/// without its other half becomes U+FFFD. A key given twice is not an error; with `JSONValue` the last one wins.
package struct JSONReader: ~Copyable {
  /// Arrays and objects inside each other; deeper input is an error, so that none can exhaust the stack.
  package static let maximumDepth = 256

  let bytes: UnsafeBufferPointer<UInt8>
  let base: UnsafePointer<UInt8>
  let end: Int
  var position = 0
  var depth = 0
  /// True between the opening of an object or array and its first member.
  var expectsFirst = false

  /// Keys that were written with escapes, which is legal and never seen: owned here, as `JSONKey` only points.
  var unescapedKeys: [UnsafeMutablePointer<UInt8>] = []

  /// Whether the literals of JavaScript are read, too. Looked at only where JSON ends, so that it costs nothing.
  var isScript = false

  /// Where the value or key that was read last begins, in bytes: the place to report for a value that is
  /// well formed and wrong.
  package internal(set) var lastStart = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>, base: UnsafePointer<UInt8>) {
    self.bytes = bytes
    self.base = base
    end = bytes.count
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  deinit {
    for key in unescapedKeys { key.deallocate() }
  }

  // MARK: A whole document

  /// Reads one document: `body` reads its one value, and anything after that value is an error.
  package static func read<Result>(
    _ bytes: [UInt8], _ body: (inout JSONReader) throws(JSONError) -> Result
  ) throws(JSONError) -> Result {
    try bytes.withUnsafeBufferPointer { buffer throws(JSONError) in try read(buffer, body) }
  }

  /// Reads one document from memory that outlives the call.
  package static func read<Result>(
    _ bytes: UnsafeBufferPointer<UInt8>, _ body: (inout JSONReader) throws(JSONError) -> Result
  ) throws(JSONError) -> Result {
    guard let base = bytes.baseAddress else {
      throw JSONError(
        offset: 0, line: 1, column: 1, message: "expected a value, but found the end of the input")
    }
    var reader = JSONReader(bytes, base: base)
    let result = try body(&reader)
    guard reader.isAtEnd() else {
      throw reader.error("expected nothing more, but found \(reader.describeNext())")
    }
    return result
  }

  /// Reads from a document's beginning only as far as `body` does: what comes after is not looked at.
  package static func readBeginning<Result>(
    of bytes: [UInt8], _ body: (inout JSONReader) throws(JSONError) -> Result
  ) throws(JSONError) -> Result {
    try bytes.withUnsafeBufferPointer { buffer throws(JSONError) in
      guard let base = buffer.baseAddress else { return try read(buffer, body) }
      var reader = JSONReader(buffer, base: base)
      return try body(&reader)
    }
  }

  /// True when only white space is left. A caller that wants several documents one after another (JSON lines)
  /// reads values until then.
  package mutating func isAtEnd() -> Bool {
    skipWhitespace()
    return position >= end
  }

  // MARK: Objects and arrays

  /// Enters the object that comes next.
  package mutating func beginObject() throws(JSONError) { try open(UInt8(ascii: "{"), "an object") }

  /// Enters the array that comes next.
  package mutating func beginArray() throws(JSONError) { try open(UInt8(ascii: "["), "an array") }

  /// The next member's key, its value being what comes next; `nil` at the object's end, which is then behind.
  package mutating func nextKey() throws(JSONError) -> JSONKey? {
    guard try advance(closing: UInt8(ascii: "}")) else { return nil }
    let key: JSONKey
    if current == UInt8(ascii: "\"") {
      key = try readKey()
    } else {
      guard isScript else { throw unexpected("a key in double quotes") }
      key = try readScriptKey()
    }
    if current != UInt8(ascii: ":") {
      skipWhitespace()
      guard current == UInt8(ascii: ":") else { throw unexpected("':' after the key") }
    }
    position &+= 1
    if current == 0x20 { position &+= 1 }
    return key
  }

  /// True when another element comes next; false at the array's end, which is then behind.
  package mutating func nextElement() throws(JSONError) -> Bool {
    try advance(closing: UInt8(ascii: "]"))
  }

  private mutating func open(_ bracket: UInt8, _ what: StaticString) throws(JSONError) {
    try expect(bracket, what)
    position += 1
    depth += 1
    guard depth <= Self.maximumDepth else {
      throw error("nested deeper than \(Self.maximumDepth) levels", at: lastStart)
    }
    expectsFirst = true
  }

  /// Moves over the comma to the next member; false (and out of the container) at the closing bracket.
  @inline(__always)
  private mutating func advance(closing: UInt8) throws(JSONError) -> Bool {
    skipWhitespace()
    if current == closing {
      expectsFirst = false
      position &+= 1
      depth &-= 1
      return false
    }
    if expectsFirst {
      expectsFirst = false
      return true
    }
    guard current == UInt8(ascii: ",") else {
      throw unexpected(closing == UInt8(ascii: "}") ? "',' or '}'" : "',' or ']'")
    }
    let comma = position
    position &+= 1
    skipWhitespace()
    if current == closing {
      guard isScript else { throw error("a comma without a value after it", at: comma) }
      position &+= 1
      depth &-= 1
      return false
    }
    return true
  }

  // MARK: Cursor

  /// The byte at the cursor; 0 at the end, which no grammar rule accepts either.
  var current: UInt8 { position < end ? base[position] : 0 }

  @inline(__always)
  mutating func skipWhitespace() {
    if position < end, base[position] <= 0x20 { skipSomeWhitespace() }
  }

  private mutating func skipSomeWhitespace() {
    var index = position
    while index < end {
      switch base[index] {
      case 0x20, 0x0D, 0x09: index &+= 1
      case 0x0A: index = skipIndentation(from: index &+ 1)
      default:
        position = index
        return
      }
    }
    position = index
  }

  /// Passes over spaces eight at a time: a fifth of a pretty file is these.
  @inline(__always)
  private func skipIndentation(from start: Int) -> Int {
    var index = start
    while index &+ 8 <= end {
      let others = word(at: index) ^ 0x2020_2020_2020_2020
      guard others == 0 else { return index &+ others.trailingZeroBitCount / 8 }
      index &+= 8
    }
    return index
  }

  /// Eight bytes of the input, the first of them in the lowest bits. There have to be so many.
  @inline(__always)
  func word(at index: Int) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self))
  }

  /// Moves to the next value and checks its first byte.
  @inline(__always)
  mutating func expect(_ byte: UInt8, _ what: StaticString) throws(JSONError) {
    skipWhitespace()
    lastStart = position
    guard current == byte, position < end else { throw unexpected(what) }
  }

  /// The error for something else than `what` at the cursor. Never inlined: reading is to be short code.
  @inline(never)
  func unexpected(_ what: StaticString) -> JSONError {
    error("expected \(what), but found \(describeNext())")
  }

  /// An error at `offset`, or at the cursor.
  package func error(_ message: String, at offset: Int? = nil) -> JSONError {
    JSONError(message: message, at: offset ?? position, in: bytes)
  }

  /// What stands at the cursor, in words.
  func describeNext() -> String {
    guard position < end else { return "the end of the input" }
    switch base[position] {
    case UInt8(ascii: "{"): return "an object"
    case UInt8(ascii: "["): return "an array"
    case UInt8(ascii: "\""): return "a string"
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return "a number"
    case UInt8(ascii: "t") where matches("true"): return "true"
    case UInt8(ascii: "f") where matches("false"): return "false"
    case UInt8(ascii: "n") where matches("null"): return "null"
    case let byte where byte > 0x20 && byte < 0x7F: return "'\(Character(Unicode.Scalar(byte)))'"
    default: return "an unexpected character"
    }
  }
}
