import Basics
import Foundation
import LoopbackServer
import Synchronization
package import ThreadModel

/// A loopback server that responds like Misskey, built from Misskey's sources (`server/api/endpoints/notes/*.ts`,
/// `NoteEntityService.ts`) and not from any client. Its name is misskey.example.
package final class MisskeyStub: Sendable {
  package struct Note: Sendable {
    package var number: Int
    package var account: String
    package var text: String?
    package var parent: Int?
    package var renote: Int?
    package var visibility: String
    package var more: JSONObject

    package init(
      _ number: Int, by account: String = "ada", _ text: String?, parent: Int? = nil, renote: Int? = nil,
      visibility: String = "public", _ more: JSONObject = [:]
    ) {
      self.number = number
      self.account = account
      self.text = text
      self.parent = parent
      self.renote = renote
      self.visibility = visibility
      self.more = more
    }
  }

  package struct World: Sendable {
    package var notes: [Int: Note] = [:]
    /// The URLs of the server's own emoji, by short code.
    package var emoji: [String: String] = [:]
    /// False members of every note.
    package var lies: JSONObject = [:]
    /// Whether lists of replies also have the replies to these, as on Firefish.
    package var hasTrees = false
    /// Whether the server has Misskey's API.
    package var isMisskey = true

    package init() {}

    package mutating func add(_ notes: Note...) { for note in notes { self.notes[note.number] = note } }
  }

  package static let host = "misskey.example"

  private let world: Mutex<World>
  private let log = Mutex<[String]>([])
  private let server: LoopbackServer

  /// The paths of all requests.
  package var requests: [String] { log.withLock { $0 } }
  package func change(_ change: (inout World) -> Void) { world.withLock { change(&$0) } }
  package func stop() { server.stop() }

  package init(_ world: World) throws {
    self.world = Mutex(world)
    server = try LoopbackServer()
    server.otherwise(
      LoopbackAnswer { [weak self] request, connection in
        guard let self else { return connection.close() }
        try answer(request).write(request, connection)
      })
  }

  /// The `mastodon` section of a site.yml that leads to the stub, also for the given other hosts.
  package var settings: String {
    "mastodon:\n  servers:\n    - host: \(Self.host)\n      api_url: http://127.0.0.1:\(server.port)/\n"
  }

  /// The id of a note, with the length of Misskey's usual ids.
  package static func id(_ number: Int) -> String { "9sxk2v\(1000 + number)" }
  package static func address(_ number: Int) -> String { "https://\(host)/notes/\(id(number))" }

  private func answer(_ request: LoopbackRequest) -> LoopbackAnswer {
    log.withLock { $0.append(request.path) }
    return world.withLock { world in
      guard world.isMisskey else { return Self.mastodon(request, world) }
      guard request.method == "POST", let parameters = try? JSONValue(parsing: request.body) else {
        return Self.refusal("UNKNOWN_API_ENDPOINT", status: 404)
      }
      func note(_ key: String) -> Note? {
        world.notes.values.first { Self.id($0.number) == parameters[key]?.string }
      }
      switch request.path {
      case "/api/notes/show":
        guard let note = note("noteId") else { return Self.refusal("NO_SUCH_NOTE") }
        return MastodonStub.json(world.json(note))
      case "/api/notes/conversation":
        guard let note = note("noteId") else { return Self.refusal("NO_SUCH_NOTE") }
        return MastodonStub.json(.array(world.ancestors(of: note, parameters["limit"]?.int ?? 10)))
      case "/api/notes/children":
        guard let note = note("noteId") else { return MastodonStub.json([]) }
        var all = world.children(of: note)
        if let before = parameters["untilId"]?.string { all.removeAll { Self.id($0.number) >= before } }
        return MastodonStub.json(
          .array(all.prefix(min(parameters["limit"]?.int ?? 10, 100)).map { world.json($0) }))
      case "/api/users/notes":
        return MastodonStub.json(.array(world.list(parameters).map { world.json($0) }))
      case "/api/emoji":
        guard let code = parameters["name"]?.string, let url = world.emoji[code] else {
          return Self.refusal("INTERNAL_ERROR", status: 500)
        }
        return MastodonStub.json(["name": .string(code), "url": .string(url)])
      case "/api/users/show":
        guard parameters["userId"] == "u-ada" || parameters["username"] == "ada" else {
          return Self.refusal("NO_SUCH_USER", status: 404)
        }
        return MastodonStub.json(.object(Self.user("ada", isDetailed: true)))
      default: return Self.refusal("UNKNOWN_API_ENDPOINT", status: 404)
      }
    }
  }

  private static func refusal(_ code: String, status: Int = 400) -> LoopbackAnswer {
    MastodonStub.json(
      ["error": ["message": "Refused.", "code": .string(code), "kind": "client"]], status: status)
  }

  /// The response of a server that has notes at Misskey's URLs but only Mastodon's API: one post.
  private static func mastodon(_ request: LoopbackRequest, _ world: World) -> LoopbackAnswer {
    let status: JSONValue = [
      "id": .string(id(1)), "content": "<p>one</p>", "visibility": "public",
      "created_at": "2024-05-02T10:11:00Z",
      "uri": .string(address(1)), "url": .string(address(1)), "replies_count": 0,
      "account": ["id": "u-ada", "username": "ada", "acct": "ada"],
    ]
    switch request.path {
    case "/api/v1/statuses/\(id(1))": return MastodonStub.json(status)
    case "/api/v1/statuses/\(id(1))/context": return MastodonStub.json(["ancestors": [], "descendants": []])
    default: return MastodonStub.notFound
    }
  }

  /// Accounts with an `@` are on another server.
  fileprivate static func user(_ name: String, isDetailed: Bool = false) -> JSONObject {
    let parts = name.split(separator: "@").map(String.init)
    var user: JSONObject = [
      "id": .string("u-\(parts[0])"), "username": .string(parts[0]),
      "host": parts.count == 2 ? .string(parts[1]) : .null,
      "name": .string(parts[0].capitalized + " :blobcat:"),
      "avatarUrl": .string("https://files.misskey.example/\(parts[0]).webp"), "isBot": false, "emojis": [:],
    ]
    if isDetailed {
      user["description"] = "Writes **things** at https://ada.example/"
      user["followersCount"] = 10
      user["createdAt"] = "2020-01-01T00:00:00.000Z"
      user["isSuspended"] = false
    }
    return user
  }
}

extension MisskeyStub.World {
  /// A note as a visitor gets it. The content of notes that are not public is empty (`hideNote`).
  fileprivate func json(_ note: MisskeyStub.Note, depth: Int = 1) -> JSONValue {
    let isHidden = !["public", "home"].contains(note.visibility)
    func packed(_ number: Int?) -> JSONValue {
      guard depth > 0, let other = number.flatMap({ notes[$0] }) else { return .null }
      return json(other, depth: depth - 1)
    }
    func id(_ number: Int?) -> JSONValue { number.map { .string(MisskeyStub.id($0)) } ?? .null }
    var members: JSONObject = [
      "id": id(note.number),
      "createdAt": .string(Timestamp(seconds: 1_714_644_000 + Int64(note.number) * 60).iso8601),
      "text": isHidden ? .null : note.text.map { .string($0) } ?? .null, "cw": nil,
      "userId": .string("u-" + note.account.prefix { $0 != "@" }),
      "user": .object(MisskeyStub.user(note.account)),
      "visibility": .string(note.visibility), "localOnly": false, "fileIds": [], "files": [],
      "replyId": id(note.parent), "renoteId": id(note.renote), "reply": packed(note.parent),
      "renote": packed(note.renote),
      "repliesCount": .integer(Int64(notes.values.count { $0.parent == note.number })), "renoteCount": 1,
      "reactions": ["👍": 2, ":blobcat@.:": 3], "reactionCount": 5,
    ]
    if isHidden { members["isHidden"] = true }
    if note.account.contains("@") {
      members["uri"] = .string("https://other.example/users/bea/statuses/\(note.number)")
    }
    members.merge(note.more) { $1 }
    members.merge(lies) { $1 }
    return .object(members)
  }

  fileprivate func ancestors(of note: MisskeyStub.Note, _ limit: Int) -> [JSONValue] {
    var found: [JSONValue] = []
    var next = note.parent
    while let parent = next.flatMap({ notes[$0] }), found.count < limit {
      found.append(json(parent))
      next = parent.parent
    }
    return found
  }

  /// An account's public notes after one, oldest first.
  fileprivate func list(_ parameters: JSONValue) -> ArraySlice<MisskeyStub.Note> {
    let after = parameters["sinceId"]?.string ?? ""
    return notes.values.filter { note in
      "u-" + note.account == parameters["userId"]?.string && ["public", "home"].contains(note.visibility)
        && MisskeyStub.id(note.number) > after
    }.sorted { $0.number < $1.number }.prefix(parameters["limit"]?.int ?? 10)
  }

  /// The replies to a note and its quotes, newest first, without those that a visitor may not see.
  fileprivate func children(of note: MisskeyStub.Note) -> [MisskeyStub.Note] {
    var found = notes.values.filter { $0.parent == note.number || $0.renote == note.number && $0.text != nil }
    if hasTrees { found += found.flatMap { children(of: $0) } }
    return found.filter { ["public", "home"].contains($0.visibility) }.sorted { $0.number > $1.number }
  }
}

extension MisskeyStub {
  /// A thread of thirty posts with replies by others, whom the author answers.
  package static func thread() -> World {
    var world = World()
    world.emoji = ["blobcat": "https://files.misskey.example/blobcat.webp"]
    for number in 1...30 {
      world.add(
        Note(
          number * 10, "**\(number)/30** Notes & <queries> :blobcat: 12:30:00",
          parent: number > 1 ? (number - 1) * 10 : nil,
          visibility: number == 1 ? "public" : "home"))
      if number % 6 == 2 {
        world.add(
          Note(number * 10 + 1, by: "bea@other.example", "An answer to \(number)", parent: number * 10))
      }
    }
    world.add(
      Note(22, "Thank you, Bea", parent: 21), Note(305, "a quote of the first post", renote: 10),
      Note(306, nil, renote: 10), Note(307, "Another day"))
    return world
  }
}
