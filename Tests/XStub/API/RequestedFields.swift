/// The requested fields and expansions of a request.
struct RequestedFields {
  var post: Set<String>
  var user: Set<String>
  var media: Set<String>
  var poll: Set<String>
  var expansions: Set<String>

  /// The field that each expansion adds: the expansion `author_id` also adds the field `author_id` (seen in X's
  /// samples).
  private static let impliedFields = [
    "author_id": "author_id", "in_reply_to_user_id": "in_reply_to_user_id",
    "referenced_tweets.id": "referenced_tweets", "referenced_tweets.id.author_id": "referenced_tweets",
    "referenced_tweets.id.attachments.media_keys": "referenced_tweets",
    "attachments.media_keys": "attachments", "attachments.poll_ids": "attachments",
    "entities.mentions.username": "entities", "article.cover_media": "article",
  ]

  init(items: [QueryItem]) {
    func list(_ name: String) -> Set<String> {
      let asked = items.first { $0.name == name }?.value ?? ""
      return Set(asked.split(separator: ",").map(String.init))
    }
    expansions = list("expansions")
    post = list("tweet.fields").union(["id", "text", "edit_history_tweet_ids"])
    post.formUnion(expansions.compactMap { Self.impliedFields[$0] })
    user = list("user.fields").union(["id", "name", "username"])
    if expansions.contains("pinned_tweet_id") { user.insert("pinned_tweet_id") }
    media = list("media.fields").union(["media_key", "type"])
    poll = list("poll.fields").union(["id", "options"])
  }
}
