import JSONText
import ThreadModel

/// A post object of X's, with the few members that decide where it belongs.
struct XPost: Hashable {
  var id: String
  var fields: XFields
  /// When the latest of its sightings was fetched.
  var observedAt: Timestamp?

  var authorID: String? { fields.id("author_id") ?? fields.fields("author")?.id("id") }
  var conversationID: String? { fields.id("conversation_id") }
  var inReplyToUser: String? { fields.id("in_reply_to_user_id") }
  var inReplyTo: String? { reference("replied_to") }
  var quoted: String? { reference("quoted") }
  var isRepost: Bool { reference("retweeted") != nil }

  /// Whether anything says that it answers a post, known by id or not.
  var isReply: Bool { inReplyTo != nil || inReplyToUser != nil }

  /// Ids of its versions, oldest first, itself included; empty where it was never edited.
  var versions: [String] {
    let history = fields.strings("edit_history_tweet_ids").filter(XID.isValid)
    guard history.count > 1, history.contains(id) else { return [] }
    return history.sorted(by: XID.precedes)
  }

  private func reference(_ type: String) -> String? {
    fields.list("referenced_tweets").first { $0.string("type") == type }?.id("id")
  }
}
