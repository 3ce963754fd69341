import Basics
import NetworkSources
import Testing
import ThreadModel
import XNetwork

/// The conversations in X's responses, and the assignment of posts to them.
@Suite struct XConversationChoiceTests {
  @Test func postsOfOthersStayInTheThreadThatTheyAnswer() throws {
    let conversations = try Answers.conversations(
      """
      {"data":[{"id":"10","author_id":"1","conversation_id":"10","text":"root"},
      {"id":"11","author_id":"2","conversation_id":"10","text":"answer","in_reply_to_user_id":"1",
      "referenced_tweets":[{"type":"replied_to","id":"10"}]}]}
      """)
    #expect(conversations.map(\.authorID.value) == ["1"])
    #expect(conversations.first?.posts.map(\.id.value) == ["10", "11"])
  }

  @Test func repliesInAnotherThreadBelongToTheirAuthors() throws {
    let answer = { (id: Int, author: Int, parent: Int, to: Int) in
      #"{"id":"\#(id)","author_id":"\#(author)","conversation_id":"10","text":"\#(id)","in_reply_to_user_id":"\#(to)","referenced_tweets":[{"type":"replied_to","id":"\#(parent)"}]}"#
    }
    let conversations = try Answers.conversations(
      """
      {"data":[\(answer(12, 2, 10, 1)),\(answer(13, 2, 12, 2)),\(answer(14, 3, 13, 2)),\(answer(15, 4, 99, 1))],
      "includes":{"tweets":[{"id":"10","author_id":"1","conversation_id":"10","text":"root"}]}}
      """)
    #expect(conversations.map(\.authorID.value) == ["2", "3", "4"])
    #expect(
      conversations.map { $0.posts.map(\.id.value) } == [
        ["10", "12", "13"], ["10", "12", "13", "14"], ["15"],
      ])
    #expect(conversations.allSatisfy { $0.id.value == "10" })
  }

  @Test func includedPostsStartNoConversation() throws {
    let conversations = try Answers.conversations(
      """
      {"data":[{"id":"10","author_id":"1","conversation_id":"10","text":"a","referenced_tweets":[{"type":"quoted","id":"5"}]}],
      "includes":{"tweets":[{"id":"5","author_id":"2","text":"b","referenced_tweets":[{"type":"quoted","id":"4"}]},
      {"id":"4","author_id":"3","text":"c","referenced_tweets":[{"type":"quoted","id":"3"}]},
      {"id":"3","author_id":"3","text":"d"},{"id":"77","author_id":"8","text":"nobody refers to it"}]}}
      """)
    #expect(conversations.count == 1)
    #expect(conversations.first?.related.map(\.id.value) == ["4", "5"])
  }

  @Test func findsTheConversationThroughParents() throws {
    let conversations = try Answers.conversations(
      """
      {"data":[{"id":"10","author_id":"1","text":"root"},
      {"id":"11","author_id":"1","text":"b","referenced_tweets":[{"type":"replied_to","id":"10"}]},
      {"id":"12","author_id":"1","text":"c","referenced_tweets":[{"type":"replied_to","id":"11"}]}]}
      """)
    #expect(conversations.map(\.id.value) == ["10"])
    #expect(conversations.first?.posts.count == 3)
  }

  @Test func circularRepliesTerminate() throws {
    var importer = XImporter()
    let source = """
      {"data":[{"id":"11","author_id":"1","text":"b","referenced_tweets":[{"type":"replied_to","id":"12"}]},
      {"id":"12","author_id":"1","text":"c","referenced_tweets":[{"type":"replied_to","id":"11"}]},
      {"id":"13","author_id":"1","conversation_id":"9","text":"c","referenced_tweets":[{"type":"replied_to","id":"14"}]},
      {"id":"14","author_id":"1","conversation_id":"9","text":"c","referenced_tweets":[{"type":"replied_to","id":"13"},
      {"type":"quoted","id":"14"}]}]}
      """
    try importer.take(Array(source.utf8), file: "a.json")
    #expect(
      importer.result().conversations.map { $0.posts.map(\.id.value) } == [["13", "14"], ["11", "12"]])
    #expect(importer.result().conversations.map(\.id.value) == ["9", "11"])
    #expect(importer.result().report.problems.count == 1)
  }

  @Test func keepsAQuotedReplyWithoutConversation() throws {
    let second =
      #"{"data":[{"id":"10","author_id":"1","conversation_id":"10","text":"a","referenced_tweets":[{"type":"quoted","id":"5"}]}],"#
      + #""includes":{"tweets":[{"id":"5","author_id":"2","text":"b","in_reply_to_user_id":"3","#
      + #""referenced_tweets":[{"type":"replied_to","id":"4"}]}]}}"#
    let first =
      #"{"id_str":"10","user":{"id_str":"1","screen_name":"ada"},"full_text":"a","quoted_status_id_str":"5","#
      + #""quoted_status":{"id_str":"5","user":{"id_str":"2","screen_name":"bob"},"full_text":"b","#
      + #""in_reply_to_status_id_str":"4","in_reply_to_user_id_str":"3"}}"#
    for answer in [first, second] {
      let conversations = try Answers.conversations(answer)
      #expect(conversations.count == 1)
      #expect(conversations.first?.related.map(\.text.text) == ["b"])
      #expect(conversations.first?.related.first?.conversationID == nil)
    }
  }

  /// Two imports, one without the fields of attachments, in either order and with either as the newer one.
  @Test func showsAttachmentsOnceIfOneResponseLacksThem() throws {
    let links =
      #"{"url":"https://t.co/q","expanded_url":"https://twitter.com/bob/status/5?s=20"},{"url":"https://t.co/m","expanded_url":"https://twitter.com/ada/status/10/photo/1"}"#
    func answer(_ more: String, at year: Int) -> String {
      #"{"data":{"id":"10","author_id":"1","conversation_id":"10","text":"see https://t.co/a so true https://t.co/q https://t.co/m","#
        + #""entities":{"urls":[{"url":"https://t.co/a","expanded_url":"https://twitter.com/bob/status/5"},\#(links)]}\#(more)},"#
        + #""__twarc":{"retrieved_at":"\#(year)-01-01T00:00:00Z"}}"#
    }
    let told =
      #","referenced_tweets":[{"type":"quoted","id":"5","author_id":"2","text":"b"}],"attachments":{"media_keys":["3_1"],"media":[{"media_key":"3_1","type":"photo"}]}"#
    for years in [(2021, 2022), (2022, 2021), (2021, 2021)] {
      let whole = try #require(try Answers.conversations(answer(told, at: years.0)).first)
      let bare = try #require(try Answers.conversations(answer("", at: years.1)).first)
      #expect(
        bare.posts.first?.text.text.hasSuffix(
          "so true twitter.com/bob/status/5?s=20 twitter.com/ada/status/10/photo/1") == true)
      for merged in [whole.merged(with: bare), bare.merged(with: whole)] {
        let post = try #require(merged.posts.first)
        #expect(post.text.text == "see twitter.com/bob/status/5 so true" && post.text.entities.count == 1)
        #expect(post.quotes?.value == "5" && post.media.count == 1)
        #expect(merged.related.map(\.text.text) == ["b"])
      }
    }
  }

  @Test func keepsAndReportsRepliesOfUnknownConversations() throws {
    var importer = XImporter()
    let source =
      #"{"data":[{"id":"11","author_id":"1","text":"b","referenced_tweets":[{"type":"replied_to","id":"10"}]}]}"#
    try importer.take(Array(source.utf8), file: "a.json")
    let (conversations, report) = importer.result()
    #expect(conversations.map(\.id.value) == ["10"] && report.posts == 1)
    #expect(
      report.problems == [
        "a.json: 1 post (11) that are replies without conversation_id: imported with the known posts that they "
          + "answer; to assign them to their conversations, fetch again with tweet.fields=conversation_id"
      ])
  }
}
