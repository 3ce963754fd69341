package import Basics

/// A value of the store with the only complete list of its fields.
///
/// Visitors of the list read, write and merge records, and remove names from them. The list is sorted by the names of fields, as are the members in
/// a file. A test fails if a stored property is in no list.
///
/// ```swift
/// extension Removal: StoredRecord {
///   package static let noun = "removal"
///   package static func visit<V: RecordVisitor<Self>>(_ visitor: inout V) throws(V.Failure) {
///     try visitor.field("observed_at", \.observedAt)
///     try visitor.field("reason", \.reason, .required)
///   }
/// }
/// ```
package protocol StoredRecord: StoredValue {
  /// The name of this kind of record in messages.
  static var noun: String { get }
  /// Returns a record without facts. Its required fields have no meaningful values.
  static func blank(on platform: Platform) -> Self
  static func visit<V: RecordVisitor<Self>>(_ visitor: inout V) throws(V.Failure)
}

/// An operation on the fields of a record.
///
/// Generic methods let the compiler create one function per operation and record, which an array of fields would not. The methods must be inlined,
/// because only then does the compiler replace a key path by an access to the property.
package protocol RecordVisitor<Root> {
  associatedtype Root
  associatedtype Failure: Error

  mutating func field<Value: StoredValue>(
    _ name: StaticString, _ path: WritableKeyPath<Root, Value>, _ role: FieldRole
  ) throws(Failure)

  /// A text without its entities, which are a separate member of the file.
  mutating func text<Value: StoredText>(
    _ name: StaticString, _ path: WritableKeyPath<Root, Value>, _ role: FieldRole
  ) throws(Failure)

  mutating func entities<Value: StoredText>(
    _ name: StaticString, of path: WritableKeyPath<Root, Value>
  ) throws(Failure)
}

extension RecordVisitor {
  @inline(__always)
  mutating func field<Value: StoredValue>(
    _ name: StaticString, _ path: WritableKeyPath<Root, Value>
  ) throws(Failure) { try field(name, path, []) }
}

/// Properties of a field that some visitors use.
package struct FieldRole: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A file without the field is invalid.
  static let required = FieldRole(rawValue: 1)
  /// An empty string is invalid.
  static let nonEmpty = FieldRole(rawValue: 2)
  /// A negative number is invalid.
  static let natural = FieldRole(rawValue: 4)
  /// People wrote the value. Names of left-out accounts are removed from it.
  static let words = FieldRole(rawValue: 8)
  /// A URL. It is removed if it names a left-out account.
  static let address = FieldRole(rawValue: 16)
  /// The record has its own code to merge the field. For all other fields, the latest value is kept.
  static let ownMerge = FieldRole(rawValue: 32)
}

/// The value of a field.
package protocol StoredValue: Hashable, Sendable {
  init(reading reader: inout JSONReader, in scope: inout FileScope) throws(JSONError)
  func write(to writer: inout JSONWriter, _ platform: Platform)
  /// Whether a file does not contain the field.
  var isAbsent: Bool { get }

  /// Merges two observations; `nil` is an observation without the field.
  static func merge(_ field: String, _ one: Self?, _ other: Self?, _ merge: inout FieldMerge) -> Self?
  static func merge(_ field: String, _ one: [Self], _ other: [Self], _ merge: inout FieldMerge) -> [Self]

  /// Returns the value without the names of left-out accounts; `nil` if the whole value is left out.
  func cleared(_ role: FieldRole, by words: ClearedWords) -> Self?
}

extension StoredValue {
  package var isAbsent: Bool { false }

  package static func merge(
    _ field: String, _ one: Self?, _ other: Self?, _ merge: inout FieldMerge
  ) -> Self? { merge.pick(field, one, other) }

  package static func merge(
    _ field: String, _ one: [Self], _ other: [Self], _ merge: inout FieldMerge
  ) -> [Self] { merge.pick(field, one, other) }

  package func cleared(_ role: FieldRole, by words: ClearedWords) -> Self? { self }
}

/// A text that is a field of a record.
package protocol StoredText: Hashable, Sendable {
  /// Creates the value of a field; `nil` if the text is missing and required.
  init?(stored: InlineText?)
  var stored: InlineText? { get }
}

extension InlineText: StoredText {
  package init?(stored: InlineText?) {
    guard let stored else { return nil }
    self = stored
  }
  package var stored: InlineText? { self }
}

extension InlineText?: StoredText {
  package init?(stored: InlineText?) { self = stored }
  package var stored: InlineText? { self }
}
