import Basics
import NetworkSources
import Testing
import ThreadModel
import XNetwork

@Suite struct XConversationTests {
  /// A thread of three posts in one response, with everything that a post can refer to.
  static let thread: String = {
    let answer: JSONValue = [
      "data": [
        [
          "id": "1002", "author_id": "1", "conversation_id": "1001", "text": "two",
          "in_reply_to_user_id": "1",
          "referenced_tweets": [
            ["type": "replied_to", "id": "1001"], ["type": "quoted", "id": "700"],
          ],
          "public_metrics": ["retweet_count": 3, "like_count": 4, "quote_count": -1],
          "note_tweet": ["text": "two, at length"],
          "withheld": ["copyright": true, "country_codes": ["DE"], "scope": "tweet"],
        ],
        [
          "id": "1003", "author_id": "1", "conversation_id": "1001", "text": "three",
          "in_reply_to_user_id": "1",
          "referenced_tweets": [["type": "replied_to", "id": "1002"]],
          "edit_history_tweet_ids": ["1003"], "reply_settings": "everyone",
          "context_annotations": [["x": 1]],
          "non_public_metrics": ["impression_count": 9],
        ],
      ],
      "includes": [
        "tweets": [
          ["id": "1001", "author_id": "1", "conversation_id": "1001", "text": "one", "lang": "und"],
          ["id": "700", "author_id": "2", "conversation_id": "700", "text": "quoted", "lang": "fr"],
        ],
        "users": [
          [
            "id": "1", "username": "ada", "name": "Ada", "pinned_tweet_id": "1001",
            "public_metrics": ["tweet_count": 12], "verified": false, "verified_type": "blue",
            "receives_your_dm": true,
            "profile_image_url": "https://pbs.twimg.com/profile_images/1/a_normal.png",
          ],
          ["id": "2", "username": "bob"],
        ],
      ],
    ]
    return JSONWriter.text(of: answer).string
  }()

  @Test func threadHasAllReferencedObjects() throws {
    let conversations = try Answers.conversations(Self.thread)
    let conversation = try #require(conversations.first)
    #expect(conversations.count == 1)
    #expect(conversation.id.value == "1001")
    #expect(conversation.posts.map(\.text.text) == ["one", "two, at length", "three"])
    #expect(conversation.related.map(\.id.value) == ["700"])
    #expect(conversation.authors.map(\.handle) == ["ada", "bob"])
    let second = conversation.posts[1]
    #expect(second.metrics == Metrics(likes: 4, reposts: 3))
    #expect(second.quotes?.value == "700")
    #expect(second.withheld == Withholding(countries: ["DE"], isForCopyright: true))
    #expect(second.extra == [:])
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

  @Test func orderOfFilesDoesNotMatter() throws {
    let root = #"{"data":{"id":"1001","author_id":"1","conversation_id":"1001","text":"one","lang":"en"}}"#
    let again = #"{"data":{"id":"1001","author_id":"1","conversation_id":"1001","text":"one","lang":"de"}}"#
    let recorded =
      #"{"status":200,"headers":{"Date":["Sun, 19 Dec 2021 20:49:25 GMT"]},"body":"{\"data\":[{\"id\":\"1001\",\"author_id\":\"1\",\"conversation_id\":\"1001\",\"lang\":\"fr\",\"text\":\"one\"}]}"}"#
    let answers = [root, again, recorded, Self.thread]
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

  @Test func laterIncludesAreMergedByField() throws {
    let first =
      #"{"data":[{"id":"1","author_id":"9","text":"a","attachments":{"media_keys":["3_1","7_2"],"poll_ids":["5"]}}]}"#
    let second = """
      {"data":[{"id":"1","author_id":"9","text":"a","attachments":{"media_keys":["3_1"],"poll_ids":["5"]}}],"includes":{"media":[{"media_key":"3_1","type":"photo",
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

  @Test func cardBelongsToTheLastLinkWithOne() throws {
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
    #expect(card?.title == nil, "the headline is above the post")
  }

  @Test func articlesHaveATitle() throws {
    #expect(try Answers.post(["text": "a", "article": ["title": "Headline"]])?.title == "Headline")
    #expect(try Answers.post(["text": "a", "article_title": "Headline"])?.title == "Headline")
  }
}
