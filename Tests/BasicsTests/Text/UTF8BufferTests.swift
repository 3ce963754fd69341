import Basics
import Testing

@Suite("UTF-8 buffer")
struct UTF8BufferTests {
  @Test("Appended text is kept in order")
  func appending() {
    var buffer = UTF8Buffer(capacity: 8)
    #expect(buffer.isEmpty)
    buffer.append("Grüße" as String)
    buffer.append(", " as StaticString)
    buffer.append(UTF8Buffer("👋"))
    buffer.append(UInt8(ascii: "!"))
    buffer.append(ArraySlice("abc".utf8).dropFirst())
    buffer.append(contentsOf: [0x64, 0x65])
    #expect(buffer.string == "Grüße, 👋!bcde")
    #expect(buffer.count == 18)
    buffer.removeAll(keepingCapacity: true)
    #expect(buffer == UTF8Buffer())
  }

  @Test(
    "Integers are written in decimal",
    arguments: [0, 7, 10, -1, 1_234_567, -98_765, Int.max, Int.min])
  func integers(_ integer: Int) {
    var buffer = UTF8Buffer("n=")
    buffer.append(integer: integer)
    #expect(buffer.string == "n=\(integer)")
  }

  @Test(
    "A prefix stands before every line, without its trailing space before an empty one",
    arguments: [
      ("", ""),
      ("a", "> a"),
      ("a\n", "> a\n"),
      ("a\n\nb", "> a\n>\n> b"),
      ("\n\n", ">\n>\n"),
      ("a  \nb\n", "> a  \n> b\n"),
    ])
  func prefixes(text: String, expected: String) {
    #expect(UTF8Buffer(text).prefixingLines(with: "> ").string == expected)
  }
}
