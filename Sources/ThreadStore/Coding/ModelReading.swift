import Basics
import ThreadModel

/// The value of a kind that was read last, and its range in the file: the next value of the kind may be a repetition.
struct LastValue<Value> {
  var value: Value?
  var span = JSONSpan.none
}

/// Readers of the small values in a conversation's file.
extension JSONReader {
  /// `readArray`, compiled in this module for the element types used here: across modules it stays generic, which takes a tenth more of the reading
  /// time.
  mutating func readItems<Element>(
    _ element: (inout JSONReader) throws(JSONError) -> Element
  ) throws(JSONError) -> [Element] {
    var elements: [Element] = []
    try beginArray()
    while try nextElement() { elements.append(try element(&self)) }
    return elements
  }

  mutating func readNonEmptyString() throws(JSONError) -> String {
    let string = try readString()
    guard !string.isEmpty else { throw error("an empty string, where something has to stand", at: lastStart) }
    return string
  }

  /// Reads a time that usually equals the last one: all posts of a fetch were seen at the same moment.
  mutating func readTimestamp(like last: inout LastValue<Timestamp>) throws(JSONError) -> Timestamp {
    try readRepeated(&last) { reader throws(JSONError) in try reader.readTimestamp() }
  }

  mutating func readTimestamp() throws(JSONError) -> Timestamp {
    // A time written by the store is parsed without creating a `String`. Any other RFC 3339 form is read too, as people edit these files.
    var read = (ours: Timestamp?.none, other: "")
    try readStringBytes { bytes in
      read.ours = Timestamp(storedAs: bytes)
      if read.ours == nil { read.other = String(decoding: bytes, as: UTF8.self) }
    }
    if let timestamp = read.ours { return timestamp }
    let string = read.other
    guard let timestamp = Timestamp(iso8601: string) else {
      throw error("expected a time such as 2021-01-06T18:40:40Z, but found \"\(string)\"", at: lastStart)
    }
    return timestamp
  }

  /// Reads a value that may repeat the last one, and remembers it.
  ///
  /// - Parameter read: Reads a string, an object or an array.
  @inline(__always)
  private mutating func readRepeated<Value>(
    _ last: inout LastValue<Value>, _ read: (inout JSONReader) throws(JSONError) -> Value
  ) throws(JSONError) -> Value {
    if let value = last.value, skip(repeated: last.span) { return value }
    let start = nextStart()
    let value = try read(&self)
    last = LastValue(value: value, span: span(from: start))
    return value
  }

  /// Reads an id that usually equals the last one: see `readID(on:)`.
  mutating func readID<Subject>(
    on platform: Platform, like last: inout LastValue<NetworkID<Subject>>
  ) throws(JSONError) -> NetworkID<Subject> {
    try readRepeated(&last) { reader throws(JSONError) in try reader.readID(on: platform) }
  }

  /// Reads an id: a string, for the file's platform; or `{"id": …, "platform": …}`, for a different platform.
  mutating func readID<Subject>(on platform: Platform) throws(JSONError) -> NetworkID<Subject> {
    guard nextKind() == .object else {
      return try id(try readNonEmptyString(), on: platform, at: lastStart)
    }
    var text: String?
    var place = 0
    var platform: String?
    try beginObject()
    let start = lastStart
    while let key = try nextKey() {
      switch key {
      case "id":
        text = try readNonEmptyString()
        place = lastStart
      case "platform": platform = try readNonEmptyString()
      default: throw unknown(key, in: "id")
      }
    }
    guard let text else { throw missing("id", in: "id", at: start) }
    guard let platform else { throw missing("platform", in: "id", at: start) }
    return try id(text, on: Platform(rawValue: platform), at: place)
  }

  private func id<Subject>(
    _ text: String, on platform: Platform, at place: Int
  ) throws(JSONError) -> NetworkID<Subject> {
    if let id = NetworkID<Subject>(text: text, on: platform) { return id }
    throw error(
      "\"\(text)\" is no id: write the id itself or, on networks that need it, the account's DID or the server's host, a slash and "
        + "the id", at: place)
  }

  mutating func readWord<Word: OpenVocabulary>() throws(JSONError) -> Word {
    Word(rawValue: try readNonEmptyString())
  }

  /// Reads extra fields that usually equal the last ones: networks send the same few flags with every post.
  mutating func readExtra(like last: inout LastValue<JSONObject>) throws(JSONError) -> JSONObject {
    try readRepeated(&last) { reader throws(JSONError) in try reader.readExtra() }
  }

  mutating func readExtra() throws(JSONError) -> JSONObject {
    guard nextKind() == .object, case .object(let members) = try readValue() else {
      try beginObject()  // throws, as it is none
      return [:]
    }
    return members
  }

  // MARK: Errors

  func unknown(_ key: JSONKey, in what: String) -> JSONError {
    error(
      "unknown key \"\(key.string)\" of a \(what): what the format has no word for goes under \"extra\"",
      at: key.offset)
  }

  func missing(_ key: String, in what: String, at offset: Int) -> JSONError {
    error("a \(what) without \"\(key)\"", at: offset)
  }
}

extension Timestamp {
  /// Reads `2021-01-06T18:40:40Z`; `nil` for any other form.
  fileprivate init?(storedAs bytes: UnsafeBufferPointer<UInt8>) {
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

/// Writers of the small values.
extension JSONWriter {
  mutating func member(_ key: String, ifKnown value: String?) {
    if let value { member(key, value) }
  }

  mutating func member(_ key: String, ifKnown value: Int?) {
    if let value { member(key, value) }
  }

  mutating func member(_ key: String, ifKnown value: Bool?) {
    if let value { member(key, value) }
  }

  mutating func member(_ key: String, ifKnown value: Timestamp?) {
    if let value { member(key, value.iso8601) }
  }

  mutating func member<Subject>(_ key: String, ifKnown value: NetworkID<Subject>?, _ platform: Platform) {
    if let value { member(key) { $0.id(value, platform) } }
  }

  /// Writes the strings; writes no member if the array is empty.
  mutating func member(_ key: String, unlessEmpty values: [String]) {
    guard !values.isEmpty else { return }
    member(key) { $0.array { writer in for value in values { writer.string(value) } } }
  }

  mutating func member(_ key: String, unlessEmpty extra: JSONObject) {
    if !extra.isEmpty { member(key, .object(extra)) }
  }

  /// Writes one object for each value; writes no member if the array is empty.
  mutating func member<Value>(
    _ key: String, unlessEmpty values: [Value], _ write: (Value, inout JSONWriter) -> Void
  ) {
    guard !values.isEmpty else { return }
    member(key) { $0.array { writer in for value in values { write(value, &writer) } } }
  }

  mutating func id<Subject>(_ id: NetworkID<Subject>, _ platform: Platform) {
    guard id.platform != platform else { return string(id.text) }
    object { writer in
      writer.member("id", id.text)
      writer.member("platform", id.platform.rawValue)
    }
  }
}
