/// A value with a list of its stored properties, from which reading, writing and digests are derived.
///
/// ```swift
/// extension PostActions: Record {
///   package static let fields = RecordFields(Self.init, \.like, \.repost, \.reply)
/// }
/// ```
///
/// The list begins with the memberwise initializer, which has one parameter per stored property. So a missing property is a compiler error,
/// and so are two properties of different types in the wrong order.
package protocol Record: ByteCodable {
  static var fields: RecordFields<Self> { get }
}

extension Record {
  package init(from reader: inout ByteReader) throws(ByteReader.Truncated) {
    self = try Self.fields.read(&reader)
  }
  package func write(to writer: inout ByteWriter) { Self.fields.write(self, to: &writer) }
}

/// The fields of a record, in the order of their bytes.
///
/// Fields are functions instead of key paths, because a key path that is unknown to the optimizer costs several hundred instructions. The initializer is
/// inlinable, so that the compiler generates code for the types of each list; otherwise the types of all fields would be looked up whenever a
/// value is read.
package struct RecordFields<Value>: Sendable {
  @usableFromInline package let readValue: @Sendable (inout ByteReader) throws(ByteReader.Truncated) -> Value
  @usableFromInline package var writers: [@Sendable (Value, inout ByteWriter) -> Void] = []

  /// - Parameters:
  ///   - create: the initializer with all fields.
  ///   - fields: the fields in the order of the initializer's parameters; `\.name` for a property.
  @inlinable package init<each Field: ByteCodable>(
    _ create: @escaping @Sendable (repeat each Field) -> Value,
    _ fields: repeat @escaping @Sendable (Value) -> each Field
  ) {
    readValue = { (reader) throws(ByteReader.Truncated) in create(repeat try (each Field)(from: &reader)) }
    repeat add(each fields)
  }

  @inlinable package mutating func add<Field: ByteCodable>(_ field: @escaping @Sendable (Value) -> Field) {
    writers.append { value, writer in field(value).write(to: &writer) }
  }

  package var count: Int { writers.count }

  fileprivate func read(_ reader: inout ByteReader) throws(ByteReader.Truncated) -> Value {
    try readValue(&reader)
  }

  fileprivate func write(_ value: Value, to writer: inout ByteWriter) {
    for write in writers { write(value, &writer) }
  }
}

extension ContentDigest {
  /// Adds all fields of a value.
  package mutating func add(_ value: some ByteCodable) { add(bytes: value.byteCoding) }
}
