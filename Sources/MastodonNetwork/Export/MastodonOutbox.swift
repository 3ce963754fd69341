import Basics
import ThreadModel

/// The posts of an `outbox.json`, of a list of statuses as Mastodon's API returns them, or of a list of Misskey's notes. All may be in any
/// order.
struct MastodonOutbox {
  let actor: ActivityActor
  /// The account's id in its server's API, or a provisional id if that is unknown.
  private(set) var account: String
  /// The account in the format of Mastodon's API, if the posts contain it.
  private var description: JSONObject?
  /// The posts in the format of Mastodon's API, without their account, by id.
  private var statuses: [String: JSONObject] = [:]
  /// Posts of other servers, keyed by the names that represent them in the export.
  private(set) var elsewhere: [String: PostID] = [:]
  /// The number of boosts.
  private(set) var boosts = 0
  /// The number of entries of other accounts or servers.
  private(set) var foreign = 0
  /// The number of entries that are not posts, by kind.
  private(set) var others: [String: Int] = [:]
  /// The number of posts with a limited audience, by visibility.
  private(set) var limited: [String: Int] = [:]
  /// The number of posts in circles of posts that answer each other.
  private(set) var circles = 0
  /// The time of the latest entry or edit.
  private(set) var date: Timestamp?

  /// - Parameters:
  ///   - known: the account; `nil` if only the entries name it.
  /// - Returns: `nil` if the account is unknown and no entry names it.
  /// - Throws: ``JSONError`` if the bytes are not valid JSON.
  init?(_ bytes: [UInt8], by known: ActivityActor?) throws(JSONError) {
    let actor: ActivityActor
    if let known {
      actor = known
    } else {
      guard let found = try Self.actor(of: bytes) else { return nil }
      actor = found
    }
    self.actor = actor
    account = ""
    var found: [String: JSONObject] = [:]
    var isOfSnac = false
    try Self.readEntries(bytes) { entry in
      take(entry, &found)
      if !isOfSnac, let address = entry["object"]?["id"]?.string {
        isOfSnac = ActivityNames.isOfSnac(address) && actor.owns(address)
      }
    }
    statuses = found
    account = ActivityNames.account(actor.address, name: actor.name, isOfSnac: isOfSnac)
    finish()
  }

  /// Reads a list of statuses, such as Pixelfed's `pixelfed-statuses.json`. The account with the most statuses is their author.
  ///
  /// - Returns: `nil` if no status names an account with a URL.
  /// - Throws: ``JSONError`` if the bytes are not valid JSON.
  init?(statuses bytes: [UInt8]) throws(JSONError) {
    var all: [JSONObject] = []
    var counts: [String: Int] = [:]
    try JSONReader.read(bytes) { reader throws(JSONError) in
      try reader.beginArray()
      while try reader.nextElement() {
        guard let status = try reader.readValue().object else { continue }
        if let author = status["account"]?["id"]?.string { counts[author, default: 0] += 1 }
        all.append(status)
      }
    }
    guard let author = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key,
      let described = all.last(where: { $0["account"]?["id"]?.string == author })?["account"]?.object,
      let address = described["url"]?.string, let actor = ActivityActor(address: address)
    else { return nil }
    self.actor = actor
    account = author
    description = described
    var found: [String: JSONObject] = [:]
    for var status in all {
      let writer = status.removeValue(forKey: "account")?["id"]?.string
      if let repeated = status["reblog"], !repeated.isNull {
        boosts += 1
      } else if writer == author, let id = status["id"]?.string {
        keep(id, status, in: &found)
      } else {
        foreign += 1
      }
    }
    statuses = found
    finish()
  }

  /// Reads a list of notes, as Misskey and related servers export them. A note that answers a note outside of the list is a reply to
  /// another account, because a deleted note takes its replies with it (`models/Note.ts`, `onDelete: 'CASCADE'`).
  ///
  /// - Throws: ``JSONError`` if the bytes are not valid JSON.
  init(notes bytes: [UInt8], by actor: ActivityActor) throws(JSONError) {
    self.actor = actor
    account = ActivityNames.provisional(actor.name)
    var found: [String: JSONObject] = [:]
    try JSONReader.read(bytes) { reader throws(JSONError) in
      try reader.beginArray()
      while try reader.nextElement() {
        guard let note = MisskeyNote(try reader.readValue(), on: actor.server, seenAt: nil) else {
          others["not a note", default: 0] += 1
          continue
        }
        if note.isRenote {
          boosts += 1
        } else if note.status["account"] != nil {
          // An export has no authors, so this is a response of the API.
          foreign += 1
        } else {
          keep(note.id, note.status, in: &found)
        }
      }
    }
    statuses = found
    finish()
  }

  /// Breaks circles, and counts posts with a limited audience.
  private mutating func finish() {
    breakCircles()
    for status in statuses.values {
      guard let word = status["visibility"]?.string, word != "public", word != "unlisted" else { continue }
      limited[word, default: 0] += 1
    }
  }

  var count: Int { statuses.count }
  func holds(_ id: PostID) -> Bool { id.authority == actor.server.name && statuses[id.value] != nil }

  /// Returns the outbox with the account's id in the API.
  func by(_ account: String) -> MastodonOutbox {
    var result = self
    result.account = account
    return result
  }

  /// The account in the format of Mastodon's API.
  var accountFields: JSONObject {
    guard var fields = description else { return actor.account(id: account) }
    fields["id"] = .string(account)
    return fields
  }

  /// The posts as if the account's server had returned them.
  var fetchIndex: MastodonFetchIndex {
    var fetchIndex = MastodonFetchIndex(actor.server)
    let description = accountFields
    for var status in statuses.values {
      status["account"] = .object(description)
      if status.removeValue(forKey: ActivityNote.ownParent) != nil {
        status["in_reply_to_account_id"] = .string(account)
      }
      // The status created from an entry is always valid.
      guard let status = try? MastodonStatus(.object(status)) else { continue }
      fetchIndex.add(status, at: date ?? Timestamp(milliseconds: 0))
    }
    return fetchIndex
  }

  // MARK: Reading

  private static func readEntries(_ bytes: [UInt8], _ body: (JSONValue) -> Void) throws(JSONError) {
    try JSONReader.read(bytes) { reader throws(JSONError) in
      try reader.beginObject()
      while let key = try reader.nextKey() {
        guard key.string == "orderedItems" || key.string == "items" else {
          try reader.skipValue()
          continue
        }
        try reader.beginArray()
        while try reader.nextElement() { body(try reader.readValue()) }
      }
    }
  }

  /// Returns the account named by most entries, for an outbox without an `actor.json`, such as snac's.
  private static func actor(of bytes: [UInt8]) throws(JSONError) -> ActivityActor? {
    var counts: [String: Int] = [:]
    try readEntries(bytes) { entry in
      if let address = entry["actor"]?.string { counts[address, default: 0] += 1 }
    }
    return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }.flatMap { ActivityActor(address: $0.key) }
  }

  private mutating func take(_ entry: JSONValue, _ found: inout [String: JSONObject]) {
    date = Timestamp.later(date, entry["published"]?.string.flatMap { Timestamp(iso8601: $0) })
    switch ActivityNote(entry, by: actor, elsewhere: &elsewhere) {
    case .boost: boosts += 1
    case .foreign: foreign += 1
    case .other(let what): others[String(what.asName.prefix(40)), default: 0] += 1
    case .post(let id, let status): keep(id, status, in: &found)
    }
  }

  private mutating func keep(_ id: String, _ status: JSONObject, in found: inout [String: JSONObject]) {
    guard (status["content"]?.string?.utf8.count ?? 0) <= HTMLDocument.maximumBytes else {
      others["a post that is too long", default: 0] += 1
      return
    }
    for key in ["created_at", "edited_at"] {
      date = Timestamp.later(date, status[key]?.string.flatMap { Timestamp(iso8601: $0) })
    }
    found[id] = found[id].map { Self.later($0, status) } ?? status
  }

  /// Returns the later of two versions of a post. A version with a limited audience takes precedence over a public one, because the post
  /// was withdrawn.
  private static func later(_ one: JSONObject, _ other: JSONObject) -> JSONObject {
    func rank(_ status: JSONObject) -> (Int, Int64, String) {
      let isOpen = status["visibility"] == "public" || status["visibility"] == "unlisted"
      let time = (status["edited_at"] ?? status["created_at"])?.string.flatMap { Timestamp(iso8601: $0) }
      let text = String(decoding: JSONWriter.text(of: .object(status), .compact).bytes, as: UTF8.self)
      return (isOpen ? 0 : 1, time?.milliseconds ?? .min, text)
    }
    return rank(one) < rank(other) ? other : one
  }

  /// Breaks circles of posts that answer each other: the post with the lowest id, compared as a string, no longer answers any.
  private mutating func breakCircles() {
    var isDone: Set<String> = []
    for start in statuses.keys.sorted() {
      var path: [String] = []
      var places: [String: Int] = [:]
      var next: String? = start
      while let id = next, !isDone.contains(id), statuses[id] != nil {
        if let place = places[id] {
          guard let first = path[place...].min() else { break }
          statuses[first]?["in_reply_to_id"] = nil
          statuses[first]?[ActivityNote.ownParent] = nil
          circles += path.count - place
          break
        }
        places[id] = path.count
        path.append(id)
        next = statuses[id]?["in_reply_to_id"]?.string
      }
      isDone.formUnion(path)
    }
  }
}
