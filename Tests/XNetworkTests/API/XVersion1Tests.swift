import Basics
import Foundation
import NetworkSources
import TestSupport
import Testing
import ThreadModel
import XNetwork

@Suite("Posts of version 1.1 and of the first search API")
struct XVersion1Tests {
  private let user = #""user":{"id_str":"7","screen_name":"ada","name":"Ada","friends_count":3}"#

  private func post(_ members: String) throws -> Post {
    let all = try Answers.conversations("[{\"id_str\":\"100\",\(user),\(members)}]")
    return try #require(all.first?.posts.first { $0.id.value == "100" })
  }

  @Test func importsAnArrayOfPosts() throws {
    let source = """
      [{"id_str":"1346889436626259968",\(user),"created_at":"Wed Jan 06 18:40:40 +0000 2021","full_text":"one &amp; only",
        "favorite_count":3,"retweet_count":"2","lang":"en"},
       {"id_str":"1346889436626259970",\(user),"created_at":"Wed Jan 06 18:41:40 +0000 2021","text":"two",
        "in_reply_to_status_id_str":"1346889436626259968","in_reply_to_user_id_str":"7"},
       {"id_str":"1346889436626259971",\(user),"text":"RT @bob: x","retweeted_status":{"id_str":"5","text":"x"}}]
      """
    let conversations = try Answers.conversations(source)
    let conversation = try #require(conversations.first)
    #expect(conversations.count == 1)
    #expect(conversation.posts.map(\.text.text) == ["one & only", "two"])
    #expect(conversation.posts[0].createdAt?.iso8601 == "2021-01-06T18:40:40Z")
    #expect(conversation.posts[0].metrics == Metrics(likes: 3, reposts: 2))
    #expect(conversation.posts[1].inReplyTo?.value == "1346889436626259968")
    #expect(conversation.author?.handle == "ada" && conversation.author?.following == 3)
  }

  @Test func readsSearchesOfBothVersions() throws {
    let old = """
      {"results":[{"id_str":"9","from_user":"ada","from_user_id_str":"7","from_user_name":"Ada",
      "created_at":"Wed, 06 Jan 2021 18:40:40 +0000","text":"hi","iso_language_code":"de"}]}
      """
    let post = try #require(try Answers.conversations(old).first?.posts.first)
    #expect(post.text.text == "hi" && post.language == "de" && post.authorID.value == "7")
    #expect(post.createdAt?.iso8601 == "2021-01-06T18:40:40Z")
    let new = "{\"statuses\":[{\"id\":12,\(user),\"text\":\"a post\"}],\"search_metadata\":{}}"
    #expect(try Answers.conversations(new).first?.id.value == "12")
  }

  @Test func entitiesKeepTheirPlacesAndShortLinksAreReplaced() throws {
    let post = try post(
      #"""
      "full_text":"😀 &lt;b&gt; see https://t.co/a by @Bob #tag $ACME https://t.co/m",
      "entities":{"urls":[{"url":"https://t.co/a","expanded_url":"https://x.example/a?b","indices":["16","30"]}],
        "user_mentions":[{"screen_name":"bob","name":"Bob","id_str":"8","indices":[34,38]}],
        "hashtags":[{"text":"tag","indices":["39","43"]}],"symbols":[{"text":"ACME","indices":["44","49"]}],
        "media":[{"id_str":"55","type":"photo","url":"https://t.co/m","indices":["50","64"],
          "media_url_https":"https://pbs.twimg.com/media/A.jpg","expanded_url":"https://twitter.com/ada/status/100/photo/1"}]},
      "extended_entities":{"media":[
        {"id_str":"55","type":"photo","url":"https://t.co/m","indices":["50","64"],
          "media_url_https":"https://pbs.twimg.com/media/A.jpg","sizes":{"large":{"w":"680","h":"510"}},
          "expanded_url":"https://twitter.com/ada/status/100/photo/1","ext_alt_text":"a hill"},
        {"id_str":"56","type":"video","url":"https://t.co/m","indices":["50","64"],
          "media_url_https":"https://pbs.twimg.com/amplify_video_thumb/56/a.jpg","video_info":{"duration_millis":"9",
          "variants":[{"bitrate":"0","content_type":"video/mp4","url":"https://video.twimg.com/a.mp4?tag=1"},
            {"content_type":"application/x-mpegURL","url":"https://video.twimg.com/a.m3u8"}]}}]}
      """#)
    #expect(
      Answers.marked(post.text)
        == "😀 <b> see [x.example/a?b](https://x.example/a?b) by [@Bob](mention Bob https://x.com/Bob) "
        + "[#tag](hashtag tag https://x.com/hashtag/tag) [$ACME](cashtag ACME https://x.com/search?q=%24ACME)"
    )
    #expect(post.media.map(\.id) == ["3_55", "13_56"])
    #expect(post.media[0].width == 680 && post.media[0].altText == "a hill")
    #expect(post.media[1].bestVideo?.bitrate == 0 && post.media[1].durationMilliseconds == 9)
  }

  @Test func postWhoseURLEndsTheTextIsQuoted() throws {
    let link =
      #"{"url":"https://t.co/q","expanded_url":"https://twitter.com/bob/status/1346889436626259968?s=20"}"#
    let quoting = try post("\"full_text\":\"so true https://t.co/q\",\"entities\":{\"urls\":[\(link)]}")
    #expect(quoting.quotes == nil, "there were no quotes before April 2015")
    let object = try JSONValue(
      parsing: Array(
        "{\"id_str\":\"1346889436626260000\",\"full_text\":\"so true https://t.co/q\",\"entities\":{\"urls\":[\(link)]}}"
          .utf8)
    ).object
    let post = try #require(XVersion1Post(object ?? [:]))
    #expect(post.quotedHandle == "bob")
    let known = post.post(by: AuthorID("7", on: .x), handle: "ada", conversation: nil)
    #expect(known.quotes?.value == "1346889436626259968" && known.conversationID == nil)
    #expect(known.text.text == "so true")
    #expect(known.url == "https://x.com/ada/status/1346889436626260000")
  }

  @Test func noteReplacesTheTruncatedText() throws {
    let object: JSONObject = [
      "id_str": "100", "full_text": "the beginning of… https://t.co/s",
      "entities": [
        "urls": [["url": "https://t.co/s", "expanded_url": "https://twitter.com/i/web/status/100"]]
      ],
    ]
    var post = try #require(XVersion1Post(object))
    post.take(note: [
      "text": "the beginning of a long text, see https://t.co/x by @bob <3",
      "urls": [
        [
          "shortUrl": "https://t.co/x", "expandedUrl": "https://x.example/", "fromIndex": "34",
          "toIndex": "48",
        ]
      ],
      "mentions": [["screenName": "bob", "fromIndex": "52", "toIndex": "56"]],
    ])
    let text = post.post(by: AuthorID("7", on: .x), handle: nil, conversation: "100").text
    #expect(text.text == "the beginning of a long text, see x.example by @bob <3")
    #expect(text.entities.count == 2)
  }

  // MARK: Full texts

  /// A post of a stream or a premium search: truncated, with the full text inside.
  private static func cut(_ id: String, _ text: String, _ more: String = "") -> String {
    #"""
    {"id_str":"\#(id)","user":{"id_str":"7","screen_name":"ada","name":"Ada"},"truncated":true,"text":"\#(text.prefix(20))… https://t.co/s",
    "entities":{"urls":[{"url":"https://t.co/s","expanded_url":"https://twitter.com/i/web/status/\#(id)","indices":[22,36]}]},
    "extended_tweet":{"full_text":"\#(text) https://t.co/m","display_text_range":[0,\#(text.unicodeScalars.count)],
      "entities":{"hashtags":[{"text":"tag","indices":[0,4]}],"media":[{"id_str":"5","type":"photo","url":"https://t.co/m","media_url_https":"https://pbs.example/5.jpg"}]},
      "extended_entities":{"media":[{"id_str":"5","type":"photo","url":"https://t.co/m","media_url_https":"https://pbs.example/5.jpg"},
        {"id_str":"6","type":"photo","url":"https://t.co/m","media_url_https":"https://pbs.example/6.jpg"}]}}\#(more)}
    """#
  }

  private static let long =
    "#tag " + String(repeating: "a long text of many words ", count: 10) + "&amp; its end"

  @Test func readsTheFullTextOfAStream() throws {
    let post = try #require(try Answers.conversations(Self.cut("100", Self.long)).first?.posts.first)
    #expect(post.text.text == Self.long.replacing("&amp;", with: "&"))
    #expect(post.text.entities.map(\.kind) == [.hashtag(tag: "tag", url: "https://x.com/hashtag/tag")])
    #expect(post.media.map(\.id) == ["3_5", "3_6"])
  }

  @Test func readsTheFullTextOfQuotedAndRepostedPosts() throws {
    let quoted = Self.cut(
      "50", Self.long, #","quoted_status_id_str":"40","quoted_status":\#(Self.cut("40", Self.long))"#)
    let line = Self.cut("200", Self.long, #","quoted_status_id_str":"50","quoted_status":\#(quoted)"#)
    let conversation = try #require(try Answers.conversations(line).first { $0.id.value == "200" })
    #expect(conversation.related.map(\.id.value) == ["40", "50"])
    #expect(conversation.related.allSatisfy { $0.text.text.hasSuffix("& its end") && $0.media.count == 2 })

    // A repost of the thread's second post, which no other line contains.
    let second = Self.cut(
      "201", Self.long, #","in_reply_to_status_id_str":"200","in_reply_to_user_id_str":"7""#)
    let repeated =
      #"{"id_str":"300","text":"RT @ada: #tag","user":{"id_str":"8","screen_name":"bob","name":"Bob"},"retweeted_status":\#(second)}"#
    let both = try #require(
      try Answers.conversations(#"{"statuses":[\#(line),\#(repeated)]}"#).first { $0.id.value == "200" })
    #expect(both.posts.map(\.id.value) == ["200", "201"])
    #expect(both.posts.allSatisfy { $0.text.text.hasSuffix("& its end") && $0.media.count == 2 })
  }

  @Test func urlOfAQuotedPostIsNotAnEntity() throws {
    let line = #"""
      {"id_str":"1346889436626260000","user":{"id_str":"7","screen_name":"ada"},"text":"so true https://t.co/q",
      "quoted_status_id_str":"1346889436626259968",
      "quoted_status_permalink":{"url":"https://t.co/q","expanded":"https://twitter.com/bob/status/1346889436626259968"}}
      """#
    let post = try #require(try Answers.conversations(line).first?.posts.first)
    #expect(post.text.text == "so true" && post.quotes?.value == "1346889436626259968")
  }

  // MARK: Conversations

  private static func answer(_ id: Int, by author: Int, to parent: Int, of: Int) -> String {
    #"{"id_str":"\#(id)","user":{"id_str":"\#(author)","screen_name":"u\#(author)"},"text":"\#(id)","in_reply_to_status_id_str":"\#(parent)","in_reply_to_user_id_str":"\#(of)"}"#
  }

  @Test func keepsAChainWithoutItsFirstPost() throws {
    // 12 answers 11, which is missing; 20 answers 19 of another author.
    let lines = [
      Self.answer(12, by: 7, to: 11, of: 7), Self.answer(13, by: 7, to: 12, of: 7),
      Self.answer(20, by: 7, to: 19, of: 8),
      Self.answer(14, by: 9, to: 13, of: 7),
    ].joined(separator: "\n")
    var importer = XImporter()
    try importer.take(Array(lines.utf8), file: "stream.jsonl")
    let (conversations, report) = importer.result()
    #expect(report.problems == [] && report.posts == 4)
    // 14 is the reply of another author to a thread whose first author is unknown, because 11 may be a reply.
    #expect(conversations.map(\.id.value) == ["11", "11", "19"])
    #expect(conversations.map { $0.posts.map(\.id.value) } == [["12", "13"], ["12", "13", "14"], ["20"]])
    #expect(conversations.map(\.authorID.value) == ["7", "9", "7"])
    #expect(
      conversations.flatMap(\.posts).allSatisfy { $0.conversationID == nil }, "the conversation is unknown")
  }

  @Test func anyPostWithAConversationIDIdentifiesTheConversation() throws {
    let lines = [Self.answer(12, by: 7, to: 11, of: 7), Self.answer(13, by: 7, to: 12, of: 7)].joined(
      separator: "\n")
    // A sibling that answers the same missing post; version 2 states the conversation.
    let sibling =
      #"{"data":[{"id":"15","author_id":"8","conversation_id":"5","text":"x","referenced_tweets":[{"type":"replied_to","id":"11"}]}]}"#
    for files in [[lines, sibling], [sibling, lines]] {
      let conversations = try Answers.conversations(files[0], files[1])
      #expect(conversations.map(\.id.value) == ["5", "5"])
      #expect(conversations.flatMap(\.posts).allSatisfy { $0.conversationID?.value == "5" })
      #expect(conversations.map { $0.posts.map(\.id.value) } == [["12", "13"], ["15"]])
    }
    // The first post itself, which only another post names.
    let below = #"{"data":[{"id":"16","author_id":"7","conversation_id":"11","text":"x"}]}"#
    let known = try Answers.conversations(lines, below)
    #expect(known.map { $0.posts.map(\.id.value) } == [["12", "13", "16"]])
    #expect(known.flatMap(\.posts).allSatisfy { $0.conversationID?.value == "11" })
  }

  @Test func ignoresInvalidFields() throws {
    let post = try post(
      #""full_text":"a","entities":null,"extended_entities":{"media":[{"type":"photo"},null,3]},"favorite_count":"-1""#
    )
    #expect(post.text.text == "a" && post.media.isEmpty && post.metrics.isEmpty)
    #expect(XVersion1Post(["id_str": "0x1", "full_text": "a"]) == nil)
    #expect(XVersion1Post(["id_str": "12"]) == nil)
    #expect(XVersion1Date.parse("Wed Xyz 06 18:40:40 +0000 2021") == nil)
    #expect(XVersion1Date.parse("2021-01-06T18:40:40.000Z")?.iso8601 == "2021-01-06T18:40:40Z")
  }
}
