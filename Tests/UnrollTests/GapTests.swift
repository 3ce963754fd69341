import TestSupport
import Testing
import ThreadModel
import Unroll

@Suite("Gaps: missing posts of the author")
struct GapTests {
  @Test func missingPostAddressedToTheAuthorIsAGapInTheLine() {
    #expect(Sketch("1 3<2a 4<3 5<4").unrolled().sketch == "1 (2 unknown) 3 4 5")
  }

  @Test func tombstoneGivesTheReason() {
    let thread = Sketch("1 3<2a", deleted: [2]).unrolled()
    #expect(thread.sketch == "1 (2 deleted) 3")
    guard case .gap(let gap) = thread.items[1] else { return #expect(Bool(false), "a gap is second") }
    #expect(gap.tombstone.authorID == .sketch("a"))
  }

  @Test func authorOfATombstoneDecidesWithoutTheReply() {
    var tombstone = Tombstone(id: .sketch(2), reason: .deleted)
    tombstone.authorID = .sketch("a")
    #expect(Sketch("1 3<2", tombstones: [tombstone]).unrolled().sketch == "1 (2 deleted) 3")
    tombstone.authorID = .sketch("b")
    #expect(Sketch("1 3<2", tombstones: [tombstone]).unrolled().sketch == "1 / 2 deleted: 3")
  }

  @Test func missingPostWithoutAnAuthorCountsAsTheAuthors() {
    #expect(Sketch("1 3<2").unrolled().sketch == "1 (2 unknown) 3")
  }

  @Test func anyReplyToAMissingPostCanNameItsAuthor() {
    #expect(Sketch("1 3<2 c4<2b").unrolled().sketch == "1 / 2 unknown: 3")
  }

  /// A deleted post of the author counts as missing, even if no reply leads to it. Posts of others, hidden
  /// posts and quoted posts do not count.
  @Test func deletedPostsOfTheAuthorAreMissing() {
    func completeness(by author: Character, quotedBy quote: String = "", hiding hidden: Set<PostID> = [])
      -> Completeness
    {
      var stone = Tombstone(id: .sketch(7), reason: .deleted)
      stone.authorID = .sketch(author)
      stone.removedAt = Timestamp(seconds: 0)
      let conversation = Sketch("1 2<1" + quote, tombstones: [stone]).conversation
      return UnrolledThread(unrolling: conversation, hidden: hidden).completeness
    }
    #expect(!completeness(by: "a").isWhole)
    #expect(completeness(by: "b").isWhole)
    #expect(completeness(by: "a", hiding: [.sketch(7)]).isWhole)
    #expect(completeness(by: "a", quotedBy: "q7").isWhole)
  }

  @Test func severalGapsMayBeConsecutive() {
    #expect(
      Sketch("1 3<2a 4<3 6<5a 8<7a", deleted: [5]).unrolled().sketch
        == "1 (2 unknown) 3 4 (5 deleted) 6 (7 unknown) 8")
  }

  @Test func gapFollowsTheLatestPostWithALowerID() {
    // 6 was written after 2, so it may continue 2 or any earlier post, but no later one.
    #expect(Sketch("1 2<1 9<2 10<9 7<6a").unrolled().sketch == "1 2[1: (6 unknown) 7] 9 10")
  }

  /// IDs of Bluesky contain no time, so only the post after a gap limits the time of the missing one.
  @Test func gapPrecedesTheFirstPostAfterItIfIDsHaveNoTime() {
    var generator = SeededRandom(seed: 1)
    // 7 was written after 5, so the post that it answers may also have been, whatever its ID.
    let sketch = Sketch("1 2<1 5<2 7<3a")
    #expect(sketch.unrolled().sketch == "1 2[1: (3 unknown) 7] 5")
    let renaming = Renaming(using: &generator)
    let thread = UnrolledThread(unrolling: renaming.apply(to: sketch.conversation))
    #expect(renaming.undone(in: thread.sketch) == "1 2 5 (3 unknown) 7")
  }

  @Test func gapDoesNotAttachToABranch() {
    #expect(Sketch("1 2<1 3<2 4<1 6<5a").unrolled().sketch == "1[1: 4] 2 3 (5 unknown) 6")
  }

  @Test func longChainBelowAGapBecomesTheMainLine() {
    #expect(
      Sketch("1 2<1 20<2 21<20 11<10a 12<11 13<12 15<14a").unrolled().sketch
        == "1 2[1: 20 21] (10 unknown) 11 12 13 (14 unknown) 15")
  }

  @Test func postsWithTheSameMissingParentForkThere() {
    #expect(
      Sketch("1 3<2a 4<3 5<2a", deleted: [2]).unrolled().sketch == "1[1: (2 deleted) 5] (2 deleted) 3 4")
  }

  @Test func missingFirstPostIsAGapAtTheStart() {
    #expect(Sketch("2<1a 3<2", deleted: [1]).unrolled().sketch == "(1 deleted) 2 3")
  }

  @Test func missingFirstPostNeedsNoReply() {
    #expect(Sketch("3<2a 4<3").unrolled().sketch == "(1 unknown) (2 unknown) 3 4")
  }

  @Test func forksBelowAMissingFirstPostAreAtTheFirstShownPost() {
    #expect(
      Sketch("2<1a 3<1a 4<3 6<5a").unrolled().sketch == "(1 unknown) 3[1: (1 unknown) 2] 4 (5 unknown) 6")
  }

  @Test func unknownThreadIsAGap() {
    let thread = Sketch("", deleted: [1]).unrolled()
    #expect(thread.sketch == "(1 deleted)")
    #expect(thread.completeness == Completeness(known: 0, expected: 1, reasons: [.missing(1, .deleted)]))
  }

  @Test func postsWithoutAParentAreOrderedByID() {
    let thread = Sketch("3 1 2 4").unrolled()
    #expect(thread.sketch == "1 2 3 4")
    #expect(
      thread.completeness.reasons == [.placedByID(3)])
  }
}
