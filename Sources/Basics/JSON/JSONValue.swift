/// Any JSON value, for what has no type of its own: fields that a network sent and nobody here knows.
///
/// It keeps what it was read from: whole numbers exactly, every other number as its source text (so `1.50`, `1e400`
/// and thirty digits survive), members without their order (it means nothing, and output is sorted).
/// Two keys that Swift takes for the same text (`é` in one scalar and in two) are the same key.
package enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// A number that is not a whole number of 64 bits, as it was written.
  case number(String)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// Reads one document; of a key given twice in an object, the last value.
  package init(parsing bytes: [UInt8]) throws(JSONError) {
    self = try JSONReader.read(bytes) { reader throws(JSONError) in try reader.readValue() }
  }
}

// MARK: Looking inside

extension JSONValue {
  package var string: String? { if case .string(let value) = self { value } else { nil } }
  package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  package var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
  package var object: [String: JSONValue]? { if case .object(let value) = self { value } else { nil } }
  package var isNull: Bool { if case .null = self { true } else { false } }

  /// The whole number, where it fits.
  package var int: Int? { integer.flatMap { Int(exactly: $0) } }

  /// The number, rounded to a double where it has to be.
  package var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let source): Double(source)
    default: nil
    }
  }

  /// The member of an object; `nil` where there is none, or this is no object.
  package subscript(key: String) -> JSONValue? { object?[key] }

  /// The element of an array; `nil` where there is none, or this is no array.
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
  /// Of a key given twice, the last value.
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements) { _, last in last })
  }
}
