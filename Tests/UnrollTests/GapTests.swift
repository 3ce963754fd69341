import TestSupport
import Testing
import ThreadModel
import Unroll

@Suite("Gaps: posts of the author's that are missing")
struct GapTests {
  @Test func aMissingPostAddressedToTheAuthorIsAGapInTheLine() {
    #expect(Sketch("1 3<2a 4<3 5<4").unrolled().sketch == "1 (2 unknown) 3 4 5")
  }

  @Test func aTombstoneSaysWhyAPostIsMissing() {
    let thread = Sketch("1 3<2a", deleted: [2]).unrolled()
    #expect(thread.sketch == "1 (2 deleted) 3")
    guard case .gap(let gap) = thread.items[1] else { return #expect(Bool(false), "a gap is second") }
    #expect(gap.tombstone.authorID == .sketch("a"))
  }

  @Test func aTombstonesAuthorDecidesWhereTheReplyDoesNotSay() {
    var tombstone = Tombstone(id: .sketch(2), reason: .deleted)
    tombstone.authorID = .sketch("a")
    #expect(Sketch("1 3<2", tombstones: [tombstone]).unrolled().sketch == "1 (2 deleted) 3")
    tombstone.authorID = .sketch("b")
    #expect(Sketch("1 3<2", tombstones: [tombstone]).unrolled().sketch == "1 / 2 deleted: 3")
  }

  @Test func aMissingPostOfNobodyKnownIsTakenForTheAuthors() {
    #expect(Sketch("1 3<2").unrolled().sketch == "1 (2 unknown) 3")
  }

  @Test func anybodysReplyToAMissingPostTellsWhoWroteIt() {
    #expect(Sketch("1 3<2 c4<2b").unrolled().sketch == "1 / 2 unknown: 3")
  }

  /// A post of the author's that was there and is gone counts as missing, though no reply leads to it; others' do not, nor what is hidden or quoted.
  @Test func removedPostsOfTheAuthorAreMissed() {
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

  @Test func severalGapsFollowEachOther() {
    #expect(
      Sketch("1 3<2a 4<3 6<5a 8<7a", deleted: [5]).unrolled().sketch
        == "1 (2 unknown) 3 4 (5 deleted) 6 (7 unknown) 8")
  }

  @Test func aGapComesAfterTheLatestPostWithALowerID() {
    // 6 was written after 2, so that it may continue 2 or anything before it, but nothing after it.
    #expect(Sketch("1 2<1 9<2 10<9 7<6a").unrolled().sketch == "1 2[1: (6 unknown) 7] 9 10")
  }

  /// Ids of Bluesky say nothing, so that only the post behind a gap tells when the missing one may have been written.
  @Test func whereIDsSayNothingAGapComesBeforeTheFirstPostBehindIt() {
    var generator = SeededRandom(seed: 1)
    // 7 was written after 5, and so what it answers may have been, whatever its id.
    let sketch = Sketch("1 2<1 5<2 7<3a")
    #expect(sketch.unrolled().sketch == "1 2[1: (3 unknown) 7] 5")
    let renaming = Renaming(using: &generator)
    let thread = UnrolledThread(unrolling: renaming.apply(to: sketch.conversation))
    #expect(renaming.undone(in: thread.sketch) == "1 2 5 (3 unknown) 7")
  }

  @Test func aGapDoesNotAttachToABranch() {
    #expect(Sketch("1 2<1 3<2 4<1 6<5a").unrolled().sketch == "1[1: 4] 2 3 (5 unknown) 6")
  }

  @Test func aLongChainBelowAGapBecomesTheMainLine() {
    #expect(
      Sketch("1 2<1 20<2 21<20 11<10a 12<11 13<12 15<14a").unrolled().sketch
        == "1 2[1: 20 21] (10 unknown) 11 12 13 (14 unknown) 15")
  }

  @Test func postsThatShareAMissingParentForkThere() {
    #expect(
      Sketch("1 3<2a 4<3 5<2a", deleted: [2]).unrolled().sketch == "1[1: (2 deleted) 5] (2 deleted) 3 4")
  }

  @Test func aMissingFirstPostIsAGapAtTheStart() {
    #expect(Sketch("2<1a 3<2", deleted: [1]).unrolled().sketch == "(1 deleted) 2 3")
  }

  @Test func aMissingFirstPostIsThereEvenWhereNothingAnswersIt() {
    #expect(Sketch("3<2a 4<3").unrolled().sketch == "(1 unknown) (2 unknown) 3 4")
  }

  @Test func forksBelowAMissingFirstPostStandOnTheFirstPostShown() {
    #expect(
      Sketch("2<1a 3<1a 4<3 6<5a").unrolled().sketch == "(1 unknown) 3[1: (1 unknown) 2] 4 (5 unknown) 6")
  }

  @Test func aThreadOfWhichNothingIsKnownIsAGap() {
    let thread = Sketch("", deleted: [1]).unrolled()
    #expect(thread.sketch == "(1 deleted)")
    #expect(thread.completeness == Completeness(known: 0, expected: 1, reasons: [.missing(1, .deleted)]))
  }

  @Test func postsThatNameNoParentAreInTheOrderOfTheirIDs() {
    let thread = Sketch("3 1 2 4").unrolled()
    #expect(thread.sketch == "1 2 3 4")
    #expect(
      thread.completeness.reasons == [.placedByID(3)])
  }
}
