import Basics
import Testing

@Suite struct JSONWriterTests {
  @Test func prettyOutputIsStable() {
    let value: JSONValue = [
      "b": [1, [], [:], ["x": nil]], "a": "é \"quoted\" \\ \n \u{1} 日本", "B": .number("1.50"), "": true,
    ]
    let expected = #"""
      {
        "": true,
        "B": 1.50,
        "a": "é \"quoted\" \\ \n \u0001 日本",
        "b": [
          1,
          [],
          {},
          {
            "x": null
          }
        ]
      }

      """#
    #expect(text(of: value) == expected)
    #expect(
      text(of: value, .compact)
        == #"{"":true,"B":1.50,"a":"é \"quoted\" \\ \n \u0001 日本","b":[1,[],{},{"x":null}]}"#)
  }

  @Test func sortsMembersIndependentlyOfWriting() {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("z", 1)
      writer.member("é", "after every ASCII key")
      writer.member("m") { writer in
        writer.object { writer in
          writer.member("2", true)
          writer.member("10", .null)
        }
      }
      writer.member("a") {
        $0.array {
          $0.integer(1); $0.string("two")
        }
      }
    }
    let expected = """
      {
        "a": [
          1,
          "two"
        ],
        "m": {
          "10": null,
          "2": true
        },
        "z": 1,
        "é": "after every ASCII key"
      }

      """
    #expect(writer.finish().string == expected)
  }

  @Test func sortsKeysByBytes() {
    // U+FF5E comes before U+1F600 in UTF-8, and after it in UTF-16.
    let keys = ["😀": 1, "～": 2, "é": 4, "Z": 5, "a": 6] as JSONValue
    #expect(text(of: keys, .compact) == "{\"Z\":5,\"a\":6,\"é\":4,\"～\":2,\"😀\":1}")
  }

  @Test func scriptOutputCannotEndTheScript() {
    let value: JSONValue = ["</script>": "<!-- & \u{2028}\u{2029}\u{2027} -->"]
    #expect(text(of: value, .script) == #"{"\u003c/script\u003e":"\u003c!-- \u0026 \u2028\u2029‧ --\u003e"}"#)
  }

  private func text(of value: JSONValue, _ layout: JSONWriter.Layout = .pretty) -> String {
    JSONWriter.text(of: value, layout).string
  }
}
