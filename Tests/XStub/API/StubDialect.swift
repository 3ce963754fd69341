/// A published version of X's API, 2.166 or 2.167, with its names.
///
/// Internally, the stub uses the names of 2.166; this type has the only table of names that differ.
package enum StubDialect: String, Sendable, CaseIterable {
  case v166 = "2.166"
  case v167 = "2.167"

  package var other: StubDialect { self == .v166 ? .v167 : .v166 }

  /// The names of 2.167, by the names of 2.166.
  private static let renamed = [
    "tweet.fields": "post.fields",
    "note_tweet": "note_post",
    "referenced_tweets": "referenced_posts",
    "referenced_tweets.id": "referenced_posts",
    "tweets": "posts",
    "edit_history_tweet_ids": "edit_history_post_ids",
    "retweet_count": "repost_count",
    "tweet_count": "post_count",
    "pinned_tweet_id": "pinned_post_id",
    "tweet": "post",
  ]
  private static let original = [
    "post.fields": "tweet.fields", "note_post": "note_tweet", "referenced_posts": "referenced_tweets.id",
    "edit_history_post_ids": "edit_history_tweet_ids", "pinned_post_id": "pinned_tweet_id",
  ]

  /// Returns the name in this dialect for a name of 2.166.
  func name(_ name: String) -> String { self == .v166 ? name : Self.renamed[name] ?? name }

  /// Returns the name of 2.166 for a name in this dialect.
  func original(_ name: String) -> String { self == .v166 ? name : Self.original[name] ?? name }

  /// The beginning of the types of problems.
  var problemHost: String { self == .v166 ? "https://api.twitter.com" : "https://api.x.com" }
}
