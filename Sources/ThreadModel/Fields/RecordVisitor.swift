package import Basics

/// A value of the store with a list of its fields, which is the only place that names them all.
///
/// Reading, writing, merging and clearing of names are visitors that walk through the list. The list is in the order of the fields' names, which is the
/// order of the members in a file. A test fails if a stored property is in no list.
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
  /// The name of the kind of record in messages.
  static var noun: String { get }
  /// Returns a record without facts. Its required fields have no meaningful values.
  static func blank(on platform: Platform) -> Self
  static func visit<V: RecordVisitor<Self>>(_ visitor: inout V) throws(V.Failure)
}

/// An operation on the fields of a record.
///
/// The methods are generic instead of the list being an array, so that the compiler creates one function for each operation and record. They have to be
/// inlined: only then is a key path replaced by an access to the property.
package protocol RecordVisitor<Root> {
  associatedtype Root
  associatedtype Failure: Error

  mutating func field<Value: StoredValue>(
    _ name: StaticString, _ path: WritableKeyPath<Root, Value>, _ role: FieldRole
  ) throws(Failure)

  /// A text without its entities, which are another member of the file.
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

/// The treatment of a field by some of the visitors.
package struct FieldRole: OptionSet, Sendable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A file without the field is invalid.
  static let required = FieldRole(rawValue: 1)
  /// An empty string is invalid.
  static let nonEmpty = FieldRole(rawValue: 2)
  /// A negative number is invalid.
  static let natural = FieldRole(rawValue: 4)
  /// People wrote the value: names of accounts that the site leaves out are removed from it.
  static let words = FieldRole(rawValue: 8)
  /// A URL: it is dropped if it names an account that the site leaves out.
  static let address = FieldRole(rawValue: 16)
  /// The record merges the field in its own way. For all other fields, the value that was seen last is kept.
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

  /// Returns the value without the names of accounts that the site leaves out; `nil` if the whole value is left out.
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
