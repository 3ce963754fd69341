package import Basics

extension StoredRecord {
  package init(reading reader: inout JSONReader, in scope: inout FileScope) throws(JSONError) {
    try reader.beginObject()
    let start = reader.lastStart
    self = try withUnsafeMutablePointer(to: &reader) { (reader) throws(JSONError) in
      try withUnsafeMutablePointer(to: &scope) { (scope) throws(JSONError) in
        var visitor = FieldReader(
          root: Self.blank(on: scope.pointee.platform), reader: reader, scope: scope, start: start)
        return try visitor.read()
      }
    }
  }
}

/// Reads the members of an object into a record.
///
/// Members of a file have the order of the list of fields, so one pass through the list usually finds all members.
private struct FieldReader<Root: StoredRecord>: RecordVisitor {
  private var root: Root
  private let reader: UnsafeMutablePointer<JSONReader>
  private let scope: UnsafeMutablePointer<FileScope>
  /// The offset of the object.
  private let start: Int
  /// The key of the next member; `nil` after the last one.
  private var key: JSONKey?
  private var text = ReadText()
  /// A bit for each field that was found, in the order of the list.
  private var found: UInt64 = 0
  private var bit: UInt64 = 1
  /// Whether the file has no more members, so that this pass only checks required fields.
  private var isComplete = false

  init(
    root: Root, reader: UnsafeMutablePointer<JSONReader>, scope: UnsafeMutablePointer<FileScope>, start: Int
  ) {
    self.root = root
    self.reader = reader
    self.scope = scope
    self.start = start
  }

  mutating func read() throws(JSONError) -> Root {
    key = try reader.pointee.nextKey()
    while let first = key {
      bit = 1
      try Root.visit(&self)
      if key?.offset == first.offset { throw reader.pointee.unknown(first, in: Root.noun) }
    }
    (bit, isComplete) = (1, true)
    try Root.visit(&self)
    return root
  }

  @inline(__always)
  mutating func field<Value: StoredValue>(
    _ name: StaticString, _ path: WritableKeyPath<Root, Value>, _ role: FieldRole
  ) throws(JSONError) {
    defer { bit <<= 1 }
    guard let key, name ~= key else {
      if isComplete, role.contains(.required), found & bit == 0 { throw missing(name) }
      return
    }
    guard found & bit == 0 else { throw reader.pointee.repeated(key, in: Root.noun) }
    let value = try Value(reading: &reader.pointee, in: &scope.pointee)
    if role.contains(.nonEmpty), (value as? String)?.isEmpty == true {
      throw reader.pointee.error(
        "an empty string", at: reader.pointee.lastStart)
    }
    if role.contains(.natural), let number = value as? Int, number < 0 {
      throw reader.pointee.error("a \(name) is 0 or more", at: reader.pointee.lastStart)
    }
    root[keyPath: path] = value
    found |= bit
    self.key = try reader.pointee.nextKey()
  }

  @inline(__always)
  mutating func text<Value: StoredText>(
    _ name: StaticString, _ path: WritableKeyPath<Root, Value>, _ role: FieldRole
  ) throws(JSONError) {
    if isComplete {
      guard let value = Value(stored: try text.finish(reader.pointee)) else { throw missing(name) }
      root[keyPath: path] = value
    } else if let key, name ~= key {
      guard text.text == nil else { throw reader.pointee.repeated(key, in: Root.noun) }
      text.text = try reader.pointee.readString()
      self.key = try reader.pointee.nextKey()
    }
  }

  @inline(__always)
  mutating func entities<Value: StoredText>(
    _ name: StaticString, of path: WritableKeyPath<Root, Value>
  ) throws(JSONError) {
    guard let key, name ~= key else { return }
    guard !text.hasEntities else { throw reader.pointee.repeated(key, in: Root.noun) }
    try text.readEntities(&reader.pointee, in: &scope.pointee)
    self.key = try reader.pointee.nextKey()
  }

  private func missing(_ name: StaticString) -> JSONError {
    reader.pointee.missing("\(name)", in: Root.noun, at: start)
  }
}

/// A text and its entities: two members of the file, in either order.
private struct ReadText {
  var text: String?
  private var entities: [TextEntity] = []
  private var entitiesStart = 0
  /// Whether the entities, which may be an empty list, have been read.
  private(set) var hasEntities = false

  mutating func readEntities(_ reader: inout JSONReader, in scope: inout FileScope) throws(JSONError) {
    _ = reader.nextKind()  // moves to the value, whose position an error reports
    entities = try [TextEntity](reading: &reader, in: &scope)
    entitiesStart = reader.lastStart
    hasEntities = true
  }

  /// Returns the text with its entities; `nil` if there is no text.
  ///
  /// - Throws: if an entity is outside the text.
  func finish(_ reader: borrowing JSONReader) throws(JSONError) -> InlineText? {
    guard let text else {
      guard entities.isEmpty else { throw reader.error("entities without a text", at: entitiesStart) }
      return nil
    }
    let inline = InlineText(text, entities: entities)
    guard inline.entities.count == entities.count else {
      throw reader.error(
        "entities that overlap, are empty or reach beyond the text's \(text.unicodeScalars.count) Unicode scalars",
        at: entitiesStart)
    }
    return inline
  }
}
