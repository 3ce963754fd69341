import Basics
package import ThreadModel

/// Converts a post object of version 1.1 of X's API, or of X's first search, from saved responses and archives, to version 2. So there is
/// only one conversion from X's text and entities to the model.
///
/// Reading is lenient: in archives, numbers are strings, and entities may be missing or null.
package struct XVersion1Post: Sendable {
  /// The post with the names of version 2.
  package private(set) var fields: XFields
  /// Its media objects with the names of version 2.
  package private(set) var media: [XFields]
  package private(set) var author: XFields?
  /// The posts in the object: the quoted one, and the reposted one.
  private(set) var embeddedPosts: [JSONObject] = []
  /// The id of the quoted post.
  package private(set) var quotedID: String?
  /// The handle in the quoted post's URL.
  package private(set) var quotedHandle: String?
  /// The account to which the post replies, as far as known: id, handle and name.
  package private(set) var answered: Author?

  /// Returns `nil` for an object without an id or a text.
  package init?(_ object: JSONObject) {
    let old = XFields(Self.whole(object))
    guard let id = old.idOrNumber("id_str", "id"), let text = old.string("full_text") ?? old.string("text")
    else { return nil }
    let objects = old.mediaObjects
    media = objects.map(\.fields)
    let links = Self.links(old)
    let quoted = Self.quoted(old, id: id, text: text, links: links, media: objects.map(\.link))
    quotedID = quoted?.id
    quotedHandle = quoted?.handle
    embeddedPosts = ["quoted_status", "retweeted_status"].compactMap { old[$0]?.object }
    author = Self.author(old)
    answered = Self.answered(old)
    var new: JSONObject = ["id": .string(id), "text": .string(text)]
    new["entities"] = Self.entities(old.fields("entities"), links: links + objects.map(\.link))
    if !media.isEmpty { new["attachments"] = ["media_keys": .array(media.compactMap { $0["media_key"] })] }
    new["referenced_tweets"] = Self.references(old, quoted: quoted?.id)
    // A post that is not a reply begins a conversation, even if it mentions an account at its start. The first search did not return the
    // post that a post answers.
    if new["referenced_tweets"]?.array?.contains(where: { $0["type"] == "replied_to" }) != true,
      old["from_user"] == nil
    {
      new["conversation_id"] = .string(id)
    }
    new["author_id"] = (author?.id("id") ?? old.idOrNumber("user_id_str", "user_id")).map { .string($0) }
    new["in_reply_to_user_id"] = old.answeredUser.map { .string($0) }
    new["created_at"] = old.string("created_at").flatMap(XVersion1Date.parse).map { .string($0.iso8601) }
    new["lang"] = old["lang"] ?? old["iso_language_code"]
    new["possibly_sensitive"] = old["possibly_sensitive"]
    new["edit_history_tweet_ids"] = old.versions
    new["community_id"] = old.idOrNumber("community_id_str", "community_id").map { .string($0) }
    new["source"] = old.text("source").map { .string(Self.withoutMarkup($0)) }
    new["public_metrics"] = Self.metrics(old)
    new["withheld"] = Self.withheld(old)
    fields = XFields(new)
  }

  /// Returns the object with its complete text and all its media in the usual members.
  ///
  /// Streams and the premium searches cut `text` at 140 characters. They have the complete text in `extended_tweet`, with separate entities
  /// and media (X's documentation of version 1.1, "Extended Tweets").
  private static func whole(_ object: JSONObject) -> JSONObject {
    guard let extended = object["extended_tweet"]?.object, extended["full_text"]?.string?.isEmpty == false
    else { return object }
    var result = object
    for key in ["full_text", "entities", "extended_entities"] {
      if let value = extended[key], !value.isNull { result[key] = value }
    }
    return result
  }

  package var id: String { fields.string("id") ?? "" }

  /// Replaces the truncated text by the text of a long post's note.
  ///
  /// - Parameters:
  ///   - core: `text`, `urls`, `mentions`, `hashtags` and `cashtags` in the names of archives.
  ///   - handles: the handles at the beginning of the post that the note lacks, with the white space after them; they are kept.
  package mutating func take(note core: JSONObject, behind handles: String = "") {
    let old = XFields(core)
    guard let text = old.text("text") else { return }
    var new = fields.members
    let length = handles.unicodeScalars.count
    var entities = Self.noteEntities(old, movedBy: length)
    let mentions = fields.fields("entities")?.list("mentions") ?? []
    let own = mentions.filter { ($0.int("end") ?? .max) <= length }.map { JSONValue.object($0.members) }
    entities["mentions"] = .array(own + (entities["mentions"]?.array ?? []))
    new["note_tweet"] = ["text": .string(handles + text), "entities": .object(entities)]
    fields = XFields(new)
  }

  /// Returns the post as a post of the model.
  ///
  /// - Parameter conversation: the id of the conversation; `nil` if unknown.
  package func post(by author: AuthorID, handle: String?, conversation: String?) -> Post {
    var context = XContext()
    for object in media {
      if let key = object.text("media_key") { context.media[key] = object }
    }
    context.users[author.value] = Author(id: author, handle: handle)
    let post = XPost(id: id, fields, observedAt: nil)
    return Post(x: post, author: author.value, conversation: conversation, in: context)
  }

  /// Quotes exist since April 2015. Before that, the URL of a post was an ordinary link.
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

  /// The quoted post, and the handle in its URL. The API returns its id. In an archive, the quoted post is the one whose URL is the last
  /// word of the text, except for the links of its media. The URL must be neither the post's own nor that of one of its media pages, and
  /// quotes must have existed at the time.
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

  /// The links of the text; the quoted post's URL may be in the text without an entity.
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

  /// The account to which the post replies, with the name from its mention in the text.
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

  /// The countries in which the post is withheld, in the form of version 2.
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

  /// Returns `Twitter for iPhone`, as in version 2, from `<a href="…">Twitter for iPhone</a>`.
  private static func withoutMarkup(_ source: String) -> String {
    guard source.hasPrefix("<a "), source.hasSuffix("</a>"), let start = source.firstIndex(of: ">") else {
      return source
    }
    return String(source[source.index(after: start)...].dropLast(4))
  }
}

/// Parses the dates of X's API before version 2: `Wed Jan 06 18:40:40 +0000 2021`, and in the results of the first search
/// `Wed, 06 Jan 2021 18:40:40 +0000`.
package enum XVersion1Date {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Returns the time of a text in either form, or in RFC 3339, which archives also use; `nil` for other texts.
  package static func parse(_ text: String) -> Timestamp? {
    let parts = text.split(separator: " ")
    guard parts.count == 6 else { return Timestamp(iso8601: text) }
    let isSearch = parts[0].hasSuffix(",")
    let (day, month, year) = isSearch ? (parts[1], parts[2], parts[3]) : (parts[2], parts[1], parts[5])
    let (clock, zone) = isSearch ? (parts[4], parts[5]) : (parts[3], parts[4])
    guard let month = months.firstIndex(of: String(month)), let day = Int(day), let year = Int(year),
      zone == "+0000" || zone == "GMT"
    else { return nil }
    let time = clock.split(separator: ":").map { Int($0) }
    guard time.count == 3, let hour = time[0], let minute = time[1], let second = time[2] else { return nil }
    return Timestamp(
      year: year, month: month + 1, day: day, hour: hour, minute: minute, second: second)
  }
}
