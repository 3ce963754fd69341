import TestSupport
import Testing
import ThreadModel
import Unroll

@Suite("The main line and its branches")
struct MainLineTests {
  @Test func selfRepliesFollowEachOther() {
    #expect(Sketch("1 2<1 3<2").unrolled().sketch == "1 2 3")
  }

  @Test func parentsDefineTheOrder() {
    #expect(Sketch("3<2 1 2<1").unrolled().sketch == "1 2 3")
  }

  @Test func ordersIDsOfDifferentLengthAsNumbers() {
    #expect(Sketch("9 10<9 100<10", root: 9).unrolled().sketch == "9 10 100")
  }

  @Test func longestContinuationIsTheMainLine() {
    #expect(Sketch("1 2<1 3<1 4<3").unrolled().sketch == "1[1: 2] 3 4")
  }

  @Test func earliestOfEqualContinuationsIsTheMainLine() {
    #expect(Sketch("1 2<1 3<1").unrolled().sketch == "1[1: 3] 2")
  }

  @Test func lengthCountsToTheDeepestPost() {
    // 2 has three posts below it, but none deeper than 3's.
    #expect(Sketch("1 2<1 4<2 5<2 6<2 3<1 7<3 8<7").unrolled().sketch == "1[1: 2[1.1: 5][1.2: 6] 4] 3 7 8")
  }

  @Test func branchesAreNumberedInReadingOrder() {
    #expect(
      Sketch("1 2<1 3<2 4<3 10<1 20<2 11<1").unrolled().sketch == "1[1: 10][2: 11] 2[3: 20] 3 4")
  }

  @Test func branchesOfBranchesHaveNestedLabels() {
    #expect(
      Sketch("1 2<1 3<2 4<3 5<4 10<1 11<10 12<11 13<10 14<11 15<2").unrolled().sketch
        == "1[1: 10[1.1: 13] 11[1.2: 14] 12] 2[2: 15] 3 4 5")
  }

  @Test func onePostIsAThread() {
    let thread = Sketch("1").unrolled()
    #expect(thread.sketch == "1")
    #expect(thread.completeness == Completeness(known: 1))
  }

  @Test func threadHasItsAuthorAndProvenance() {
    var conversation = Sketch("1").conversation
    conversation.authors = [Author(id: .sketch("b"), handle: "bob"), Author(id: .sketch("a"), handle: "ada")]
    let late = Provenance(source: .xAPI, fetchedAt: Timestamp(seconds: 20))
    let early = Provenance(source: .xAPI, fetchedAt: Timestamp(seconds: 10))
    conversation.provenance = [late, early]
    let thread = UnrolledThread(unrolling: conversation)
    #expect(thread.author.handle == "ada")
    #expect(thread.provenance == [early, late])
    #expect(thread.id == .sketch(1))
  }

  @Test func authorWithoutARecordIsAnID() {
    #expect(Sketch("1").unrolled().author == Author(id: .sketch("a")))
  }

  @Test func longChainDoesNotOverflowTheStack() {
    let posts = (2...10_000).map { "\($0)<\($0 - 1)" }.joined(separator: " ")
    let thread = Sketch("1 " + posts).unrolled()
    #expect(thread.mainPosts.map(\.post.id.value) == (1...10_000).map(String.init))
  }

  @Test func keepsTenThousandForksOfOnePost() {
    let posts = (2...10_000).map { "\($0)<1" }.joined(separator: " ")
    let thread = Sketch("1 " + posts).unrolled()
    #expect(thread.mainPosts.map(\.post.id.value) == ["1", "2"])
    #expect(thread.mainPosts.first?.branches.count == 9998)
  }
}
