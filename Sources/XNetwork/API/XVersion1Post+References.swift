import JSONText
import ThreadModel

/// What a post refers to: whom it answers, what it quotes, who wrote it.
extension XVersion1Post {
  /// Posts quote others since April 2015; before, an address of a post was an address like others.
  private static let firstQuote = "585000000000000000"

  static func references(_ old: XFields, quoted: String?) -> JSONValue? {
    var references: [JSONValue] = []
    if let id = old.idOrNumber("in_reply_to_status_id_str", "in_reply_to_status_id") {
      references.append(["type": "replied_to", "id": .string(id)])
    }
    if let quoted { references.append(["type": "quoted", "id": .string(quoted)]) }
    if let repeated = old.fields("retweeted_status")?.idOrNumber("id_str", "id") {
      references.append(["type": "retweeted", "id": .string(repeated)])
    }
    return references.isEmpty ? nil : .array(references)
  }

  /// The post that this one quotes: the API says it; in an archive it is the one whose address ends the text.
  static func quoted(
    _ old: XFields, id: String, text: String, links: [XFields], media: [XFields]
  ) -> (id: String, handle: String?)? {
    let known = old.idOrNumber("quoted_status_id_str", "quoted_status_id")
    let address = links.first { link in
      guard let post = link.text("expanded_url").flatMap(XURL.post), !post.isMedia else { return false }
      if let known { return post.id == known }
      return post.id != id && ends(text, with: link, before: media)
    }
    let url = address?.text("expanded_url") ?? old.fields("quoted_status_permalink")?.text("expanded")
    guard let quoted = known ?? url.flatMap(XURL.post)?.id,
      known != nil || !XID.precedes(id, firstQuote)
    else { return nil }
    return (quoted, url.flatMap(XURL.handle))
  }

  /// The links of the text; the quoted post's address may stand in the text without being one of its entities.
  static func links(_ old: XFields) -> [XFields] {
    let links = old.fields("entities")?.list("urls") ?? []
    guard let quoted = old.fields("quoted_status_permalink"), let short = quoted.text("url"),
      let address = quoted.text("expanded"), !links.contains(where: { $0.text("url") == short })
    else { return links }
    return links + [XFields(["url": .string(short), "expanded_url": .string(address)])]
  }

  private static func ends(_ text: String, with link: XFields, before media: [XFields]) -> Bool {
    guard let short = link.text("url") else { return false }
    var words = text.split(whereSeparator: \.isWhitespace)
    let shorts = Set(media.compactMap { $0.text("url") })
    while let last = words.last, shorts.contains(String(last)) { words.removeLast() }
    return words.last.map { $0 == short } ?? false
  }

  static func author(_ old: XFields) -> XFields? {
    if let user = old.fields("user") { return XVersion1User.fields(user) }
    guard let id = old.idOrNumber("from_user_id_str", "from_user_id") else { return nil }
    var user: JSONObject = ["id": .string(id)]
    user["username"] = old["from_user"]
    user["name"] = old["from_user_name"]
    user["profile_image_url"] = old["profile_image_url_https"] ?? old["profile_image_url"]
    return XFields(user)
  }

  /// Whom the post answers, with the name that the text's mention of them has.
  static func answered(_ old: XFields) -> Author? {
    guard let id = old.answeredUser else { return nil }
    var author = Author(id: AuthorID(id, on: .x))
    let mentions = old.fields("entities")?.list("user_mentions") ?? []
    let mention = mentions.first { $0.idOrNumber("id_str", "id") == id }
    let handle = old.text("in_reply_to_screen_name") ?? mention?.text("screen_name")
    author.handle = handle.flatMap { XURL.isHandle($0) ? $0 : nil }
    author.name = mention?.text("name")
    author.url = author.handle.flatMap(XURL.profile)
    return author.handle == nil && author.name == nil ? nil : author
  }

  /// Where the post is withheld, in the words of version 2.
  static func withheld(_ old: XFields) -> JSONValue? {
    var withheld: JSONObject = [:]
    let countries = old.strings("withheld_in_countries")
    if !countries.isEmpty { withheld["country_codes"] = .array(countries.map { .string($0) }) }
    if old.bool("withheld_copyright") == true { withheld["copyright"] = true }
    return withheld.isEmpty ? nil : .object(withheld)
  }

  static func metrics(_ old: XFields) -> JSONValue? {
    var metrics: JSONObject = [:]
    for (name, oldName) in [
      ("like_count", "favorite_count"), ("retweet_count", "retweet_count"), ("reply_count", "reply_count"),
      ("quote_count", "quote_count"),
    ] {
      metrics[name] = old.count(oldName).map { .integer(Int64($0)) }
    }
    return metrics.isEmpty ? nil : .object(metrics)
  }

  /// `<a href="…">Twitter for iPhone</a>` is what version 2 calls `Twitter for iPhone`.
  static func withoutMarkup(_ source: String) -> String {
    guard source.hasPrefix("<a "), source.hasSuffix("</a>"), let start = source.firstIndex(of: ">") else {
      return source
    }
    return String(source[source.index(after: start)...].dropLast(4))
  }
}
