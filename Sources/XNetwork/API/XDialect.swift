/// The names in X's published schema: those of version 2.166 ("tweets") and of version 2.167 ("posts").
///
/// This is the only table of these names. Which version a deployment speaks is unverified (reference: X's OpenAPI documents of July and August
/// 2026), so both are accepted: `XFields` renames keys to those of `.tweets` before any other code reads them.
package struct XDialect: Hashable, Sendable {
  /// The name under which the dialect is saved: `tweets` or `posts`.
  package let name: String
  /// The query parameter that asks for fields of posts.
  package let postFields: String
  /// The whole text of a long post.
  package let note: String
  /// The posts that a post answers, quotes or reposts.
  package let referenced: String
  /// The list of posts in `includes`.
  package let includedPosts: String
  package let editHistory: String
  package let repostCount: String
  /// In a user's metrics: posts written.
  package let postCount: String
  package let pinnedPost: String
  package let mostRecentPost: String
  /// Fields of posts to request, besides those that both dialects have.
  package let ownPostFields: [String]
  /// Expansions to request, besides those that both dialects have.
  package let ownExpansions: [String]

  package static let tweets = XDialect(
    name: "tweets", postFields: "tweet.fields", note: "note_tweet", referenced: "referenced_tweets",
    includedPosts: "tweets",
    editHistory: "edit_history_tweet_ids", repostCount: "retweet_count", postCount: "tweet_count",
    pinnedPost: "pinned_tweet_id", mostRecentPost: "most_recent_tweet_id",
    ownPostFields: [
      "author_id", "edit_history_tweet_ids", "in_reply_to_user_id", "note_tweet", "referenced_tweets",
    ],
    ownExpansions: [
      "referenced_tweets.id", "referenced_tweets.id.attachments.media_keys", "referenced_tweets.id.author_id",
    ])

  package static let posts = XDialect(
    name: "posts", postFields: "post.fields", note: "note_post", referenced: "referenced_posts",
    includedPosts: "posts",
    editHistory: "edit_history_post_ids", repostCount: "repost_count", postCount: "post_count",
    pinnedPost: "pinned_post_id", mostRecentPost: "most_recent_post_id",
    ownPostFields: ["article_title", "note_post"],
    ownExpansions: ["edit_history_post_ids", "referenced_posts"])

  /// The dialect to try if the server does not understand this one.
  package var other: XDialect { self == .tweets ? .posts : .tweets }

  /// Returns the dialect with a saved name.
  package static func named(_ name: String) -> XDialect? { [tweets, posts].first { $0.name == name } }

  /// The keys of JSON objects that differ between the dialects, always in the same order.
  private var keys: [String] {
    [note, referenced, includedPosts, editHistory, repostCount, postCount, pinnedPost, mostRecentPost]
  }

  /// Each key of `.posts` with its name in `.tweets`.
  static let toTweets: [String: String] = Dictionary(
    zip(posts.keys, tweets.keys), uniquingKeysWith: { first, _ in first })
}
