import Basics
import Testing

@Suite struct JSONRepeatsTests {
  /// Whether each element of an array repeats the first one.
  private func repeats(_ text: String) throws -> [Bool] {
    try JSONReader.read(Array(text.utf8)) { reader throws(JSONError) in
      var found: [Bool] = []
      var first = JSONSpan.none
      try reader.beginArray()
      while try reader.nextElement() {
        let isRepeated = reader.skip(repeated: first)
        let start = reader.nextStart()
        if !isRepeated { try reader.skipValue() }
        if found.isEmpty { first = reader.span(from: start) }
        found.append(isRepeated)
      }
      return found
    }
  }

  @Test(arguments: [
    (
      #"["123456789", "123456789", "123456780", "12345678", "1234567890", "" ]"#,
      [false, true, false, false, false, false]
    ),
    (#"["", "", "a"]"#, [false, true, false]),
    (#"[{"a":1,"b":[2]},{"a":1,"b":[2]},{"a":1,"b":[3]},{"a":1, "b":[2]}]"#, [false, true, false, false]),
    (#"["a\"", "a\"", "a"]"#, [false, true, false]),
    // A number has no end mark, but 1 is not a prefix of 12.
    ("[1,12,1]", [false, false, false]), ("[true,true]", [false, false]),
  ])
  func onlyEqualBytesAreARepetition(text: String, expected: [Bool]) throws {
    #expect(try repeats(text) == expected)
  }

  @Test func textAfterARepetitionIsReadStrictly() {
    #expect(throws: JSONError.self) { try repeats(#"["a","a" "a"]"#) }
    #expect(throws: JSONError.self) { try repeats(#"["a","a"#) }
  }

  /// Keys of all lengths around one and two machine words, at the end of the input and before more text.
  @Test(arguments: 0...20, ["", "                        "])
  func findsKeysOfEveryLength(length: Int, after: String) throws {
    let key = String("in_reply_to_author_id".prefix(length))
    let text = "{\"\(key)\":1}\(after)"
    let read = try JSONReader.read(Array(text.utf8)) { reader throws(JSONError) in
      var read = ""
      try reader.beginObject()
      while let key = try reader.nextKey() {
        switch key {
        case "in_reply": read = "word"
        case "in_reply_to_auth": read = "two words"
        case "in_reply_to_author": read = "more"
        case "in_reply_to_auther": read = "wrong"
        case "": read = "none"
        default: read = key.string
        }
        try reader.skipValue()
      }
      return read
    }
    let names = [0: "none", 8: "word", 16: "two words", 18: "more"]
    #expect(read == names[length] ?? key)
  }
}
