import TestSupport
import Testing
import ThreadModel
import Unroll

@testable import ThreadMarkdown

@Suite struct LongQuotesTests {
  /// Short posts are shown in every quote, long ones once.
  @Test(arguments: [(500, 3), (30_000, 1)]) func showsALongPostOnce(length: Int, times: Int) throws {
    func id(_ number: Int) -> PostID { PostID("\(1_700_000_000_000_000_000 + number)", on: .x) }
    let author = AuthorID("1", on: .x)
    var conversation = Conversation(id: id(1), authorID: author)
    conversation.posts = (1...3).map { number in
      var facts = Post.Facts(id: id(number), authorID: author, text: InlineText("Post \(number)"))
      facts.conversationID = id(1)
      if number > 1 { facts.inReplyTo = id(number - 1) }
      facts.quotes = id(9)
      return Post(facts)
    }
    let words = "Quoted " + String(repeating: "long ", count: length / 5) + "words"
    conversation.related = [
      Post(Post.Facts(id: id(9), authorID: AuthorID("2", on: .x), text: InlineText(words)))
    ]
    let document = try Components.render(UnrolledThread(unrolling: conversation))
    let text = String(decoding: document.body, as: UTF8.self)
    #expect(text.split(separator: words, omittingEmptySubsequences: false).count - 1 == times)
    #expect(
      text.split(separator: "A quoted post by", omittingEmptySubsequences: false).count - 1 == 3 - times)
  }
}
