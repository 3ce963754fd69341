import Basics
import SiteConfig
import ThreadModel

/// The kind of an entry of an outbox and, for a post, its content as a status of Mastodon's API. So one reader handles both formats, and a
/// post is the same whether it comes from an export, from its server by ActivityPub, or from the API.
///
/// Sources: Mastodon's `app/serializers/activitypub/note_serializer.rb`; FEP-044f for quotes.
enum ActivityNote {
  /// A post. Unless it is public or unlisted, `status` has only its visibility and its place in the thread.
  case post(id: String, status: JSONObject)
  case boost
  /// A post of another account or server. An outbox has no authority over it.
  case foreign
  /// An entry that is not a post; with the type of the entry or of its object.
  case other(String)

  /// - Parameters:
  ///   - activity: an entry of an outbox: `Create` with its object, or `Announce`.
  ///   - home: the server whose ids identify the posts in the result; `nil` for the account's server.
  ///   - elsewhere: receives the posts of other servers that this post answers or quotes, keyed by the names that represent them among the
  ///     ids of `home`.
  init(
    _ activity: JSONValue, by actor: ActivityActor, readOn home: MastodonServer? = nil,
    elsewhere: inout [String: PostID]
  ) {
    guard let object = activity.object else {
      self = .other("no object")
      return
    }
    let fields = MastodonFields(object)
    let type = fields.text("type") ?? "no type"
    guard type != "Announce" else {
      self = .boost
      return
    }
    guard type == "Create", let note = fields.fields("object") else {
      self = .other(type)
      return
    }
    let kind = note.text("type") ?? "no type"
    guard kind == "Note" || kind == "Question" else {
      self = .other(kind)
      return
    }
    let authors = Set(fields.addresses("actor") + note.addresses("attributedTo"))
    let home = home ?? actor.server
    guard let address = note.text("id"), let place = ActivityNames.post(address),
      place.server == actor.server, authors == [actor.address],
      let id = ActivityNames.post(address, readOn: home, &elsewhere)
    else {
      self = .foreign
      return
    }
    var status = Self.place(of: note, address, actor, home, &elsewhere)
    status["visibility"] = .string(Self.audience(note, fields))
    if status["visibility"] == "public" || status["visibility"] == "unlisted" {
      status.merge(Self.facts(of: note, actor, home, &elsewhere)) { _, fact in fact }
    }
    status["id"] = .string(id)
    self = .post(id: id, status: status)
  }

  /// ActivityPub's three names for the public (section 5.6).
  private static let everybody: Set<String> = [
    "https://www.w3.org/ns/activitystreams#Public", "as:Public", "Public",
  ]

  /// Returns a post's visibility in Mastodon's terms: the narrower one if the post and its entry differ, and `direct` if neither states
  /// one.
  private static func audience(_ note: MastodonFields, _ activity: MastodonFields) -> String {
    func visibility(_ fields: MastodonFields) -> String? {
      guard fields["to"] != nil || fields["cc"] != nil else { return nil }
      let (to, cc) = (fields.addresses("to"), fields.addresses("cc"))
      if !everybody.isDisjoint(with: to) { return "public" }
      if !everybody.isDisjoint(with: cc) { return "unlisted" }
      return (to + cc).contains { $0.hasByteSuffix("/followers") } ? "private" : "direct"
    }
    let said = [visibility(note), visibility(activity)].compactMap(\.self)
    return ["direct", "private", "unlisted", "public"].first(where: said.contains) ?? "direct"
  }

  /// Returns the members that place a post in its thread: its URL, its time and the post that it answers.
  private static func place(
    of note: MastodonFields, _ address: String, _ actor: ActivityActor, _ home: MastodonServer,
    _ elsewhere: inout [String: PostID]
  ) -> JSONObject {
    var status: JSONObject = ["uri": .string(address), "content": ""]
    status["created_at"] = note["published"]
    guard let parent = note.addresses("inReplyTo").first,
      let id = ActivityNames.post(parent, readOn: home, &elsewhere)
    else {
      return status
    }
    status["in_reply_to_id"] = .string(id)
    if actor.owns(parent) { status[ownParent] = true }
    return status
  }

  /// Member of a status: `true` if the answered post is by the same account, even if that post is missing.
  static let ownParent = "threadsite_own_parent"
  /// Member of an attachment: the path of its file in the archive.
  static let archivePath = "threadsite_path"

  private static func facts(
    of note: MastodonFields, _ actor: ActivityActor, _ home: MastodonServer,
    _ elsewhere: inout [String: PostID]
  ) -> JSONObject {
    var status: JSONObject = [:]
    let versions = note.fields("contentMap")?.members ?? [:]
    let content = note.string("content") ?? versions.values.compactMap(\.string).min() ?? ""
    status["content"] = .string(content)
    // The only language of the post, or the language whose version is the post's text.
    let languages = versions.filter { versions.count == 1 || $0.value.string == content }.keys
    if languages.count == 1 { status["language"] = languages.first.map { .string($0) } }
    status["url"] = (note.text("url") ?? note.objects("url").lazy.compactMap { $0.text("href") }.first)
      .map { .string($0) }
    status["edited_at"] = note["updated"]
    status["spoiler_text"] = note["summary"]
    status["sensitive"] = note["sensitive"]
    let tags = note.objects("tag")
    status["emojis"] = .array(tags.compactMap(\.emoji))
    status["mentions"] = .array(tags.filter { $0.text("type") == "Mention" }.flatMap(mentions))
    status["media_attachments"] = .array(note.objects("attachment").compactMap(attachment))
    if note.text("type") == "Question" { status["poll"] = poll(note) }
    status.merge(quote(note, actor, home, &elsewhere)) { first, _ in first }
    return status
  }

  /// Returns a mentioned account once for each URL to which the post's text may link: its ActivityPub URL, and its page on Mastodon.
  private static func mentions(_ tag: MastodonFields) -> [JSONValue] {
    guard let address = tag.text("href"), let name = tag.text("name")?.without(bytePrefix: "@") else {
      return []
    }
    var pages = [address]
    if let host = MastodonServer.host(of: address), let user = name.split(atBytes: "@").first {
      pages.append("https://\(host)/@\(user)")
    }
    return pages.map { ["id": "0", "acct": .string(String(name)), "url": .string($0)] }
  }

  private static func attachment(_ fields: MastodonFields) -> JSONValue? {
    guard fields.text("type") != "Link" else { return nil }
    // In Pleroma, a file is a list of links.
    let link = fields.objects("url").first
    let type = fields.text("mediaType") ?? link?.text("mediaType") ?? ""
    guard let url = fields.text("url") ?? link?.text("href") ?? fields.text("href") else { return nil }
    var media: JSONObject = [:]
    let kinds = ["image": "image", "video": "video", "audio": "audio"]
    let kind = type.split(atBytes: "/").first.flatMap { kinds[String($0)] }
    media["type"] = .string(kind ?? fields.text("type").flatMap { kinds[$0.lowercased()] } ?? "unknown")
    media["description"] = fields["name"]
    media["blurhash"] = fields["blurhash"]
    if let path = localPath(url) {
      media[archivePath] = .string(path)
      media["id"] = id(ofFile: path).map { .string($0) }
    }
    if WebAddress.isSafe(url) { media["url"] = .string(url) }
    var meta: JSONObject = [:]
    let sizes = [fields, link].compactMap(\.self)
    if let size = sizes.first(where: { $0.count("width") != nil && $0.count("height") != nil }) {
      meta["original"] = ["width": size["width"] ?? .null, "height": size["height"] ?? .null]
    }
    if let focus = fields["focalPoint"]?.array, focus.count == 2 {
      meta["focus"] = ["x": focus[0], "y": focus[1]]
    }
    if !meta.isEmpty { media["meta"] = .object(meta) }
    return .object(media)
  }

  /// Returns the path of a file in the archive, without the storage location that some servers prepend; `nil` if the URL has no such path.
  static func localPath(_ url: String) -> String? {
    guard let start = url.ranges(of: mediaFolder + "/").last?.lowerBound,
      start == url.startIndex || url[..<start].utf8.last == UInt8(ascii: "/")
    else { return nil }
    return String(url[start...].prefix(upToBytes: "?#"))
  }

  static let mediaFolder = "media_attachments"

  /// Returns the attachment's id in the API, which Mastodon splits into folders of three digits: `media_attachments/files/110/285/480/112/204/631/…`.
  private static func id(ofFile path: String) -> String? {
    let parts = path.split(atBytes: "/").dropFirst().drop { !$0.utf8.allSatisfy(isASCIIDigit) }
      .prefix { $0.utf8.count == 3 && $0.utf8.allSatisfy(isASCIIDigit) }
    return Int64(parts.joined()).map { "\($0)" }
  }

  private static func poll(_ note: MastodonFields) -> JSONValue {
    let choices = note.objects(note.has("anyOf") ? "anyOf" : "oneOf")
    var poll: JSONObject = ["multiple": .bool(note.has("anyOf"))]
    poll["options"] = .array(
      choices.map {
        ["title": $0["name"] ?? "", "votes_count": $0.fields("replies")?["totalItems"] ?? .null]
      })
    poll["expires_at"] = note["endTime"] ?? (note.string("closed") == nil ? nil : note["closed"])
    if note["closed"] != nil { poll["expired"] = true }
    poll["voters_count"] = note["votersCount"]
    return .object(poll)
  }

  /// Returns a post's quote. `quote` means that the quoted author was asked for permission (FEP-044f): the quote stays pending without a
  /// `quoteAuthorization`, unless authors quote themselves. The older member names of other servers involve no permission.
  private static func quote(
    _ note: MastodonFields, _ actor: ActivityActor, _ home: MastodonServer,
    _ elsewhere: inout [String: PostID]
  ) -> JSONObject {
    if let asked = note.addresses("quote").first {
      guard let id = ActivityNames.post(asked, readOn: home, &elsewhere) else { return [:] }
      guard note["quoteAuthorization"] != nil || actor.owns(asked) else {
        return ["quote": ["state": "pending", "quoted_status_id": .string(id)]]
      }
      return ["quote_id": .string(id), "quote_url": .string(asked)]
    }
    let names = ["quoteUri", "quoteUrl", "quoteURL", "_misskey_quote"]
    guard let address = names.lazy.compactMap({ note.text($0) }).first,
      let id = ActivityNames.post(address, readOn: home, &elsewhere)
    else { return [:] }
    return ["quote_id": .string(id), "quote_url": .string(address)]
  }
}
