import Basics

/// The AppView's views of records, according to its lexicons.
extension BlueskyWorld {
  private func labels(_ names: [String], _ uri: String) -> JSONValue {
    .array(
      names.map { name in
        [
          "src": "did:plc:ar7c4by46qjdydhdevvrndac", "uri": .string(uri), "val": .string(name),
          "cts": "2026-01-01T00:00:00Z",
        ]
      })
  }

  func profile(_ account: Account, server: String) -> JSONValue {
    [
      "did": .string(account.did), "handle": .string(account.handle), "displayName": .string(account.name),
      "avatar": .string("\(server)/media/100x100/\(account.handle).png"),
      "createdAt": "2023-04-01T10:00:00.000Z",
      "labels": labels(account.labels, "at://\(account.did)/app.bsky.actor.profile/self"),
    ]
  }

  /// Returns a post as `app.bsky.feed.defs#postView`.
  func view(_ post: Post, server: String, depth: Int = 0) -> JSONValue {
    var view: [String: JSONValue] = [
      "uri": .string(post.uri), "cid": .string(Self.cid(post.uri)), "record": post.record,
      "indexedAt": post.record["createdAt"] ?? .null, "labels": labels(post.labels, post.uri),
      "replyCount": .integer(Int64(posts.count { $0.parent == post.uri && !$0.isDeleted })),
      "repostCount": 1, "likeCount": 2, "quoteCount": 3,
    ]
    view["author"] = account(post.did).map { profile($0, server: server) }
    view["embed"] = embed(post.record["embed"], of: post, server: server, depth: depth)
    return .object(view)
  }

  private func embed(_ embed: JSONValue?, of post: Post, server: String, depth: Int) -> JSONValue? {
    guard let embed, let kind = embed["$type"]?.string else { return nil }
    func file(_ name: JSONValue?) -> String { name?["ref"]?["$link"]?.string ?? "none" }
    switch kind {
    case "app.bsky.embed.images":
      let images = (embed["images"]?.array ?? []).map { image -> JSONValue in
        var view = picture(file(image["image"]), image, server, thumbnail: "thumb")
        view["aspectRatio"] = image["aspectRatio"]
        return .object(view)
      }
      return ["$type": "app.bsky.embed.images#view", "images": .array(images)]
    case "app.bsky.embed.gallery":
      let items = (embed["items"]?.array ?? []).map { image -> JSONValue in
        var view = picture(file(image["image"]), image, server, thumbnail: "thumbnail")
        view["$type"] = "app.bsky.embed.gallery#viewImage"
        view["aspectRatio"] = image["aspectRatio"]
        return .object(view)
      }
      return ["$type": "app.bsky.embed.gallery#view", "items": .array(items)]
    case "app.bsky.embed.video":
      var view: [String: JSONValue] = [
        "$type": "app.bsky.embed.video#view", "cid": .string(file(embed["video"])),
        "playlist": .string("\(server)/watch/\(file(embed["video"]))/playlist.m3u8"),
        "thumbnail": .string("\(server)/media/640x360/\(file(embed["video"])).jpg"),
      ]
      for name in ["alt", "aspectRatio", "presentation"] { view[name] = embed[name] }
      return .object(view)
    case "app.bsky.embed.external":
      var external = embed["external"]?.object ?? [:]
      if let thumb = external["thumb"] {
        external["thumb"] = .string("\(server)/media/400x200/\(file(thumb)).jpg")
      }
      return ["$type": "app.bsky.embed.external#view", "external": .object(external)]
    case "app.bsky.embed.record":
      return [
        "$type": "app.bsky.embed.record#view",
        "record": quoted(embed["record"]?["uri"]?.string ?? "", in: post, server, depth),
      ]
    case "app.bsky.embed.recordWithMedia":
      var view: [String: JSONValue] = ["$type": "app.bsky.embed.recordWithMedia#view"]
      view["media"] = self.embed(embed["media"], of: post, server: server, depth: depth)
      view["record"] = [
        "record": quoted(embed["record"]?["record"]?["uri"]?.string ?? "", in: post, server, depth)
      ]
      return .object(view)
    // The AppView has no view of an unknown embed.
    default: return nil
    }
  }

  private func picture(
    _ name: String, _ image: JSONValue, _ server: String, thumbnail: String
  ) -> [String: JSONValue] {
    var view: [String: JSONValue] = ["fullsize": .string("\(server)/media/1200x800/\(name).jpg")]
    view[thumbnail] = .string("\(server)/media/300x200/\(name).jpg")
    view["alt"] = image["alt"]
    return view
  }

  private func quoted(_ uri: String, in quoting: Post, _ server: String, _ depth: Int) -> JSONValue {
    let parts = uri.split(separator: "/").map(String.init)
    switch parts.count > 2 ? parts[2] : "" {
    case "app.bsky.feed.generator":
      return [
        "$type": "app.bsky.feed.defs#generatorView", "uri": .string(uri), "cid": .string(Self.cid(uri)),
        "displayName": "Boats", "description": "All about boats",
      ]
    case "app.bsky.graph.list":
      return [
        "$type": "app.bsky.graph.defs#listView", "uri": .string(uri), "cid": .string(Self.cid(uri)),
        "name": "People with boats", "purpose": "app.bsky.graph.defs#curatelist",
      ]
    case "app.bsky.graph.starterpack":
      return [
        "$type": "app.bsky.graph.defs#starterPackViewBasic", "uri": .string(uri),
        "cid": .string(Self.cid(uri)),
        "record": ["$type": "app.bsky.graph.starterpack", "name": "Begin with boats", "list": "at://x"],
      ]
    default: break
    }
    guard let post = post(uri), !post.isDeleted else {
      return ["$type": "app.bsky.embed.record#viewNotFound", "uri": .string(uri), "notFound": true]
    }
    if post.labels.contains("test-blocked") {
      return [
        "$type": "app.bsky.embed.record#viewBlocked", "uri": .string(uri), "blocked": true,
        "author": ["did": .string(post.did)],
      ]
    }
    if post.labels.contains("test-detached") {
      return ["$type": "app.bsky.embed.record#viewDetached", "uri": .string(uri), "detached": true]
    }
    var view = self.view(post, server: server, depth: depth + 1).object ?? [:]
    view["$type"] = "app.bsky.embed.record#viewRecord"
    view["value"] = view.removeValue(forKey: "record")
    let embed = view.removeValue(forKey: "embed")
    // Embeds are nested two levels deep only.
    view["embeds"] = .array(depth < 1 ? [embed].compactMap(\.self) : [])
    return .object(view)
  }

  // MARK: Threads

  /// Returns the result of `app.bsky.feed.getPostThread`. Deleted posts and their replies are left out of the tree; a deleted parent is a `notFoundPost`.
  func thread(
    _ uri: String, depth: Int, parentHeight: Int, branching: Int = .max, server: String
  ) -> JSONValue? {
    guard let post = post(uri), !post.isDeleted else { return nil }
    var node = tree(post, depth: depth, branching: branching, server: server)
    // The parents, beginning with the topmost.
    var line: [JSONValue] = []
    var parent = post.parent
    while let uri = parent, line.count < parentHeight {
      guard let above = self.post(uri), !above.isDeleted else {
        line.append(["$type": "app.bsky.feed.defs#notFoundPost", "uri": .string(uri), "notFound": true])
        break
      }
      line.append(["$type": "app.bsky.feed.defs#threadViewPost", "post": view(above, server: server)])
      parent = above.parent
    }
    var above: JSONValue?
    for each in line.reversed() {
      var members = each.object ?? [:]
      if let above { members["parent"] = above }
      above = .object(members)
    }
    if let above { node["parent"] = above }
    return .object(node)
  }

  private func tree(_ post: Post, depth: Int, branching: Int, server: String) -> [String: JSONValue] {
    var node: [String: JSONValue] = [
      "$type": "app.bsky.feed.defs#threadViewPost", "post": view(post, server: server),
    ]
    guard depth > 0 else { return node }
    let replies = posts.filter { $0.parent == post.uri && !$0.isDeleted && !$0.isHiddenInTree }
    // The newest replies come first.
    node["replies"] = .array(
      replies.sorted { $0.key > $1.key }.prefix(branching).map {
        .object(tree($0, depth: depth - 1, branching: branching, server: server))
      })
    return node
  }

  /// Returns the number of posts of the root's author in the chain of oldest replies from the root; deleted posts count if posts exist below them.
  func chainLength(_ uri: String) -> Int? {
    guard let root = post(uri) else { return nil }
    var count = 1
    var place = root
    while let next = posts.filter({ $0.parent == place.uri && $0.did == root.did && lives($0) })
      .min(by: { $0.key < $1.key })
    {
      count += 1
      place = next
    }
    return count
  }

  private func lives(_ post: Post) -> Bool {
    !post.isDeleted || posts.contains { $0.parent == post.uri && lives($0) }
  }
}
