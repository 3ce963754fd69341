import Basics

/// One request, with the state of the stub when the request arrives.
struct Call {
  let world: BlueskyWorld
  let behaviour: BlueskyStub.Behaviour
  let url: String
  let query: [(name: String, value: String)]

  enum Result {
    case value(JSONValue)
    case refused(Int, String, String)
  }

  private func value(_ name: String) -> String? { query.first { $0.name == name }?.value }
  private func all(_ name: String) -> [String] { query.filter { $0.name == name }.map(\.value) }
  /// Returns the server's error for a request that violates the lexicon.
  private func invalid(_ message: String) -> Result { .refused(400, "InvalidRequest", "Error: \(message)") }

  private func number(_ name: String, _ range: ClosedRange<Int>, default standard: Int) -> Int? {
    guard let text = value(name) else { return standard }
    return Int(text).flatMap { range.contains($0) ? $0 : nil }
  }

  func answer(_ method: String, path: String) -> Result {
    switch method {
    case "com.atproto.identity.resolveHandle":
      guard let handle = value("handle"), let account = world.account(handle) else {
        return .refused(400, "InvalidRequest", "Unable to resolve handle")
      }
      return .value(["did": .string(account.did)])
    case "app.bsky.actor.getProfile": return profile()
    case "app.bsky.feed.getPostThread": return thread()
    case "app.bsky.unspecced.getPostThreadV2": return count()
    case "app.bsky.feed.getPosts": return posts()
    case "app.bsky.feed.getAuthorFeed": return feed()
    case "app.bsky.graph.getFollowers":
      return .value([
        "subject": .null, "followers": .array(world.accounts.map { world.profile($0, server: url) }),
      ])
    case "com.atproto.repo.listRecords": return records()
    case "com.atproto.repo.getRecord": return record()
    default:
      if path.hasPrefix("/did:plc:") { return document(String(path.dropFirst())) }
      return .refused(501, "MethodNotImplemented", "Method Not Implemented")
    }
  }

  private func document(_ did: String) -> Result {
    guard let account = world.account(did) else { return .refused(404, "NotFound", "DID not registered") }
    return .value([
      "id": .string(did), "alsoKnownAs": [.string("at://\(account.handle)")],
      "service": [
        ["id": "#atproto_pds", "type": "AtprotoPersonalDataServer", "serviceEndpoint": .string(url)]
      ],
    ])
  }

  private func profile() -> Result {
    guard let account = value("actor").flatMap(world.account) else {
      return .refused(400, "InvalidRequest", "Profile not found")
    }
    if let (error, message) = account.refusal { return .refused(400, error, message) }
    var view = world.profile(account, server: url).object ?? [:]
    view["description"] = "Builds boats."
    view["followersCount"] = 12
    return .value(.object(view))
  }

  private func thread() -> Result {
    guard let uri = value("uri"), uri.hasPrefix("at://") else {
      return invalid("Params must have the property \"uri\"")
    }
    guard let depth = number("depth", 0...1000, default: 6),
      let height = number("parentHeight", 0...1000, default: 80)
    else { return invalid("depth") }
    guard
      let thread = world.thread(
        uri, depth: min(depth, behaviour.depth), parentHeight: min(height, behaviour.parentHeight),
        branching: behaviour.branching, server: url)
    else { return .refused(400, "NotFound", "Post not found: \(uri)") }
    return .value(["thread": thread])
  }

  private func count() -> Result {
    guard behaviour.countsThreads else {
      return .refused(501, "MethodNotImplemented", "Method Not Implemented")
    }
    guard let anchor = value("anchor"), number("below", 0...20, default: 6) != nil,
      number("branchingFactor", 0...100, default: 10) != nil
    else { return invalid("anchor") }
    guard let post = world.post(anchor), let count = world.chainLength(anchor) else {
      return .value([
        "thread": [
          [
            "uri": .string(anchor), "depth": 0,
            "value": ["$type": "app.bsky.unspecced.defs#threadItemNotFound"],
          ]
        ], "hasOtherReplies": false,
      ])
    }
    return .value([
      "hasOtherReplies": false,
      "thread": [
        [
          "uri": .string(anchor), "depth": 0,
          "value": [
            "$type": "app.bsky.unspecced.defs#threadItemPost", "post": world.view(post, server: url),
            "opThread": true, "opThreadPostIndex": 0, "opThreadPostCount": .integer(Int64(count)),
            "moreParents": false, "moreReplies": 0, "hiddenByThreadgate": false, "mutedByViewer": false,
          ],
        ]
      ],
    ])
  }

  private func posts() -> Result {
    let uris = all("uris")
    guard (1...25).contains(uris.count) else { return invalid("uris must not have more than 25 elements") }
    let found = uris.compactMap(world.post).filter { !$0.isDeleted }
    return .value(["posts": .array(found.map { world.view($0, server: url) })])
  }

  private func feed() -> Result {
    guard let account = value("actor").flatMap(world.account) else {
      return .refused(400, "InvalidRequest", "Profile not found")
    }
    guard let limit = number("limit", 1...100, default: 50) else { return invalid("limit") }
    let own = world.posts.filter { $0.did == account.did && !$0.isDeleted }.sorted { $0.key > $1.key }
    let start = value("cursor").flatMap { Int($0) } ?? 0
    let size = min(limit, behaviour.pageSize)
    let page = behaviour.isEndless ? own.prefix(size) : own.dropFirst(start).prefix(size)
    let items = page.map { post -> JSONValue in
      var item: [String: JSONValue] = ["post": world.view(post, server: url)]
      if let parent = post.parent.flatMap(world.post), !parent.isDeleted, let root = world.post(post.root) {
        item["reply"] = ["root": world.view(root, server: url), "parent": world.view(parent, server: url)]
      }
      return .object(item)
    }
    var result: [String: JSONValue] = ["feed": .array(items)]
    if behaviour.isEndless {
      result["cursor"] = "again"
    } else if start + size < own.count {
      result["cursor"] = .string("\(start + size)")
    }
    return .value(.object(result))
  }

  /// Returns records in the order of the reference server: the newest first, or the oldest with `reverse`; the cursor is the last key, exclusive.
  private func records() -> Result {
    guard behaviour.listsRecords else { return .refused(400, "InvalidRequest", "Could not find repo") }
    guard let account = value("repo").flatMap(world.account), value("collection") == "app.bsky.feed.post"
    else {
      return .refused(400, "InvalidRequest", "Could not find repo")
    }
    guard let limit = number("limit", 1...100, default: 50) else { return invalid("limit") }
    let isReverse = value("reverse") == "true"
    var own = world.posts.filter { $0.did == account.did && !$0.isDeleted }
    own.sort { isReverse ? $0.key < $1.key : $0.key > $1.key }
    if let cursor = value("cursor") { own.removeAll { isReverse ? $0.key <= cursor : $0.key >= cursor } }
    let page = own.prefix(min(limit, behaviour.pageSize))
    var result: [String: JSONValue] = [
      "records": .array(
        page.map { ["uri": .string($0.uri), "cid": .string(BlueskyWorld.cid($0.uri)), "value": $0.record] })
    ]
    // The last page also has a cursor.
    if let last = page.last { result["cursor"] = .string(last.key) }
    return .value(.object(result))
  }

  private func record() -> Result {
    let uri = "at://\(value("repo") ?? "")/\(value("collection") ?? "")/\(value("rkey") ?? "")"
    guard let post = world.post(uri), !post.isDeleted else {
      return .refused(400, "RecordNotFound", "Could not locate record: \(uri)")
    }
    return .value(["uri": .string(uri), "cid": .string(BlueskyWorld.cid(uri)), "value": post.record])
  }
}
