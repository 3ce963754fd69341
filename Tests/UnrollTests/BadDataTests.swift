import Basics
import TestSupport
import Testing
import ThreadModel
import Unroll

@Suite("Contradictory data")
struct BadDataTests {
  @Test func keepsAPostThatRepliesToItself() {
    #expect(Sketch("1 2<2 3<2").unrolled().sketch == "1 2 3")
    #expect(Sketch("1<1 2<1").unrolled().sketch == "1 2")
  }

  @Test func opensACircleAtItsLowestID() {
    let thread = Sketch("1 4<6 5<4 6<5 2<1").unrolled()
    #expect(thread.sketch == "1 2 4 5 6")
    #expect(thread.completeness.reasons == [.placedByID(1)])
  }

  @Test func opensACircleThroughTheFirstPostThere() {
    let thread = Sketch("0<2 1<0 2<1").unrolled()
    #expect(thread.sketch == "1 2 0")
    #expect(thread.completeness.isWhole)
  }

  @Test func tailOfACircleFollowsIt() {
    #expect(Sketch("1 3<4 4<3 9<4 10<9").unrolled().sketch == "1 3 4 9 10")
  }

  @Test func hiddenCircleTerminates() {
    #expect(Sketch("1 3<4 4<3 5<4").unrolled(hiding: [3, 4]).sketch == "1 5")
  }

  @Test func replyOlderThanItsParentStaysBelowIt() {
    #expect(Sketch("1 9<1 5<9").unrolled().sketch == "1 9 5")
  }

  @Test func firstPostWithAParentOfTheAuthorIsNotTheStart() {
    #expect(Sketch("1 2<1 3<2", root: 2).unrolled().sketch == "1 2 3")
    #expect(Sketch("2<1a 3<2", root: 2).unrolled().sketch == "(1 unknown) 2 3")
  }

  @Test func placesPostsOfOtherConversationsByID() {
    var sketch = Sketch("1 5 6<5")
    sketch.conversation.posts[1].conversationID = .sketch(5)
    sketch.conversation.posts[2].conversationID = .sketch(5)
    #expect(sketch.unrolled().sketch == "1 5 6")
  }

  @Test func ordersIDsThatAreNotNumbers() {
    var conversation = Conversation(id: PostID("3kaaaaaaaaaaa", on: .bluesky), authorID: .sketch("a"))
    conversation.posts = ["3kaaaaaaaaaac", "3kaaaaaaaaaab", "3kaaaaaaaaaaa"].map { id in
      Post(id: PostID(id, on: .bluesky), authorID: .sketch("a"))
    }
    conversation.posts[0].inReplyTo = PostID("3kaaaaaaaaaaa", on: .bluesky)
    conversation.posts[1].inReplyTo = PostID("3kaaaaaaaaaaa", on: .bluesky)
    #expect(UnrolledThread(unrolling: conversation).sketch == "3kaaaaaaaaaaa[1: 3kaaaaaaaaaac] 3kaaaaaaaaaab")
  }

  @Test func contradictoryDuplicatesGiveOneThreadInAnyOrder() {
    var first = Post(id: .sketch(2), authorID: .sketch("a"), text: InlineText("one"))
    first.inReplyTo = .sketch(1)
    first.extra = ["b": .integer(1), "a": .integer(2), "c": .null]
    var second = Post(id: .sketch(2), authorID: .sketch("a"), text: InlineText("two"))
    second.inReplyTo = .sketch(3)
    second.extra = ["d": .integer(1), "a": .integer(3), "c": .string("")]
    var conversation = Sketch("1 3<1").conversation
    let rest = conversation.posts
    conversation.posts = rest + [first, second]
    let one = UnrolledThread(unrolling: conversation)
    conversation.posts = [second] + rest + [first, second]
    #expect(UnrolledThread(unrolling: conversation) == one)
  }
}
