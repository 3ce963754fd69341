import Basics
import Testing

@Suite("JavaScript literals")
struct ScriptTests {
  private func value(_ text: String) throws(JSONError) -> JSONValue {
    try Array(text.utf8).withUnsafeBufferPointer { bytes throws(JSONError) in
      try JSONReader.readScript(bytes) { reader throws(JSONError) in try reader.readValue() }
    }
  }

  @Test func readsReformattedLiterals() throws {
    let text = #"""
      {
        tweet: { id: '12', $a_1: "x", 'full text': 'say "hi", it\'s \u00e9', "list": [1, 2,], },
      }
      """#
    #expect(
      try value(text) == [
        "tweet": ["id": "12", "$a_1": "x", "full text": "say \"hi\", it's é", "list": [1, 2]]
      ])
  }

  @Test func readsJSON() throws {
    for text in [#"{"a":[1,{"b":"c\n"}],"d":null}"#, "[]", "{}", #""x""#, "-1.5e3", "true"] {
      #expect(try value(text) == JSONValue(parsing: Array(text.utf8)))
    }
  }

  @Test(arguments: [
    ("[,]", 2), ("{a:1,,}", 6), ("{1a:2}", 2), ("{a:'x}", 4), ("{a:b}", 4), ("{a:f(1)}", 4),
    ("[1;]", 3), ("{a:`x`}", 4), ("{/* */a:1}", 2),
  ])
  func rejectsCodeWithItsPlace(text: String, column: Int) {
    let error = #expect(throws: JSONError.self) { try value(text) }
    #expect(error?.column == column, "\(text)")
  }

  @Test func jsonStaysStrict() {
    for text in ["[1,]", "{a:1}", "['x']", "{'a':1}", #"["\'"]"#] {
      #expect(throws: JSONError.self, "\(text)") { try JSONValue(parsing: Array(text.utf8)) }
    }
  }

  @Test func rejectsInvalidUTF8() {
    let bytes: [UInt8] = Array("{a:'".utf8) + [0xFF] + Array("'}".utf8)
    #expect(throws: JSONError.self) {
      try bytes.withUnsafeBufferPointer { buffer throws(JSONError) in
        try JSONReader.readScript(buffer) { reader throws(JSONError) in try reader.skipValue() }
      }
    }
  }
}
