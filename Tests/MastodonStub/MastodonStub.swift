package import Basics
import Foundation
package import LoopbackServer
package import Synchronization
package import ThreadModel

/// A loopback server that responds like Mastodon, built from Mastodon's documentation and source and not from
/// any client. Without a token, a context has forty posts above, sixty below and a depth of twenty, in the
/// order of their IDs; with a token, it has 4096 of each.
package final class MastodonStub: Sendable {
  package struct Status: Sendable {
    package var id: Int
    package var account: String
    package var content: String
    package var parent: Int?
    package var visibility: String
    package var boostOf: Int?
    package var more: JSONObject

    package init(
      id: Int, account: String, content: String, parent: Int? = nil, visibility: String = "public",
      boostOf: Int? = nil, more: JSONObject = [:]
    ) {
      self.id = id
      self.account = account
      self.content = content
      self.parent = parent
      self.visibility = visibility
      self.boostOf = boostOf
      self.more = more
    }
  }

  package struct World: Sendable {
    package var host = "social.example"
    package var statuses: [Int: Status] = [:]
    /// Accounts by name; a name with an `@` belongs to another server.
    package var accounts = ["ada", "bea"]
    /// The required token.
    package var token: String?
    package var batches = true
    package var accountFields: [String: JSONObject] = [:]
    /// False fields of every status.
    package var lies: JSONObject = [:]
    /// How the server implements ActivityPub; `nil` if it does not.
    package var activity: ActivityStub?

    package init() {}

    package func accountID(_ name: String) -> String {
      activity?.accountID(name, self) ?? "\(9000 + (accounts.firstIndex(of: name) ?? 99))"
    }
  }

  package struct Request: Sendable, Hashable {
    package var path: String
    package var query: [String: String]
    package var hasToken: Bool
  }

  package let world: Mutex<World>
  private let faults = Mutex<[LoopbackAnswer]>([])
  private let log = Mutex<[Request]>([])
  private let server: LoopbackServer

  package var port: Int { server.port }
  package var requests: [Request] { log.withLock { $0 } }
  package func requests(_ suffix: String) -> [Request] { requests.filter { $0.path.hasSuffix(suffix) } }
  package func clearLog() { log.withLock { $0 = [] } }
  package func change(_ change: (inout World) -> Void) { world.withLock { change(&$0) } }
  /// Sets the responses to the next requests.
  package func fail(_ answers: LoopbackAnswer...) { faults.withLock { $0 += answers } }
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

  /// Returns the `mastodon` section of a site.yml that leads to the stub, as social.example and as other.example.
  ///
  /// - Parameter server: further lines of the entry of social.example.
  package func settings(server: String = "") -> String {
    let servers = [("other.example", "other/", ""), ("social.example", "", server)].map {
      "    - host: \($0)\n      api_url: http://127.0.0.1:\(port)/\($1)\n\($2)"
    }
    return "mastodon:\n  servers:\n" + servers.joined()
  }

  /// Returns the text that a reader sees of Mastodon's HTML, independently of the program's parser.
  package static func shown(_ html: String) -> String {
    var text = html
    text = text.replacing(/<span class="invisible">[^<]*<\/span>/, with: "")
    text = text.replacing(/<span class="ellipsis">([^<]*)<\/span>/) { "\($0.1)…" }
    text = text.replacing("</p><p>", with: "\n\n").replacing(/<br ?\/?>/, with: "\n").replacing(
      /<[^>]*>/, with: "")
    for (code, character) in [
      ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&"),
    ] {
      text = text.replacing(code, with: character)
    }
    return text
  }

  private func answer(_ request: LoopbackRequest) -> LoopbackAnswer {
    let parts = URLComponents(string: "http://stub" + request.target)
    let query = Dictionary(
      (parts?.queryItems ?? []).map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $0 + "," + $1 })
    let token = request["Authorization"]
    let accepts = request["Accept"] ?? ""
    log.withLock { $0.append(Request(path: parts?.path ?? "", query: query, hasToken: token != nil)) }
    if let fault = faults.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return fault }
    return world.withLock { world in
      // The other server is open, whatever this server is.
      if parts?.path.hasPrefix("/other/api/") == true, world.activity != nil {
        let path = (parts?.path ?? "").split(separator: "/").map(String.init)
        return Self.copies(Array(path.dropFirst()), query, world)
      }
      if parts?.path.hasPrefix("/api/") != true, let activity = world.activity {
        return activity.answer(to: request.target, accepts, world)
      }
      if let wanted = world.token, token != "Bearer \(wanted)" {
        return Self.json(["error": "This method requires an authenticated user"], status: 401)
      }
      var path = (parts?.path ?? "").split(separator: "/").map(String.init)
      if path.first == "other" {
        path.removeFirst()
        return Self.copies(path, query, world)
      }
      guard path.starts(with: ["api", "v1"]) else { return Self.notFound }
      return Self.answer(Array(path.dropFirst(2)), query, world)
    }
  }

  private static func answer(_ path: [String], _ query: [String: String], _ world: World) -> LoopbackAnswer {
    switch (path.first, path.count) {
    case ("statuses", 1):
      let ids = query["id[]"]?.split(separator: ",").compactMap { Int($0) } ?? []
      guard world.batches else { return notFound }
      guard ids.count <= 20 else { return json(["error": "Too many ids"], status: 422) }
      return json(.array(ids.compactMap { world.visible($0) }.map { world.json($0) }))
    case ("statuses", 2):
      guard let status = world.number(path[1]).flatMap(world.visible) else { return notFound }
      return json(world.json(status))
    case ("statuses", 3) where path[2] == "context":
      guard let status = world.number(path[1]).flatMap(world.visible) else { return notFound }
      return json([
        "ancestors": .array(world.ancestors(of: status).map { world.json($0) }),
        "descendants": .array(world.descendants(of: status).map { world.json($0) }),
      ])
    case ("accounts", 2) where path[1] == "lookup":
      guard let name = query["acct"], world.accounts.contains(name) else { return notFound }
      return json(world.account(name))
    case ("accounts", 2):
      guard let name = world.accounts.first(where: { world.accountID($0) == path[1] }) else {
        return notFound
      }
      return json(world.account(name))
    case ("accounts", 3) where path[2] == "statuses":
      guard let name = world.accounts.first(where: { world.accountID($0) == path[1] }) else {
        return notFound
      }
      return list(of: name, query, world)
    case ("accounts", 3) where path[2] == "followers":
      // One per page, so the next page must be requested.
      let names = world.accounts.filter { world.accountID($0) != path[1] }
      let position = query["max_id"].flatMap(Int.init) ?? 0
      guard position < names.count else { return json([]) }
      let next = "<https://\(world.host)/api/v1/accounts/1/followers?max_id=\(position + 1)>; rel=\"next\""
      return json([world.account(names[position])], headers: [("Link", next)])
    default: return notFound
    }
  }

  private static func list(of name: String, _ query: [String: String], _ world: World) -> LoopbackAnswer {
    var all = world.statuses.values.filter { status in
      status.account == name && world.visible(status.id) != nil
        && !(query["exclude_reblogs"] == "true" && status.boostOf != nil)
    }.sorted { $0.id > $1.id }
    let limit = min(Int(query["limit"] ?? "") ?? 20, 40)
    if let most = query["max_id"].flatMap(Int.init) { all.removeAll { $0.id >= most } }
    if let least = query["since_id"].flatMap(Int.init) { all.removeAll { $0.id <= least } }
    var page = Array(all.prefix(limit))
    if let least = query["min_id"].flatMap(Int.init) {
      page = Array(all.filter { $0.id > least }.suffix(limit))
    }
    var headers: [(name: String, value: String)] = []
    if let last = page.last, all.last.map({ $0.id < last.id }) == true {
      headers.append(
        (
          "Link",
          "<https://\(world.host)/api/v1/accounts/\(world.accountID(name))/statuses?limit=\(limit)&max_id=\(last.id)>; rel=\"next\", <https://\(world.host)/api/v1/x?min_id=9>; rel=\"prev\""
        ))
    }
    return json(.array(page.map { world.json($0) }), headers: headers)
  }

  /// Another server, which has copies of the posts under its own IDs.
  private static func copies(
    _ path: [String], _ query: [String: String], _ world: World
  ) -> LoopbackAnswer {
    if path.count == 5, path[2...3] == ["timelines", "tag"] { return tagged(path[4], query, world) }
    guard path.count == 4, path[2] == "statuses", let id = Int(path[3]), let copy = copy(id, world)
    else { return notFound }
    return json(copy)
  }

  private static func copy(_ id: Int, _ world: World) -> JSONValue? {
    guard let status = world.visible(id - 5000), case .object(var members) = world.json(status),
      case .object(var account)? = members["account"]
    else { return nil }
    members["id"] = .string("\(id)")
    if let parent = status.parent {
      members["in_reply_to_id"] = .string("\(parent + 5000)")
      // Accounts also have other IDs here.
      members["in_reply_to_account_id"] =
        world.statuses[parent].map { .string($0.account == "ada" ? "77" : "78") } ?? .null
    }
    account["acct"] = .string("\(status.account)@\(world.host)")
    account["id"] = status.account == "ada" ? "77" : "78"
    members["account"] = .object(account)
    return .object(members)
  }

  /// The other server's posts with a hashtag, newest first, two per page, only public posts.
  private static func tagged(_ name: String, _ query: [String: String], _ world: World) -> LoopbackAnswer {
    let before = query["max_id"].flatMap(Int.init) ?? .max
    let all = world.statuses.values.filter { status in
      status.visibility == "public" && status.boostOf == nil && status.id + 5000 < before
        && status.more["tags"]?.array?.contains { $0["name"]?.string == name } == true
    }.sorted { $0.id > $1.id }
    let page = all.prefix(2)
    var headers: [(name: String, value: String)] = []
    if let last = page.last, page.count < all.count {
      headers = [
        (
          "Link",
          "<https://other.example/api/v1/timelines/tag/\(name)?limit=2&max_id=\(last.id + 5000)>; rel=\"next\""
        )
      ]
    }
    return json(.array(page.compactMap { copy($0.id + 5000, world) }), headers: headers)
  }

  package static let notFound = json(["error": "Record not found"], status: 404)

  package static func json(
    _ value: JSONValue, status: Int = 200, headers: [(name: String, value: String)] = []
  ) -> LoopbackAnswer {
    .answer(
      status: status, headers: [("Content-Type", "application/json; charset=utf-8")] + headers,
      body: Array(JSONWriter.text(of: value).string.utf8))
  }
}

extension MastodonStub.World {
  /// A post for followers is never shown.
  package func visible(_ id: Int) -> MastodonStub.Status? {
    statuses[id].flatMap { token != nil || ["public", "unlisted"].contains($0.visibility) ? $0 : nil }
  }

  /// The limits of a conversation around a post (`app/controllers/api/v1/statuses/contexts_controller.rb`).
  private var limits: (ancestors: Int, descendants: Int, depth: Int) {
    token == nil ? (40, 60, 20) : (4096, 4096, 4096)
  }

  /// Deletes a post. Its replies then name only the account that they answered (`db/schema.rb`, `on_delete:
  /// :nullify`).
  package mutating func delete(_ id: Int) {
    guard let gone = statuses.removeValue(forKey: id) else { return }
    let author: JSONValue = .string(accountID(gone.account))
    for child in children(of: id) {
      statuses[child.id]?.parent = nil
      statuses[child.id]?.more["in_reply_to_account_id"] = author
    }
  }

  /// The API's ID of a status.
  package func name(_ id: Int) -> String {
    statuses[id].flatMap { activity?.statusID($0, self) } ?? "\(id)"
  }

  /// The status with an ID of the API.
  func number(_ name: String) -> Int? {
    activity?.style == .snac ? statuses.keys.first { self.name($0) == name } : Int(name)
  }

  func children(of id: Int) -> [MastodonStub.Status] {
    statuses.values.filter { $0.parent == id }.sorted { $0.id < $1.id }
  }

  func ancestors(of status: MastodonStub.Status) -> [MastodonStub.Status] {
    var result: [MastodonStub.Status] = []
    var next = status.parent
    while let id = next, result.count < limits.ancestors, let parent = statuses[id] {
      result.insert(parent, at: 0)
      next = parent.parent
    }
    return result.filter { visible($0.id) != nil }
  }

  func descendants(of status: MastodonStub.Status) -> [MastodonStub.Status] {
    var result: [MastodonStub.Status] = []
    func visit(_ id: Int, depth: Int) {
      guard depth <= limits.depth else { return }
      for child in children(of: id) where result.count < limits.descendants {
        result.append(child)
        visit(child.id, depth: depth + 1)
      }
    }
    visit(status.id, depth: 1)
    return result.filter { visible($0.id) != nil }
  }

  package func account(_ name: String) -> JSONValue {
    var members: JSONObject = [
      "id": .string(accountID(name)), "username": .string(name), "acct": .string(name),
      "display_name": .string(name.capitalized + " :blobcat: <script>"),
      "note": "<p>Writes <b>things</b></p>",
      "url": .string("https://\(host)/@\(name)"), "uri": .string("https://\(host)/users/\(name)"),
      "created_at": "2020-01-01T00:00:00.000Z", "followers_count": 10, "following_count": 1,
      "statuses_count": 99,
      "emojis": [emoji], "fields": [], "noindex": false, "locked": false,
    ]
    // Local accounts also have the server's name in their handles.
    if activity?.style == .snac { members["acct"] = .string("\(name)@\(host)") }
    members.merge(accountFields[name] ?? [:]) { $1 }
    return .object(members)
  }

  package var emoji: JSONValue {
    [
      "shortcode": "blobcat", "url": "https://files.social.example/blobcat.gif",
      "static_url": "https://files.social.example/blobcat.png", "visible_in_picker": true,
    ]
  }

  /// The same emoji as in the store: the static image.
  package var blobcat: CustomEmoji {
    CustomEmoji(shortcode: "blobcat", url: "https://files.social.example/blobcat.png")
  }

  package func json(_ status: MastodonStub.Status) -> JSONValue {
    let id = name(status.id)
    // Ids of the size of real ones also have a time.
    let time = Timestamp(seconds: 1_700_000_000 + Int64(status.id % 10_000_000) * 60).iso8601
    let parent: JSONValue = status.parent.map { .string(name($0)) } ?? .null
    let answered: JSONValue =
      status.parent.flatMap { statuses[$0] }.map { .string(accountID($0.account)) } ?? .null
    let boosted: JSONValue = status.boostOf.flatMap { statuses[$0] }.map { json($0) } ?? .null
    // Mastodon counts only public replies.
    let answers: JSONValue = .integer(
      Int64(children(of: status.id).count { ["public", "unlisted"].contains($0.visibility) }))
    var members: JSONObject = [
      "id": .string(id), "created_at": .string(time), "in_reply_to_id": parent,
      "in_reply_to_account_id": answered,
      "sensitive": false, "spoiler_text": "", "visibility": .string(status.visibility), "language": "en",
      "uri": .string("https://\(host)/users/\(status.account)/statuses/\(id)"),
      "url": .string("https://\(host)/@\(status.account)/\(id)"),
      "replies_count": answers, "reblogs_count": 1, "favourites_count": 2,
      "edited_at": nil, "content": .string(status.content), "account": account(status.account),
      "reblog": boosted,
      "media_attachments": [], "mentions": [], "tags": [], "emojis": [], "card": nil, "poll": nil,
    ]
    if activity?.style == .snac {
      members["uri"] = ActivityStub.address(of: status, self).map { .string($0) }
      members["url"] = members["uri"]
    }
    members.merge(status.more) { $1 }
    members.merge(lies) { $1 }
    return .object(members)
  }
}

extension MastodonStub {
  /// A thread of eighty posts: the first is public, the others are unlisted. It has replies of others, boosts
  /// in between, and one of everything.
  package static func longThread() -> World {
    var world = World()
    var parent: Int?
    for number in 1...80 {
      let id = 1000 + number * 10
      var content = "<p>\(number)/80 Notes &amp; &lt;queries&gt; no. \(number)</p>"
      var more: JSONObject = [:]
      switch number {
      case 5:
        content =
          "<p>5/80 see <a href=\"https://www.example.org/a/very/long/path?a=1&amp;b=2\" target=\"_blank\"><span class=\"invisible\">https://www.</span><span class=\"ellipsis\">example.org/a/very/long/path?a</span><span class=\"invisible\">=1&amp;b=2</span></a>, &quot;quoted&quot;<br />next line</p><p>and a paragraph</p>"
      case 17:
        more["poll"] = [
          "id": "3", "expires_at": nil, "expired": false, "multiple": true, "voters_count": nil,
          "votes_count": 7,
          "options": [["title": "Pollen", "votes_count": 4], ["title": "Nectar", "votes_count": 3]],
        ]
      case 23:
        more["media_attachments"] = [
          [
            "id": "8", "type": "audio", "url": "https://files.social.example/hum.mp3",
            "description": "A hum of bees",
            "preview_url": nil, "meta": ["original": ["duration": .number("3.5")]],
          ]
        ]
      case 31:
        content = "<p>31/80 a cat :blobcat: and :nothing:</p>"
        more["emojis"] = [world.emoji]
      case 40:
        more["spoiler_text"] = "About <spiders>"
        more["sensitive"] = true
      default: break
      }
      world.statuses[id] = Status(
        id: id, account: "ada", content: content, parent: parent,
        visibility: number == 1 ? "public" : "unlisted",
        more: more)
      parent = id
      if number.isMultiple(of: 9) {
        world.statuses[id + 1] = Status(id: id + 1, account: "ada", content: "", boostOf: 1010)
      }
      if number % 6 == 2 {
        world.statuses[id + 2] = Status(
          id: id + 2, account: "bea", content: "<p>An answer to \(number)</p>", parent: id)
      }
    }
    // A reply to someone else, which is not part of the thread.
    world.statuses[1025] = Status(id: 1025, account: "ada", content: "<p>Thank you, Bea</p>", parent: 1022)
    return world
  }
}
