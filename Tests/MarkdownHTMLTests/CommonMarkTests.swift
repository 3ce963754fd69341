import CCmark
import Foundation
import MarkdownHTML
import TestSupport
import Testing

/// The examples of the CommonMark specification (0.31.2), compared as tokens with the expected output.
///
/// The comparison ignores our documented additions: `rel`, `loading`, `decoding`, and the newline after
/// `<br>`.
@Suite struct CommonMarkTests {
  struct Example: Decodable {
    var example: Int
    var markdown: String
    var html: String
    var section: String
  }

  /// Examples with raw HTML, which the specification keeps and we drop. libcmark 0.30 reads the comments of
  /// 627 and 628 as text; later versions read them as comments.
  static let rawHTML = Set(148...193).union([
    21, 31, 203, 310, 311, 346, 477, 478, 479, 493, 496, 526, 538, 615, 616, 617, 618, 619, 625, 627, 628,
    629, 630,
    631, 632, 633, 645, 646,
  ])

  /// Autolinks and a link with a scheme that is not allowed; they are written as their text.
  static let unsafeScheme: Set<Int> = [502, 598, 600, 601, 603]

  /// Known difference of libcmark 0.30: currency and other symbols are not punctuation beside `*`.
  static let changedIn031: Set<Int> = [356]

  @Test(.enabled(if: ProjectFolders.hasSharedFixtures, "needs ../shared/fixtures"))
  func matchesTheExamples() throws {
    let folder = try #require(ProjectFolders.sharedFixtures)
    let data = try Data(contentsOf: folder.appending(path: "text/commonmark-0.31.2.json"))
    let examples = try JSONDecoder().decode([Example].self, from: data)
    #expect(examples.count == 655)
    var different: Set<Int> = []
    for example in examples {
      let actual = try Self.normalized(try html(example.markdown))
      // The expected raw HTML is not always valid for a strict reader.
      let expected = try? Self.normalized(example.html)
      if actual != expected { different.insert(example.example) }
    }
    let listed = Self.rawHTML.union(Self.unsafeScheme)
    #expect(different.subtracting(listed.union(Self.changedIn031)).sorted() == [])
    // The version of libcmark that is linked; 0x1F00 is 0.31.
    let mustDiffer = cmark_version() < 0x1F00 ? listed.union(Self.changedIn031) : listed
    #expect(mustDiffer.subtracting(different).sorted() == [], "listed examples that do not differ")
  }

  static func normalized(_ html: String) throws -> [HTMLToken] {
    var result: [HTMLToken] = []
    var isAfterBreak = false
    let ours: Set<String> = ["rel", "loading", "decoding"]
    for token in try HTMLTokens(html, checksNesting: false).tokens {
      switch token {
      case .startTag(let tag):
        let attributes = tag.attributes.filter { !ours.contains($0.name) }
        result.append(.startTag(HTMLStartTag(name: tag.name, attributes: attributes)))
      case .text(let text) where isAfterBreak && text.hasPrefix("\n"):
        result.append(.text(String(text.dropFirst())))
      default:
        result.append(token)
      }
      isAfterBreak = result.last == .startTag(HTMLStartTag(name: "br"))
    }
    return result
  }
}
