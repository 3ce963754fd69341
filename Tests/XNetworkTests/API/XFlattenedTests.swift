import Basics
import Foundation
import TestSupport
import Testing
import ThreadModel
import XNetwork

/// Responses flattened by twarc: one post per line, with the includes inside the posts.
@Suite struct XFlattenedTests {
  static let quoting = #"""
    {"id":"100","author_id":"7","conversation_id":"100","text":"look https://t.co/q","author":{"id":"7","username":"ada","name":"Ada",
     "pinned_tweet_id":"90","pinned_tweet":{"id":"90","text":"pinned"}},
     "entities":{"urls":[{"start":5,"end":19,"url":"https://t.co/q","expanded_url":"https://twitter.com/bob/status/50"}],
      "mentions":[{"start":0,"end":4,"username":"eve","id":"9","name":"Eve"}]},
     "in_reply_to_user_id":"6","in_reply_to_user":{"id":"6","username":"dan","name":"Dan"},
     "referenced_tweets":[{"type":"quoted","id":"50","author_id":"8","conversation_id":"40","text":"a picture and a poll",
      "author":{"id":"8","username":"bob","name":"Bob"},"attachments":{"media_keys":["3_1"],
       "media":[{"media_key":"3_1","type":"photo","url":"https://pbs.example/1.jpg","alt_text":"a hill"}],
       "poll_ids":["5"],"poll":{"id":"5","options":[{"position":1,"label":"yes","votes":3}],"voting_status":"closed"}},
      "referenced_tweets":[{"type":"quoted","id":"30","author_id":"9","text":"deeper","author":{"id":"9","username":"eve","name":"Eve"}}]}],
     "__twarc":{"url":"https://api.example/2/tweets","version":"2.0.0","retrieved_at":"2021-05-19T15:26:17+00:00"}}
    """#.replacing("\n", with: "")

  @Test func importsAQuotedPostWithItsAuthorMediaAndPoll() throws {
    let conversation = try #require(try Answers.conversations(Self.quoting).first)
    let post = try #require(conversation.posts.first)
    #expect(post.text.text == "look" && post.quotes?.value == "50")
    #expect(conversation.related.map(\.id.value) == ["30", "50"])
    let quoted = try #require(conversation.related.last)
    #expect(quoted.text.text == "a picture and a poll" && quoted.quotes?.value == "30")
    #expect(quoted.media.first?.altText == "a hill")
    #expect(quoted.poll?.options.first?.votes == 3)
    #expect(Set(conversation.authors.compactMap(\.handle)) == ["ada", "bob", "eve", "dan"])
    #expect(post.observedAt?.iso8601 == "2021-05-19T15:26:17Z")
  }

  @Test func keepsNothingOfTheFormatInExtraFields() throws {
    let conversation = try #require(try Answers.conversations(Self.quoting).first)
    for post in conversation.posts + conversation.related {
      #expect(Set(post.extra.keys).isSubset(of: ["poll_ids"]), "\(post.extra)")
    }
    for author in conversation.authors { #expect(author.extra.keys.allSatisfy { $0 == "pinned_tweet_id" }) }
  }

  @Test(.enabled(if: ProjectFolders.hasSharedFixtures, "needs ../shared/fixtures"))
  func realResponsesGiveTheSameAfterFlattening() throws {
    let folder = try #require(ProjectFolders.sharedFixtures).appending(path: "x")
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
    var compared = 0
    // The format loses earlier versions of edited posts, because no post refers to them.
    for name in names
    where (name.hasPrefix("tweets/") || name.hasPrefix("threads/")) && !name.contains("edited") {
      let bytes = Array(try Data(contentsOf: folder.appending(path: name)))
      let whole = try Self.conversations(bytes)
      let flattened = try Self.conversations(try Self.flattened(bytes))
      // The format loses errors beside the posts.
      #expect(
        whole.map { Self.withoutTombstones($0) } == flattened.map { Self.withoutTombstones($0) }, "\(name)")
      compared += whole.count
    }
    #expect(compared > 100)
  }

  private static func conversations(_ bytes: [UInt8]) throws -> [Conversation] {
    var importer = XImporter()
    try importer.take(bytes, file: "a.json")
    return importer.result().conversations
  }

  private static func withoutTombstones(_ conversation: Conversation) -> Conversation {
    var result = conversation
    result.tombstones = []
    return result
  }

  /// Flattens a response like twarc; an independent implementation of its `flatten`.
  private static func flattened(_ bytes: [UInt8]) throws -> [UInt8] {
    var lines: [UInt8] = []
    let answers = try JSONReader.read(bytes) { reader throws(JSONError) in
      var answers: [JSONValue] = []
      while !reader.isAtEnd() { answers.append(try reader.readValue()) }
      return answers
    }
    for answer in answers.compactMap(\.object) {
      func byID(_ list: String, _ key: String) -> [String: JSONObject] {
        var found: [String: JSONObject] = [:]
        for value in answer["includes"]?[list]?.array ?? [] {
          if let object = value.object, let id = object[key]?.string { found[id] = object }
        }
        return found
      }
      let users = byID("users", "id")
      let names = byID("users", "username")
      let media = byID("media", "media_key")
      let polls = byID("polls", "id")
      let posts = byID("tweets", "id")
      func expanded(_ object: JSONObject, depth: Int) -> JSONObject {
        var post = object
        if let id = post["author_id"]?.string { post["author"] = .object(users[id] ?? [:]) }
        if let id = post["in_reply_to_user_id"]?.string {
          post["in_reply_to_user"] = .object(users[id] ?? [:])
        }
        if var attachments = post["attachments"]?.object {
          if let keys = attachments["media_keys"]?.array {
            attachments["media"] = .array(keys.map { .object(media[$0.string ?? ""] ?? [:]) })
          }
          if let id = attachments["poll_ids"]?[0]?.string { attachments["poll"] = .object(polls[id] ?? [:]) }
          post["attachments"] = .object(attachments)
        }
        if var entities = post["entities"]?.object, let mentions = entities["mentions"]?.array {
          entities["mentions"] = .array(
            mentions.compactMap(\.object).map { mention in
              .object(mention.merging(names[mention["username"]?.string ?? ""] ?? [:]) { $1 })
            })
          post["entities"] = .object(entities)
        }
        if depth < 4, let references = post["referenced_tweets"]?.array {
          post["referenced_tweets"] = .array(
            references.compactMap(\.object).map { reference in
              let found = posts[reference["id"]?.string ?? ""] ?? [:]
              return .object(expanded(reference.merging(found) { $1 }, depth: depth + 1))
            })
        }
        return post
      }
      let data = answer["data"]?.array ?? answer["data"].map { [$0] } ?? []
      for post in data.compactMap(\.object) {
        var line = expanded(post, depth: 0)
        line["__twarc"] = answer["__twarc"]
        lines += JSONWriter.text(of: .object(line), .compact).bytes + [UInt8(ascii: "\n")]
      }
    }
    return lines
  }
}
