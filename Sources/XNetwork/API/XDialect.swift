/// What X's published schema calls things: the names of 2.166 ("tweets") and of 2.167 ("posts").
///
/// The one table of them. Which of them a deployment speaks is unverified (reference: X's OpenAPI documents of July and August
/// 2026), so reading accepts both: `XFields` renames the keys of either to those of `.tweets` before anything else looks.
package struct XDialect: Hashable, Sendable {
  /// What is remembered of it: `tweets` or `posts`.
  package let name: String
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
  /// Fields of posts to ask for, beside those that both have.
  package let ownPostFields: [String]
  /// Expansions to ask for, beside those that both have.
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

  /// The one to ask in when this one is not understood.
  package var other: XDialect { self == .tweets ? .posts : .tweets }

  /// The dialect of a name that was remembered.
  package static func named(_ name: String) -> XDialect? { [tweets, posts].first { $0.name == name } }

  /// The keys of JSON objects that differ, always in the same order.
  private var keys: [String] {
    [note, referenced, includedPosts, editHistory, repostCount, postCount, pinnedPost, mostRecentPost]
  }

  /// Each key of `.posts` with its name in `.tweets`.
  static let toTweets: [String: String] = Dictionary(
    zip(posts.keys, tweets.keys), uniquingKeysWith: { first, _ in first })
}
