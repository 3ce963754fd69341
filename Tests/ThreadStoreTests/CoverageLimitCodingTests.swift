import Basics
import TestSupport
import Testing
import ThreadModel
import ThreadStore

/// The reasons for possible gaps in files: codes now, sentences formerly.
@Suite struct CoverageLimitCodingTests {
  @Test func kindsAreStringsAndDaysHaveAField() throws {
    let limits = [
      CoverageLimit(.recentSearch), CoverageLimit(.timelineUntil, day: "2024-02-29"),
      CoverageLimit(.growthUnseen), CoverageLimit(.growthUnseen, day: "2023-04-28"),
    ]
    let written = try JSONValue(parsing: ConversationCoding.encode(Self.conversation(limits)).bytes)
    let expected: JSONValue = [
      "recent_search", ["day": "2024-02-29", "limit": "timeline_until"], "growth_unseen",
      ["day": "2023-04-28", "limit": "growth_unseen"],
    ]
    #expect(written["coverage"]?["limits"] == expected)
    #expect(try Self.limits(of: Self.file(with: expected)) == limits)
  }

  /// Codes of later versions, sentences of earlier ones with a date, and handwritten sentences are kept
  /// unchanged.
  @Test(arguments: [
    #""tea_break""#, #""the author's timeline was read up to 2022-06-03 only""#, #""one page of several""#,
    #""Recent search sees seven days only""#, #""""#, #"{"day":"2031-01-01","limit":"tea_break"}"#,
    #"{"day":"2024-01-01","limit":"recent_search"}"#,
  ])
  func unknownLimitsAreWrittenUnchanged(limit: String) throws {
    let value = try JSONValue(parsing: Array(limit.utf8))
    let conversation = try Self.read(Self.file(with: [value]))
    let again = try JSONValue(parsing: ConversationCoding.encode(conversation).bytes)
    #expect(again["coverage"]?["limits"] == [value])
  }

  @Test func unknownSentenceIsItsOwnKind() throws {
    let limits = try Self.limits(of: Self.file(with: ["one page of several"]))
    #expect(limits.map(\.kind.rawValue) == ["one page of several"])
    #expect(limits.map(\.day) == [nil])
  }

  private static func conversation(_ limits: [CoverageLimit]) -> Conversation {
    var conversation = SampleConversations.small(id: "1", author: "2", handle: nil)
    conversation.coverage.limits = limits
    return conversation
  }

  private static func file(with limits: JSONValue) -> JSONValue {
    ["format": 1, "platform": "x", "id": "1", "author_id": "2", "coverage": ["limits": limits]]
  }

  private static func read(_ file: JSONValue) throws -> Conversation {
    try ConversationCoding.decode(JSONWriter.text(of: file).bytes, file: "a.json")
  }

  private static func limits(of file: JSONValue) throws -> [CoverageLimit] {
    try read(file).coverage.limits
  }
}
