import JSONText
import ThreadModel

/// Media objects of version 1.1, told in the words of version 2.
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

  /// The key by which version 2 knows the same media: its kind in a number, and the id.
  private static func key(_ id: String, type: String, url: String) -> String {
    switch type {
    case "video": (url.contains("/amplify_video") ? "13_" : "7_") + id
    case "animated_gif": "16_" + id
    default: "3_" + id
    }
  }
}

/// User objects of version 1.1, told in the words of version 2.
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
