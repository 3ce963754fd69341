import Testing
import ThreadModel
import Unroll

@Suite("Replies of others on request")
struct ReplyTests {
  private func sketch(_ posts: String, beside: String = "", hiding: [Int] = []) -> String {
    Sketch(posts, beside: beside).unrolled(hiding: hiding, withReplies: true).sketch
  }

  @Test func repliesAreOmittedByDefault() {
    #expect(Sketch("1 2<1 b3<1").unrolled().replies.isEmpty)
  }

  @Test func repliesFollowTheThreadLatestFirst() {
    #expect(sketch("1 2<1 b3<1 c4<2 b5<1") == "1 2 | b5 c4 b3")
  }

  @Test func repliesToRepliesAreNested() {
    #expect(sketch("1 2<1 b3<1 c4<3 d5<4 c6<3") == "1 2 | b3(c6 c4(d5))")
  }

  @Test func timesHavePriorityOverIDs() {
    var conversation = Sketch("1 b2<1 b3<1").conversation
    conversation.posts[1].createdAt = Timestamp(seconds: 20)
    conversation.posts[2].createdAt = Timestamp(seconds: 10)
    #expect(UnrolledThread(unrolling: conversation, withReplies: true).sketch == "1 | b2 b3")
  }

  @Test func repliesIncludeTheAuthorsAnswersOnce() {
    let thread = Sketch("1 2<1 b3<1 4<3 5<4").unrolled(withReplies: true)
    #expect(thread.sketch == "1 2 | b3(4(5))")
    #expect(thread.replies.first?.isByAuthor == false)
    #expect(thread.replies.first?.replies.first?.isByAuthor == true)
    #expect(thread.completeness.known == 2)
  }

  @Test func answerToAMissingPostStaysAnAnswer() {
    #expect(sketch("1 b2<1 4<3b c5<4") == "1 / 3 unknown: 4 | c5 b2")
  }

  @Test func repliesToBranchesCount() {
    #expect(sketch("1 2<1 3<2 4<1 b5<4") == "1[1: 4] 2 3 | b5")
  }

  @Test func replyWithAMissingParentRepliesToTheThread() {
    #expect(sketch("1 b5<3c") == "1 | b5")
  }

  @Test func onlyRepliesBelowTheThreadCountInAnotherConversation() {
    #expect(sketch("b1 2<1 3<2 c4<1 c5<3 c7<6b") == "b1 > 2 3 | c5")
  }

  @Test func hidingAReplyHidesAllBelowIt() {
    #expect(sketch("1 b2<1 c3<2 b4<1", hiding: [2]) == "1 | b4")
    #expect(sketch("1 2<1 b3<2", hiding: [2]) == "1")
  }

  @Test func relatedPostsAreNotReplies() {
    #expect(sketch("1q9 b2<1", beside: "c9 c8<1") == "1{c9} | b2")
  }

  @Test func circlesAreOmitted() {
    #expect(sketch("1 b2<3 c3<2 b4<4 d5<1") == "1 | d5")
  }

  @Test func tooDeepRepliesFollowTheirParent() {
    let thread = Sketch("1 b2<1 c3<2 b4<3 c5<4 b6<5 c7<6 d8<5").unrolled(withReplies: true)
    #expect(
      thread.sketch == "1 | b2(c3(b4(c5(b6 d8 c7))))" || thread.sketch == "1 | b2(c3(b4(c5(d8 b6 c7))))")
    var addressees: [String: String] = [:]
    for reply in thread.replies {
      reply.forEachPost { reply in
        if let author = reply.addressee { addressees[reply.post.sketch] = author.id.value }
      }
    }
    #expect(addressees == ["c7": "b"])
  }

  @Test func longChainNeedsNoRecursion() {
    let posts = "1 " + (2...20_000).map { "b\($0)<\($0 - 1)" }.joined(separator: " ")
    let thread = Sketch(posts).unrolled(withReplies: true)
    var count = 0
    for reply in thread.replies { reply.forEachPost { _ in count += 1 } }
    #expect(count == 19_999)
  }

  @Test func orderOfFactsDoesNotMatter() {
    let sketch = Sketch("1 2<1 b3<1 4<3 c5<3 b6<9 d7<2")
    var reversed = sketch.conversation
    reversed.posts.reverse()
    #expect(
      UnrolledThread(unrolling: reversed, withReplies: true)
        == UnrolledThread(unrolling: sketch.conversation, withReplies: true))
  }
}
