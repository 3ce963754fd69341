/// What X's published schema calls things: the names of 2.166 ("tweets") and of 2.167 ("posts").
///
/// The one table of them. Which of them a deployment speaks is unverified (reference: X's OpenAPI documents of July and August
/// 2026), so reading accepts both: `XFields` renames the keys of either to those of `.tweets` before anything else looks.
package struct XDialect: Hashable, Sendable {
  /// The query parameter that asks for fields of posts.
  package let postFields: String
  /// The whole text of a long post.
  package let note: String
  /// What a post answers, quotes or repeats.
  package let referenced: String
  /// Posts among the things included; also the type of a resource, with an `s`.
  package let includedPosts: String
  package let editHistory: String
  package let repostCount: String
  /// In a user's metrics: posts written.
  package let postCount: String
  package let pinnedPost: String
  package let mostRecentPost: String

  package static let tweets = XDialect(
    postFields: "tweet.fields", note: "note_tweet", referenced: "referenced_tweets", includedPosts: "tweets",
    editHistory: "edit_history_tweet_ids", repostCount: "retweet_count", postCount: "tweet_count",
    pinnedPost: "pinned_tweet_id", mostRecentPost: "most_recent_tweet_id")

  package static let posts = XDialect(
    postFields: "post.fields", note: "note_post", referenced: "referenced_posts", includedPosts: "posts",
    editHistory: "edit_history_post_ids", repostCount: "repost_count", postCount: "post_count",
    pinnedPost: "pinned_post_id", mostRecentPost: "most_recent_post_id")

  /// The keys of JSON objects that differ, always in the same order.
  private var keys: [String] {
    [note, referenced, includedPosts, editHistory, repostCount, postCount, pinnedPost, mostRecentPost]
  }

  /// Each key of `.posts` with its name in `.tweets`.
  static let toTweets: [String: String] = Dictionary(
    zip(posts.keys, tweets.keys), uniquingKeysWith: { first, _ in first })
}
