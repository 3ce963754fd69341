package import Basics

/// The state of reading one file of the store: the platform of ids without a platform, and the last values, which posts often repeat.
package struct FileScope {
  package let platform: Platform
  /// Usually a thread's author and conversation, a post, and the post that it answers.
  fileprivate var ids = [LastValue<StoredID>](repeating: LastValue(), count: 4)
  private var next = 0
  fileprivate var extra = LastValue<JSONObject>()

  package init(platform: Platform) { self.platform = platform }

  /// Replaces the oldest id that was not repeated after its first use.
  fileprivate mutating func remember(_ id: LastValue<StoredID>) {
    while ids[next].isRepeated {
      ids[next].isRepeated = false
      next = (next + 1) % ids.count
    }
    ids[next] = id
    next = (next + 1) % ids.count
  }
}

/// A value and its range in the file, to recognize a repetition.
private struct LastValue<Value> {
  var value: Value?
  var span = JSONSpan.none
  var isRepeated = false
}

/// An id of a post or of an author.
private struct StoredID {
  var platform: Platform
  var authority: String?
  var value: String

  init<Subject>(_ id: NetworkID<Subject>) {
    (platform, authority, value) = (id.platform, id.authority, id.value)
  }
}

extension String: StoredValue {
  package init(reading reader: inout JSONReader, in scope: inout FileScope) throws(JSONError) {
    self = try reader.readString()
  }
  package func write(to writer: inout JSONWriter, _ platform: Platform) { writer.string(self) }
  package func cleared(_ role: FieldRole, by words: ClearedWords) -> String? {
    if role.contains(.address), words.matcher.names(address: self) { return nil }
    return role.contains(.words) ? words.matcher.clearing(self, with: LeftOutAccounts.mark) : self
  }
}

extension Int: StoredValue {
  package init(reading reader: inout JSONReader, in scope: inout FileScope) throws(JSONError) {
    self = try reader.readInt()
  }
  package func write(to writer: inout JSONWriter, _ platform: Platform) { writer.integer(self) }
}

extension Bool: StoredValue {
  package init(reading reader: inout JSONReader, in scope: inout FileScope) throws(JSONError) {
    self = try reader.readBool()
  }
  package func write(to writer: inout JSONWriter, _ platform: Platform) { writer.bool(self) }
  package var isAbsent: Bool { !self }
}

extension Timestamp: StoredValue {
  package init(reading reader: inout JSONReader, in scope: inout FileScope) throws(JSONError) {
    // A time in the store's own form is parsed without creating a `String`. Other RFC 3339 forms are also read, because people edit these files.
    var read = (ours: Timestamp?.none, other: "")
    try reader.readStringBytes { bytes in
      read.ours = Timestamp(storedAs: bytes)
      if read.ours == nil { read.other = String(decoding: bytes, as: UTF8.self) }
    }
    guard let time = read.ours ?? Timestamp(iso8601: read.other) else {
      throw reader.error(
        "expected a time such as 2021-01-06T18:40:40Z, but found \"\(read.other)\"", at: reader.lastStart)
    }
    self = time
  }

  package func write(to writer: inout JSONWriter, _ platform: Platform) { writer.string(iso8601) }

  /// Reads `2021-01-06T18:40:40Z`; `nil` for any other form.
  private init?(storedAs bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count == 20, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
      bytes[19] == UInt8(ascii: "Z")
    else { return nil }
    var areDigits = true
    func number(_ start: Int, _ count: Int) -> Int {
      var value = 0
      for index in start..<start + count {
        let digit = bytes[index] &- 0x30
        if digit > 9 { areDigits = false }
        value = value * 10 + Int(digit)
      }
      return value
    }
    let (year, month, day) = (number(0, 4), number(5, 2), number(8, 2))
    let (hour, minute, second) = (number(11, 2), number(14, 2), number(17, 2))
    guard areDigits else { return nil }
    self.init(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
  }
}

/// An id of the file's platform is a string. An id of a different platform is `{"id": …, "platform": …}`.
extension NetworkID: StoredValue {
  package init(reading reader: inout JSONReader, in scope: inout FileScope) throws(JSONError) {
    for index in scope.ids.indices {
      guard let id = scope.ids[index].value, reader.skip(repeated: scope.ids[index].span) else { continue }
      scope.ids[index].isRepeated = true
      self.init(id.value, by: id.authority, on: id.platform)
      return
    }
    let start = reader.nextStart()
    try self.init(readingNew: &reader, on: scope.platform)
    scope.remember(LastValue(value: StoredID(self), span: reader.span(from: start)))
  }

  private init(readingNew reader: inout JSONReader, on platform: Platform) throws(JSONError) {
    guard reader.nextKind() == .object else {
      let text = try reader.readNonEmptyString()
      try self.init(text, on: platform, reader, at: reader.lastStart)
      return
    }
    var text: String?
    var place = 0
    var platform: String?
    try reader.beginObject()
    let start = reader.lastStart
    while let key = try reader.nextKey() {
      switch key {
      case "id" where text == nil:
        text = try reader.readNonEmptyString()
        place = reader.lastStart
      case "platform" where platform == nil: platform = try reader.readNonEmptyString()
      case "id", "platform": throw reader.repeated(key, in: "id")
      default: throw reader.unknown(key, in: "id")
      }
    }
    guard let text else { throw reader.missing("id", in: "id", at: start) }
    guard let platform else { throw reader.missing("platform", in: "id", at: start) }
    try self.init(text, on: Platform(rawValue: platform), reader, at: place)
  }

  private init(
    _ text: String, on platform: Platform, _ reader: borrowing JSONReader, at place: Int
  ) throws(JSONError) {
    guard let id = NetworkID(text: text, on: platform) else {
      throw reader.error(
        "\"\(text)\" is not an id: write the id or, on networks that need it, the account's DID or the server's host, a slash and "
          + "the id", at: place)
    }
    self = id
  }

  package func write(to writer: inout JSONWriter, _ platform: Platform) {
    guard self.platform != platform else { return writer.string(text) }
    writer.object { writer in
      writer.member("id", text)
      writer.member("platform", self.platform.rawValue)
    }
  }
}

extension OpenVocabulary {
  package init(reading reader: inout JSONReader, in scope: inout FileScope) throws(JSONError) {
    self.init(rawValue: try reader.readNonEmptyString())
  }
  package func write(to writer: inout JSONWriter, _ platform: Platform) {
    // A server may send an empty word, with which the file could not be read again.
    writer.string(rawValue.isEmpty ? "unknown" : rawValue)
  }
}

extension FindingMethod: StoredValue {}
extension MediaKind: StoredValue {}
extension PollStatus: StoredValue {
  package var isAbsent: Bool { self == .unknown }
}
extension PostWarning: StoredValue {}
extension SourceKind: StoredValue {}
extension TombstoneReason: StoredValue {}

extension Optional: StoredValue where Wrapped: StoredValue {
  package init(reading reader: inout JSONReader, in scope: inout FileScope) throws(JSONError) {
    self = try Wrapped(reading: &reader, in: &scope)
  }
  package func write(to writer: inout JSONWriter, _ platform: Platform) {
    self?.write(to: &writer, platform)
  }
  package var isAbsent: Bool { self == nil }

  package static func merge(
    _ field: String, _ one: Self?, _ other: Self?, _ merge: inout FieldMerge
  ) -> Self? { .some(Wrapped.merge(field, one ?? nil, other ?? nil, &merge)) }

  package func cleared(_ role: FieldRole, by words: ClearedWords) -> Self? {
    .some(flatMap { $0.cleared(role, by: words) })
  }
}

extension Array: StoredValue where Element: StoredValue {
  package init(reading reader: inout JSONReader, in scope: inout FileScope) throws(JSONError) {
    self = []
    try reader.beginArray()
    while try reader.nextElement() { append(try Element(reading: &reader, in: &scope)) }
  }

  package func write(to writer: inout JSONWriter, _ platform: Platform) {
    writer.array { writer in for element in self { element.write(to: &writer, platform) } }
  }
  package var isAbsent: Bool { isEmpty }

  package static func merge(
    _ field: String, _ one: Self?, _ other: Self?, _ merge: inout FieldMerge
  ) -> Self? { Element.merge(field, one ?? [], other ?? [], &merge) }

  package func cleared(_ role: FieldRole, by words: ClearedWords) -> Self? {
    isEmpty ? self : compactMap { $0.cleared(role, by: words) }
  }
}

/// A value in an object with any keys.
package protocol StoredMember: Hashable, Sendable {
  static func read(_ reader: inout JSONReader, in scope: inout FileScope) throws(JSONError) -> [String: Self]
  var json: JSONValue { get }
  static func merge(
    _ field: String, _ one: [String: Self], _ other: [String: Self], _ merge: inout FieldMerge
  ) -> [String: Self]
  static func cleared(_ members: [String: Self], by words: ClearedWords) -> [String: Self]
}

extension Dictionary: StoredValue where Key == String, Value: StoredMember {
  package init(reading reader: inout JSONReader, in scope: inout FileScope) throws(JSONError) {
    self = try Value.read(&reader, in: &scope)
  }
  package func write(to writer: inout JSONWriter, _ platform: Platform) {
    writer.value(.object(mapValues(\.json)))
  }
  package var isAbsent: Bool { isEmpty }

  package static func merge(
    _ field: String, _ one: Self?, _ other: Self?, _ merge: inout FieldMerge
  ) -> Self? { Value.merge(field, one ?? [:], other ?? [:], &merge) }

  package func cleared(_ role: FieldRole, by words: ClearedWords) -> Self? {
    isEmpty ? self : Value.cleared(self, by: words)
  }
}

/// Fields that the model does not define. Networks send the same few fields with every post.
extension JSONValue: StoredMember {
  package static func read(
    _ reader: inout JSONReader, in scope: inout FileScope
  ) throws(JSONError) -> JSONObject {
    if let extra = scope.extra.value, reader.skip(repeated: scope.extra.span) { return extra }
    let start = reader.nextStart()
    guard reader.nextKind() == .object, case .object(let members) = try reader.readValue() else {
      try reader.beginObject()  // throws an error
      return [:]
    }
    scope.extra = LastValue(value: members, span: reader.span(from: start))
    return members
  }

  package var json: JSONValue { self }

  package static func merge(
    _ field: String, _ one: JSONObject, _ other: JSONObject, _ merge: inout FieldMerge
  ) -> JSONObject { merge.pick(field, one, other) }

  package static func cleared(_ members: JSONObject, by words: ClearedWords) -> JSONObject {
    members.filter { !words.names($0.value) }
  }
}

/// A time is stored as RFC 3339 or as `"unknown"`. The time of an archive is stored as `"archive 2022-01-01T00:00:00Z"`, or as `"archive"` if it is
/// unknown.
extension ObservationTime: StoredMember {
  private static let archive = "archive"
  private static let unknown = "unknown"

  private init?(stored text: String) {
    let isFromArchive = text.hasPrefix(Self.archive)
    let rest = isFromArchive ? text.dropFirst(Self.archive.count) : text[...]
    self.init(isFromArchive: isFromArchive, time: nil)
    if isFromArchive ? rest.isEmpty : rest == Self.unknown { return }
    guard !isFromArchive || rest.first == " ",
      let time = Timestamp(iso8601: String(isFromArchive ? rest.dropFirst() : rest))
    else { return nil }
    self.time = time
  }

  package var json: JSONValue {
    let time = time?.iso8601
    return .string(
      isFromArchive ? [Self.archive, time].compactMap { $0 }.joined(separator: " ") : time ?? Self.unknown)
  }

  package static func read(
    _ reader: inout JSONReader, in scope: inout FileScope
  ) throws(JSONError) -> [String: ObservationTime] {
    var times: [String: ObservationTime] = [:]
    try reader.beginObject()
    while let key = try reader.nextKey() {
      let name = key.string
      guard times[name] == nil else { throw reader.repeated(key, in: "list of times") }
      let text = try reader.readString()
      guard let time = ObservationTime(stored: text) else {
        throw reader.error(
          "expected a time such as 2021-01-06T18:40:40Z, archive with or without one, or unknown, but found \"\(text)\"",
          at: reader.lastStart)
      }
      times[name] = time
    }
    return times
  }

  // Not used: a record merges the times together with its fields.
  package static func merge(
    _ field: String, _ one: [String: ObservationTime], _ other: [String: ObservationTime],
    _ merge: inout FieldMerge
  ) -> [String: ObservationTime] { one }

  package static func cleared(
    _ members: [String: ObservationTime], by words: ClearedWords
  ) -> [String: ObservationTime] { members }
}

// MARK: Errors

extension JSONReader {
  package mutating func readNonEmptyString() throws(JSONError) -> String {
    let string = try readString()
    guard !string.isEmpty else { throw error("an empty string", at: lastStart) }
    return string
  }

  package func unknown(_ key: JSONKey, in what: String) -> JSONError {
    error(
      "unknown key \"\(key.string)\" of a \(what): put unknown data under \"extra\"",
      at: key.offset)
  }

  /// Returns the error that an object has a key twice, as after a merge in git that kept both sides. One of the values would be lost.
  package func repeated(_ key: JSONKey, in what: String) -> JSONError {
    error(
      "the key \"\(key.string)\" is repeated in this \(what): merge both values into one",
      at: key.offset)
  }

  package func missing(_ key: String, in what: String, at offset: Int) -> JSONError {
    error("a \(what) without \"\(key)\"", at: offset)
  }
}
