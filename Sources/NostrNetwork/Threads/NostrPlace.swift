import ThreadModel

/// The place of an event in a conversation: the post that it answers, and the first post of the conversation (NIP-10, NIP-22).
struct NostrPlace {
  private(set) var root: PostID?
  private(set) var parent: PostID?
  /// The public key of the author of the parent, if the event states it.
  private(set) var parentAuthor: String?

  init(_ event: NostrEvent) {
    switch event.kind {
    case NostrEvent.Kind.note, NostrEvent.Kind.picture, NostrEvent.Kind.poll: read(note: event)
    case NostrEvent.Kind.comment: read(comment: event)
    default: break
    }
    // An event cannot contain its own id, but an article may have comments that answer themselves.
    let own = NostrID.post(of: event)
    if parent == own { (parent, parentAuthor) = (nil, nil) }
    if root == own { root = nil }
  }

  private struct Reference {
    var id: String
    var marker: String
    var author: String?
  }

  /// Returns the numbers of the tags that a text shows as `#[0]` (NIP-08). The search takes linear time.
  private static func shownTags(in text: String) -> Set<Int> {
    var numbers: Set<Int> = []
    var number: Int?
    var last: UInt8 = 0
    for byte in text.utf8 {
      if byte == UInt8(ascii: "["), last == UInt8(ascii: "#") {
        number = 0
      } else if byte &- UInt8(ascii: "0") < 10, let known = number, known <= NostrEvent.Limits.tags {
        number = known * 10 + Int(byte - UInt8(ascii: "0"))
      } else {
        if byte == UInt8(ascii: "]"), let known = number, last != UInt8(ascii: "[") { numbers.insert(known) }
        number = nil
      }
      last = byte
    }
    return numbers
  }

  private mutating func read(note event: NostrEvent) {
    let shown = Self.shownTags(in: event.content)
    let references = event.tags.enumerated().compactMap { number, tag -> Reference? in
      guard tag.count > 1, tag[0] == "e", NostrHex.isKey(tag[1]) else { return nil }
      let marker = shown.contains(number) ? "mention" : tag.count > 3 ? tag[3] : ""
      return Reference(
        id: tag[1], marker: marker, author: tag.count > 4 && NostrHex.isKey(tag[4]) ? tag[4] : nil)
    }
    var first = references.first { $0.marker == "root" }
    var answered = references.last { $0.marker == "reply" }
    if first == nil, answered == nil {
      // The deprecated form without markers: the root, mentions, and the answered event.
      let unmarked = references.filter { $0.marker.isEmpty }
      answered = unmarked.last
      first = unmarked.count > 1 ? unmarked.first : nil
    }
    guard let reply = answered ?? first else { return }
    parent = NostrID.post(reply.id)
    root = first.map { NostrID.post($0.id) }
    parentAuthor = reply.author ?? Self.onlyAuthor(event)
  }

  /// Returns the account that a reply tags, if it is the only one: the author of the answered event.
  private static func onlyAuthor(_ event: NostrEvent) -> String? {
    let authors = Set(event.values("p").compactMap(\.first))
    return authors.count == 1 ? authors.first.flatMap { NostrHex.isKey($0) ? $0 : nil } : nil
  }

  /// A comment names the first event in tags with capital letters. The scope may also be a web page, which is not a post.
  private mutating func read(comment event: NostrEvent) {
    root = Self.post(event, "A", "E")
    parent = Self.post(event, "a", "e")
    parentAuthor = event.value("p").flatMap { NostrHex.isKey($0) ? $0 : nil }
  }

  private static func post(_ event: NostrEvent, _ address: String, _ id: String) -> PostID? {
    if let article = event.value(address).flatMap(NostrCoordinate.article) { return NostrID.post(article) }
    return event.value(id).flatMap { NostrHex.isKey($0) ? NostrID.post($0) : nil }
  }
}
