/// Writes JSON as UTF-8 bytes: the same bytes for the same values, on any machine.
///
/// The members of an object come out sorted by the UTF-8 bytes of their keys, in whatever order they were written;
/// writing them in that order costs nothing. Text outside ASCII stays as it is, and only what must be escaped is.
///
/// ```swift
/// var writer = JSONWriter()
/// writer.object { writer in
///   writer.member("id", "42")
///   writer.member("tags") { $0.array { for tag in tags { $0.string(tag) } } }
/// }
/// let bytes = writer.finish()
/// ```
package struct JSONWriter: Sendable {
  /// How the bytes are laid out.
  package enum Layout: Sendable {
    /// Two spaces a level, a line a member, a newline at the end: for files that people read and compare.
    case pretty
    /// No white space at all.
    case compact
    /// As `compact`, and safe inside an HTML `<script>`: `<`, `>`, `&`, U+2028 and U+2029 are escaped.
    case script
  }

  private struct Member: Sendable {
    var key: String
    /// The member's bytes, from the key's quote to the end of its value.
    var range: Range<Int>
  }

  private struct Container: Sendable {
    var isObject: Bool
    var count = 0
    var isSorted = true
    var members: [Member] = []
  }

  private let layout: Layout
  private var bytes: [UInt8] = []
  private var open: [Container] = []

  package init(_ layout: Layout = .pretty) {
    self.layout = layout
  }

  /// All that was written; a pretty document ends with a newline.
  package consuming func finish() -> [UInt8] {
    if layout == .pretty { bytes.append(UInt8(ascii: "\n")) }
    return bytes
  }

  /// One value as a document of its own.
  package static func bytes(of value: JSONValue, _ layout: Layout = .pretty) -> [UInt8] {
    var writer = JSONWriter(layout)
    writer.value(value)
    return writer.finish()
  }

  // MARK: Containers

  /// Writes an object, whose members `body` writes with `member`.
  package mutating func object<E: Error>(_ body: (inout JSONWriter) throws(E) -> Void) throws(E) {
    begin(UInt8(ascii: "{"), isObject: true)
    try body(&self)
    sortMembers()
    end(UInt8(ascii: "}"))
  }

  /// Writes a member of the object that is open; `value` writes exactly one value.
  package mutating func member<E: Error>(
    _ key: String, _ value: (inout JSONWriter) throws(E) -> Void
  ) throws(E) {
    separate()
    let start = bytes.count
    quote(key)
    bytes.append(UInt8(ascii: ":"))
    if layout == .pretty { bytes.append(UInt8(ascii: " ")) }
    try value(&self)
    guard let last = open.indices.last else { return }
    if let previous = open[last].members.last?.key, !previous.utf8.lexicographicallyPrecedes(key.utf8) {
      open[last].isSorted = false
    }
    open[last].members.append(Member(key: key, range: start..<bytes.count))
  }

  /// Writes an array, whose elements `body` writes one after another.
  package mutating func array<E: Error>(_ body: (inout JSONWriter) throws(E) -> Void) throws(E) {
    element()
    begin(UInt8(ascii: "["), isObject: false)
    try body(&self)
    end(UInt8(ascii: "]"))
  }

  private mutating func begin(_ bracket: UInt8, isObject: Bool) {
    if isObject { element() }
    bytes.append(bracket)
    open.append(Container(isObject: isObject))
  }

  private mutating func end(_ bracket: UInt8) {
    let isEmpty = (open.popLast()?.count ?? 0) == 0
    if !isEmpty { newline() }
    bytes.append(bracket)
  }

  /// Puts the members of the open object in order, where they were not written so.
  private mutating func sortMembers() {
    guard let object = open.last, !object.isSorted, let first = object.members.first else { return }
    let start = first.range.lowerBound
    // What stands between two members is the same everywhere: the comma and the line break.
    let separator = Array(bytes[first.range.upperBound..<object.members[1].range.lowerBound])
    var sorted: [UInt8] = []
    sorted.reserveCapacity(bytes.count - start)
    let members = object.members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    for (index, member) in members.enumerated() {
      if index > 0 { sorted.append(contentsOf: separator) }
      sorted.append(contentsOf: bytes[member.range])
    }
    bytes.replaceSubrange(start..., with: sorted)
  }

  /// The comma and line break before a member or an element.
  private mutating func separate() {
    guard let last = open.indices.last else { return }
    if open[last].count > 0 { bytes.append(UInt8(ascii: ",")) }
    open[last].count += 1
    newline()
  }

  /// Before every value: in an array it is an element of its own; after a key it is not.
  private mutating func element() {
    if let last = open.last, !last.isObject { separate() }
  }

  private mutating func newline() {
    guard layout == .pretty else { return }
    bytes.append(UInt8(ascii: "\n"))
    for _ in open { bytes.append(contentsOf: [0x20, 0x20]) }
  }

  // MARK: Values

  package mutating func string(_ value: String) {
    element()
    quote(value)
  }

  package mutating func integer(_ value: some BinaryInteger) {
    element()
    bytes.append(contentsOf: String(value).utf8)
  }

  package mutating func bool(_ value: Bool) {
    element()
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
  }

  package mutating func null() {
    element()
    bytes.append(contentsOf: "null".utf8)
  }

  /// Writes a double in the shortest form that reads back as itself; NaN and the infinities, which JSON lacks, as
  /// null.
  package mutating func double(_ value: Double) {
    guard value.isFinite else { return null() }
    element()
    bytes.append(contentsOf: "\(value)".utf8)
  }

  /// Writes any value; a number is written as it was read.
  package mutating func value(_ value: JSONValue) {
    switch value {
    case .null: null()
    case .bool(let value): bool(value)
    case .integer(let value): integer(value)
    case .number(let source):
      element()
      bytes.append(contentsOf: source.utf8)
    case .string(let value): string(value)
    case .array(let elements):
      array { writer in for element in elements { writer.value(element) } }
    case .object(let members):
      let keys = members.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      object { writer in
        for key in keys {
          guard let value = members[key] else { continue }
          writer.member(key) { $0.value(value) }
        }
      }
    }
  }

  // MARK: Strings

  private mutating func quote(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { utf8 in
      var plainStart = 0
      for index in utf8.indices {
        let length = escapeLength(utf8, at: index)
        guard length > 0, index >= plainStart else { continue }
        bytes.append(contentsOf: utf8[plainStart..<index])
        appendEscape(of: utf8, at: index)
        plainStart = index + length
      }
      bytes.append(contentsOf: utf8[plainStart...])
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// How many bytes at `index` have to be written as an escape; 0 for a byte that stays.
  private func escapeLength(_ utf8: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    switch utf8[index] {
    case 0..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"): return 1
    case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"): return layout == .script ? 1 : 0
    case 0xE2 where layout == .script && index + 2 < utf8.count && utf8[index + 1] == 0x80:
      return utf8[index + 2] & 0xFE == 0xA8 ? 3 : 0
    default: return 0
    }
  }

  private mutating func appendEscape(of utf8: UnsafeBufferPointer<UInt8>, at index: Int) {
    switch utf8[index] {
    case UInt8(ascii: "\""): bytes.append(contentsOf: "\\\"".utf8)
    case UInt8(ascii: "\\"): bytes.append(contentsOf: "\\\\".utf8)
    case 0x0A: bytes.append(contentsOf: "\\n".utf8)
    case 0x0D: bytes.append(contentsOf: "\\r".utf8)
    case 0x09: bytes.append(contentsOf: "\\t".utf8)
    case 0xE2: bytes.append(contentsOf: utf8[index + 2] == 0xA8 ? "\\u2028".utf8 : "\\u2029".utf8)
    case let byte:
      let digits = String(byte, radix: 16)
      bytes.append(contentsOf: "\\u00\(digits.count < 2 ? "0" : "")\(digits)".utf8)
    }
  }
}

// MARK: Members in one word

extension JSONWriter {
  package mutating func member(_ key: String, _ value: String) { member(key) { $0.string(value) } }
  package mutating func member(_ key: String, _ value: Int) { member(key) { $0.integer(value) } }
  package mutating func member(_ key: String, _ value: Bool) { member(key) { $0.bool(value) } }
  package mutating func member(_ key: String, _ value: JSONValue) { member(key) { $0.value(value) } }
}
