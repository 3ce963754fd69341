import Basics
import NetworkSources
import ThreadModel
import XNetwork

/// Responses in X's format.
extension World {
  func user(_ id: String) -> JSONValue? {
    guard let user = users[id] else { return nil }
    var object: JSONObject = [
      "id": .string(id), "username": .string(user.handle), "name": .string(user.handle.uppercased()),
      "protected": .bool(user.isProtected),
      "profile_image_url": .string("https://pbs.twimg.com/profile_images/\(id)/a_normal.png"),
    ]
    if let followers = user.followers {
      object["public_metrics"] = ["followers_count": .integer(Int64(followers))]
    }
    return .object(object)
  }

  func object(_ post: Entry) -> JSONValue {
    var object: JSONObject = [
      "id": .string(post.id), "author_id": .string(post.author), "text": .string(post.text),
      "conversation_id": .string(post.conversation),
      "public_metrics": [
        "like_count": .integer(Int64(post.likes)),
        "reply_count": .integer(Int64(post.replies)),
      ],
    ]
    var references: [JSONValue] = []
    for (type, id) in [("replied_to", post.parent), ("quoted", post.quotes), ("retweeted", post.repeats)] {
      if let id { references.append(["type": .string(type), "id": .string(id)]) }
    }
    if !references.isEmpty { object["referenced_tweets"] = .array(references) }
    if let parent = post.parent, let answered = posts[parent] {
      object["in_reply_to_user_id"] = .string(answered.author)
    }
    var attachments: JSONObject = [:]
    if let photo = post.photo { attachments["media_keys"] = [.string(photo)] }
    if let poll = post.poll { attachments["poll_ids"] = [.string(poll)] }
    if !attachments.isEmpty { object["attachments"] = .object(attachments) }
    let versions = post.versions.isEmpty ? [post.id] : post.versions
    object["edit_history_tweet_ids"] = .array(versions.map { .string($0) })
    if let first = XID.time(versions[0]) {
      let until = Timestamp(milliseconds: first.milliseconds + 1_800_000)
      object["edit_controls"] = ["editable_until": .string(until.iso8601), "edits_remaining": 5]
      object["created_at"] = .string((XID.time(post.id) ?? first).iso8601)
    }
    if !post.withheldIn.isEmpty {
      object["withheld"] = ["country_codes": .array(post.withheldIn.map { .string($0) }), "scope": "tweet"]
    }
    return .object(object)
  }

  /// A response with these posts and their includes.
  ///
  /// - Parameter isBare: whether included posts come without their authors, media and polls.
  func answer(
    _ found: [Entry], errors: [JSONValue] = [], next: String? = nil, isBare: Bool
  ) -> XResponse {
    let own = Set(found.map(\.id))
    var errors = errors
    var included: [String: Entry] = [:]
    for id in found.flatMap({ [$0.parent, $0.quotes, $0.repeats].compactMap { $0 } }) where !own.contains(id)
    {
      if let problem = missing(id) { errors.append(problem) } else { included[id] = posts[id] }
    }
    let along = included.values.sorted { $0.id < $1.id }
    let whole = isBare ? found : found + along
    var includes: JSONObject = [:]
    includes["tweets"] = .array(along.map(object))
    includes["users"] = .array(Set(whole.map(\.author)).sorted().compactMap(user))
    includes["media"] = .array(
      whole.compactMap(\.photo).map {
        [
          "media_key": .string($0), "type": "photo", "url": .string("https://pbs.twimg.com/media/\($0).jpg"),
        ]
      })
    includes["polls"] = .array(
      found.compactMap(\.poll).map {
        [
          "id": .string($0), "voting_status": .string(openPolls.contains($0) ? "open" : "closed"),
          "options": [
            ["position": 1, "label": "yes", "votes": 1], ["position": 2, "label": "no", "votes": 2],
          ],
        ]
      })
    var body: JSONObject = [
      "includes": .object(includes), "meta": ["result_count": .integer(Int64(found.count))],
    ]
    if !found.isEmpty { body["data"] = .array(found.map(object)) }
    if !errors.isEmpty { body["errors"] = .array(errors) }
    if let next { body["meta"] = ["next_token": .string(next)] }
    return XResponse(body, fetchedAt: nil)
  }
}
