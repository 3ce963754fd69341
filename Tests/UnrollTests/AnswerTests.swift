import Testing
import ThreadModel
import Unroll

@Suite("Replies to others, and threads in other conversations")
struct AnswerTests {
  @Test func repliesAreSeparateWithTheAuthorsContinuation() {
    #expect(Sketch("1 2<1 b3<1 4<3 5<4").unrolled().sketch == "1 2 / b3: 4 5")
  }

  /// Without other posts of the author, the reply is the thread. The missing first post is counted.
  @Test func replyIsTheThreadWithoutTheFirstPost() {
    let thread = Sketch("b3<1a 4<3 5<4 b6<1a 7<6").unrolled()
    #expect(thread.sketch == "b3 > 4 5 / b6: 7")
    #expect(thread.completeness.known == 2)
    #expect(thread.completeness.expected == 3)
  }

  @Test func hidesPostsOfOthers() {
    #expect(Sketch("1 b2<1 c3<2 4<1").unrolled().sketch == "1 4")
  }

  @Test func repliesAreOrderedByID() {
    #expect(Sketch("1 b2<1 b3<1 5<2 4<3").unrolled().sketch == "1 / b3: 4 / b2: 5")
  }

  @Test func replyToSomeoneWhoAnsweredTheAuthorStaysAReply() {
    #expect(Sketch("1 2<1 b3<2 4<3 b5<4 6<5").unrolled().sketch == "1 2 / b3: 4 / b5: 6")
  }

  @Test func replyToAMissingPostOfAnotherAuthorHasATombstone() {
    #expect(Sketch("1 4<3b").unrolled().sketch == "1 / 3 unknown: 4")
    #expect(Sketch("1 4<3b", deleted: [3]).unrolled().sketch == "1 / 3 deleted: 4")
  }

  @Test func keepsAndFindsTheAuthorOfAMissingPost() {
    var conversation = Sketch("1 4<3b").conversation
    conversation.authors = [Author(id: .sketch("b"), handle: "bob")]
    guard
      case .tombstone(let tombstone, let author)? = UnrolledThread(unrolling: conversation).answers.first?
        .inReplyTo
    else { return #expect(Bool(false), "a tombstone") }
    #expect(tombstone.authorID == .sketch("b"))
    #expect(author?.handle == "bob")
  }

  @Test func forksInRepliesAreNumberedAfterThoseOfTheThread() {
    #expect(
      Sketch("1 2<1 3<1 b4<1 5<4 6<5 7<5").unrolled().sketch == "1[1: 3] 2 / b4: 5[2: 7] 6")
  }

  @Test func repliesDoNotCount() {
    #expect(Sketch("1 2<1 b3<1 4<3").unrolled().completeness == Completeness(known: 2))
  }

  // MARK: In other conversations

  @Test func postAboveTheThreadIsItsContext() {
    #expect(Sketch("b1 2<1 3<2").unrolled().sketch == "b1 > 2 3")
  }

  @Test func contextMayBeARelatedPost() {
    #expect(Sketch("3<2 4<3", beside: "b2<1q7 b7").unrolled().sketch == "b2{b7} > 3 4")
  }

  @Test func contextMayBeMissing() {
    #expect(Sketch("2<1b 3<2", deleted: [1]).unrolled().sketch == "1 deleted > 2 3")
  }

  @Test func handlesAConversationWithAnUnknownStart() {
    #expect(Sketch("6<5b 7<6").unrolled().sketch == "5 unknown > 6 7")
  }

  @Test func longestChainIsTheThreadAndTheOthersAreReplies() {
    #expect(Sketch("b1 2<1 b3<2 4<3 5<4 b6<1 7<6").unrolled().sketch == "b3 > 4 5 / b1: 2 / b6: 7")
  }

  @Test func earliestOfEqualChainsIsTheThread() {
    #expect(Sketch("b1 2<1 3<1").unrolled().sketch == "b1 > 2 / b1: 3")
  }

  @Test func gapBelongsToTheChainBeforeIt() {
    #expect(
      Sketch("b1 2<1 9<8a 10<9 b5<1 6<5 7<6").unrolled().sketch == "b5 > 6 7 (8 unknown) 9 10 / b1: 2")
  }

  @Test func gapBeforeEveryChainIsASeparateChain() {
    #expect(Sketch("b1 3<2a 4<3 b5<1 6<5").unrolled().sketch == "(2 unknown) 3 4 / b5: 6")
    #expect(Sketch("b1 3<2a b5<1 6<5 7<6").unrolled().sketch == "b5 > 6 7 / 2 unknown: 3")
  }
}
