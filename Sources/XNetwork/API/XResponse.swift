import Basics
package import ThreadModel

/// One answer of X's API v2, sorted into what it holds; nothing in it is translated yet.
package struct XResponse: Hashable, Sendable {
  /// When it was fetched, where the file says so.
  package var fetchedAt: Timestamp?
  /// The posts that were asked for.
  package var posts: [XFields] = []
  /// Posts that came along, because others refer to them.
  package var includedPosts: [XFields] = []
  package var users: [XFields] = []
  package var media: [XFields] = []
  package var polls: [XFields] = []
  /// What was asked for and could not be had (`errors` beside `data`).
  package var problems: [XProblem] = []
  /// Whether version 1.1 answered, which names no conversations.
  var isVersion1 = false
  /// The token of the next page, where there is one.
  package var nextToken: String?

  /// Why there are no posts, where there are none.
  package var emptyReason: XAPIError.Reason?

  /// Sorts the body of an answer. One without posts is no failure here: what came along may still be of use.
  package init(_ body: JSONObject, fetchedAt: Timestamp?) {
    self.fetchedAt = fetchedAt ?? Self.retrievedAt(body)
    let fields = XFields(body)
    problems = fields.list("errors").map(XProblem.init)
    nextToken = fields.fields("meta")?.text("next_token")
    let includes = fields.fields("includes")
    includedPosts = includes?.list("tweets") ?? []
    users = includes?.list("users") ?? []
    media = includes?.list("media") ?? []
    polls = includes?.list("polls") ?? []
    sort(Self.data(of: body), in: fields)
    takeFlattened()
    tellWithheld()
  }

  /// An answer that somebody saved: of version 2, or of the versions before it, told in the words of version 2.
  init(saved body: JSONObject, fetchedAt: Timestamp?) {
    guard let posts = Self.version1Posts(of: body) else {
      self.init(body, fetchedAt: fetchedAt)
      return
    }
    self.init([:], fetchedAt: fetchedAt ?? Self.retrievedAt(body))
    emptyReason = posts.isEmpty ? .noPosts("the answer is empty") : nil
    problems = XFields(body).list("errors").map(XProblem.init)
    add(version1: posts)
    tellWithheld()
    isVersion1 = true
  }

  /// The posts of an answer of version 1.1, a post of it saved alone, or what its first search found; `nil` for other answers.
  private static func version1Posts(of body: JSONObject) -> [JSONObject]? {
    if body["data"] != nil { return nil }
    for list in ["statuses", "results"] {
      if let posts = body[list]?.array?.compactMap(\.object) { return posts }
    }
    let isPost = body["id_str"] != nil && (body["full_text"] ?? body["text"])?.string != nil
    return isPost ? [body] : nil
  }

  private mutating func add(version1 objects: [JSONObject]) {
    for object in objects {
      guard let post = XVersion1Post(object) else { continue }
      posts.append(post.fields)
      var open = [post]
      while let next = open.popLast() {
        media += next.media
        if let author = next.author { users.append(author) }
        let embedded = next.embeddedPosts.compactMap(XVersion1Post.init)
        includedPosts += embedded.map(\.fields)
        open += embedded
      }
    }
  }

  /// Takes what stands inside the posts, in the form that twarc flattens answers to: users, media, polls and referenced posts are
  /// no longer beside the posts but in them, and in the referenced posts again (`twarc/expansions.py`, `flatten`).
  private mutating func takeFlattened() {
    var open = posts + includedPosts
    while let post = open.popLast() {
      users += [post.fields("author"), post.fields("in_reply_to_user")].compactMap(\.self)
      // A mention is the user as well, where the user came along.
      let mentions = post.fields("entities")?.list("mentions").filter { $0["name"] != nil } ?? []
      users += mentions.map { XFields($0.extra(without: ["start", "end"])) }
      let attachments = post.fields("attachments")
      media += attachments?.list("media") ?? []
      polls += [attachments?.fields("poll")].compactMap(\.self)
      let inside = post.list("referenced_tweets").filter { $0.string("text") != nil }
      let referenced = inside.map { XFields($0.extra(without: ["type"])) }
      includedPosts += referenced
      open += referenced
    }
  }

  private mutating func tellWithheld() {
    posts = posts.map(XWithheldText.told)
    includedPosts = includedPosts.map(XWithheldText.told)
  }

  /// When twarc, which wraps what it saves so, fetched it.
  private static func retrievedAt(_ body: JSONObject) -> Timestamp? {
    body["__twarc"]?["retrieved_at"]?.string.flatMap { Timestamp(iso8601: $0) }
  }

  /// The objects that were asked for: those of `data`, one or many, or the object itself where it is a post saved alone; `nil`
  /// where there are none.
  private static func data(of body: JSONObject) -> [JSONObject]? {
    switch body["data"] {
    case .object(let one)?: return [one]
    case .array(let many)?: return many.compactMap(\.object)
    default: return body["text"]?.string != nil && body["id"] != nil ? [body] : nil
    }
  }

  /// Takes the objects for what they are: posts, users, or a reason why there are no posts.
  private mutating func sort(_ data: [JSONObject]?, in fields: XFields) {
    guard let data else {
      emptyReason = reasonWithoutData(fields)
      return
    }
    guard let first = data.first else {
      emptyReason = .noPosts("the answer is empty")
      return
    }
    posts = data.filter(Self.isPost).map(XFields.init)
    guard posts.isEmpty else { return }
    if first["dm_conversation_id"] != nil || first["event_type"] != nil || first["dm_event_id"] != nil {
      emptyReason = .noPosts("these are direct messages, which are private and are not imported")
      // What came along with them is theirs as well.
      (includedPosts, users, media, polls) = ([], [], [], [])
      return
    }
    if first["username"] != nil { users += data.map(XFields.init) }
    emptyReason =
      Self.kind(of: first).map { .noPosts($0) } ?? .notAResponse("its \"data\" is none that is known here")
  }

  /// Whether an object is a post: the API sends the text with every one; older files may have been thinned out.
  private static func isPost(_ object: JSONObject) -> Bool {
    if object["dm_conversation_id"] != nil || object["event_type"] != nil { return false }
    if object["text"] != nil { return true }
    let members = [
      "author_id", "author", "conversation_id", "edit_history_tweet_ids", "edit_history_post_ids",
      "referenced_tweets", "referenced_posts",
    ]
    return object["id"] != nil && members.contains { object[$0] != nil }
  }

  /// What an object of X's is that is no post (the schemas of its OpenAPI document, 2.166 and 2.167, and of version 1.1).
  private static func kind(of object: JSONObject) -> String? {
    func has(_ names: String...) -> Bool { names.contains { object[$0] != nil } }
    if has("username", "screen_name") { return "these are users" }
    if has("deleted") { return "this is the answer to a deletion" }
    if object["id"] == nil, has("tweet_count", "post_count") { return "these are counts of posts" }
    if has("upload_url", "download_url", "upload_expires_at", "download_expires_at") {
      return "these are compliance jobs"
    }
    if has("trend_name", "trend") { return "these are trends" }
    if has("cap_reset_day", "project_cap", "project_usage", "daily_project_usage") {
      return "this is how much of the API was used"
    }
    if has("state", "host_ids", "speaker_ids", "scheduled_start"), has("id") { return "these are spaces" }
    if has("access", "join_policy"), has("name") { return "these are communities" }
    if has("owner_id", "private", "member_count", "follower_count", "slug"), has("name") {
      return "these are lists"
    }
    if Set(object.keys) == ["id", "name"] { return "these are lists, or communities" }
    if has("media_key", "media_id", "media_id_string") { return "these are media" }
    if has("value"), has("id", "tag") { return "these are rules of a stream" }
    if has("full_name", "place_type") { return "these are places" }
    if has("delete", "withheld", "drop", "undrop", "tweet_edit", "user_delete", "scrub_geo") {
      return "these are events of the compliance stream"
    }
    let actions: Set = [
      "following", "pending_follow", "liked", "retweeted", "reposted", "bookmarked", "blocking", "muting",
      "hidden", "pinned", "is_member", "updated",
    ]
    if actions.contains(where: { object[$0]?.bool != nil }) { return "this is the answer to an action" }
    return nil
  }

  private func reasonWithoutData(_ fields: XFields) -> XAPIError.Reason {
    if let title = fields.text("title") {
      return .refused(
        status: fields.int("status"), title: title, detail: fields.text("detail") ?? problems.first?.detail)
    }
    if !problems.isEmpty { return .noPosts(XProblem.summary(problems)) }
    if fields.fields("meta")?.int("result_count") == 0 { return .noPosts("the answer is empty") }
    if fields["users"]?.array != nil {
      let isIncludes = fields["tweets"]?.array != nil || fields["media"]?.array != nil
      return .noPosts(
        isIncludes ? "this is what came along with an answer, without the answer" : "these are users")
    }
    if fields["ids"]?.array != nil { return .noPosts("these are ids without posts") }
    if fields["lists"]?.array != nil { return .noPosts("these are lists") }
    if fields["trends"]?.array != nil { return .noPosts("these are trends") }
    if fields["events"]?.array != nil || fields["message_create"] != nil {
      return .noPosts("these are direct messages, which are private and are not imported")
    }
    if let kind = Self.kind(of: fields.members) { return .noPosts(kind) }
    return .notAResponse("it has no \"data\"")
  }
}

extension XResponse {
  /// The users that it holds, in its order, translated; what has no id is left out.
  package var authors: [Author] { users.compactMap { Author(x: $0, observedAt: fetchedAt) } }
}

extension XAPIError.Reason: Error {}
