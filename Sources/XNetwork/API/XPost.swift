import JSONText
package import ThreadModel

/// A post object of X's, with the few members that decide where it belongs.
package struct XPost: Hashable, Sendable {
  package var id: String
  package var fields: XFields
  /// When the latest of its sightings was fetched.
  package var observedAt: Timestamp?

  init(id: String, fields: XFields, observedAt: Timestamp?) {
    self.id = id
    self.fields = fields
    self.observedAt = observedAt
  }

  /// `nil` where the object has no id.
  package init?(_ fields: XFields, observedAt: Timestamp?) {
    guard let id = fields.id("id") else { return nil }
    self.init(id: id, fields: fields, observedAt: observedAt)
  }

  package var authorID: String? { fields.id("author_id") ?? fields.fields("author")?.id("id") }
  package var conversationID: String? { fields.id("conversation_id") }
  package var inReplyToUser: String? { fields.id("in_reply_to_user_id") }
  package var inReplyTo: String? { reference("replied_to") }
  package var quoted: String? { reference("quoted") }
  /// The id of the post that this one repeats.
  package var reposted: String? { reference("retweeted") }
  package var isRepost: Bool { reposted != nil }

  /// Whether anything says that it answers a post, known by id or not.
  package var isReply: Bool { inReplyTo != nil || inReplyToUser != nil }

  /// Ids of its versions, oldest first, itself included; empty where it was never edited.
  package var versions: [String] {
    let history = fields.strings("edit_history_tweet_ids").filter(XID.isValid)
    guard history.count > 1, history.contains(id) else { return [] }
    return history.sorted(by: XID.precedes)
  }

  /// Keys of its media, in order, each once.
  package var mediaKeys: [String] {
    let urls = fields.fields("entities")?.list("urls") ?? []
    var keys: [String] = []
    for key in (fields.fields("attachments")?.strings("media_keys") ?? [])
      + urls.compactMap({ $0.text("media_key") })
    where !key.isEmpty && !keys.contains(key) && keys.count < 100 {
      keys.append(key)
    }
    return keys
  }

  package var pollIDs: [String] { fields.fields("attachments")?.strings("poll_ids") ?? [] }

  private func reference(_ type: String) -> String? {
    fields.list("referenced_tweets").first { $0.string("type") == type }?.id("id")
  }
}
