import Basics
import ThreadModel

extension XVersion1Post {
  /// Returns entities with the names of version 2; `links` are the links of the text and of its media.
  static func entities(_ old: XFields?, links: [XFields]) -> JSONValue {
    [
      "urls": .array(
        links.map { link in
          var new = places(link)
          for name in ["url", "expanded_url", "media_key"] { new[name] = link[name] }
          return .object(new)
        }),
      "mentions": list(old, "user_mentions", naming: "username", from: "screen_name"),
      "hashtags": list(old, "hashtags", naming: "tag", from: "text"),
      "cashtags": list(old, "symbols", naming: "tag", from: "text"),
    ]
  }

  /// Returns the entities of a note. They have different names, and their ranges are in `fromIndex` and `toIndex`.
  ///
  /// - Parameter distance: the number of scalars before the note's text.
  static func noteEntities(_ core: XFields, movedBy distance: Int) -> JSONObject {
    [
      "urls": .array(
        core.list("urls").map { link in
          var new = places(link, movedBy: distance)
          new["url"] = link["shortUrl"] ?? link["url"]
          new["expanded_url"] = link["expandedUrl"] ?? link["expanded_url"]
          return .object(new)
        }),
      "mentions": list(core, "mentions", naming: "username", from: "screenName", movedBy: distance),
      "hashtags": list(core, "hashtags", naming: "tag", from: "text", movedBy: distance),
      "cashtags": list(core, "cashtags", naming: "tag", from: "text", movedBy: distance),
    ]
  }

  private static func list(
    _ old: XFields?, _ key: String, naming name: String, from oldName: String, movedBy distance: Int = 0
  ) -> JSONValue {
    let entities = old?.list(key) ?? []
    return .array(
      entities.map { entity in
        var new = places(entity, movedBy: distance)
        new[name] = entity[oldName]
        // Accounts have an id.
        if let id = entity.idOrNumber("id_str", "id", "userId") { new["id"] = .string(id) }
        return .object(new)
      })
  }

  /// Returns the range of an entity: two numbers, or two strings of digits.
  private static func places(_ old: XFields, movedBy distance: Int = 0) -> JSONObject {
    let indices = old["indices"]?.array?.map { $0.int ?? $0.string.flatMap { Int($0) } } ?? []
    let start = indices.count == 2 ? indices[0] : old.int("fromIndex")
    let end = indices.count == 2 ? indices[1] : old.int("toIndex")
    guard let start, let end else { return [:] }
    return [
      "start": .integer(Int64(start &+ distance)), "end": .integer(Int64(end &+ distance)),
    ]
  }
}

extension XFields {
  /// Returns an id from the first of the keys that has one. In older objects it is a number.
  func idOrNumber(_ keys: String...) -> String? {
    for key in keys {
      if let id = id(key) ?? self[key]?.integer.map({ String($0) }), XID.isValid(id), id.first != "0" {
        return id
      }
    }
    return nil
  }

  /// The id of the account to which the post replies.
  var answeredUser: String? {
    idOrNumber("in_reply_to_user_id_str", "in_reply_to_user_id", "to_user_id_str", "to_user_id")
  }

  /// The ids of all versions of an edited post.
  var versions: JSONValue? {
    let info = fields("edit_info")
    let edit = info?.fields("edit")
    let control = edit?.fields("editControlInitial") ?? edit ?? info?.fields("initial")
    let ids = control?.strings("editTweetIds") ?? []
    return ids.isEmpty ? nil : .array(ids.map { .string($0) })
  }

  /// The post's media with the names of version 2, each with its link in the text. Media without an id are skipped, and only the first 100
  /// are read (X allows four).
  ///
  /// `extended_entities` has all media with their kinds; `entities` has only the first, always as a photo.
  var mediaObjects: [(fields: XFields, link: XFields)] {
    let extended = fields("extended_entities")?.list("media") ?? []
    let objects = extended.isEmpty ? fields("entities")?.list("media") ?? [] : extended
    return objects.prefix(100).compactMap { old in
      guard let id = old.idOrNumber("id_str", "id") else { return nil }
      let media = XVersion1Media.fields(old, id: id)
      var link = old.members
      link["media_key"] = media["media_key"]
      return (media, XFields(link))
    }
  }
}

/// Converts media objects of version 1.1 to version 2.
enum XVersion1Media {
  static func fields(_ old: XFields, id: String) -> XFields {
    let type = old.text("type") ?? "photo"
    let picture = old.text("media_url_https") ?? old.text("media_url")
    var new: JSONObject = [
      "media_key": .string(key(id, type: type, url: picture ?? "")), "type": .string(type),
    ]
    new[type == "photo" ? "url" : "preview_image_url"] = picture.map { .string($0) }
    let size = old.fields("original_info") ?? old.fields("sizes")?.fields("large")
    new["width"] = (size?.count("width") ?? size?.count("w")).map { .integer(Int64($0)) }
    new["height"] = (size?.count("height") ?? size?.count("h")).map { .integer(Int64($0)) }
    new["alt_text"] = old["ext_alt_text"]
    let video = old.fields("video_info")
    new["duration_ms"] = video?.count("duration_millis").map { .integer(Int64($0)) }
    let variants = (video?.list("variants") ?? []).map { variant -> JSONValue in
      var result: JSONObject = [:]
      result["url"] = variant["url"]
      result["content_type"] = variant["content_type"]
      result["bit_rate"] = variant.count("bitrate").map { .integer(Int64($0)) }
      return .object(result)
    }
    if !variants.isEmpty { new["variants"] = .array(variants) }
    return XFields(new)
  }

  /// The media key of version 2: a number for the kind, and the id.
  private static func key(_ id: String, type: String, url: String) -> String {
    switch type {
    case "video": (url.contains("/amplify_video") ? "13_" : "7_") + id
    case "animated_gif": "16_" + id
    default: "3_" + id
    }
  }
}

/// Converts user objects of version 1.1 to version 2.
enum XVersion1User {
  static func fields(_ old: XFields) -> XFields? {
    guard let id = old.idOrNumber("id_str", "id") else { return nil }
    var new: JSONObject = ["id": .string(id)]
    for name in ["name", "description", "location", "url", "entities", "protected", "verified"] {
      new[name] = old[name]
    }
    new["username"] = old["screen_name"]
    new["created_at"] = old.string("created_at").flatMap(XVersion1Date.parse).map { .string($0.iso8601) }
    new["profile_image_url"] = old["profile_image_url_https"] ?? old["profile_image_url"]
    var metrics: JSONObject = [:]
    metrics["followers_count"] = old["followers_count"]
    metrics["following_count"] = old["friends_count"]
    metrics["tweet_count"] = old["statuses_count"]
    if !metrics.isEmpty { new["public_metrics"] = .object(metrics) }
    return XFields(new)
  }
}
