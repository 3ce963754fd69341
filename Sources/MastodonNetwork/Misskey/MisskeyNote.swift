import Basics
import ThreadModel

/// A note of a server of the Misskey family (Misskey, Sharkey, Firefish, Iceshrimp), as a status of Mastodon's API. So one reader handles
/// both formats, and a note is the same whether it comes from an export or from the API.
///
/// Sources: Misskey's `models/json-schema/note.ts`, `NoteEntityService.ts` and `ExportNotesProcessorService.ts`. Notes of an export have no
/// author, and polls in another form.
struct MisskeyNote {
  let id: String
  /// Without `account` for a note of an export. A note that not everybody may see has only its place in the thread.
  let status: JSONObject
  /// Whether it only repeats another note.
  let isRenote: Bool

  /// Member of a status or an account: `mfm` if its text (`content`, `note`) is in Misskey's markup instead of HTML.
  static let markup = "threadsite_markup"
  static let mfm: JSONValue = "mfm"

  /// The maximum number of nested quotes that are converted.
  private static let quoteDepth = 2
  /// The maximum number of files of a note. Misskey allows 16.
  private static let mostFiles = 100

  /// Reads a note; `nil` if the value is not a note with an id and a visibility.
  ///
  /// - Parameters:
  ///   - server: the server that sent or exported the note.
  ///   - seenAt: the time of the observation, which determines whether a poll has ended; `nil` if it is unknown.
  init?(_ value: JSONValue, on server: MastodonServer, seenAt: Timestamp?) {
    self.init(value, on: server, seenAt: seenAt, depth: 0)
  }

  private init?(_ value: JSONValue, on server: MastodonServer, seenAt: Timestamp?, depth: Int) {
    guard let object = value.object else { return nil }
    let fields = MastodonFields(object)
    guard let id = fields.id("id"), fields.text("visibility") != nil, fields["deletedAt"] == nil else {
      return nil
    }
    let user = fields.fields("user")
    if fields["user"] != nil, user.flatMap({ MisskeyUser($0, on: server) }) == nil { return nil }
    self.id = id
    isRenote = Self.isRenote(fields)
    var status = Self.place(of: fields, id, on: server)
    status["account"] = user.flatMap { MisskeyUser($0, on: server) }.map { .object($0.account) }
    let visibility = Self.visibility(fields, user)
    status["visibility"] = .string(visibility)
    if visibility == "public" || visibility == "unlisted" {
      status.merge(Self.facts(of: fields, user, seenAt)) { _, fact in fact }
      status.merge(Self.quote(of: fields, on: server, seenAt, isRenote: isRenote, depth)) { _, fact in fact }
    }
    self.status = status
  }

  /// Returns the visibility in Mastodon's terms. Notes that only the server's users can see are limited, because their authors have not
  /// published them to everybody.
  private static func visibility(_ note: MastodonFields, _ user: MastodonFields?) -> String {
    let word = note.text("visibility") ?? ""
    switch word {
    case "public", "home":
      // Any other value than `false` counts as a limit.
      func isSet(_ fields: MastodonFields?, _ key: String) -> Bool {
        fields?[key].map { $0 != false } ?? false
      }
      if isSet(note, "isHidden") || isSet(user, "requireSigninToViewContents") { return "hidden" }
      if isSet(note, "localOnly") { return "local" }
      return word == "public" ? "public" : "unlisted"
    case "followers": return "private"
    case "specified": return "direct"
    default: return "unknown"
    }
  }

  /// Returns whether a note is a boost: it repeats another note and adds nothing.
  private static func isRenote(_ note: MastodonFields) -> Bool {
    note.id("renoteId") != nil && note.text("text") == nil && note["cw"] == nil && note["poll"] == nil
      && (note["fileIds"]?.array ?? []).isEmpty && (note["files"]?.array ?? []).isEmpty
      && note["replyId"] == nil
  }

  private static func place(of note: MastodonFields, _ id: String, on server: MastodonServer) -> JSONObject {
    var status: JSONObject = ["id": .string(id), "content": ""]
    // Only notes of other servers have these members.
    let isForeign = note.fields("user")?["host"] != nil
    let uri = isForeign ? note.text("uri") : address(of: id, on: server)
    status["uri"] = uri.map { .string($0) }
    status["url"] = (isForeign ? note.text("url") ?? uri : uri).map { .string($0) }
    status["created_at"] = note["createdAt"]
    if let parent = note.id("replyId") {
      status["in_reply_to_id"] = .string(parent)
      status["in_reply_to_account_id"] = note.fields("reply")?.id("userId").map { .string($0) }
    }
    return status
  }

  /// Returns the URL of a note's page, which is also its id in ActivityPub.
  static func address(of id: String, on server: MastodonServer) -> String {
    "https://\(server.name)/notes/\(id)"
  }

  private static func facts(
    of note: MastodonFields, _ user: MastodonFields?, _ seenAt: Timestamp?
  ) -> JSONObject {
    var status: JSONObject = ["content": .string(note.string("text") ?? ""), markup: mfm]
    status["edited_at"] = note["updatedAt"]
    status["language"] = note.text("lang").map { .string($0) }
    // An empty warning also hides the text. Misskey sends it to other servers as this character (`ApRendererService.ts`).
    status["spoiler_text"] = note.string("cw").map { .string($0.isEmpty ? "\u{200B}" : $0) }
    let files = files(of: note)
    status["media_attachments"] = .array(files.map { .object($0) })
    status["sensitive"] = .bool(
      note["cw"] != nil || note.list("files").contains { $0.bool("isSensitive") == true })
    status["poll"] = note.fields("poll").map { poll($0, seenAt) }
    status["emojis"] = note.misskeyEmoji("emojis")
    let reactions = note.fields("reactions")?.members.values.compactMap(\.int).filter { (1...1 << 40) ~= $0 }
    status["favourites_count"] = (note["reactionCount"] ?? reactions.map { .integer(sum($0)) })
    status["reblogs_count"] = note["renoteCount"]
    status["replies_count"] = note["repliesCount"]
    return status
  }

  private static func sum(_ counts: [Int]) -> Int64 {
    Int64(counts.prefix(10_000).reduce(0, +))
  }

  /// Returns the attachments. Exports before July 2023 have only the ids of files (Misskey's pull request 11293).
  private static func files(of note: MastodonFields) -> [JSONObject] {
    let files = note.list("files").prefix(mostFiles)
    guard files.isEmpty else { return files.map(attachment) }
    return (note["fileIds"]?.array ?? []).prefix(mostFiles).compactMap { id in
      id.string.flatMap { MastodonServer.isID($0) ? ["id": .string($0), "type": "unknown"] : nil }
    }
  }

  private static func attachment(_ file: MastodonFields) -> JSONObject {
    let type = file.text("type") ?? ""
    let kinds = ["image": "image", "video": "video", "audio": "audio"]
    let kind = type.split(atBytes: "/").first.flatMap { kinds[String($0)] } ?? "unknown"
    var media: JSONObject = ["type": .string(kind)]
    media["id"] = file["id"]
    media["url"] = file["url"]
    media["description"] = file["comment"]
    media["blurhash"] = file["blurhash"]
    if kind == "video" { media["preview_url"] = file["thumbnailUrl"] }
    if let size = file.fields("properties"), let width = size["width"], let height = size["height"] {
      media["meta"] = ["original": ["width": width, "height": height]]
    }
    return media
  }

  /// Returns a poll. The API has a list of choices with their votes; an export has two lists.
  private static func poll(_ fields: MastodonFields, _ seenAt: Timestamp?) -> JSONValue {
    let votes = fields["votes"]?.array ?? []
    let options = (fields["choices"]?.array ?? []).prefix(100).enumerated().map { position, choice in
      JSONValue.object([
        "title": choice["text"] ?? choice,
        "votes_count": choice["votes"] ?? (votes.indices.contains(position) ? votes[position] : .null),
      ])
    }
    var poll: JSONObject = ["options": .array(options), "multiple": .bool(fields.bool("multiple") ?? false)]
    poll["expires_at"] = fields["expiresAt"]
    if let end = fields.time("expiresAt"), let seenAt { poll["expired"] = .bool(end <= seenAt) }
    return .object(poll)
  }

  private static func quote(
    of note: MastodonFields, on server: MastodonServer, _ seenAt: Timestamp?, isRenote: Bool, _ depth: Int
  ) -> JSONObject {
    guard let id = note.id("renoteId") else { return [:] }
    if isRenote {
      // The original is named in the message about a boost.
      let original = note.fields("renote")?.text("uri") ?? address(of: id, on: server)
      return ["reblog": ["id": .string(id), "url": .string(original)]]
    }
    guard depth < quoteDepth, let renote = note["renote"],
      let quoted = MisskeyNote(renote, on: server, seenAt: seenAt, depth: depth + 1), quoted.id == id
    else { return ["quote_id": .string(id)] }
    return ["quote": ["state": "accepted", "quoted_status": .object(quoted.status)]]
  }
}

/// An account of a server of the Misskey family, as an account of Mastodon's API.
///
/// Source: Misskey's `models/json-schema/user.ts`. Notes have only its name and picture.
struct MisskeyUser {
  let account: JSONObject

  init?(_ fields: MastodonFields, on server: MastodonServer) {
    guard let id = fields.id("id"), let name = fields.text("username"), MastodonServer.isID(name) else {
      return nil
    }
    let host = fields.text("host")?.lowercased()
    var account: JSONObject = [
      "id": .string(id), "username": .string(name),
      "acct": .string(host.map { "\(name)@\($0)" } ?? name),
      "url": .string(fields.text("url") ?? "https://\(host ?? server.name)/@\(name)"),
    ]
    account["display_name"] = fields["name"]
    account["avatar"] = fields["avatarUrl"]
    account["note"] = fields["description"]
    account[MisskeyNote.markup] = MisskeyNote.mfm
    account["created_at"] = fields["createdAt"]
    account["followers_count"] = fields["followersCount"]
    account["following_count"] = fields["followingCount"]
    account["statuses_count"] = fields["notesCount"]
    account["emojis"] = fields.misskeyEmoji("emojis")
    account["bot"] = fields["isBot"]
    account["suspended"] = fields["isSuspended"]
    account["noindex"] = fields["noCrawle"]
    self.account = account
  }
}

extension MastodonFields {
  /// The custom emoji of a member, in the format of Mastodon's API. The member maps short codes to URLs. Until Misskey 12 and on Firefish, it
  /// is a list of objects.
  fileprivate func misskeyEmoji(_ key: String) -> JSONValue? {
    guard self[key]?.array == nil else {
      return .array(
        list(key).prefix(1000).compactMap { emoji in
          guard let code = emoji["name"], let url = emoji["url"] else { return nil }
          return ["shortcode": code, "url": url]
        })
    }
    guard let members = fields(key)?.members else { return nil }
    return .array(
      members.sorted { $0.key < $1.key }.prefix(1000).compactMap { code, url in
        url.string.map { ["shortcode": .string(code), "url": .string($0)] }
      })
  }
}
