import Testing
import ThreadModel
import Unroll

@Suite("Hidden posts, edited posts, duplicates")
struct HidingAndEditingTests {
  @Test func hiddenPostLeavesNoGap() {
    #expect(Sketch("1 2<1 3<2 4<3").unrolled(hiding: [2]).sketch == "1 3 4")
    #expect(Sketch("1 2<1 3<2 4<3").unrolled(hiding: [2, 3]).sketch == "1 4")
    #expect(Sketch("1 3<2a").unrolled(hiding: [2]).sketch == "1 3")
  }

  @Test func hiddenFirstPostLeavesTheRest() {
    #expect(Sketch("1 2<1 3<2").unrolled(hiding: [1]).sketch == "2 3")
    #expect(Sketch("1 2<1 3<1 4<3").unrolled(hiding: [1]).sketch == "3[1: 2] 4")
    #expect(Sketch("2<1a 3<2").unrolled(hiding: [1]).sketch == "2 3")
    #expect(Sketch("1").unrolled(hiding: [1]).sketch == "")
  }

  @Test func hiddenPostsAreNotMissing() {
    var conversation = Sketch("1 2<1 3<2").conversation
    conversation.coverage.expectedPosts = 3
    let thread = UnrolledThread(unrolling: conversation, hidden: [.sketch(2)])
    #expect(thread.completeness == Completeness(known: 2, expected: 2))
    #expect(thread.completeness.isWhole)
  }

  @Test func continuationOfAHiddenReplyIsTheReply() {
    #expect(Sketch("1 b2<1 3<2 4<3").unrolled(hiding: [3]).sketch == "1 / b2: 4")
  }

  @Test func hidesPostsInQuotes() {
    #expect(Sketch("1q20", beside: "b20").unrolled(hiding: [20]).sketch == "1")
    #expect(Sketch("1 b2<1 3<2").unrolled(hiding: [2]).sketch == "1 / 2 hidden: 3")
    #expect(Sketch("b1 2<1").unrolled(hiding: [1]).sketch == "2")
  }

  @Test func editReplacesEarlierVersions() {
    var sketch = Sketch("1 2<1 3<1 4<2 5<4")
    sketch.conversation.posts[2].earlierVersions = [.sketch(2)]
    #expect(sketch.unrolled().sketch == "1 3 4 5")
  }

  @Test func answeredVersionMayBeUnknown() {
    var sketch = Sketch("1 3<1 4<2a")
    sketch.conversation.posts[1].earlierVersions = [.sketch(2)]
    #expect(sketch.unrolled().sketch == "1 3 4")
  }

  @Test func firstPostMayBeEdited() {
    var sketch = Sketch("1 2 3<1 4<2")
    sketch.conversation.posts[1].earlierVersions = [.sketch(1)]
    #expect(sketch.unrolled().sketch == "2[1: 4] 3")
    #expect(sketch.unrolled().id == .sketch(1))
  }

  /// If IDs grow with time, a post with a higher ID is not an earlier version, whatever the times are.
  @Test func earlierVersionsHaveNoHigherID() {
    var sketch = Sketch("1 2<1 3<1")
    sketch.conversation.posts[1].earlierVersions = [.sketch(3)]
    sketch.conversation.posts[1].createdAt = Timestamp(seconds: 30)
    sketch.conversation.posts[2].createdAt = Timestamp(seconds: 20)
    #expect(sketch.unrolled().sketch == "1[1: 2] 3")
    sketch = Sketch("1 2<1 3<1 4<9a")
    sketch.conversation.posts[1].earlierVersions = [.sketch(9)]
    #expect(!sketch.unrolled().sketch.contains("2 4"))
  }

  @Test func postsOfAnotherAuthorAreNotReplaced() {
    var sketch = Sketch("1 2<1 b3<1")
    sketch.conversation.posts[2].earlierVersions = [.sketch(2)]
    #expect(sketch.unrolled().sketch == "1 2")
  }

  @Test func circularReplacementsLoseNothing() {
    var sketch = Sketch("1 2<1 3<1")
    sketch.conversation.posts[1].earlierVersions = [.sketch(2), .sketch(3)]
    sketch.conversation.posts[2].earlierVersions = [.sketch(2), .sketch(3)]
    #expect(sketch.unrolled().sketch == "1 3")
  }

  @Test func duplicatesAreOnePost() {
    #expect(Sketch("1 2<1 1 2<1 2").unrolled().sketch == "1 2")
    #expect(Sketch("1 2<1", beside: "2<1").unrolled().sketch == "1 2")
  }

  @Test func duplicateAddsMissingFields() {
    var conversation = Sketch("1 1").conversation
    conversation.posts[0].language = "en"
    conversation.posts[1].url = "https://x.com/ada/status/1"
    let post = UnrolledThread(unrolling: conversation).mainPosts.first?.post
    #expect(post?.language == "en")
    #expect(post?.url == "https://x.com/ada/status/1")
  }

  @Test func relatedPostsOfTheAuthorBelongToTheConversation() {
    // The parent of a self-reply, and a post that names the conversation.
    #expect(Sketch("1 4<3", beside: "3<2 2<1").unrolled().sketch == "1 2 3 4")
    var sketch = Sketch("1", beside: "2<1 3<2 9")
    sketch.conversation.related[0].conversationID = .sketch(1)
    sketch.conversation.related[1].conversationID = .sketch(1)
    #expect(sketch.unrolled().sketch == "1 2 3")
  }
}
