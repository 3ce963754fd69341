package import Basics

extension StoredRecord {
  package func write(to writer: inout JSONWriter, _ platform: Platform) {
    writer.object { writer in
      withUnsafeMutablePointer(to: &writer) { writer in
        var visitor = FieldWriter(root: self, writer: writer, platform: platform)
        Self.visit(&visitor)
      }
    }
  }
}

/// Writes the fields of a record as members of an object.
private struct FieldWriter<Root: StoredRecord>: RecordVisitor {
  let root: Root
  let writer: UnsafeMutablePointer<JSONWriter>
  /// The platform of ids that are written as strings.
  let platform: Platform

  @inline(__always)
  func field<Value: StoredValue>(
    _ name: StaticString, _ path: WritableKeyPath<Root, Value>, _ role: FieldRole
  ) {
    let value = root[keyPath: path]
    if !value.isAbsent { writer.pointee.member("\(name)") { value.write(to: &$0, platform) } }
  }

  @inline(__always)
  func text<Value: StoredText>(
    _ name: StaticString, _ path: WritableKeyPath<Root, Value>, _ role: FieldRole
  ) {
    if let text = root[keyPath: path].stored { writer.pointee.member("\(name)", text.text) }
  }

  @inline(__always)
  func entities<Value: StoredText>(_ name: StaticString, of path: WritableKeyPath<Root, Value>) {
    guard let entities = root[keyPath: path].stored?.entities, !entities.isEmpty else { return }
    writer.pointee.member("\(name)") { entities.write(to: &$0, platform) }
  }
}
