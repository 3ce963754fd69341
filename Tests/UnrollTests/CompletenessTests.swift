import Testing
import ThreadModel
import Unroll

@Suite("Completeness")
struct CompletenessTests {
  @Test func branchesCountAndNothingIsExpectedWithoutAReason() {
    let completeness = Sketch("1 2<1 3<1").unrolled().completeness
    #expect(completeness == Completeness(known: 3))
    #expect(completeness.isWhole)
  }

  @Test func gapsAreExpectedAndSaidByReason() {
    let tombstones = [
      Tombstone(id: .sketch(2), reason: .deleted), Tombstone(id: .sketch(4), reason: .deleted),
      Tombstone(id: .sketch(6), reason: .protected), Tombstone(id: .sketch(8), reason: "eaten by a dog"),
    ]
    let completeness = Sketch("1 3<2a 5<4a 7<6a 9<8a 11<10a", tombstones: tombstones).unrolled().completeness
    #expect(
      completeness
        == Completeness(
          known: 6, expected: 11,
          reasons: ["2 posts were deleted", "1 post is for approved followers only", "2 posts are missing"]))
  }

  @Test func aGapAtAForkCountsOnce() {
    let completeness = Sketch("1 3<2a 4<2a").unrolled().completeness
    #expect(completeness == Completeness(known: 3, expected: 4, reasons: ["1 post is missing"]))
  }

  @Test func theSourcesOwnWordsComeFirst() {
    var conversation = Sketch("1 3<2a").conversation
    conversation.coverage = Coverage(
      expectedPosts: 15, limits: ["recent search sees seven days only", "recent search sees seven days only"])
    #expect(
      UnrolledThread(unrolling: conversation).completeness
        == Completeness(
          known: 2, expected: 15, reasons: ["recent search sees seven days only", "1 post is missing"]))
  }

  @Test func whatAnArchiveLacksIsSaid() {
    let tombstones = [Tombstone(id: .sketch(2), reason: .notInArchive)]
    #expect(
      Sketch("1 3<2a", tombstones: tombstones).unrolled().completeness.reasons
        == ["1 post is not in the archive"])
  }

  @Test func climbingFindsOnlyWhatStandsBefore() {
    var conversation = Sketch("1 2<1").conversation
    conversation.coverage.foundBy = .climbing
    #expect(
      UnrolledThread(unrolling: conversation).completeness.reasons
        == ["only what stands before the post given could be found"])
    conversation.coverage.limits = ["the account has no search"]
    #expect(UnrolledThread(unrolling: conversation).completeness.reasons == ["the account has no search"])
    conversation.coverage = Coverage()
    conversation.coverage.foundBy = .recentSearch
    #expect(UnrolledThread(unrolling: conversation).completeness.isWhole)
  }

  @Test(arguments: [0, -5, Int.min, 2])
  func noFewerAreExpectedThanAreHereAndKnownToBeMissing(posts: Int) {
    var conversation = Sketch("1 3<2a").conversation
    conversation.coverage.expectedPosts = posts
    #expect(UnrolledThread(unrolling: conversation).completeness.expected == 3)
  }
}
