import Basics
import Foundation
import TestSupport
import Testing

/// Strings that break software, and random strings. Escaped text stays within its format.
@Suite("Naughty strings")
struct NaughtyStringsTests {
  static let random: [String] = (0..<2000).map { seed in
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15
    return String(
      (0..<12).reduce(into: "") { text, _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let choices = [
          "\n", "\r", " ", "\t", "#", "-", "1", ".", "!", "&amp;", "<", ">", "*", "[", "](", "`", "\\", "\0",
          "\u{FFFF}",
          "\u{FEFF}", "é", "👩‍👩‍👧", "\u{202E}", "a",
        ]
        text += choices[Int((state >> 33) % UInt64(choices.count))]
      })
  }

  static var naughty: [String] {
    guard let url = ProjectFolders.sharedFixtures?.appending(path: "text/naughty-strings.json"),
      let data = FileManager.default.contents(atPath: url.path),
      let strings = try? JSONDecoder().decode([String].self, from: data)
    else { return [] }
    return strings
  }

  @Test("Random strings")
  func randomStrings() throws {
    for text in Self.random { try check(text) }
  }

  @Test(
    "The list of naughty strings", .enabled(if: ProjectFolders.hasSharedFixtures, "needs ../shared/fixtures"))
  func naughtyStrings() throws {
    #expect(Self.naughty.count > 400)
    for text in Self.naughty { try check(text) }
  }

  private func check(_ text: String) throws {
    var html = UTF8Buffer()
    html.appendEscapingHTML(text)
    #expect(!html.bytes.contains { "<>\"'\r\0".utf8.contains($0) }, "\(text.debugDescription)")

    var json = UTF8Buffer()
    json.appendEscapingJSON(text, forScript: true)
    #expect(!json.bytes.contains { $0 == UInt8(ascii: "<") || $0 < 0x20 })
    let read = try JSONSerialization.jsonObject(with: Data(json.bytes), options: .fragmentsAllowed) as? String
    // Foundation drops byte order marks in any place.
    #expect(read.map(scalars) == scalars(text))

    var inline = UTF8Buffer()
    inline.appendEscapingMarkdown(text)
    #expect(!inline.bytes.contains { "<\n\r\t\0".utf8.contains($0) }, "\(text.debugDescription)")

    var block = UTF8Buffer()
    var writer = MarkdownTextWriter(.block)
    writer.plain(text)
    block.append(writer.finish())
    #expect(!block.bytes.contains { "<\r\t\0".utf8.contains($0) }, "\(text.debugDescription)")
    #expect(!block.string.hasSuffix("\n") && !block.string.hasSuffix(" "))
    #expect(!block.string.contains("\n\n\n"))

    var destination = UTF8Buffer()
    destination.appendLinkDestination(text)
    #expect(!destination.bytes.contains { $0 <= 0x20 || $0 == UInt8(ascii: "<") })
  }

  private func scalars(_ text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { $0 != "\u{FEFF}" }
  }
}
