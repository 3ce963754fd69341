import Basics
import NetworkSources

/// The events in a saved file: one per line, an array, or the messages of a relay, `["EVENT", "id", {…}]`.
struct NostrFile {
  /// The objects in the order of the file, each with the number of its line.
  private(set) var objects: [(line: Int, value: JSONValue)] = []
  /// Errors of lines that are not JSON, in a file whose other lines are JSON.
  private(set) var unread: [JSONError] = []
  /// The number of values that are neither objects nor messages.
  private(set) var others = 0

  /// Reads a file. A file that is not JSON as a whole is read line by line.
  ///
  /// - Throws: ``JSONError`` if neither the file nor any of its lines is JSON.
  init(_ bytes: [UInt8]) throws(JSONError) {
    do {
      let values = try JSONReader.read(bytes) { reader throws(JSONError) in
        var values: [(offset: Int, value: JSONValue)] = []
        while !reader.isAtEnd() { try Self.read(&reader, into: &values) }
        return values
      }
      var lines = LineCounter(bytes)
      for (offset, value) in values { add(value, line: lines.line(at: offset)) }
    } catch {
      readLines(bytes)
      guard !objects.isEmpty else { throw error }
    }
  }

  /// Reads a value, or the elements of an array with their positions.
  private static func read(
    _ reader: inout JSONReader, into values: inout [(offset: Int, value: JSONValue)]
  ) throws(JSONError) {
    guard reader.nextKind() == .array else {
      let start = reader.nextStart()
      values.append((start, try reader.readValue()))
      return
    }
    try reader.beginArray()
    while try reader.nextElement() {
      let start = reader.nextStart()
      values.append((start, try reader.readValue()))
    }
  }

  private mutating func readLines(_ bytes: [UInt8]) {
    let lines = JSONLines(bytes, skipping: " \t", " \t\r,")
    for (line, value) in lines.values {
      for value in value.array ?? [value] { add(value, line: line) }
    }
    unread = lines.unread
  }

  private mutating func add(_ value: JSONValue, line: Int) {
    switch value {
    case .object: objects.append((line, value))
    // A message in an array.
    case .array(let parts): for case .object(let object) in parts { objects.append((line, .object(object))) }
    // The first two parts of a message.
    case .string: break
    default: others += 1
    }
  }

  /// Counts lines up to increasing positions.
  private struct LineCounter {
    private let bytes: [UInt8]
    private var position = 0
    private var number = 1

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func line(at offset: Int) -> Int {
      while position < offset, position < bytes.count {
        if bytes[position] == 0x0A { number += 1 }
        position += 1
      }
      return number
    }
  }
}
