package import Basics
import Foundation
import LoopbackServer
package import ThreadModel

/// How a stub server gives its posts to other servers, built from the sources of Mastodon
/// (`note_serializer.rb`, `replies_controller.rb`, `contexts_controller.rb`, `outboxes_controller.rb`) and
/// snac (`activitypub.c`).
package struct ActivityStub: Sendable {
  package enum Style: Sendable {
    case mastodon
    case snac
  }

  package var style: Style
  /// Whether posts list their replies. Older versions of snac do not.
  package var listsReplies = true
  /// Whether a conversation has its own list, as in Mastodon 4.5 and later.
  package var listsContexts = false
  /// Deleted posts, which the server reports as deleted.
  package var deleted: Set<Int> = []
  /// Additional or false fields of posts and accounts.
  package var note: JSONObject = [:]
  package var notes: [Int: JSONObject] = [:]
  package var person: JSONObject = [:]
  package var contentType = "application/activity+json"
  /// Whether lists of replies have endless empty pages.
  package var isEndless = false
  /// Whether the server rejects requests without a signature.
  package var isClosed = false
  /// The objects of other.example by path.
  package var elsewhere: [String: JSONValue] = [:]

  private static let everybody: JSONValue = "https://www.w3.org/ns/activitystreams#Public"

  package init(_ style: Style) { self.style = style }

  // MARK: IDs

  private static func actor(_ name: String, _ world: MastodonStub.World) -> String {
    "https://\(world.host)/" + (world.activity?.style == .snac ? name : "users/\(name)")
  }

  package static func address(of status: MastodonStub.Status, _ world: MastodonStub.World) -> String? {
    let actor = actor(status.account, world)
    guard world.activity?.style == .snac else { return "\(actor)/statuses/\(status.id)" }
    let digits = "\(status.id)"
    return "\(actor)/p/\(1_700_000_000 + status.id * 60)." + String(repeating: "0", count: 6 - digits.count)
      + digits
  }

  private static func digest(_ text: String) -> String {
    MD5.hash(text.utf8).map { String(format: "%02x", $0) }.joined()
  }

  func statusID(_ status: MastodonStub.Status, _ world: MastodonStub.World) -> String? {
    guard style == .snac, let address = Self.address(of: status, world) else { return nil }
    return "\(1_700_000_000 + status.id * 60)" + Self.digest(address)
  }

  func accountID(_ name: String, _ world: MastodonStub.World) -> String? {
    style == .snac ? Self.digest(Self.actor(name, world)) : nil
  }

  // MARK: Responses

  func answer(to target: String, _ accepts: String, _ world: MastodonStub.World) -> LoopbackAnswer {
    guard accepts.contains("application/activity+json") else {
      return .answer(headers: [("Content-Type", "text/html")], body: Array("<!doctype html><p>Hello".utf8))
    }
    guard !isClosed else { return MastodonStub.json(["error": "Unauthorized: no signature"], status: 401) }
    let parts = URLComponents(string: "http://stub" + target)
    let path = (parts?.path ?? "").split(separator: "/").map(String.init)
    let page = parts?.queryItems?.contains { $0.name == "page" } == true
    if path.first == "other" {
      return elsewhere["/" + path.dropFirst().joined(separator: "/")].map { jsonAnswer($0) }
        ?? MastodonStub.notFound
    }
    if isEndless, page || target.contains("endless") {
      let number = Int(parts?.queryItems?.first { $0.name == "n" }?.value ?? "") ?? 0
      return jsonAnswer([
        "type": "CollectionPage", "items": [],
        "next": .string("https://\(world.host)/ada/endless?page=true&n=\(number + 1)"),
      ])
    }
    for status in world.statuses.values {
      guard let address = Self.address(of: status, world) else { continue }
      let own = (URLComponents(string: address)?.path ?? "").split(separator: "/").map(String.init)
      let web = ["@" + status.account, "\(status.id)"]
      let list = style == .snac ? [own[0], "r", own[own.count - 1]] : own + ["replies"]
      if path == own || style == .mastodon && path == web {
        if deleted.contains(status.id) {
          return jsonAnswer(
            ["type": "Tombstone", "id": .string(address)], status: style == .snac ? 200 : 410)
        }
        guard ["public", "unlisted"].contains(status.visibility) else { return MastodonStub.notFound }
        return jsonAnswer(.object(note(status, world)))
      }
      if path == list, listsReplies { return jsonAnswer(replies(of: status, world, parts?.queryItems ?? [])) }
    }
    for name in world.accounts {
      let own = (URLComponents(string: Self.actor(name, world))?.path ?? "").split(separator: "/").map(
        String.init)
      if path == own || path == ["@" + name] { return jsonAnswer(.object(account(name, world))) }
      if path == own + ["outbox"] { return jsonAnswer(outbox(of: name, world, parts?.queryItems ?? [])) }
    }
    if path == ["contexts", "1"], listsContexts {
      return jsonAnswer(context(world, parts?.queryItems ?? []))
    }
    return MastodonStub.notFound
  }

  private func jsonAnswer(_ value: JSONValue, status: Int = 200) -> LoopbackAnswer {
    .answer(
      status: status, headers: [("Content-Type", contentType)],
      body: Array(JSONWriter.text(of: value).string.utf8))
  }

  private func note(_ status: MastodonStub.Status, _ world: MastodonStub.World) -> JSONObject {
    let address = Self.address(of: status, world) ?? ""
    let actor = Self.actor(status.account, world)
    let isPublic = status.visibility == "public"
    var root = status
    while let parent = root.parent.flatMap({ world.statuses[$0] }) { root = parent }
    let rootAddress = Self.address(of: root, world) ?? ""
    var note: JSONObject = [
      "@context": "https://www.w3.org/ns/activitystreams", "type": "Note", "id": .string(address),
      "attributedTo": .string(actor), "content": .string(status.content),
      "published": world.json(status)["created_at"] ?? .null,
      "url": .string(style == .snac ? address : "https://\(world.host)/@\(status.account)/\(status.id)"),
      "to": isPublic ? [Self.everybody] : [.string(actor + "/followers")],
      "cc": isPublic ? [] : [Self.everybody],
      "inReplyTo": status.parent.flatMap { world.statuses[$0] }.flatMap { Self.address(of: $0, world) }.map {
        .string($0)
      } ?? .null,
      "tag": [], "attachment": [],
      "context": style == .snac
        ? .string(rootAddress + "#ctxt") : listsContexts ? .string("https://\(world.host)/contexts/1") : .null
        ,
    ]
    if listsReplies {
      let own = style == .snac ? [] : answers(to: status, world, own: true).prefix(5).map { $0 }
      let list = style == .snac ? address.replacing("/p/", with: "/r/") : address + "/replies"
      note["replies"] = [
        "id": .string(list), "type": "Collection",
        "first": [
          "type": "CollectionPage", "partOf": .string(list), "items": .array(own),
          "next": .string(list + (style == .snac ? "?page=true" : "?only_other_accounts=true&page=true")),
        ],
      ]
    }
    note.merge(self.note) { $1 }
    note.merge(notes[status.id] ?? [:]) { $1 }
    return note
  }

  private func answers(to status: MastodonStub.Status, _ world: MastodonStub.World, own: Bool?) -> [JSONValue]
  {
    world.children(of: status.id).filter { child in
      world.visible(child.id) != nil && child.boostOf == nil
        && (own.map { $0 == (child.account == status.account) } ?? true)
    }.compactMap { Self.address(of: $0, world).map { .string($0) } }
  }

  private func replies(
    of status: MastodonStub.Status, _ world: MastodonStub.World, _ query: [URLQueryItem]
  ) -> JSONValue {
    [
      "type": "CollectionPage",
      "items": .array(answers(to: status, world, own: style == .snac ? nil : false)),
    ]
  }

  /// Sixty per page; ten here.
  private func context(_ world: MastodonStub.World, _ query: [URLQueryItem]) -> JSONValue {
    let all = world.statuses.values.filter { $0.boostOf == nil && world.visible($0.id) != nil }
      .sorted { $0.id < $1.id }.compactMap { Self.address(of: $0, world) }
    let from = Int(query.first { $0.name == "from" }?.value ?? "") ?? 0
    let entries = JSONValue.array(all.dropFirst(from).prefix(10).map { .string($0) })
    let place = "https://\(world.host)/contexts/1"
    var page: JSONObject = ["type": "CollectionPage", "partOf": .string(place), "items": entries]
    if from + 10 < all.count { page["next"] = .string("\(place)?from=\(from + 10)") }
    return from > 0 ? .object(page) : ["type": "Collection", "id": .string(place), "first": .object(page)]
  }

  /// snac returns the latest twenty in one response; Mastodon has pages.
  private func outbox(of name: String, _ world: MastodonStub.World, _ query: [URLQueryItem]) -> JSONValue {
    let place = Self.actor(name, world) + "/outbox"
    let before = Int(query.first { $0.name == "max_id" }?.value ?? "") ?? .max
    let all = world.statuses.values.filter {
      $0.account == name && $0.id < before && $0.boostOf == nil && !deleted.contains($0.id)
        && ["public", "unlisted"].contains($0.visibility)
    }.sorted { $0.id > $1.id }
    let entries = all.prefix(20).map { status -> JSONValue in
      let note = note(status, world)
      return [
        "type": "Create", "actor": .string(Self.actor(name, world)), "published": note["published"] ?? .null,
        "to": note["to"] ?? .null, "cc": note["cc"] ?? .null, "object": .object(note),
      ]
    }
    if style == .mastodon, !query.contains(where: { $0.name == "page" }) {
      return ["type": "OrderedCollection", "id": .string(place), "first": .string(place + "?page=true")]
    }
    var page: JSONObject = [
      "type": style == .snac ? "OrderedCollection" : "OrderedCollectionPage", "id": .string(place),
      "orderedItems": .array(entries),
    ]
    if style == .mastodon, let last = all.prefix(20).last, all.count > 20 {
      page["next"] = .string(place + "?page=true&max_id=\(last.id)")
    }
    return .object(page)
  }

  private func account(_ name: String, _ world: MastodonStub.World) -> JSONObject {
    let actor = Self.actor(name, world)
    var account: JSONObject = [
      "type": "Person", "id": .string(actor), "preferredUsername": .string(name),
      "name": .string(name.capitalized + " :blobcat:"), "summary": "<p>Writes <b>things</b></p>",
      "url": .string(actor), "outbox": .string(actor + "/outbox"),
      "published": "2020-01-01T00:00:00Z",
      "icon": ["type": "Image", "url": .string("https://files.social.example/\(name).png")],
      "tag": [
        ["type": "Emoji", "name": ":blobcat:", "icon": ["url": "https://files.social.example/blobcat.png"]]
      ],
    ]
    account.merge(person) { $1 }
    return account
  }
}

extension ActivityStub {
  /// A thread of thirty posts on a server with a closed API. Others reply, and the author answers them.
  package static func thread(_ style: Style, _ change: (inout ActivityStub) -> Void = { _ in })
    -> MastodonStub.World
  {
    var world = MastodonStub.World()
    world.token = "sesame-9f8e7d6c"
    world.batches = style == .mastodon
    var stub = ActivityStub(style)
    change(&stub)
    world.activity = stub
    var parent: Int?
    for number in 1...30 {
      let id = 1000 + number * 10
      world.statuses[id] = MastodonStub.Status(
        id: id, account: "ada", content: "<p>\(number)/30 Notes &amp; &lt;queries&gt; no. \(number)</p>",
        parent: parent,
        visibility: number == 1 ? "public" : "unlisted")
      parent = id
      if number % 6 == 2 {
        world.statuses[id + 2] = MastodonStub.Status(
          id: id + 2, account: "bea", content: "<p>An answer to \(number)</p>", parent: id)
      }
    }
    world.statuses[1025] = MastodonStub.Status(
      id: 1025, account: "ada", content: "<p>Thank you, Bea</p>", parent: 1022)
    // Another, later post of the account.
    world.statuses[2000] = MastodonStub.Status(id: 2000, account: "ada", content: "<p>Another day</p>")
    world.statuses[2001] = MastodonStub.Status(
      id: 2001, account: "ada", content: "<p>And more of it</p>", parent: 2000)
    return world
  }

  /// The URL of a post's page for readers.
  package static func page(_ id: Int, _ world: MastodonStub.World) -> String {
    guard let status = world.statuses[id], let address = address(of: status, world) else { return "" }
    return world.activity?.style == .snac ? address : "https://\(world.host)/@\(status.account)/\(id)"
  }
}
