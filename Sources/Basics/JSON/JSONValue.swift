/// Any JSON value, for data without a specific type, such as unknown fields in a network's responses.
///
/// It preserves whole numbers exactly and every other number as its source text (so `1.50`, `1e400` and thirty digits survive). It does not
/// preserve the order of members, because the order has no meaning and output is sorted. Two keys that are equal as Swift strings (`é` as
/// one scalar and as two) are the same key.
package enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// The source text of a number that is not a whole number of 64 bits.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// Reads one document; if an object has a key twice, the last value is used.
  package init(parsing bytes: [UInt8]) throws(JSONError) {
    self = try JSONReader.read(bytes) { reader throws(JSONError) in try reader.readValue() }
  }
}

// MARK: Access

extension JSONValue {
  package var string: String? { if case .string(let value) = self { value } else { nil } }
  package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  package var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
  package var object: [String: JSONValue]? { if case .object(let value) = self { value } else { nil } }
  package var isNull: Bool { if case .null = self { true } else { false } }

  /// The whole number, if it fits into an `Int`.
  package var int: Int? { integer.flatMap { Int(exactly: $0) } }

  /// The number as a double, rounded if necessary.
  package var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let source): Double(source)
    default: nil
    }
  }

  /// The value of an object's member; `nil` if the member is missing, or this value is not an object.
  package subscript(key: String) -> JSONValue? { object?[key] }

  /// The element of an array, from 0; `nil` if the index is out of range, or this value is not an array.
  package subscript(index: Int) -> JSONValue? {
    guard let array, array.indices.contains(index) else { return nil }
    return array[index]
  }
}

// MARK: Literals

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(nilLiteral: ()) { self = .null }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// Creates an object; if a key is given twice, the last value is used.
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements) { _, last in last })
  }
}
