import Basics
import Foundation
import Testing

@Suite struct TextControlsTests {
  @Test func escapesTerminalControls() {
    let text = "a\u{1B}[31m\u{9B}b\u{202E}c\u{2066}\u{FEFF}\u{2028}\u{7F}\r\n\té👩\u{200D}👧"
    #expect(
      TextControls.shown(text)
        == "a\\u{1B}[31m\\u{9B}b\\u{202E}c\\u{2066}\\u{FEFF}\\u{2028}\\u{7F}\\u{D}\n\té👩\u{200D}👧")
    #expect(!TextControls.shownOnOneLine(text).contains("\n"))
  }

  @Test func keepsPlainText() {
    for value in UInt32(0x20)...0x7E {
      let text = String(Character(Unicode.Scalar(value) ?? " "))
      #expect(TextControls.shown(text) == text)
    }
  }

  @Test func everyScalarSurvivesInJSON() throws {
    for start in stride(from: UInt32(0), to: 0x110000, by: 0x800) where !(0xD800..<0xE000).contains(start) {
      var text = String.UnicodeScalarView()
      text.append(contentsOf: (start..<start + 0x800).compactMap(Unicode.Scalar.init))
      var json = UTF8Buffer("[")
      json.appendEscapingJSON(String(text))
      json.append("]" as StaticString)
      let escaped = TextControls.escaped(json: json.string)
      let read = try #require(try JSONSerialization.jsonObject(with: Data(escaped.utf8)) as? [String])
      #expect(read.first?.unicodeScalars.elementsEqual(text) == true, "U+\(String(start, radix: 16))")
      #expect(!escaped.unicodeScalars.contains { $0.properties.generalCategory == .control })
      #expect(!escaped.unicodeScalars.contains { TextControls.isDirection($0) })
    }
  }

  @Test(arguments: [
    ("a", true), ("\u{202E}a\u{202C}", true), ("\u{2067}\u{202A}a\u{202C}\u{2069}", true),
    ("\u{202E}a", false),
    ("a\u{2069}", false), ("\u{2067}\u{202A}a\u{2069}\u{202C}", false), ("\u{206A}", false),
  ])
  func recognizesUnterminatedDirections(text: String, isEnded: Bool) {
    #expect(TextControls.endsItsDirections(text) == isEnded)
  }

  /// Compares the replaced scalars with the definition in the Unicode Standard.
  @Test func documentsContainNeitherControlsNorNoncharacters() {
    for value in UInt32(0)...0x10FFFF {
      guard value < 0x3000 || value % 0x10000 > 0xFF00 || (0xFDC0...0xFE00).contains(value),
        let scalar = Unicode.Scalar(value)
      else { continue }
      let isUnfit =
        (value < 0x20 && ![9, 10, 13].contains(value)) || (0x7F...0x9F).contains(value)
        || (0xFDD0...0xFDEF).contains(value) || value % 0x10000 >= 0xFFFE
      var html = UTF8Buffer()
      html.appendEscapingHTML("a\(scalar)b")
      var script = UTF8Buffer()
      script.appendEscapingJSON("a\(scalar)b", forScript: true)
      #expect(script.string.unicodeScalars.contains("\\") || !isUnfit)
      var markdown = MarkdownTextWriter()
      markdown.plain("a\(scalar)b")
      for text in [html.string, markdown.finish().string] {
        #expect(
          text.unicodeScalars.contains("\u{FFFD}") == (isUnfit || value == 0xFFFD),
          "U+\(String(value, radix: 16))")
      }
    }
  }
}
