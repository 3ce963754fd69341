import Basics
import Foundation
import TestSupport
import Testing

/// Separators followed by combining marks, which are not equal to the separator as a `Character`.
@Suite struct ByteTextTests {
  /// Scalars that join the previous one (the first three) or the next one.
  static let joining = ["\u{3099}", "\u{0301}", "\u{200D}", "\u{0600}", "\u{110BD}"]

  @Test(arguments: joining)
  func separatorsAreBytes(mark: String) {
    let path = "a\(mark)/\(mark)b\(mark)//\(mark).json"
    let pieces = path.split(atBytes: "/")
    #expect(
      pieces.map { Array($0.utf8) } == ["a\(mark)", "\(mark)b\(mark)", "\(mark).json"].map { Array($0.utf8) })
    #expect(path.split(atBytes: "/", omittingEmptySubsequences: false).count == 4)
    #expect(path.split(atBytes: "/", maxSplits: 1).count == 2)
    #expect(Array(PathText.name(of: path).utf8) == Array("\(mark).json".utf8))
    #expect((PathText.folder(of: path)?.utf8).map { Array($0) } == Array("a\(mark)/\(mark)b\(mark)/".utf8))
    #expect(path.hasByteSuffix(".json"))
    #expect((path.without(byteSuffix: ".json")?.utf8).map { Array($0) } == Array(path.utf8.dropLast(5)))
    #expect(("/" + path).hasBytePrefix("/") && ("/" + mark).hasBytePrefix("/"))
    #expect(PathText.isHidden(".\(mark)a"))
    #expect(Array("?\(mark)x#".prefix(upToBytes: "?#").utf8) == [])
  }

  @Test(arguments: ["", "/", "a/", "theme", "the theme.", "ththeme.", "them e.", "theme", "x theme.\u{301}"])
  func findsBytesInAnyPlace(text: String) {
    let scalars = Array(text.unicodeScalars)
    let places = 0...scalars.count
    #expect(
      text.contains(bytes: "theme.")
        == places.contains { scalars[$0...].starts(with: "theme.".unicodeScalars) })
    #expect(text.contains(bytes: ""))
    #expect(text.contains(bytes: "/") == scalars.contains("/"))
  }

  /// Compares with the standard library for plain paths.
  @Test func splitsPlainPathsLikeTheStandardLibrary() {
    var random = SeededRandom()
    for _ in 0..<2000 {
      var path = ""
      for _ in 0..<10 {
        path += ["/", "a", ".", "b", "?"].randomElement(using: &random) ?? ""
      }
      for keepsEmpty in [true, false] {
        #expect(
          path.split(atBytes: "/?", omittingEmptySubsequences: !keepsEmpty)
            == path.split(omittingEmptySubsequences: !keepsEmpty) { $0 == "/" || $0 == "?" }, "\(path)")
        #expect(
          path.split(atBytes: "/", maxSplits: 2, omittingEmptySubsequences: !keepsEmpty)
            == path.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: !keepsEmpty), "\(path)")
      }
      #expect(
        path.hasBytePrefix("/") == path.hasPrefix("/") && path.hasByteSuffix("a.") == path.hasSuffix("a."))
      #expect(path.prefix(upToBytes: ".?") == path.prefix { $0 != "." && $0 != "?" })
      #expect(PathText.folder(of: path) == path.lastIndex(of: "/").map { path[..<$0] })
    }
  }

  @Test(arguments: [
    ("/", "/"), ("//", "/"), ("a//", "a"), ("/a/", "/a"), ("", ""), ("a/\u{301}/", "a/\u{301}"),
  ])
  func removesTrailingSlashes(path: String, expected: String) {
    #expect(Array(PathText.withoutTrailingSlashes(path).utf8) == Array(expected.utf8))
  }

  /// Compares with Foundation's case folding, which the code does not use.
  @Test func recognizesPathsThatFoldAlike() {
    for value in UInt32(0x20)...0x1FFFF {
      guard let scalar = Unicode.Scalar(value), scalar.properties.changesWhenCaseFolded else { continue }
      let upper = "a\(scalar)"
      let lower = upper.folding(options: .caseInsensitive, locale: nil)
      #expect(PathText.folded(upper) == PathText.folded(lower), "U+\(String(value, radix: 16))")
    }
    #expect(PathText.folded("x/\u{E9}/") == PathText.folded("X/e\u{301}/"))
    #expect(PathText.folded("x/a/") != PathText.folded("x/b/"))
  }

  @Test(arguments: ["con", "NUL", "aux.json", "com1", "LPT9.x"])
  func recognizesDeviceNames(name: String) { #expect(PathText.isDevice(name)) }

  @Test(arguments: ["conn", "com", "com10", "comx", "", ".con", "lp\u{301}t1"])
  func ignoresOtherNames(name: String) { #expect(!PathText.isDevice(name)) }

  @Test func shortensKeysInHandles() {
    let key = "npub180cvv07tjdrrgpa0j7j7tmnyl2yr6yr7l8j4s3evf6u64th6gkwsyjh6w6"
    #expect(key.asHandle == "npub180cvv07…h6w6")
    let server = "ada@" + String(repeating: "a", count: 60) + ".example"
    #expect([server, "ada", "ada.example", ""].map(\.asHandle) == [server, "ada", "ada.example", ""])
    #expect(String(repeating: "é", count: 50).asHandle == String(repeating: "é", count: 50))
  }
}
