import Basics
import Testing

@Suite struct JSONReaderTests {
  @Test func readsEveryKindOfValue() throws {
    let value = try parse(
      #" {"a":[1,-2,true,false,null,"x"],"b":{"c":1.50},"d":123456789012345678901234567890} "#)
    #expect(value["a"] == [1, -2, true, false, nil, "x"])
    #expect(value["b"]?["c"] == .number("1.50"))
    #expect(value["d"] == .number("123456789012345678901234567890"))
    #expect(try parse("-0") == .number("-0"))
    #expect(try parse("-9223372036854775808") == .integer(.min))
    #expect(try parse("\u{FEFF}1") == 1)
  }

  @Test func lastOfTwoEqualKeysWins() throws {
    #expect(try parse(#"{"a":1,"a":2}"#) == ["a": 2])
  }

  @Test(arguments: [
    (#""plain""#, "plain"),
    (#""""#, ""),
    (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
    (#""eight bytes and more, then \u00e9""#, "eight bytes and more, then é"),
    (#""\u0000""#, "\0"),
    (#""\uD83D\uDE00!""#, "😀!"),
    (#""é 日本 😀""#, "é 日本 😀"),
    (#""\uD83D""#, "\u{FFFD}"),
    (#""\uD83Dx""#, "\u{FFFD}x"),
    (#""\uDE00\uD83D""#, "\u{FFFD}\u{FFFD}"),
    (#""\uD83D\n""#, "\u{FFFD}\n"),
    (#""\uD83D\uD83D\uDE00""#, "\u{FFFD}😀"),
    (#""\uD83D\u0041""#, "\u{FFFD}A"),
  ])
  func readsStrings(source: String, expected: String) throws {
    #expect(try parse(source) == .string(expected))
    #expect(try parse("{\(source):1}") == .object([expected: 1]))
  }

  @Test(arguments: [
    ("", 1, 1, "expected a value, but found the end of the input"),
    (" \n ", 2, 2, "expected a value, but found the end of the input"),
    ("[1,]", 1, 3, "a comma without a value after it"),
    ("{\"a\":1,}", 1, 7, "a comma without a value after it"),
    ("[1 2]", 1, 4, "expected ',' or ']', but found a number"),
    ("{\"é😀\" 1}", 1, 7, "expected ':' after the key, but found a number"),
    ("{a:1}", 1, 2, "expected a key in double quotes, but found 'a'"),
    ("[\r\n1,\r\n\r nul]", 4, 2, "expected null, but found 'n'"),
    ("NaN", 1, 1, "expected a value, but found 'N'"),
    ("1 x", 1, 3, "expected nothing more, but found 'x'"),
    ("01", 1, 1, "a number that begins with 0"),
    ("-", 1, 1, "a minus sign without a digit after it"),
    ("1.", 1, 1, "a decimal point without a digit after it"),
    ("1e+", 1, 1, "an exponent without a digit"),
    ("+1", 1, 1, "expected a value, but found '+'"),
    (".5", 1, 1, "expected a value, but found '.'"),
    ("\"abc", 1, 1, "a string without its closing quote"),
    ("\"abc\\", 1, 5, "an escape that JSON does not have: only \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX"),
    ("\"\\u12g4\"", 1, 2, "a \\u escape needs four hexadecimal digits"),
    ("\"a\tb\"", 1, 3, "a control character in a string: write it as an escape, such as \\n"),
    ("[1", 1, 3, "expected ',' or ']', but found the end of the input"),
    ("// x", 1, 1, "expected a value, but found '/'"),
  ])
  func reportsErrorsWithTheirPlace(source: String, line: Int, column: Int, message: String) {
    let error = #expect(throws: JSONError.self) { try parse(source) }
    #expect(error?.line == line)
    #expect(error?.column == column)
    #expect(error?.message == message)
    #expect(error?.description(file: "a.json") == "a.json:\(line):\(column): error: \(message)")
    // Skipped values are checked like values that are read.
    let skipped = #expect(throws: JSONError.self) {
      try JSONReader.read(Array(source.utf8)) { reader throws(JSONError) in try reader.skipValue() }
    }
    #expect(skipped == error)
  }

  @Test(
    arguments: [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xE2, 0x82], [0xF5, 0x80, 0x80, 0x80]] as [[UInt8]]
  )
  func rejectsInvalidUTF8(bytes: [UInt8]) {
    for prefix in ["", "long enough for a word ", "\\n"] {
      let source = Array("[\"\(prefix)".utf8) + bytes + Array("\"]".utf8)
      let error = #expect(throws: JSONError.self) { try JSONValue(parsing: source) }
      #expect(error?.message == "text that is not valid UTF-8")
      #expect(throws: JSONError.self) {
        try JSONReader.read(source) { reader throws(JSONError) in try reader.skipValue() }
      }
    }
    #expect(throws: JSONError.self) {
      try JSONValue(parsing: Array("{\"".utf8) + bytes + Array("\":1}".utf8))
    }
  }

  @Test func acceptsTheSameSequencesAsTheStandardLibrary() {
    var misjudged: [[UInt8]] = []
    let tails: [UInt8] = [0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF]
    for lead in UInt8(0x80)...0xFF {
      for second in tails {
        for third in [0x41, 0x80, 0xBF, 0xFF] as [UInt8] {
          let bytes = [lead, second, third, 0x80]
          for length in 1...4 where !bytes[..<length].contains(0) {
            let slice = Array(bytes[..<length])
            let isValid = String(validating: slice, as: UTF8.self) != nil
            let read = try? JSONValue(parsing: [0x22] + slice + [0x22])  // `nil` is one of the two answers
            if (read != nil) != isValid { misjudged.append(slice) }
          }
        }
      }
    }
    #expect(misjudged == [])
  }

  @Test func comparesKeysAfterDecodingEscapes() throws {
    let seen = try JSONReader.read(Array(#"{"\u0069d":1,"\"":2,"i\u0064\n":3}"#.utf8)) {
      reader throws(JSONError) in
      var seen: [String] = []
      try reader.beginObject()
      while let key = try reader.nextKey() {
        switch key {
        case "id": seen.append("known")
        default: seen.append(key.string)
        }
        try reader.skipValue()
      }
      return seen
    }
    #expect(seen == ["known", "\"", "id\n"])
  }

  @Test func countsBytesOfAStringAndReadsABeginning() throws {
    func count(_ source: String) throws(JSONError) -> Int {
      try JSONReader.readBeginning(of: Array(source.utf8)) { reader throws(JSONError) in
        try reader.readStringBytes { $0.count }
      }
    }
    #expect(try count(#""abc" and then no JSON"#) == 3)
    #expect(try count(#""a\n\u00e9""#) == 4)
    #expect(throws: JSONError.self) { try count("1") }
    #expect(throws: JSONError.self) { try count("") }
  }

  @Test func limitsNesting() throws {
    let deepest = JSONReader.maximumDepth
    _ = try parse(String(repeating: "[", count: deepest) + String(repeating: "]", count: deepest))
    let error = #expect(throws: JSONError.self) { try parse(String(repeating: "[", count: 1_000_000)) }
    #expect(error?.message == "nested deeper than 256 levels")
    #expect(error?.column == deepest + 1)
    #expect(throws: JSONError.self) { try parse(String(repeating: "{\"a\":", count: 1_000_000)) }
  }

  @Test func readsKnownShapesDirectly() throws {
    let source = #"{"n":7,"on":true,"tags":["a","b"],"big":1.5e3,"none":null,"unknown":{"x":[1,{}]}}"#
    let result = try JSONReader.read(Array(source.utf8)) { reader throws(JSONError) in
      var seen: [String] = []
      try reader.beginObject()
      while let key = try reader.nextKey() {
        switch key {
        case "n": seen.append("\(try reader.readInt())")
        case "on": seen.append("\(try reader.readBool())")
        case "tags": seen += try reader.readArray { item throws(JSONError) in try item.readString() }
        case "none": seen.append("\(reader.takeNull())")
        default:
          seen.append(key.string)
          try reader.skipValue()
        }
      }
      return seen
    }
    #expect(result == ["7", "true", "a", "b", "big", "true", "unknown"])
  }

  @Test func reportsAWrongTypeWithItsPlace() {
    let error = #expect(throws: JSONError.self) {
      try JSONReader.read(Array("{\n  \"n\": \"7\"}".utf8)) { reader throws(JSONError) in
        try reader.beginObject()
        while try reader.nextKey() != nil { _ = try reader.readInt() }
      }
    }
    #expect(error?.description == "2:8: error: expected a number, but found a string")
  }

  @Test func readsIntegersExactly() throws {
    func int(_ source: String) throws(JSONError) -> Int {
      try JSONReader.read(Array(source.utf8)) { reader throws(JSONError) in try reader.readInt() }
    }
    #expect(try int("9223372036854775807") == .max)
    #expect(try int("-9223372036854775808") == .min)
    #expect(try int("999999999999999999") == 999_999_999_999_999_999)
    for source in ["9223372036854775808", "1.0", "1e3"] {
      #expect(throws: JSONError.self) { try int(source) }
    }
  }

  @Test func readsConsecutiveDocuments() throws {
    let values = try JSONReader.read(Array("{\"a\":1}\n\n[2]\n3\n".utf8)) { reader throws(JSONError) in
      var values: [JSONValue] = []
      while !reader.isAtEnd() { values.append(try reader.readValue()) }
      return values
    }
    #expect(values == [["a": 1], [2], 3])
  }

  private func parse(_ source: String) throws(JSONError) -> JSONValue {
    try JSONValue(parsing: Array(source.utf8))
  }
}
