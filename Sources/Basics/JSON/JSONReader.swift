/// A reader of JSON (RFC 8259) from UTF-8 bytes, value by value, as the caller requests them.
///
/// Foundation's decoder takes ten times as long, and reading the store takes half of the time of a build. This reader creates only the
/// values that the caller requests.
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
/// Callers must call `nextKey` after `beginObject` until it returns `nil`, and `nextElement` after `beginArray` until it returns `false`.
/// After each key and for each element, they must read or skip exactly one value.
///
/// Trailing commas, comments, NaN, leading zeros, control characters in strings and invalid UTF-8 are errors; `readScript` additionally
/// accepts some literals of JavaScript. A byte order mark at the beginning is skipped, and an escaped surrogate without its other half
/// becomes U+FFFD. A duplicate key is not an error; with `JSONValue` the last one wins.
package struct JSONReader: ~Copyable {
  /// The maximum nesting of arrays and objects. Deeper input is an error, because it could exhaust the stack.
  package static let maximumDepth = 256

  let bytes: UnsafeBufferPointer<UInt8>
  private let base: UnsafePointer<UInt8>
  let end: Int
  private var position = 0
  private var depth = 0
  /// Whether an object or array has just been opened, and its first member or its end comes next.
  private var expectsFirst = false

  /// The bytes of keys with escapes, which are valid but practically never used. The reader owns them, because `JSONKey` only contains a pointer.
  private var unescapedKeys: [UnsafeMutablePointer<UInt8>] = []

  /// Whether literals of JavaScript are accepted. This is checked before strings and at input that is not valid JSON.
  private var isScript = false

  /// The byte offset of the last key or value read, for errors about a well-formed but invalid
  /// value.
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

  /// Reads one document: `body` reads its value, and anything but white space after that value is an error.
  package static func read<Result>(
    _ bytes: [UInt8], _ body: (inout JSONReader) throws(JSONError) -> Result
  ) throws(JSONError) -> Result {
    try bytes.withUnsafeBufferPointer { buffer throws(JSONError) in try read(buffer, body) }
  }

  /// Reads one document from memory that must stay valid during the call.
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

  /// Reads the beginning of a document, as far as `body` reads; the rest is not checked.
  package static func readBeginning<Result>(
    of bytes: [UInt8], _ body: (inout JSONReader) throws(JSONError) -> Result
  ) throws(JSONError) -> Result {
    try bytes.withUnsafeBufferPointer { buffer throws(JSONError) in
      guard let base = buffer.baseAddress else { return try read(buffer, body) }
      var reader = JSONReader(buffer, base: base)
      return try body(&reader)
    }
  }

  /// Returns whether only white space is left. A caller that reads several consecutive documents (JSON Lines) reads values until then.
  package mutating func isAtEnd() -> Bool {
    skipWhitespace()
    return position >= end
  }

  // MARK: Objects and arrays

  /// Reads the beginning of the next value, which must be an object.
  package mutating func beginObject() throws(JSONError) { try open(UInt8(ascii: "{"), "an object") }

  /// Reads the beginning of the next value, which must be an array.
  package mutating func beginArray() throws(JSONError) { try open(UInt8(ascii: "["), "an array") }

  /// Reads the key of the next member, whose value comes next; returns `nil` after the object's end.
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

  /// Returns whether another element comes next; `false` after the array's end.
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

  /// Skips the comma before the next member; returns `false` after the closing bracket.
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

  /// The byte at the cursor; 0 at the end, which the grammar never allows.
  private var current: UInt8 { position < end ? base[position] : 0 }

  @inline(__always)
  private mutating func skipWhitespace() {
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

  /// Skips spaces, eight at a time: they make up a fifth of a pretty-printed file.
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

  /// Returns eight bytes of the input, the first of them in the lowest bits. The input must have eight bytes from the index on.
  @inline(__always)
  func word(at index: Int) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self))
  }

  /// Moves to the next value and checks its first byte.
  @inline(__always)
  private mutating func expect(_ byte: UInt8, _ what: StaticString) throws(JSONError) {
    skipWhitespace()
    lastStart = position
    guard current == byte, position < end else { throw unexpected(what) }
  }

  /// Returns the error that `what` was expected at the cursor. It is never inlined, to keep the reading code small.
  @inline(never)
  private func unexpected(_ what: StaticString) -> JSONError {
    error("expected \(what), but found \(describeNext())")
  }

  /// Returns an error at the byte `offset`, or at the cursor.
  package func error(_ message: String, at offset: Int? = nil) -> JSONError {
    JSONError(message: message, at: offset ?? position, in: bytes)
  }

  /// Returns a description of the token at the cursor.
  private func describeNext() -> String {
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

  /// The kinds of values.
  package enum Kind: Sendable { case object, array, string, number, bool, null }

  /// Returns the kind of the next value by its first byte, without reading the value; `nil` if no value can begin with this byte.
  package mutating func nextKind() -> Kind? {
    skipWhitespace()
    switch current {
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "\""): return .string
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
    case UInt8(ascii: "n"): return .null
    case UInt8(ascii: "'") where isScript: return .string
    default: return nil
    }
  }

  /// Skips the next value of any kind, and checks it as strictly as if it were read.
  package mutating func skipValue() throws(JSONError) {
    switch nextKind() {
    case .object:
      try beginObject()
      while try nextKey() != nil { try skipValue() }
    case .array:
      try beginArray()
      while try nextElement() { try skipValue() }
    case .string: try skipString()
    case .number: _ = try scanNumber()
    case .bool: _ = try readBool()
    case .null: try readNull()
    case nil: throw error("expected a value, but found \(describeNext())")
    }
  }

  /// Reads the next value of any kind.
  package mutating func readValue() throws(JSONError) -> JSONValue {
    switch nextKind() {
    case .object:
      var members: [String: JSONValue] = [:]
      try beginObject()
      while let key = try nextKey() {
        // Capacity for three, the smallest table for more than one member, because growing the table takes as long as filling it.
        if members.isEmpty { members.reserveCapacity(3) }
        let name = key.string
        members[name] = try readValue()
      }
      return .object(members)
    case .array:
      var elements: [JSONValue] = []
      try beginArray()
      while try nextElement() { elements.append(try readValue()) }
      return .array(elements)
    case .string: return .string(try readString())
    case .number:
      let number = try scanNumber()
      let source = text(of: number)
      // Int64 cannot represent -0.
      if number.isInteger, source != "-0", let integer = Int64(source) { return .integer(integer) }
      return .number(source)
    case .bool: return .bool(try readBool())
    case .null:
      try readNull()
      return .null
    case nil: throw error("expected a value, but found \(describeNext())")
    }
  }

  /// Reads an array, each element with `element`.
  package mutating func readArray<Element>(
    _ element: (inout JSONReader) throws(JSONError) -> Element
  ) throws(JSONError) -> [Element] {
    var elements: [Element] = []
    try beginArray()
    while try nextElement() { elements.append(try element(&self)) }
    return elements
  }

  // MARK: true, false, null

  /// Reads `true` or `false`.
  package mutating func readBool() throws(JSONError) -> Bool {
    skipWhitespace()
    lastStart = position
    if matches("true") {
      position += 4
      return true
    }
    guard matches("false") else { throw error("expected true or false, but found \(describeNext())") }
    position += 5
    return false
  }

  /// Reads the next value if it is `null`, and returns whether it was.
  package mutating func takeNull() -> Bool {
    skipWhitespace()
    guard matches("null") else { return false }
    lastStart = position
    position += 4
    return true
  }

  /// Reads `null`.
  package mutating func readNull() throws(JSONError) {
    guard takeNull() else { throw error("expected null, but found \(describeNext())") }
  }

  /// Returns whether the literal is at the cursor.
  private func matches(_ literal: StaticString) -> Bool {
    let length = literal.utf8CodeUnitCount
    guard end - position >= length else { return false }
    var index = 0
    while index < length {
      if base[position + index] != literal.utf8Start[index] { return false }
      index += 1
    }
    return true
  }

  // MARK: Numbers

  /// Reads a whole number that fits into an `Int`.
  package mutating func readInt() throws(JSONError) -> Int {
    skipWhitespace()
    // Short numbers without a sign, the only ones in the store, are computed while they are scanned.
    var index = position
    var short = 0
    while index < end, Self.isDigit(base[index]) {
      short = short &* 10 &+ Int(base[index] &- 0x30)
      index &+= 1
    }
    let count = index &- position
    let next = index < end ? base[index] : 0
    if count == 1 || (count > 1 && count <= 18 && current != UInt8(ascii: "0")),
      next != UInt8(ascii: "."), next | 0x20 != UInt8(ascii: "e")
    {
      lastStart = position
      position = index
      return short
    }
    let number = try scanNumber()
    guard number.isInteger, let value = Int(text(of: number)) else {
      throw error(
        "expected a whole number that fits 64 bits, but found \(text(of: number))", at: number.start)
    }
    return value
  }

  typealias NumberSpan = (start: Int, stop: Int, isInteger: Bool)

  /// Skips a number and checks its grammar.
  private mutating func scanNumber() throws(JSONError) -> NumberSpan {
    skipWhitespace()
    let start = position
    lastStart = start
    if current == UInt8(ascii: "-") { position += 1 }
    guard Self.isDigit(current) else {
      if position > start { throw error("a minus sign without a digit after it", at: start) }
      throw error("expected a number, but found \(describeNext())")
    }
    if current == UInt8(ascii: "0") {
      position += 1
      if Self.isDigit(current) { throw error("a number that begins with 0", at: start) }
    } else {
      skipDigits()
    }
    var isInteger = true
    if current == UInt8(ascii: ".") {
      isInteger = false
      position += 1
      guard Self.isDigit(current) else { throw error("a decimal point without a digit after it", at: start) }
      skipDigits()
    }
    if current | 0x20 == UInt8(ascii: "e") {
      isInteger = false
      position += 1
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
      guard Self.isDigit(current) else { throw error("an exponent without a digit", at: start) }
      skipDigits()
    }
    return (start, position, isInteger)
  }

  func text(of number: NumberSpan) -> String {
    String(
      decoding: UnsafeBufferPointer(start: base + number.start, count: number.stop - number.start),
      as: UTF8.self)
  }

  private mutating func skipDigits() {
    while Self.isDigit(current) { position += 1 }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  /// Reads a string.
  package mutating func readString() throws(JSONError) -> String {
    if isScript, isAtSingleQuote() { return try readSingleQuoted() }
    try expect(UInt8(ascii: "\""), "a string")
    let start = position + 1
    let plain = try scanPlain(from: start)
    guard plain.isWhole else { return try string(of: readEscaped(from: start), at: start) }
    let slice = UnsafeBufferPointer(start: base + start, count: position - 1 - start)
    let string = String(decoding: slice, as: UTF8.self)
    // The standard library repairs invalid UTF-8, which is an error here. Comparing the string with the input takes less time than
    // validating the bytes.
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

  /// Returns whether the bytes at two addresses are equal.
  private static func isSame(_ one: UnsafePointer<UInt8>, as other: UnsafePointer<UInt8>, count: Int) -> Bool
  {
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

  /// Reads a string and passes its bytes to `body`, without creating a `String`; UTF-8 is not validated.
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

  /// Skips a string and checks it as `readString` does.
  private mutating func skipString() throws(JSONError) {
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

  /// Reads a key; the cursor must be at its opening quote.
  @inline(__always)
  private mutating func readKey() throws(JSONError) -> JSONKey {
    let start = position &+ 1
    // Nearly all keys end within sixteen bytes: their ends are found without a loop.
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
      // If any of these bytes is not ASCII, even after the key, the general method below is used.
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

  /// Finds the end of a string. If `isWhole`, the string has no escapes, and the cursor is after the closing quote. Otherwise, the
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

  /// Returns a word with the high bits of bytes that end a plain run: quotes, backslashes and control characters. The lowest bit set
  /// is correct; higher bits may be caused by its borrow.
  @inline(__always)
  private static func stops(in word: UInt64) -> UInt64 {
    // Flipping bit 1 moves the quote (0x22) to 0x20, directly above the control characters.
    let controlsAndQuotes = (word ^ 0x0202_0202_0202_0202) &- 0x2121_2121_2121_2121
    let slashes = (word ^ 0x5C5C_5C5C_5C5C_5C5C) &- lowBits
    return (controlsAndQuotes | slashes) & ~word & highBits
  }

  /// Handles the byte that ends a plain run: a quote, a backslash or a control character.
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

  /// Reads a string from `start` with the cursor at its first escape, to after the closing quote. UTF-8 is not validated.
  private mutating func readEscaped(from start: Int) throws(JSONError) -> [UInt8] {
    var text: [UInt8] = []
    // On average, the first escape is in the middle of a string. So the capacity is twice the length so far, with a minimum for short
    // strings.
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

  /// Reads the escape at the cursor, including the `\`.
  private mutating func readEscape(into text: inout [UInt8]) throws(JSONError) {
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

  /// Reads the scalar of `\uXXXX`, or of the two halves of a surrogate pair; returns U+FFFD for a half without the other.
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
      position = afterFirst  // a separate escape, read next
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

  /// Returns the byte offset of the next value.
  package mutating func nextStart() -> Int {
    skipWhitespace()
    return position
  }

  /// Returns the span of the value that began at `start` and has just been read.
  ///
  /// The span of a number or a literal is empty: these have no closing delimiter, so equal bytes could be the beginning of a longer token.
  package func span(from start: Int) -> JSONSpan {
    switch base[position &- 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "}"), UInt8(ascii: "]"):
      JSONSpan(start: start, count: position &- start)
    default: .none
    }
  }

  /// Skips the next value if its bytes are the same as those of a previously read value, and returns whether it did.
  ///
  /// Most posts in a conversation's file have the same author ID, time or flags. Comparing takes a fraction of the time of reading, and
  /// callers can store one value instead of many.
  package mutating func skip(repeated span: JSONSpan) -> Bool {
    skipWhitespace()
    guard span.count > 0, span.count <= end &- position,
      // Most IDs and times differ at the end, so the end is compared first.
      base[position &+ span.count &- 2] == base[span.start &+ span.count &- 2],
      Self.isSame(base + position, as: base + span.start, count: span.count)
    else { return false }
    lastStart = position
    position &+= span.count
    return true
  }

  // Literals of JavaScript that JSON lacks, in the style of code formatters: strings and keys in single quotes, keys without
  // quotes, a comma after the last member. No code is evaluated.

  /// Reads one document as `read` does, and accepts these literals of JavaScript.
  package static func readScript<Result>(
    _ bytes: UnsafeBufferPointer<UInt8>, _ body: (inout JSONReader) throws(JSONError) -> Result
  ) throws(JSONError) -> Result {
    try read(bytes) { reader throws(JSONError) in
      reader.isScript = true
      return try body(&reader)
    }
  }

  private mutating func isAtSingleQuote() -> Bool {
    skipWhitespace()
    return current == UInt8(ascii: "'")
  }

  /// Reads a string in single quotes, which may contain unescaped double quotes.
  private mutating func readSingleQuoted() throws(JSONError) -> String {
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

  /// Reads a key in single quotes, or a key without quotes, which must be an ASCII identifier.
  private mutating func readScriptKey() throws(JSONError) -> JSONKey {
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

/// The byte range of a string, object or array that was read, for `JSONReader.skip(repeated:)`.
///
/// It is only valid for the document from which it was read.
package struct JSONSpan: Sendable {
  var start: Int
  var count: Int

  /// An empty span, which no value repeats.
  package static var none: JSONSpan { JSONSpan(start: 0, count: 0) }
}
