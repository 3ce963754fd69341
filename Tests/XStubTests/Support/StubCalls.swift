import Basics
import Foundation
import TestSupport
import Testing
import XStub

/// Runs `body` with a stub and stops it.
func withStub(
  _ world: StubWorld, _ behaviour: StubBehaviour = StubBehaviour(), _ body: (XStub) async throws -> Void
) async throws {
  let stub = try XStub(world, behaviour: behaviour)
  defer { stub.stop() }
  try await body(stub)
}

extension XStub {
  /// Sends one request with the correct token.
  func get(
    _ path: String, _ query: [String: String] = [:], headers: [String: String] = [:], limit: Int = 8 << 20,
    timeout: Double = 60
  ) async -> RawAnswer {
    let allowed = CharacterSet.alphanumerics
    let items = query.sorted { $0.key < $1.key }.map { key, value in
      "\(key)=\(value.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")"
    }
    var headers = headers
    if !path.hasPrefix("/media"), headers["Authorization"] == nil {
      headers["Authorization"] = "Bearer \(behaviour.bearerToken)"
    }
    let target = items.isEmpty ? path : "\(path)?\(items.joined(separator: "&"))"
    return await RawClient.send(target, to: baseURL, headers: headers, limit: limit, timeout: timeout)
  }

  /// The JSON of a response with status 200.
  func json(_ path: String, _ query: [String: String] = [:]) async throws -> JSONValue {
    let answer = await get(path, query)
    #expect(answer.status == 200, "\(path): \(answer.text.prefix(300))")
    return try JSONValue(parsing: answer.body)
  }
}

extension JSONValue {
  var ids: [String] { self["data"]?.array?.compactMap { $0["id"]?.string } ?? [] }
  var nextToken: String? { self["meta"]?["next_token"]?.string }
  var errorTypes: [String] {
    self["errors"]?.array?.compactMap { $0["type"]?.string?.split(separator: "/").last.map(String.init) }
      ?? []
  }
}

/// All fields and expansions that a client could request.
func allFields(aboutPosts: Bool = true) -> [String: String] {
  var query = [
    "tweet.fields":
      "article,attachments,community_id,conversation_id,created_at,display_text_range,edit_controls,entities,lang,possibly_sensitive,public_metrics,reply_settings,source,withheld,author_id,in_reply_to_user_id,referenced_tweets,edit_history_tweet_ids,note_tweet",
    "user.fields":
      "created_at,description,entities,location,name,profile_banner_url,profile_image_url,protected,public_metrics,url,username,verified,verified_type",
    "expansions": "pinned_tweet_id",
  ]
  guard aboutPosts else { return query }
  query["expansions"] =
    "author_id,in_reply_to_user_id,attachments.media_keys,attachments.poll_ids,entities.mentions.username,referenced_tweets.id,referenced_tweets.id.author_id,referenced_tweets.id.attachments.media_keys"
  query["media.fields"] = "alt_text,duration_ms,height,media_key,preview_image_url,type,url,variants,width"
  query["poll.fields"] = "duration_minutes,end_datetime,id,options,voting_status"
  return query
}

/// X's document, which is not part of the repository.
enum XDocuments {
  static let folder: URL? = {
    let folder = ProjectFolders.repository.deletingLastPathComponent().appending(path: "shared/reference")
    return FileManager.default.fileExists(atPath: folder.appending(path: "x-openapi-2.166.json").path)
      ? folder : nil
  }()

  static var areAvailable: Bool { folder != nil }

  static func document() throws -> OpenAPIDocument {
    let folder = try #require(folder)
    return try OpenAPIDocument(at: folder.appending(path: "x-openapi-2.166.json"))
  }
}
