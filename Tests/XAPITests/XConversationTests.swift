import JSONText
import Testing
import ThreadModel
import UTF8Text
import XAPI

@Suite struct XConversationTests {
  /// A thread of three posts as one answer, by the names of either dialect, with everything in it that they name differently.
  static func thread(_ dialect: XDialect) -> String {
    let answer: JSONValue = [
      "data": [
        [
          "id": "1002", "author_id": "1", "conversation_id": "1001", "text": "two",
          "in_reply_to_user_id": "1",
          String(dialect.referenced): [
            ["type": "replied_to", "id": "1001"], ["type": "quoted", "id": "700"],
          ],
          "public_metrics": [String(dialect.repostCount): 3, "like_count": 4, "quote_count": -1],
          String(dialect.note): ["text": "two, at length"],
          "withheld": ["copyright": true, "country_codes": ["DE"], "scope": "post"],
        ],
        [
          "id": "1003", "author_id": "1", "conversation_id": "1001", "text": "three",
          "in_reply_to_user_id": "1",
          String(dialect.referenced): [["type": "replied_to", "id": "1002"]],
          String(dialect.editHistory): ["1003"], "reply_settings": "everyone",
          "context_annotations": [["x": 1]],
          "non_public_metrics": ["impression_count": 9],
        ],
      ],
      "includes": [
        String(dialect.includedPosts): [
          ["id": "1001", "author_id": "1", "conversation_id": "1001", "text": "one", "lang": "und"],
          ["id": "700", "author_id": "2", "conversation_id": "700", "text": "quoted", "lang": "fr"],
        ],
        "users": [
          [
            "id": "1", "username": "ada", "name": "Ada", String(dialect.pinnedPost): "1001",
            "public_metrics": [String(dialect.postCount): 12], "verified": false, "verified_type": "blue",
            "receives_your_dm": true,
            "profile_image_url": "https://pbs.twimg.com/profile_images/1/a_normal.png",
          ],
          ["id": "2", "username": "bob"],
        ],
      ],
    ]
    return JSONWriter.text(of: answer).string
  }

  @Test func bothDialectsGiveTheSame() throws {
    let old = try Answers.conversations(Self.thread(.tweets))
    let new = try Answers.conversations(Self.thread(.posts))
    #expect(old == new)
    let conversation = try #require(old.first)
    #expect(old.count == 1)
    #expect(conversation.id.value == "1001")
    #expect(conversation.posts.map(\.text.text) == ["one", "two, at length", "three"])
    #expect(conversation.related.map(\.id.value) == ["700"])
    #expect(conversation.authors.map(\.handle) == ["ada", "bob"])
    let second = conversation.posts[1]
    #expect(second.metrics == Metrics(likes: 4, reposts: 3))
    #expect(second.quotes?.value == "700")
    #expect(second.withheldIn == ["DE"])
    #expect(second.extra == ["withheld": ["copyright": true]])
    #expect(second.url == "https://x.com/ada/status/1002")
    #expect(conversation.posts[2].extra == ["reply_settings": "everyone"])
    #expect(conversation.posts[2].earlierVersions == [])
    #expect(conversation.posts[0].language == nil)
    #expect(conversation.related.first?.language == "fr")
    let ada = try #require(conversation.author)
    #expect(ada.posts == 12)
    #expect(ada.isVerified == true)
    #expect(ada.avatarURL == "https://pbs.twimg.com/profile_images/1/a_400x400.png")
    #expect(ada.extra == ["pinned_tweet_id": "1001", "verified_type": "blue"])
  }

  @Test func noOrderOfFilesMatters() throws {
    let root = #"{"data":{"id":"1001","author_id":"1","conversation_id":"1001","text":"one","lang":"en"}}"#
    let again = #"{"data":{"id":"1001","author_id":"1","conversation_id":"1001","text":"one","lang":"de"}}"#
    let recorded =
      #"{"status":200,"headers":{"Date":["Sun, 19 Dec 2021 20:49:25 GMT"]},"body":"{\"data\":[{\"id\":\"1001\",\"lang\":\"fr\",\"text\":\"one\"}]}"}"#
    let answers = [root, again, recorded, Self.thread(.posts)]
    let expected = try Answers.conversations(answers[0], answers[1], answers[2], answers[3])
    #expect(expected.first?.posts.first?.language == "fr")
    #expect(expected.first?.posts.first?.observedAt?.iso8601 == "2021-12-19T20:49:25Z")
    for order in [[3, 2, 1, 0], [1, 0, 3, 2], [2, 3, 0, 1], [0, 2, 1, 3]] {
      let some = order.map { answers[$0] }
      #expect(try Answers.conversations(some[0], some[1], some[2], some[3]) == expected)
      #expect(try Answers.conversations("[" + some.joined(separator: ",") + "]") == expected)
      #expect(
        try Answers.conversations(some.map { $0.replacing("\n", with: "") }.joined(separator: "\n"))
          == expected)
    }
  }

  @Test func pagesShareWhatCameAlong() throws {
    let first =
      #"{"data":[{"id":"1","author_id":"9","text":"a","attachments":{"media_keys":["3_1","7_2"],"poll_ids":["5"]}}]}"#
    let second = """
      {"data":[{"id":"2","author_id":"9","text":"b"}],"includes":{"media":[{"media_key":"3_1","type":"photo",
      "url":"https://pbs.example/1.jpg","alt_text":"alt","width":2,"height":-3},{"media_key":"16_9"}],"polls":[
      {"id":"5","voting_status":"closed","end_datetime":"2024-01-01T00:00:00.000Z","duration_minutes":60,"options":[
      {"position":2,"label":"same","votes":1},{"position":1,"label":"same","votes":0}]}]}}
      """
    let post = try #require(try Answers.conversations(first, second).first?.posts.first)
    #expect(post.media.map(\.kind) == [.photo, .video])
    #expect(post.media.first?.altText == "alt")
    #expect(post.media.first?.width == 2)
    #expect(post.media.first?.height == nil)
    #expect(post.poll?.options == [PollOption("same", votes: 0), PollOption("same", votes: 1)])
    #expect(post.poll?.status == .closed)
    #expect(post.poll?.endsAt?.iso8601 == "2024-01-01T00:00:00Z")
    #expect(post.poll?.extra == ["duration_minutes": 60])
  }

  @Test func videosKeepTheirVariants() throws {
    let media: JSONValue = [
      "media_key": "16_1", "type": "animated_gif", "preview_image_url": "https://pbs.example/p.jpg",
      "duration_ms": "1500", "public_metrics": ["view_count": 3],
      "variants": [
        ["bit_rate": 0, "content_type": "video/mp4", "url": "https://video.example/g.mp4"],
        ["content_type": "application/x-mpegURL", "url": "https://video.example/g.m3u8"], ["bit_rate": 1],
      ],
    ]
    let post = try Answers.post(
      ["text": "a", "attachments": ["media_keys": ["16_1"]]], includes: ["media": [media]])
    let gif = try #require(post?.media.first)
    #expect(gif.kind == .gif)
    #expect(gif.posterURL == "https://pbs.example/p.jpg")
    #expect(gif.durationMilliseconds == 1500)
    #expect(gif.variants.map(\.bitrate) == [0, nil])
    #expect(gif.bestVideo?.url == "https://video.example/g.mp4")
    #expect(gif.extra == ["public_metrics": ["view_count": 3]])
  }

  @Test func theCardIsThatOfTheLastLinkWithOne() throws {
    let text = "https://t.co/1 https://t.co/2 https://t.co/3"
    let post = try Answers.post([
      "text": .string(text),
      "entities": [
        "urls": [
          Answers.url("https://t.co/1", in: text, to: "https://a.example", ["title": "A"]),
          Answers.url(
            "https://t.co/2", in: text, to: "https://b.example",
            [
              "title": "B", "description": "about b", "unwound_url": "https://b.example/long",
              "images": [
                ["url": "https://pbs.example/s", "width": 150, "height": 150],
                ["url": "https://pbs.example/l", "width": 1000, "height": 500],
              ],
            ]),
          Answers.url("https://t.co/3", in: text, to: "https://c.example"),
        ]
      ],
    ])
    #expect(post?.card?.url == "https://b.example/long")
    #expect(post?.card?.title == "B")
    #expect(post?.card?.summary == "about b")
    #expect(post?.card?.imageURL == "https://pbs.example/l")
    #expect(post?.card?.imageWidth == 1000)
  }

  @Test func articlesHaveAPreview() throws {
    let card = try Answers.post([
      "text": "https://t.co/a", "article": ["title": "Headline", "preview_text": "It begins so."],
      "entities": [
        "urls": [
          [
            "start": 0, "end": 14, "url": "https://t.co/a", "expanded_url": "https://x.com/i/article/7",
            "display_url": "x.com/i/article/7",
          ]
        ]
      ],
    ])?.card
    #expect(card?.summary == "It begins so.")
    #expect(card?.url == "https://x.com/i/article/7")
    #expect(card?.title == nil, "the headline stands above the post")
  }

  @Test func articlesHaveATitle() throws {
    #expect(try Answers.post(["text": "a", "article": ["title": "Headline"]])?.title == "Headline")
    #expect(try Answers.post(["text": "a", "article_title": "Headline"])?.title == "Headline")
  }

  // MARK: Which conversations

  @Test func othersPostsStayInTheThreadTheyAnswer() throws {
    let conversations = try Answers.conversations(
      """
      {"data":[{"id":"10","author_id":"1","conversation_id":"10","text":"root"},
      {"id":"11","author_id":"2","conversation_id":"10","text":"answer","in_reply_to_user_id":"1",
      "referenced_tweets":[{"type":"replied_to","id":"10"}]}]}
      """)
    #expect(conversations.map(\.authorID.value) == ["1"])
    #expect(conversations.first?.posts.map(\.id.value) == ["10", "11"])
  }

  @Test func answersInAThreadThatWasNotAskedForAreTheirAuthorsOwn() throws {
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

  @Test func whatMerelyCameAlongStartsNothing() throws {
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

  @Test func theConversationIsFoundThroughParents() throws {
    let conversations = try Answers.conversations(
      """
      {"data":[{"id":"10","author_id":"1","text":"root"},
      {"id":"11","author_id":"1","text":"b","referenced_tweets":[{"type":"replied_to","id":"10"}]},
      {"id":"12","author_id":"1","text":"c","referenced_tweets":[{"type":"replied_to","id":"11"}]}]}
      """)
    #expect(conversations.map(\.id.value) == ["10"])
    #expect(conversations.first?.posts.count == 3)
  }

  @Test func repliesThatGoInCirclesEnd() throws {
    var importer = XImporter()
    let source = """
      {"data":[{"id":"11","author_id":"1","text":"b","referenced_tweets":[{"type":"replied_to","id":"12"}]},
      {"id":"12","author_id":"1","text":"c","referenced_tweets":[{"type":"replied_to","id":"11"}]},
      {"id":"13","author_id":"1","conversation_id":"9","text":"c","referenced_tweets":[{"type":"replied_to","id":"14"}]},
      {"id":"14","author_id":"1","conversation_id":"9","text":"c","referenced_tweets":[{"type":"replied_to","id":"13"},
      {"type":"quoted","id":"14"}]}]}
      """
    try importer.add(Array(source.utf8), file: "a.json")
    #expect(importer.conversations().map { $0.posts.map(\.id.value) } == [["13", "14"]])
    #expect(importer.report.problems.count == 1)
  }

  // MARK: Edits

  @Test func anEditedRootIsItsNewestVersionForAll() throws {
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

  // MARK: What is missing

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

  @Test func aSuspendedAuthorExplainsAMissingParent() throws {
    let conversation = try Answers.conversations(
      """
      {"data":[{"id":"10","author_id":"1","conversation_id":"8","text":"a","in_reply_to_user_id":"2",
      "referenced_tweets":[{"type":"replied_to","id":"9"}]}]}
      """,
      """
      {"data":[{"id":"50","author_id":"1","text":"other"}],"errors":[{"resource_id":"2","resource_type":"user",
      "title":"Forbidden","detail":"User has been suspended: [2].","parameter":"in_reply_to_user_id",
      "type":"https://api.x.com/2/problems/resource-not-found"}]}
      """
    ).first { $0.id.value == "8" }
    #expect(conversation?.tombstones.first?.reason == .suspended)
  }

  @Test func aLookUpWithNothingButErrorsStillTellsWhy() throws {
    var importer = XImporter()
    let post = """
      {"data":[{"id":"10","author_id":"1","conversation_id":"9","text":"a","in_reply_to_user_id":"1",
      "referenced_tweets":[{"type":"replied_to","id":"9"}]}]}
      """
    let missing = """
      {"errors":[{"value":"9","resource_type":"tweet","title":"Not Found Error",
      "type":"https://api.x.com/2/problems/resource-not-found"}]}
      """
    #expect(throws: XAPIError.self) { try importer.add(Array(missing.utf8), file: "missing.json") }
    try importer.add(Array(post.utf8), file: "post.json")
    #expect(importer.conversations().first?.tombstones.first?.reason == .notFound)
    #expect(importer.report.files.map(\.posts) == [0, 1])
  }

  @Test func aPostThatIsKnownHasNoTombstone() throws {
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
