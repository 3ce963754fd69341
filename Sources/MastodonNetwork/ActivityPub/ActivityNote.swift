import Basics
import SiteConfig
import ThreadModel

/// What an entry of an outbox is, and of a post all that it says, in the words of Mastodon's API: so one reader understands both, and a post is
/// the same whichever way it came: in an export, from its server as other servers get it, or from the API.
///
/// Facts: Mastodon's `app/serializers/activitypub/note_serializer.rb`, FEP-044f on quotes.
enum ActivityNote {
  /// A post. Nothing is kept of what a post says that not everybody may see.
  case post(id: String, status: JSONObject)
  case boost
  /// Of another account or server: an outbox may not speak for these.
  case foreign
  /// What kind of thing it is instead.
  case other(String)

  /// - Parameters:
  ///   - activity: an entry of an outbox: `Create` with its object, `Announce`.
  ///   - home: the server by whose ids posts are known where this one is read; `nil` for the account's own.
  ///   - elsewhere: takes the posts of other servers that this one answers or quotes, by the names they have among those of `home`.
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

  /// The public, whom ActivityPub names in three ways (ActivityPub, 5.6).
  private static let everybody: Set<String> = [
    "https://www.w3.org/ns/activitystreams#Public", "as:Public", "Public",
  ]

  /// Who may see a post: everybody, if it says so itself and its entry does not say otherwise.
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

  /// What tells where a post stands in its thread.
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

  /// Whether the answered post is the account's own, even if it is not there.
  static let ownParent = "threadsite_own_parent"
  /// Where a file of media lies in the archive.
  static let archivePath = "threadsite_path"

  private static func facts(
    of note: MastodonFields, _ actor: ActivityActor, _ home: MastodonServer,
    _ elsewhere: inout [String: PostID]
  ) -> JSONObject {
    var status: JSONObject = [:]
    let versions = note.fields("contentMap")?.members ?? [:]
    let content = note.string("content") ?? versions.values.compactMap(\.string).min() ?? ""
    status["content"] = .string(content)
    // A post in one language, or the one that its text is in.
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

  /// Somebody named, by the address that the post's text links to as far as it can be told: their account's page on Mastodon, or their
  /// ActivityPub address.
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
    // Pleroma names files by a list of links.
    let link = fields.objects("url").first
    let type = fields.text("mediaType") ?? link?.text("mediaType") ?? ""
    guard let url = fields.text("url") ?? link?.text("href") ?? fields.text("href") else { return nil }
    var media: JSONObject = [:]
    let kinds = ["image": "image", "video": "video", "audio": "audio"]
    let kind = type.split(atBytes: "/").first.flatMap { kinds[String($0)] }
    media["type"] = .string(kind ?? fields.text("type").flatMap { kinds[$0.lowercased()] } ?? "unknown")
    media["description"] = fields["name"]
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

  /// The path of a file in the archive: servers that keep files elsewhere write the place before it.
  static func localPath(_ url: String) -> String? {
    guard let start = url.ranges(of: mediaFolder + "/").last?.lowerBound,
      start == url.startIndex || url[..<start].utf8.last == UInt8(ascii: "/")
    else { return nil }
    return String(url[start...].prefix(upToBytes: "?#"))
  }

  static let mediaFolder = "media_attachments"

  /// The attachment's id in the API, which Mastodon cuts into folders of three digits: `media_attachments/files/110/285/480/112/204/631/…`.
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

  /// A quote. `quote` says that whoever is quoted was asked (FEP-044f), and is shown with their answer only, or if it is the author
  /// themselves; the older names of other servers know of no asking.
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
