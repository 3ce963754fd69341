import Basics
import Foundation
import NetworkSources

extension FuzzTarget {
  private static let words = [
    "{", "}", "[", "]", ":", ",", "\"\"", "null", "true", "false", "-0", "1e400", "0.1", "\\u0000", "\\ud83d",
    "\\ude00", "\\\"", "{\"a\":", "[[[[", "9223372036854775807", "-9223372036854775808", "\u{FEFF}",
  ]

  /// JSON: values read back after writing, skipping is as strict as reading, and Foundation agrees about
  /// valid JSON.
  static let json = FuzzTarget(
    "json", dictionary: words, seeds: [Seeds("threads", ".json")], openers: bytes("[", "{\"a\":"),
    testRuns: 2000
  ) { bytes in
    let skipped = Result { () throws(JSONError) in
      try JSONReader.read(bytes) { reader throws(JSONError) in try reader.skipValue() }
    }
    let read = Result { () throws(JSONError) in try JSONValue(parsing: bytes) }
    let theirs = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
    switch read {
    case .failure(let error):
      try JSONPlace.check(error, in: bytes)
      try Message.check(error.message)
      guard case .failure(let other) = skipped else {
        throw PropertyFailure("can be skipped but not read: \(error)")
      }
      try require(other == error, "reading says \(error), skipping \(other)")
      try require(
        theirs == nil || isLenientThere(error, bytes), "Foundation reads what ours refuses: \(error)")
    case .success(let value):
      if case .failure(let error) = skipped { throw PropertyFailure("can be read but not skipped: \(error)") }
      for layout in [JSONWriter.Layout.pretty, .compact, .script] {
        let text = JSONWriter.text(of: value, layout).bytes
        let again = try JSONValue(parsing: text)
        try require(again == value, "\(layout) does not read back as it was")
      }
      let asScript = try bytes.withUnsafeBufferPointer { buffer throws(JSONError) in
        try JSONReader.readScript(buffer) { reader throws(JSONError) in try reader.readValue() }
      }
      try require(asScript == value, "JSON is another value as a script")
      try require(
        theirs != nil || isStrictThere(value) || escapesSurrogates(bytes),
        "Foundation rejects JSON that ours reads")
    }
  }

  /// The JavaScript literals in the files of X's archives.
  static let script = FuzzTarget(
    "script", dictionary: words + ["'", "\\'", "id:", "$_a:", ",}", ",]", "window.YTD.tweets.part0 = "],
    openers: bytes("[", "{\"a\":"), testRuns: 2000
  ) { bytes in
    func read<Value>(
      _ body: (inout JSONReader) throws(JSONError) -> Value
    ) -> Result<Value, JSONError> {
      Result { () throws(JSONError) in
        try bytes.withUnsafeBufferPointer { buffer throws(JSONError) in
          try JSONReader.readScript(buffer, body)
        }
      }
    }
    let value = read { reader throws(JSONError) in try reader.readValue() }
    let skipped = read { reader throws(JSONError) in try reader.skipValue() }
    switch (value, skipped) {
    case (.success(let value), .success):
      let text = JSONWriter.text(of: value, .compact).bytes
      try require(try JSONValue(parsing: text) == value, "does not read back as JSON")
    case (.failure(let error), .failure):
      try JSONPlace.check(error, in: bytes)
      try Message.check(error.message)
    default: throw PropertyFailure("reading and skipping differ: \(value), \(skipped)")
    }
  }

  /// Known differences, which the tests of JSON also list.
  private static func isLenientThere(_ error: JSONError, _ bytes: [UInt8]) -> Bool {
    // Commas at the end of arrays, and UTF-16 and UTF-32, which Foundation guesses from NULs and byte order
    // marks.
    error.message == "a comma without a value after it" || bytes.contains(0) || bytes.contains(0xFE)
      || error.message.contains("deep")
  }

  /// Whether the text contains an escape of a lone surrogate. Foundation rejects it anywhere. In the value
  /// that ours reads, it may be hidden by a repeated key, whose last value counts.
  private static func escapesSurrogates(_ bytes: [UInt8]) -> Bool {
    bytes.indices.dropLast(3).contains { index in
      bytes[index] == UInt8(ascii: "\\") && bytes[index + 1] == UInt8(ascii: "u")
        && bytes[index + 2] | 0x20 == UInt8(ascii: "d") && bytes[index + 3] >= UInt8(ascii: "8")
    }
  }

  private static func isStrictThere(_ value: JSONValue) -> Bool {
    switch value {
    case .string(let text): text.unicodeScalars.contains("\u{FFFD}")
    case .number(let source): !(Double(source)?.isFinite ?? false) || Double(source) == 0
    case .array(let elements): elements.contains(where: isStrictThere)
    case .object(let members):
      members.contains { isStrictThere($0.value) || isStrictThere(.string($0.key)) }
    case .null, .bool, .integer: false
    }
  }
}

/// The place of a JSON error.
enum JSONPlace {
  static func check(_ error: JSONError, in bytes: [UInt8]) throws(PropertyFailure) {
    let lines = 1 + bytes.count { $0 == 0x0A || $0 == 0x0D }
    try require((0...bytes.count).contains(error.offset), "offset \(error.offset) of \(bytes.count)")
    try require((1...lines).contains(error.line), "line \(error.line) of \(lines)")
    try require((1...bytes.count + 1).contains(error.column), "column \(error.column)")
    try require(!error.message.isEmpty, "no message")
  }

  /// Checks that the place of an error is the file's name, with line and column if the file is not JSON.
  static func check(_ error: SourceError, in bytes: [UInt8]) throws(PropertyFailure) {
    try require(!error.message.isEmpty, "no message")
    let numbers = (error.place ?? "").split(separator: ":").dropFirst().map { Int($0) ?? 0 }
    guard !numbers.isEmpty else { return }
    let lines = 1 + bytes.count { $0 == 0x0A || $0 == 0x0D }
    try require(numbers.count == 2, "the place \(error.place ?? "")")
    try require((1...lines).contains(numbers[0]), "line \(numbers[0]) of \(lines)")
    try require((1...bytes.count + 1).contains(numbers[1]), "column \(numbers[1])")
  }
}

/// Text for a terminal.
enum Message {
  /// Checks that a message is one or more lines of text without characters that move the cursor or change the
  /// direction of text.
  static func check(_ text: String) throws(PropertyFailure) {
    for scalar in text.unicodeScalars {
      let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
      try require(
        !isControl || scalar == "\n" || scalar == "\t",
        "the message contains U+\(String(scalar.value, radix: 16)): \(text.debugDescription)")
    }
  }
}
