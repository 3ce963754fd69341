import Testing
import ThreadModel
import Unroll

@Suite("Completeness")
struct CompletenessTests {
  @Test func branchesCountAndNothingElseIsExpected() {
    let completeness = Sketch("1 2<1 3<1").unrolled().completeness
    #expect(completeness == Completeness(known: 3))
    #expect(completeness.isWhole)
  }

  @Test func gapsAreExpectedAndReportedByReason() {
    let tombstones = [
      Tombstone(id: .sketch(2), reason: .deleted), Tombstone(id: .sketch(4), reason: .deleted),
      Tombstone(id: .sketch(6), reason: .protected), Tombstone(id: .sketch(8), reason: "eaten by a dog"),
    ]
    let completeness = Sketch("1 3<2a 5<4a 7<6a 9<8a 11<10a", tombstones: tombstones).unrolled().completeness
    #expect(
      completeness
        == Completeness(
          known: 6, expected: 11,
          reasons: [.missing(2, .deleted), .missing(1, .protected), .missing(2, .unknown)]))
  }

  @Test func gapAtAForkCountsOnce() {
    let completeness = Sketch("1 3<2a 4<2a").unrolled().completeness
    #expect(completeness == Completeness(known: 3, expected: 4, reasons: [.missing(1, .unknown)]))
  }

  @Test func limitsOfTheSourceComeFirst() {
    var conversation = Sketch("1 3<2a").conversation
    conversation.coverage = Coverage(
      expectedPosts: 15, limits: [CoverageLimit(.recentSearch), CoverageLimit(.recentSearch)])
    #expect(
      UnrolledThread(unrolling: conversation).completeness
        == Completeness(
          known: 2, expected: 15, reasons: [.limit(CoverageLimit(.recentSearch)), .missing(1, .unknown)]))
  }

  @Test func reportsPostsMissingFromAnArchive() {
    let tombstones = [Tombstone(id: .sketch(2), reason: .notInArchive)]
    #expect(
      Sketch("1 3<2a", tombstones: tombstones).unrolled().completeness.reasons
        == [.missing(1, .notInArchive)])
  }

  @Test func climbingFindsOnlyEarlierPosts() {
    var conversation = Sketch("1 2<1").conversation
    conversation.coverage.foundBy = .climbing
    #expect(
      UnrolledThread(unrolling: conversation).completeness.reasons
        == [.onlyEarlierPosts])
    let limit = CoverageLimit(.fullSearchRefused)
    conversation.coverage.limits = [limit]
    #expect(UnrolledThread(unrolling: conversation).completeness.reasons == [.limit(limit)])
    conversation.coverage = Coverage()
    conversation.coverage.foundBy = .recentSearch
    #expect(UnrolledThread(unrolling: conversation).completeness.isWhole)
  }

  @Test(arguments: [0, -5, Int.min, 2])
  func expectsAtLeastTheKnownAndMissingPosts(posts: Int) {
    var conversation = Sketch("1 3<2a").conversation
    conversation.coverage.expectedPosts = posts
    #expect(UnrolledThread(unrolling: conversation).completeness.expected == 3)
  }
}
