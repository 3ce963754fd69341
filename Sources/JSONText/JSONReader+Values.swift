extension JSONReader {
  /// What kind of value comes next, by its first byte; `nil` where no value can begin.
  package enum Kind: Sendable { case object, array, string, number, bool, null }

  /// The kind of the next value, which is not read.
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

  /// Passes over the next value, whatever it is, as strictly as if it were read.
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

  /// Reads the next value, whatever it is.
  package mutating func readValue() throws(JSONError) -> JSONValue {
    switch nextKind() {
    case .object:
      var members: [String: JSONValue] = [:]
      try beginObject()
      while let key = try nextKey() {
        // Room for three, which is the smallest table but for one of a single member: growing costs as much as filling.
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
      // -0 is no whole number that Int64 can keep.
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
}
