import TestSupport
import Testing
import ThreadMarkdown
import ThreadModel

/// The sentences that explain why a thread is incomplete.
@Suite struct CompletenessTextTests {
  /// The only note of a page whose thread has these reasons, up to the full stop.
  private static func note(_ reasons: [Completeness.Reason]) throws -> String {
    var thread = Invented.thread([Invented.post("10", "On engines")])
    thread.completeness.reasons = reasons
    let notes = try Components.tokens(of: Components.render(thread)).contents(ofClass: "note")
    #expect(notes.count == 1)
    let text = notes.first?.text().trimmingPrefix("\n") ?? ""
    let beginning = "1 post is known; there may be more: "
    #expect(text.hasPrefix(beginning) && text.last(where: { $0 != "\n" }) == ".")
    return String(text.dropFirst(beginning.count).prefix { $0 != "." })
  }

  static let limits: [(CoverageLimit, String)] = [
    (CoverageLimit(.recentSearch), "recent search sees seven days only"),
    (
      CoverageLimit(.recentSearchRefused), "recent search is not open to the account that fetched this"
    ),
    (CoverageLimit(.recentSearchCut), "recent search did not come to an end"),
    (CoverageLimit(.recentSearchFailed), "recent search failed"),
    (
      CoverageLimit(.fullSearchRefused),
      "full-archive search is not open to the account that fetched this"
    ),
    (CoverageLimit(.fullSearchCut), "full-archive search did not come to an end"),
    (CoverageLimit(.fullSearchFailed), "full-archive search failed"),
    (
      CoverageLimit(.growthUnseen, day: "2023-04-28"),
      "posts written after 28 April 2023 and more than seven days before the last fetch were not looked for"
    ),
    (
      CoverageLimit(.growthUnseen),
      "posts written more than seven days before the last fetch were not looked for"
    ),
    (CoverageLimit(.repliesUnsearched), "replies of others are found by searching only"),
    (
      CoverageLimit(.repliesUnreachable),
      "replies of others are found by searching only, which was not possible"
    ),
    (CoverageLimit(.timelineUnread), "the author's timeline could not be read"),
    (CoverageLimit(.timelineCut), "the author's timeline did not come to an end"),
    (CoverageLimit(.timelineFailed), "the author's timeline failed"),
    (CoverageLimit(.timelineReach), "X gives the newest 3200 posts of a timeline only"),
    (
      CoverageLimit(.timelineSince, day: "2024-05-02"),
      "the author's timeline was read from 2 May 2024 on only"
    ),
    (
      CoverageLimit(.timelineUntil, day: "2022-06-03"),
      "the author's timeline was read up to 3 June 2022 only"
    ),
    (CoverageLimit(.climbing), "climbing from a post sees only what came before it"),
    (CoverageLimit(.lookupFailed), "some posts that these refer to could not be looked up"),
    (CoverageLimit(.fetchEnded), "fetching ended before all of the thread was read"),
    // Values without translations: a sentence of an earlier version, and codes of later versions.
    (CoverageLimit("one page of *several*"), "one page of *several*"),
    (CoverageLimit("tea_break"), "tea_break"),
    (CoverageLimit("tea_break", day: "2031-01-01"), "tea_break (2031-01-01)"),
    // Incorrect days, which only handwritten files contain.
    (CoverageLimit(.climbing, day: "2031-01-01"), "climbing from a post sees only what came before it"),
    (CoverageLimit(.timelineUntil), "timeline_until"),
  ]

  @Test(arguments: limits) func describesLimits(limit: CoverageLimit, words: String) throws {
    #expect(try Self.note([.limit(limit)]) == words)
  }

  static let missing: [(TombstoneReason, String, String)] = [
    (.deleted, "was deleted", "were deleted"),
    (.protected, "is for approved followers only", "are for approved followers only"),
    (.suspended, "went with a suspended account", "went with a suspended account"),
    (.withheld, "is withheld", "are withheld"),
    (.blocked, "is hidden by a block", "are hidden by a block"),
    (.notFound, "was not found", "were not found"),
    (.notInArchive, "is not in the archive", "are not in the archive"),
    (.unknown, "is missing", "are missing"),
    ("eaten by a dog", "is missing", "are missing"),
  ]

  @Test(arguments: missing) func describesMissingPosts(reason: TombstoneReason, one: String, many: String)
    throws
  {
    #expect(try Self.note([.missing(1, reason)]) == "1 post \(one)")
    #expect(try Self.note([.missing(3, reason)]) == "3 posts \(many)")
  }

  @Test func describesPlaces() throws {
    #expect(
      try Self.note([.onlyEarlierPosts]) == "only what stands before the post given could be found")
    #expect(
      try Self.note([.placedByID(1)]) == "1 post is placed by its id, as what it replies to is not known")
    #expect(
      try Self.note([.placedByID(2)])
        == "2 posts are placed by their ids, as what they reply to is not known")
  }

  @Test func listsReasonsInOrder() throws {
    #expect(
      try Self.note([.limit(CoverageLimit(.climbing)), .missing(2, .deleted), .placedByID(1)])
        == "climbing from a post sees only what came before it; 2 posts were deleted; "
        + "1 post is placed by its id, as what it replies to is not known")
  }
}
