/// A writer of JSON as UTF-8 bytes. Equal values have equal bytes on all machines.
///
/// The members of an object are sorted by the UTF-8 bytes of their keys. Members that are written in this order need no sorting. Only
/// characters that must be escaped are escaped; other characters outside ASCII stay unchanged.
///
/// ```swift
/// var writer = JSONWriter()
/// writer.object { writer in
///   writer.member("id", "42")
///   writer.member("tags") { $0.array { for tag in tags { $0.string(tag) } } }
/// }
/// let text = writer.finish()
/// ```
package struct JSONWriter: Sendable {
  /// The layout of the output.
  package enum Layout: Sendable {
    /// Two spaces per level, one line per member, a newline at the end; for files that people read and compare.
    case pretty
    /// No white space.
    case compact
    /// Like `compact`, and safe inside an HTML `<script>`: `<`, `>`, `&`, DEL, C1 controls, U+2028, U+2029 and noncharacters are escaped.
    case script
  }

  private struct Member: Sendable {
    var key: String
    /// The byte range of the member in the output, from the key's opening quote to the end of its value.
    var range: Range<Int>
  }

  private struct Container: Sendable {
    var isObject: Bool
    var count = 0
    var isSorted = true
    var members: [Member] = []
  }

  private let layout: Layout
  private var out = UTF8Buffer()
  private var open: [Container] = []

  package init(_ layout: Layout = .pretty) {
    self.layout = layout
  }

  /// Returns the output; a pretty document ends with a newline.
  package consuming func finish() -> UTF8Buffer {
    if layout == .pretty { out.append(UInt8(ascii: "\n")) }
    return out
  }

  /// Returns one value as a document.
  package static func text(of value: JSONValue, _ layout: Layout = .pretty) -> UTF8Buffer {
    var writer = JSONWriter(layout)
    writer.value(value)
    return writer.finish()
  }

  // Writes an object. `body` writes its members with `member`.

  /// Writes an object, whose members `body` writes with `member`.
  package mutating func object<E: Error>(_ body: (inout JSONWriter) throws(E) -> Void) throws(E) {
    begin(UInt8(ascii: "{"), isObject: true)
    try body(&self)
    sortMembers()
    end(UInt8(ascii: "}"))
  }

  /// Writes a member of the open object. `value` writes exactly one value.
  package mutating func member<E: Error>(
    _ key: String, _ value: (inout JSONWriter) throws(E) -> Void
  ) throws(E) {
    separate()
    let start = out.count
    quote(key)
    out.append(UInt8(ascii: ":"))
    if layout == .pretty { out.append(UInt8(ascii: " ")) }
    try value(&self)
    guard let last = open.indices.last else { return }
    if let previous = open[last].members.last?.key, !previous.precedesInBytes(key) {
      open[last].isSorted = false
    }
    open[last].members.append(Member(key: key, range: start..<out.count))
  }

  /// Writes an array. `body` writes its elements one after another.
  package mutating func array<E: Error>(_ body: (inout JSONWriter) throws(E) -> Void) throws(E) {
    element()
    begin(UInt8(ascii: "["), isObject: false)
    try body(&self)
    end(UInt8(ascii: "]"))
  }

  private mutating func begin(_ bracket: UInt8, isObject: Bool) {
    if isObject { element() }
    out.append(bracket)
    open.append(Container(isObject: isObject))
  }

  private mutating func end(_ bracket: UInt8) {
    let isEmpty = (open.popLast()?.count ?? 0) == 0
    if !isEmpty { newline() }
    out.append(bracket)
  }

  /// Sorts the members of the open object, unless they were written in order.
  private mutating func sortMembers() {
    guard let object = open.last, !object.isSorted, let first = object.members.first else { return }
    let start = first.range.lowerBound
    // The bytes between two members are always the same: the comma and the line break.
    let separator = Array(out.bytes[first.range.upperBound..<object.members[1].range.lowerBound])
    var sorted: [UInt8] = []
    sorted.reserveCapacity(out.count - start)
    let members = object.members.sorted { $0.key.precedesInBytes($1.key) }
    for (index, member) in members.enumerated() {
      if index > 0 { sorted.append(contentsOf: separator) }
      sorted.append(contentsOf: out.bytes[member.range])
    }
    out.bytes.replaceSubrange(start..., with: sorted)
  }

  /// Writes the comma and the line break before a member or an element.
  private mutating func separate() {
    guard let last = open.indices.last else { return }
    if open[last].count > 0 { out.append(UInt8(ascii: ",")) }
    open[last].count += 1
    newline()
  }

  /// Writes the separator before a value if the value is an element of an array, and not the value of a member.
  private mutating func element() {
    if let last = open.last, !last.isObject { separate() }
  }

  private mutating func newline() {
    guard layout == .pretty else { return }
    out.append(UInt8(ascii: "\n"))
    for _ in open { out.append("  " as StaticString) }
  }

  // MARK: Values

  package mutating func string(_ value: String) {
    element()
    quote(value)
  }

  package mutating func integer(_ value: some BinaryInteger) {
    element()
    out.append(String(value))
  }

  package mutating func bool(_ value: Bool) {
    element()
    out.append((value ? "true" : "false") as StaticString)
  }

  package mutating func null() {
    element()
    out.append("null" as StaticString)
  }

  /// Writes any value; numbers other than whole numbers are written as their source text.
  package mutating func value(_ value: JSONValue) {
    switch value {
    case .null: null()
    case .bool(let value): bool(value)
    case .integer(let value): integer(value)
    case .number(let source):
      element()
      out.append(source)
    case .string(let value): string(value)
    case .array(let elements):
      array { writer in for element in elements { writer.value(element) } }
    case .object(let members):
      let keys = members.keys.sorted { $0.precedesInBytes($1) }
      object { writer in
        for key in keys {
          guard let value = members[key] else { continue }
          writer.member(key) { $0.value(value) }
        }
      }
    }
  }

  private mutating func quote(_ text: String) {
    out.appendEscapingJSON(text, forScript: layout == .script)
  }
}

// MARK: Members in one word

extension JSONWriter {
  package mutating func member(_ key: String, _ value: String) { member(key) { $0.string(value) } }
  package mutating func member(_ key: String, _ value: Int) { member(key) { $0.integer(value) } }
  package mutating func member(_ key: String, _ value: Bool) { member(key) { $0.bool(value) } }
  package mutating func member(_ key: String, _ value: JSONValue) { member(key) { $0.value(value) } }
}
