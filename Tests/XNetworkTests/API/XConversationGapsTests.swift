import Basics
import Testing
import ThreadModel
import XNetwork

/// Edited posts and missing posts.
@Suite struct XConversationGapsTests {
  @Test func editedFirstPostIsItsNewestVersionEverywhere() throws {
    let ids = ["1576994746135764992", "1576994789110992896"]
    let history = #""edit_history_tweet_ids":["\#(ids[0])","\#(ids[1])"]"#
    let conversations = try Answers.conversations(
      """
      {"data":[{"id":"\(ids[0])","author_id":"1","conversation_id":"\(ids[0])","text":"tpyo",\(history)},
      {"id":"1577000000000000000","author_id":"1","conversation_id":"\(ids[0])","text":"reply to the first version",
      "referenced_tweets":[{"type":"replied_to","id":"\(ids[0])"}]}]}
      """,
      """
      {"data":[{"id":"\(ids[1])","author_id":"1","conversation_id":"\(ids[1])","text":"typo",\(history)}]}
      """)
    let conversation = try #require(conversations.first)
    #expect(conversations.count == 1)
    #expect(conversation.id.value == ids[1])
    #expect(conversation.posts.map(\.text.text) == ["typo", "reply to the first version"])
    #expect(conversation.posts[1].inReplyTo?.value == ids[1])
    #expect(conversation.posts[0].createdAt?.iso8601 == "2022-10-03T17:57:01Z")
    #expect(conversation.posts[0].editedAt?.iso8601 == "2022-10-03T17:57:11Z")
  }

  @Test(arguments: [
    ("resource-not-found", "Not Found Error", "Could not find tweet with id: [9].", TombstoneReason.notFound),
    ("resource-not-found", "Forbidden", "User has been suspended: [x].", .suspended),
    (
      "not-authorized-for-resource", "Authorization Error", "Sorry, you are not authorized to see the Tweet",
      .protected
    ),
    ("resource-unavailable", "Unavailable", "This post has been withheld", .withheld),
    ("resource-not-found", "Not Found Error", "This post was deleted by its author", .deleted),
    ("disallowed-resource", "Disallowed", "no words", .unknown),
    ("", "Not Found Error", "Could not find tweet with id: [9].", .notFound),
    ("not-authorized-for-resource", "Forbidden", "You have been blocked from viewing", .blocked),
  ])
  func errorsBecomeTombstones(type: String, title: String, detail: String, reason: TombstoneReason) throws {
    for (reference, host) in [("replied_to", "api.twitter.com"), ("quoted", "api.x.com")] {
      let conversation = try Answers.conversations(
        """
        {"data":[{"id":"10","author_id":"1","conversation_id":"8","text":"a","in_reply_to_user_id":"2",
        "referenced_tweets":[{"type":"\(reference)","id":"9"}]}],
        "errors":[{"resource_id":"9","resource_type":"tweet","type":"https://\(host)/2/problems/\(type)",
        "title":"\(title)","detail":"\(detail)"},
        {"resource_id":"33","resource_type":"post","type":"https://api.x.com/2/problems/resource-not-found"}],
        "includes":{"users":[{"id":"2","username":"bob"}]}}
        """
      ).first
      #expect(conversation?.tombstones.map(\.id.value) == ["9"])
      let tombstone = try #require(conversation?.tombstones.first)
      #expect(tombstone.reason == reason)
      #expect(tombstone.detail == detail)
      #expect(tombstone.authorID?.value == (reference == "quoted" ? nil : "2"))
      #expect(tombstone.handle == (reference == "quoted" ? nil : "bob"))
    }
  }

  @Test func suspendedAuthorExplainsAMissingParent() throws {
    let conversation = try Answers.conversations(
      """
      {"data":[{"id":"10","author_id":"1","conversation_id":"8","text":"a","in_reply_to_user_id":"2",
      "referenced_tweets":[{"type":"replied_to","id":"9"}]},
      {"id":"50","author_id":"1","text":"other"}],"errors":[{"resource_id":"2","resource_type":"user",
      "title":"Forbidden","detail":"User has been suspended: [2].","parameter":"in_reply_to_user_id",
      "type":"https://api.x.com/2/problems/resource-not-found"}]}
      """
    ).first { $0.id.value == "8" }
    #expect(conversation?.tombstones.first?.reason == .suspended)
  }

  @Test func knownPostHasNoTombstone() throws {
    let conversation = try Answers.conversations(
      """
      {"data":[{"id":"10","author_id":"1","conversation_id":"9","text":"a",
      "referenced_tweets":[{"type":"replied_to","id":"9"}]},{"id":"9","author_id":"1","text":"b"}],
      "errors":[{"value":"9","resource_type":"tweet","type":"https://api.x.com/2/problems/resource-not-found"}]}
      """
    ).first
    #expect(conversation?.tombstones == [])
  }
}
