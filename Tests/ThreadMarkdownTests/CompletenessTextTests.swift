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
    let beginning = "1 post; there may be more: "
    #expect(text.hasPrefix(beginning) && text.last(where: { $0 != "\n" }) == ".")
    return String(text.dropFirst(beginning.count).prefix { $0 != "." })
  }

  static let limits: [(CoverageLimit, String)] = [
    (CoverageLimit(.recentSearch), "only the last seven days could be searched"),
    (
      CoverageLimit(.recentSearchRefused), "recent posts could not be searched"
    ),
    (CoverageLimit(.recentSearchCut), "the search for recent posts was incomplete"),
    (CoverageLimit(.recentSearchFailed), "the search for recent posts failed"),
    (
      CoverageLimit(.fullSearchRefused),
      "older posts could not be searched"
    ),
    (CoverageLimit(.fullSearchCut), "the search for older posts was incomplete"),
    (CoverageLimit(.fullSearchFailed), "the search for older posts failed"),
    (
      CoverageLimit(.growthUnseen, day: "2023-04-28"),
      "posts added after 28 April 2023 and more than seven days before the last update may be missing"
    ),
    (
      CoverageLimit(.growthUnseen),
      "posts added more than seven days before the last update may be missing"
    ),
    (CoverageLimit(.repliesUnsearched), "replies by others may be missing"),
    (
      CoverageLimit(.repliesUnreachable),
      "replies by others could not be searched"
    ),
    (CoverageLimit(.timelineUnread), "the author's posts could not be loaded"),
    (CoverageLimit(.timelineCut), "not all of the author's posts could be loaded"),
    (CoverageLimit(.timelineFailed), "loading the author's posts failed"),
    (CoverageLimit(.timelineReach), "X shows only the 3,200 latest posts of an author"),
    (
      CoverageLimit(.timelineSince, day: "2024-05-02"),
      "only the author's posts since 2 May 2024 were searched"
    ),
    (
      CoverageLimit(.timelineUntil, day: "2022-06-03"),
      "only the author's posts until 3 June 2022 were searched"
    ),
    (CoverageLimit(.climbing), "only earlier posts could be found"),
    (CoverageLimit(.lookupFailed), "some linked posts could not be loaded"),
    (CoverageLimit(.fetchEnded), "the thread was not loaded completely"),
    // Values without translations: a sentence of an earlier version, and codes of later versions.
    (CoverageLimit("one page of *several*"), "one page of *several*"),
    (CoverageLimit("tea_break"), "tea_break"),
    (CoverageLimit("tea_break", day: "2031-01-01"), "tea_break (2031-01-01)"),
    // Incorrect days, which only handwritten files contain.
    (CoverageLimit(.climbing, day: "2031-01-01"), "only earlier posts could be found"),
    (CoverageLimit(.timelineUntil), "timeline_until"),
  ]

  @Test(arguments: limits) func describesLimits(limit: CoverageLimit, words: String) throws {
    #expect(try Self.note([.limit(limit)]) == words)
  }

  static let missing: [(TombstoneReason, String, String)] = [
    (.deleted, "was deleted", "were deleted"),
    (.protected, "is visible only to approved followers", "are visible only to approved followers"),
    (
      .suspended, "is missing because an account was suspended",
      "are missing because an account was suspended"
    ),
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
      try Self.note([.onlyEarlierPosts]) == "only earlier posts could be found")
    #expect(
      try Self.note([.placedByID(1)])
        == "1 post is in order of time, because the post that it replies to is unknown")
    #expect(
      try Self.note([.placedByID(2)])
        == "2 posts are in order of time, because the posts that they reply to are unknown")
  }

  @Test func listsReasonsInOrder() throws {
    #expect(
      try Self.note([.limit(CoverageLimit(.climbing)), .missing(2, .deleted), .placedByID(1)])
        == "only earlier posts could be found; 2 posts were deleted; "
        + "1 post is in order of time, because the post that it replies to is unknown")
  }
}
