import JSONText
package import ThreadModel

/// A post object of version 1.1 of X's API, or of its first search, as saved responses and archives have it, told in the words
/// of version 2: so that there is one way from X's text and entities to the model.
///
/// Read forgivingly: in archives numbers are strings, and entities may be absent or null.
package struct XVersion1Post: Sendable {
  /// The post, by the names of version 2.
  package private(set) var fields: XFields
  /// Its media objects, by the names of version 2.
  package private(set) var media: [XFields]
  package private(set) var author: XFields?
  /// The posts that the object holds inside: the quoted one, and the one that it repeats.
  private(set) var embeddedPosts: [JSONObject] = []
  /// The id of the post that it quotes.
  package private(set) var quotedID: String?
  /// The handle in the quoted post's address.
  package private(set) var quotedHandle: String?
  /// Whom it answers, as far as it says: id, handle and name.
  package private(set) var answered: Author?

  /// `nil` for an object without an id, or without a text.
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
    // What answers no post begins a conversation, whoever it addresses; the first search did not say what a post answers.
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

  /// The object with its whole text and all its media in the usual places.
  ///
  /// Streams and the premium searches give `text` cut at 140 characters, and the whole beside it in `extended_tweet`, with entities and media of
  /// its own (X's documentation of version 1.1, "Extended Tweets").
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

  /// Replaces the text, which was cut, by that of a long post's note.
  ///
  /// - Parameters:
  ///   - core: `text`, `urls`, `mentions`, `hashtags` and `cashtags` in the names of archives.
  ///   - handles: what the post begins with and the note does not, the white space behind it included; it stays.
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

  /// The post as the model has it.
  ///
  /// - Parameter conversation: `nil` where nobody knows it.
  package func post(by author: AuthorID, handle: String?, conversation: String?) -> Post {
    var context = XContext()
    for object in media {
      if let key = object.text("media_key") { context.media[key] = object }
    }
    context.users[author.value] = Author(id: author, handle: handle)
    let post = XPost(id: id, fields: fields, observedAt: nil)
    return Post(x: post, author: author.value, conversation: conversation, in: context)
  }
}
