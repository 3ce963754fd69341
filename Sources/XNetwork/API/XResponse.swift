import Basics
package import ThreadModel

/// One response of X's API v2, sorted by kinds of objects, not yet converted to the model.
package struct XResponse: Hashable, Sendable {
  /// When the response was fetched; `nil` if the file does not state it.
  package var fetchedAt: Timestamp?
  /// The requested posts.
  package private(set) var posts: [XPost] = []
  /// Posts that are included because other posts refer to them.
  package private(set) var includedPosts: [XPost] = []
  /// The invalid values that requested posts have in place of ids; `nil` for posts without an id.
  private(set) var badIDs: [JSONValue?] = []
  package var users: [XFields] = []
  package var media: [XFields] = []
  package var polls: [XFields] = []
  /// Problems with requested objects that X did not return (`errors` beside `data`).
  package var problems: [XProblem] = []
  /// The number of entries among the requested posts that are not valid posts.
  var unreadable = 0
  /// Whether the response is of version 1.1, which does not state conversations.
  var isVersion1 = false
  /// The token of the next page; `nil` on the last page.
  package var nextToken: String?

  /// Why the response has no posts; `nil` if it has posts.
  package var emptyReason: XEmptyReason?

  /// Sorts the body of a response. A response without posts is not an error here, because its included objects may be useful.
  package init(_ body: JSONObject, fetchedAt: Timestamp?) {
    self.fetchedAt = fetchedAt ?? Self.retrievedAt(body)
    let fields = XFields(body)
    problems = fields.list("errors").map(XProblem.init)
    nextToken = fields.fields("meta")?.text("next_token")
    let includes = fields.fields("includes")
    var included = includes?.list("tweets") ?? []
    users = includes?.list("users") ?? []
    media = includes?.list("media") ?? []
    polls = includes?.list("polls") ?? []
    let posts = sort(Self.data(of: body), in: fields, &included)
    takeFlattened(posts, &included)
    take(posts, included)
  }

  /// Reads a saved response of version 2, or of an earlier version, whose names are replaced by those of version 2.
  init(saved body: JSONObject, fetchedAt: Timestamp?) {
    guard let posts = Self.version1Posts(of: body) else {
      self.init(body, fetchedAt: fetchedAt)
      return
    }
    self.init([:], fetchedAt: fetchedAt ?? Self.retrievedAt(body))
    emptyReason = posts.isEmpty ? .noPosts("the response is empty") : nil
    problems = XFields(body).list("errors").map(XProblem.init)
    add(version1: posts.compactMap(\.object))
    unreadable = posts.count - self.posts.count - badIDs.count
    isVersion1 = true
  }

  /// Returns the entries of a response of version 1.1, of a single saved post of that version, or of results of X's early search; `nil` for
  /// other responses.
  private static func version1Posts(of body: JSONObject) -> [JSONValue]? {
    if body["data"] != nil { return nil }
    for list in ["statuses", "results"] {
      if let posts = body[list]?.array { return posts }
    }
    let isPost = body["id_str"] != nil && (body["full_text"] ?? body["text"])?.string != nil
    return isPost ? [.object(body)] : nil
  }

  private mutating func add(version1 objects: [JSONObject]) {
    var posts: [XFields] = []
    var included: [XFields] = []
    for object in objects {
      guard let post = XVersion1Post(object) else { continue }
      posts.append(post.fields)
      var open = [post]
      while let next = open.popLast() {
        media += next.media
        if let author = next.author { users.append(author) }
        let embedded = next.embeddedPosts.compactMap(XVersion1Post.init)
        included += embedded.map(\.fields)
        open += embedded
      }
    }
    take(posts, included)
  }

  /// Reads the objects of posts.
  private mutating func take(_ objects: [XFields], _ included: [XFields]) {
    for object in objects {
      if let post = XPost(XWithheldText.told(object)) {
        posts.append(post)
      } else {
        badIDs.append(object["id"])
      }
    }
    includedPosts = included.compactMap { XPost(XWithheldText.told($0)) }
  }

  /// Collects the objects inside posts of responses flattened by twarc. There, users, media, polls and referenced posts are not beside the
  /// posts but inside them, and inside the referenced posts in turn (`twarc/expansions.py`, `flatten`).
  private mutating func takeFlattened(_ posts: [XFields], _ included: inout [XFields]) {
    var open = posts + included
    while let post = open.popLast() {
      users += [post.fields("author"), post.fields("in_reply_to_user")].compactMap(\.self)
      // A mention also has the user's members, if the user was included in the response.
      let mentions = post.fields("entities")?.list("mentions").filter { $0["name"] != nil } ?? []
      users += mentions.map { XFields($0.extra(without: ["start", "end"])) }
      let attachments = post.fields("attachments")
      media += attachments?.list("media") ?? []
      polls += [attachments?.fields("poll")].compactMap(\.self)
      let inside = post.list("referenced_tweets").filter { $0.string("text") != nil }
      let referenced = inside.map { XFields($0.extra(without: ["type"])) }
      included += referenced
      open += referenced
    }
  }

  /// Returns when twarc fetched the response, from the member that twarc adds.
  private static func retrievedAt(_ body: JSONObject) -> Timestamp? {
    body["__twarc"]?["retrieved_at"]?.string.flatMap { Timestamp(iso8601: $0) }
  }

  /// Returns the requested objects: one or many in `data`, or the body itself if it is a single saved post; `nil` if it has neither.
  private static func data(of body: JSONObject) -> [JSONObject]? {
    switch body["data"] {
    case .object(let one)?: return [one]
    case .array(let many)?: return many.compactMap(\.object)
    default: return body["text"]?.string != nil && body["id"] != nil ? [body] : nil
    }
  }

  /// Returns the objects of posts. Without posts, it sets the reason, and adds users to the users.
  private mutating func sort(
    _ data: [JSONObject]?, in fields: XFields, _ included: inout [XFields]
  ) -> [XFields] {
    guard let data else {
      emptyReason = reasonWithoutData(fields)
      return []
    }
    guard let first = data.first else {
      emptyReason = .noPosts("the response is empty")
      return []
    }
    let posts = data.filter(Self.isPost).map(XFields.init)
    unreadable = (fields["data"]?.array?.count ?? 1) - posts.count
    guard posts.isEmpty else { return posts }
    if first["dm_conversation_id"] != nil || first["event_type"] != nil || first["dm_event_id"] != nil {
      emptyReason = .noPosts("these are direct messages, which are private and are not imported")
      // The objects included with direct messages are dropped as well.
      (included, users, media, polls) = ([], [], [], [])
      return []
    }
    if first["username"] != nil { users += data.map(XFields.init) }
    emptyReason =
      Self.kind(of: first).map { .noPosts($0) } ?? .notAResponse("its \"data\" is of an unknown type")
    return []
  }

  /// Returns whether an object is a post. The API sends every post with its text, but older files may have been stripped of it.
  private static func isPost(_ object: JSONObject) -> Bool {
    if object["dm_conversation_id"] != nil || object["event_type"] != nil { return false }
    if object["text"] != nil { return true }
    let members = [
      "author_id", "author", "conversation_id", "edit_history_tweet_ids",
      "referenced_tweets",
    ]
    return object["id"] != nil && members.contains { object[$0] != nil }
  }

  /// Describes an object that is not a post (the schemas of X's OpenAPI document, 2.166 and 2.167, and of version 1.1).
  private static func kind(of object: JSONObject) -> String? {
    func has(_ names: String...) -> Bool { names.contains { object[$0] != nil } }
    if has("username", "screen_name") { return "these are users" }
    if has("deleted") { return "this is the response to a deletion" }
    if object["id"] == nil, has("tweet_count") { return "these are counts of posts" }
    if has("upload_url", "download_url", "upload_expires_at", "download_expires_at") {
      return "these are compliance jobs"
    }
    if has("trend_name", "trend") { return "these are trends" }
    if has("cap_reset_day", "project_cap", "project_usage", "daily_project_usage") {
      return "this is usage data of the API"
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
    if actions.contains(where: { object[$0]?.bool != nil }) { return "this is the response to an action" }
    return nil
  }

  private func reasonWithoutData(_ fields: XFields) -> XEmptyReason {
    if let title = fields.text("title") {
      return .refused(
        status: fields.int("status"), title: title, detail: fields.text("detail") ?? problems.first?.detail)
    }
    if !problems.isEmpty { return .noPosts(XProblem.summary(problems)) }
    if fields.fields("meta")?.int("result_count") == 0 { return .noPosts("the response is empty") }
    if fields["users"]?.array != nil {
      let isIncludes = fields["tweets"]?.array != nil || fields["media"]?.array != nil
      return .noPosts(
        isIncludes ? "this is the \"includes\" part of a response without the response" : "these are users")
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
  /// The response's users, converted to the model, in their order; users without an id are left out.
  package var authors: [Author] { users.compactMap { Author(x: $0, observedAt: fetchedAt) } }
}

/// One entry of `errors` beside `data`: an object or field that X could not return, and the reason.
package struct XProblem: Hashable, Sendable {
  /// The last segment of `type`, such as `resource-not-found`. The host before it differs between versions.
  package let kind: String
  package let title: String
  package let detail: String?
  /// `tweet`, `post`, `user`, …
  package let resourceType: String?
  /// The id of the missing object, if the problem states a valid one.
  package let resourceID: String?

  init(_ fields: XFields) {
    kind = fields.string("type")?.split(separator: "/").last.map(String.init) ?? ""
    title = fields.text("title") ?? fields.text("message") ?? kind
    detail = fields.text("detail") ?? fields.text("message")
    resourceType = fields.string("resource_type")
    resourceID = fields.id("resource_id") ?? fields.id("value")
  }

  /// The id of the missing post; `nil` for a problem with a user or with a single field.
  package var missingPost: String? {
    guard resourceType == "tweet" || resourceType == "post", !isAboutField else { return nil }
    return resourceID
  }

  /// The id of the missing user.
  package var missingUser: String? { resourceType == "user" && !isAboutField ? resourceID : nil }

  private var isAboutField: Bool {
    ["not-authorized-for-field", "field-unauthorized", "field-hydration-failure"].contains(kind)
  }

  /// The reason for the tombstone that replaces the post.
  package var reason: TombstoneReason {
    let words = "\(title) \(detail ?? "")".lowercased()
    if words.contains("suspended") { return .suspended }
    if words.contains("withheld") { return .withheld }
    if words.contains("blocked") { return .blocked }
    if words.contains("deleted") || words.contains("deactivated") { return .deleted }
    switch kind {
    case "resource-not-found": return .notFound
    case "not-authorized-for-resource": return .protected
    default: break
    }
    // Some sample responses have no type, and X may add new types.
    if words.contains("not found") { return .notFound }
    return words.contains("not authorized") || words.contains("authorization") ? .protected : .unknown
  }

  /// Summarizes the missing objects: "15 posts: not found".
  static func summary(_ problems: [XProblem]) -> String {
    var counts: [String: Int] = [:]
    for problem in problems {
      let what = problem.missingPost != nil ? "posts" : problem.missingUser != nil ? "users" : "things"
      let reason =
        problem.reason == .unknown ? problem.title : problem.reason.rawValue.replacing("_", with: " ")
      counts["\(what): \(reason)", default: 0] += 1
    }
    return counts.sorted { $0.key < $1.key }.map { key, count in
      "\(count) \(count == 1 ? key.replacing("s: ", with: ": ", maxReplacements: 1) : key)"
    }.joined(separator: "; ")
  }
}

/// Why a saved response could not be imported.
package enum XEmptyReason: Error, Hashable, Sendable {
  /// The JSON is not a response of X's API.
  case notAResponse(String)
  /// X responded with an error: the HTTP status if known, and X's message.
  case refused(status: Int?, title: String, detail: String?)
  /// The response is about objects other than posts.
  case noPosts(String)

  static let imported = "`threadsite help import` lists the files that can be imported"

  /// The reason as a clause that follows the file's name.
  package var words: String {
    switch self {
    case .notAResponse(let what): return "contains nothing to import (\(what)); \(Self.imported)"
    case .refused(let status, let title, let detail):
      let code = status.map { "\($0) " } ?? ""
      let words = detail.map { $0 == title ? "" : ": \($0)" } ?? ""
      return "X returned an error and no posts: \(code)\(title)\(words)"
    case .noPosts(let why): return "contains no posts: \(why)"
    }
  }
}
