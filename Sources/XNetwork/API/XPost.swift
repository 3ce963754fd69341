import Basics
package import ThreadModel

/// A post of X with the members that determine its conversation: an object from a response, or a stored post, of which only these members
/// are kept.
package struct XPost: Hashable, Sendable {
  package let id: String
  package private(set) var authorID: String?
  /// The id of the conversation's first post: its own id if the post is not a reply; `nil` for a reply that does not state it.
  package private(set) var conversationID: String?
  package private(set) var inReplyTo: String?
  package private(set) var inReplyToUser: String?
  package private(set) var quoted: String?
  /// The id of the post that this post reposts.
  package private(set) var reposted: String?
  /// Ids of all versions of the post, including this one, oldest first; empty if the post was never edited.
  package private(set) var versions: [String] = []
  /// Keys of the post's media, in order, each once.
  package private(set) var mediaKeys: [String] = []
  package private(set) var pollIDs: [String] = []
  /// The object; empty for a stored post.
  package let fields: XFields
  /// When the latest observation of the post was fetched.
  package var observedAt: Timestamp?

  /// Returns `nil` if the object has no valid id.
  package init?(_ fields: XFields) {
    guard let id = fields.id("id") else { return nil }
    self.init(id: id, fields, observedAt: nil)
  }

  init(id: String, _ fields: XFields, observedAt: Timestamp?) {
    self.id = id
    self.fields = fields
    self.observedAt = observedAt
    authorID = fields.id("author_id") ?? fields.fields("author")?.id("id")
    inReplyToUser = fields.id("in_reply_to_user_id")
    for reference in fields.list("referenced_tweets") {
      switch reference.string("type") {
      case "replied_to": inReplyTo = inReplyTo ?? reference.id("id")
      case "quoted": quoted = quoted ?? reference.id("id")
      case "retweeted": reposted = reposted ?? reference.id("id")
      default: break
      }
    }
    conversationID =
      fields.id("conversation_id") ?? (inReplyTo == nil && inReplyToUser == nil ? id : nil)
    let history = fields.strings("edit_history_tweet_ids").filter(XID.isValid)
    if history.count > 1, history.contains(id) { versions = history.sorted(by: XID.precedes) }
    let attachments = fields.fields("attachments")
    pollIDs = attachments?.strings("poll_ids") ?? []
    let links = fields.fields("entities")?.list("urls").compactMap { $0.text("media_key") } ?? []
    for key in (attachments?.strings("media_keys") ?? []) + links
    where !key.isEmpty && !mediaKeys.contains(key) && mediaKeys.count < 100 {
      mediaKeys.append(key)
    }
  }

  /// Creates a stored post.
  ///
  /// - Parameter conversation: the conversation in which the post is stored; `nil` for a related post.
  init(_ post: Post, in conversation: String?) {
    id = post.id.value
    fields = XFields([:])
    authorID = post.authorID.value
    conversationID = post.conversationID?.value ?? conversation
    inReplyTo = post.inReplyTo?.value
    inReplyToUser = post.inReplyToAuthor?.value
    quoted = post.quotes?.value
    versions = post.earlierVersions.isEmpty ? [] : post.earlierVersions.map(\.value) + [id]
  }

  package var isRepost: Bool { reposted != nil }

  /// Returns a later observation, completed with the members that only this one has.
  func merged(with later: XPost) -> XPost {
    var result = later
    result.authorID = later.authorID ?? authorID
    result.conversationID = later.conversationID ?? conversationID
    result.inReplyTo = later.inReplyTo ?? inReplyTo
    result.inReplyToUser = later.inReplyToUser ?? inReplyToUser
    result.quoted = later.quoted ?? quoted
    result.reposted = later.reposted ?? reposted
    result.mediaKeys += mediaKeys.filter { !later.mediaKeys.contains($0) }
    result.pollIDs += pollIDs.filter { !later.pollIDs.contains($0) }
    if later.versions.count < versions.count { result.versions = versions }
    return result
  }
}

/// The users, media and polls of responses, by id.
struct XContext {
  var users: [String: Author] = [:]
  var media: [String: XFields] = [:]
  var polls: [String: XFields] = [:]
}

extension Post {
  /// Converts a post from X whose author and conversation are already resolved.
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

  /// Sets the times. The time of an edited post is that of its first version, which that version's id encodes.
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

  /// Returns the language for X's code; `nil` for X's codes that mean "no language".
  private static func language(_ code: String) -> String? {
    switch code {
    case "und", "zxx", "art": nil
    case "in": "id"
    case "iw": "he"
    case let code where code.hasPrefix("q") && code.utf8.count == 3: nil
    default: code
    }
  }

  /// Returns the members without a property in the model. Left out are offsets into a text that is not kept, X's machine-made annotations
  /// of the text (many kilobytes per post), and metrics that only the author may see.
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
