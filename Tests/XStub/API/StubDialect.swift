/// The names of X's API in its published versions 2.166 and 2.167.
///
/// Inside, the stub speaks 2.166; this is the one table of what is called otherwise.
package enum StubDialect: String, Sendable, CaseIterable {
  case v166 = "2.166"
  case v167 = "2.167"

  package var other: StubDialect { self == .v166 ? .v167 : .v166 }

  /// Names of 2.166 and what 2.167 calls them.
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

  /// What this dialect calls something of 2.166.
  func name(_ name: String) -> String { self == .v166 ? name : Self.renamed[name] ?? name }

  /// What 2.166 calls something that was asked for in this dialect.
  func original(_ name: String) -> String { self == .v166 ? name : Self.original[name] ?? name }

  /// Types of problems begin with it.
  var problemHost: String { self == .v166 ? "https://api.twitter.com" : "https://api.x.com" }
}
