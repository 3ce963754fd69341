extension StoredRecord {
  /// Merges two observations field by field. Fields with the role `ownMerge` keep the value of the first observation.
  ///
  /// - Parameter prefix: the beginning of the fields' names in `FieldMerge`.
  static func mergingFields(
    _ one: Self, _ other: Self, _ prefix: String, _ merge: inout FieldMerge
  ) -> Self {
    var visitor = FieldMerger(one: one, other: other, prefix: prefix, result: one, merge: merge)
    Self.visit(&visitor)
    merge = visitor.merge
    return visitor.result
  }
}

/// Merges two observations of a record.
private struct FieldMerger<Root: StoredRecord>: RecordVisitor {
  let one: Root
  let other: Root
  let prefix: String
  var result: Root
  var merge: FieldMerge

  @inline(__always)
  mutating func field<Value: StoredValue>(
    _ name: StaticString, _ path: WritableKeyPath<Root, Value>, _ role: FieldRole
  ) {
    guard !role.contains(.ownMerge),
      let value = Value.merge("\(prefix)\(name)", one[keyPath: path], other[keyPath: path], &merge)
    else { return }
    result[keyPath: path] = value
  }

  @inline(__always)
  mutating func text<Value: StoredText>(
    _ name: StaticString, _ path: WritableKeyPath<Root, Value>, _ role: FieldRole
  ) {
    guard !role.contains(.ownMerge),
      let value = Value(
        stored: merge.pick("\(prefix)\(name)", one[keyPath: path].stored, other[keyPath: path].stored))
    else { return }
    result[keyPath: path] = value
  }

  func entities<Value: StoredText>(_ name: StaticString, of path: WritableKeyPath<Root, Value>) {}
}
