import Basics
package import ThreadModel

/// A post object from X, with accessors for the members that decide which conversation it belongs to.
package struct XPost: Hashable, Sendable {
  package var id: String
  package var fields: XFields
  /// When the latest observation of the post was fetched.
  package var observedAt: Timestamp?

  init(id: String, fields: XFields, observedAt: Timestamp?) {
    self.id = id
    self.fields = fields
    self.observedAt = observedAt
  }

  /// Returns `nil` if the object has no valid id.
  package init?(_ fields: XFields, observedAt: Timestamp?) {
    guard let id = fields.id("id") else { return nil }
    self.init(id: id, fields: fields, observedAt: observedAt)
  }

  package var authorID: String? { fields.id("author_id") ?? fields.fields("author")?.id("id") }
  package var conversationID: String? { fields.id("conversation_id") }
  package var inReplyToUser: String? { fields.id("in_reply_to_user_id") }
  package var inReplyTo: String? { reference("replied_to") }
  package var quoted: String? { reference("quoted") }
  /// The id of the post that this post reposts.
  package var reposted: String? { reference("retweeted") }
  package var isRepost: Bool { reposted != nil }

  /// Whether the post is a reply, even if the id of the answered post is unknown.
  package var isReply: Bool { inReplyTo != nil || inReplyToUser != nil }

  /// Ids of all versions of the post, this one included, oldest first; empty if the post was never edited.
  package var versions: [String] {
    let history = fields.strings("edit_history_tweet_ids").filter(XID.isValid)
    guard history.count > 1, history.contains(id) else { return [] }
    return history.sorted(by: XID.precedes)
  }

  /// Keys of the post's media, in order, each once.
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

/// The users, media and polls of responses, by id.
struct XContext {
  var users: [String: Author] = [:]
  var media: [String: XFields] = [:]
  var polls: [String: XFields] = [:]
}

extension Post {
  /// Translates a post from X, whose author and conversation are already resolved.
  ///
  /// - Parameter conversation: `nil` if it is unknown.
  init(x post: XPost, author: String, conversation: String?, in context: XContext) {
    let fields = post.fields
    self.init(id: PostID(post.id, on: .x), authorID: AuthorID(author, on: .x))
    conversationID = conversation.map { PostID($0, on: .x) }
    language = fields.text("lang").flatMap(Self.language)
    url = XURL.post(post.id, by: context.users[author]?.handle)
    inReplyTo = post.inReplyTo.map { PostID($0, on: .x) }
    inReplyToAuthor = post.inReplyToUser.map { AuthorID($0, on: .x) }
    quotes = post.quoted.map { PostID($0, on: .x) }
    isSensitive = fields.bool("possibly_sensitive") ?? false
    withheld = Withholding(x: fields)
    observedAt = post.observedAt
    setAttachments(post, context)
    setText(post)
    setTimes(post)
    setMetrics(fields.fields("public_metrics"))
    extra = Self.extra(fields)
  }

  private mutating func setText(_ post: XPost) {
    let fields = post.fields
    let own = Set(post.versions).union([post.id])
    let short = fields.string("text") ?? ""
    if let note = fields.fields("note_tweet"), let long = note.text("text") {
      text = XText.inline(
        post: long, note.fields("entities"), ownIDs: own, quotedID: post.quoted,
        hasMedia: !media.isEmpty, sample: short)
    } else {
      text = XText.inline(
        post: short, fields.fields("entities"), ownIDs: own, quotedID: post.quoted, hasMedia: !media.isEmpty)
    }
    title =
      fields.fields("article")?.text("title") ?? fields.fields("article_title")?.text("title")
      ?? fields.text("article_title")
  }

  /// Sets the times. An edited post was written at the time of its first version, which that version's id encodes.
  private mutating func setTimes(_ post: XPost) {
    createdAt = post.fields.time("created_at") ?? XID.time(post.id)
    guard let first = post.versions.first, first != post.id else { return }
    editedAt = createdAt
    createdAt = XID.time(first) ?? createdAt
    earlierVersions = post.versions.prefix { $0 != post.id }.map { PostID($0, on: .x) }
  }

  private mutating func setAttachments(_ post: XPost, _ context: XContext) {
    let urls = post.fields.fields("entities")?.list("urls") ?? []
    media = post.mediaKeys.map { Media(x: context.media[$0], key: $0) }
    poll = post.pollIDs.lazy.compactMap { context.polls[$0] }.first.map { Poll(x: $0) }
    let noteURLs = post.fields.fields("note_tweet")?.fields("entities")?.list("urls") ?? []
    card =
      LinkCard(x: noteURLs) ?? LinkCard(x: urls)
      ?? post.fields.fields("article").flatMap {
        LinkCard(article: $0, links: urls, cover: $0.text("cover_media").flatMap { context.media[$0] })
      }
  }

  private mutating func setMetrics(_ fields: XFields?) {
    guard let fields else { return }
    metrics = Metrics(
      likes: fields.count("like_count"), replies: fields.count("reply_count"),
      reposts: fields.count("retweet_count"), quotes: fields.count("quote_count"),
      bookmarks: fields.count("bookmark_count"), views: fields.count("impression_count"))
  }

  /// Returns the language of X's code; `nil` for X's codes that mean "no language".
  private static func language(_ code: String) -> String? {
    switch code {
    case "und", "zxx", "art": nil
    case "in": "id"
    case "iw": "he"
    case let code where code.hasPrefix("q") && code.utf8.count == 3: nil
    default: code
    }
  }

  /// Returns the members that the model has no property for, without offsets into a text that is not kept, X's machine-made annotations of the
  /// text (many kilobytes per post), and metrics that only the author may see.
  private static func extra(_ fields: XFields) -> JSONObject {
    var extra = fields.extra(without: [
      "id", "text", "author", "author_id", "conversation_id", "created_at", "entities", "attachments",
      "public_metrics",
      "referenced_tweets", "lang", "in_reply_to_user_id", "possibly_sensitive", "note_tweet",
      "edit_history_tweet_ids",
      "withheld", XWithheldText.noticeKey, "display_text_range", "context_annotations", "non_public_metrics",
      "organic_metrics",
      "promoted_metrics", "username",
      // Members that twarc adds to posts:
      "in_reply_to_user", "__twarc",
    ])
    if let polls = fields.fields("attachments")?.strings("poll_ids"), !polls.isEmpty {
      extra["poll_ids"] = .array(polls.map { .string($0) })
    }
    return extra
  }
}
