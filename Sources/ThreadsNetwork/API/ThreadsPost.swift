import Basics
package import ThreadModel

/// One object of the Threads API that stands for a post, sorted by what becomes of it.
package enum ThreadsObject: Sendable {
  case post(Post, Author)
  /// A repost, which has no content (`REPOST_FACADE`).
  case repost
  /// A reply that the author of the post above it has hidden, or that Threads does not show for another reason.
  case hidden(HiddenReply)
  /// A post without the name of its author.
  case withoutName(id: String)
  /// An object with an invalid id; the text describes the id.
  case badID(String)
  case other

  /// A hidden reply. None of its content is kept.
  package struct HiddenReply: Sendable {
    package var tombstone: Tombstone
    package var inReplyTo: PostID?
    package var conversationID: PostID?
  }

  /// The values of `hide_status` with which everyone sees a reply: it was never hidden, or is no longer hidden.
  private static let shownStatuses = ["NOT_HUSHED", "UNHUSHED"]

  /// - Parameter observedAt: the time of the response; `nil` if unknown.
  package init(_ fields: ThreadsFields, observedAt: Timestamp?) {
    guard Self.isMarked(fields) || fields["id"] != nil && fields["username"] != nil && fields["text"] != nil
    else {
      self = .other
      return
    }
    guard let id = fields.id("id") else {
      self = .badID(Self.describe(fields["id"]))
      return
    }
    guard fields.text("media_type") != "REPOST_FACADE" else {
      self = .repost
      return
    }
    guard let name = fields.text("username"), ThreadsID.isName(name) else {
      self = .withoutName(id: id)
      return
    }
    let parent = fields.reference("replied_to").flatMap { $0 == id ? nil : $0 }
    let root = fields.reference("root_post")
    let isReply = parent != nil || fields.bool("is_reply") == true || root.map { $0 != id } ?? false
    let place = (parent: parent.map(ThreadsID.post), root: (root ?? (isReply ? nil : id)).map(ThreadsID.post))
    if let status = fields["hide_status"], !Self.shownStatuses.contains(status.string ?? "") {
      var tombstone = Tombstone(id: ThreadsID.post(id), reason: .notShown)
      tombstone.authorID = ThreadsID.author(name)
      tombstone.observedAt = observedAt
      self = .hidden(HiddenReply(tombstone: tombstone, inReplyTo: place.parent, conversationID: place.root))
      return
    }
    var post = Post.Facts(id: ThreadsID.post(id), authorID: ThreadsID.author(name))
    post.conversationID = place.root
    post.inReplyTo = place.parent
    post.createdAt = fields.time("timestamp")
    post.text = ThreadsText.inline(fields.text("text") ?? "")
    post.url = ThreadsAddresses.url(of: fields, by: name)
    post.quotes = fields.reference("quoted_post").flatMap { $0 == id ? nil : ThreadsID.post($0) }
    post.media = Media.list(threads: fields, post: id)
    post.observedAt = observedAt
    post.extra = fields.members.filter { !Self.knownMembers.contains($0.key) }
    if post.extra["shortcode"]?.string.map(ThreadsID.isShortcode) != true { post.extra["shortcode"] = nil }
    var author = Author(id: post.authorID, handle: name)
    author.url = ThreadsAddresses.url(ofAccount: name)
    author.observedAt = observedAt
    self = .post(Post(post), author)
  }

  /// The members that the model has, and those that state the same differently.
  private static let knownMembers: Set<String> = [
    "id", "media_product_type", "media_type", "media_url", "permalink", "username", "text", "timestamp",
    "thumbnail_url", "children", "is_quote_post", "quoted_post", "has_replies", "root_post", "replied_to",
    "is_reply", "is_reply_owned_by_me", "hide_status", "alt_text", "reposted_post",
  ]

  /// Members that only posts of Threads have: https://developers.facebook.com/documentation/threads, "Retrieve posts" and "Retrieve replies".
  private static let marks = [
    "is_quote_post", "has_replies", "root_post", "replied_to", "is_reply", "hide_status",
  ]

  /// Whether an object is certainly a post of Threads, and not an object of another network or of another API of the same company, such as
  /// Instagram's.
  package static func isMarked(_ fields: ThreadsFields) -> Bool {
    guard fields["id"] != nil else { return false }
    if let product = fields.text("media_product_type") { return product == "THREADS" }
    return marks.contains { fields[$0] != nil }
      || ["TEXT_POST", "REPOST_FACADE"].contains(fields.text("media_type"))
      || fields.url("permalink").map(ThreadsAddresses.isOwn) == true
  }

  /// Returns the posts in an object that stand for other posts, if the response has their content: quoted and answered posts.
  package static func embedded(in fields: ThreadsFields) -> [ThreadsFields] {
    ["quoted_post", "root_post", "replied_to"].compactMap(fields.fields).filter { $0["username"] != nil }
  }

  private static func describe(_ value: JSONValue?) -> String {
    switch value {
    case .string(let text)?: "\"\(TextControls.shownOnOneLine(String(text.prefix(24))))\""
    case .integer(let number)?: "\(number), a number"
    case .number(let source)?: "\(source.prefix(24)), a number"
    default: "no string"
    }
  }
}

extension Media {
  /// The maximum number of attachments that are read. A carousel has at most 20.
  private static let mostChildren = 100

  /// Returns the attachments of a post: the children of a carousel, or the post's only one. Posts with a GIF or a poll say `TEXT_POST`, and
  /// have none.
  static func list(threads fields: ThreadsFields, post: String) -> [Media] {
    let children = fields.list("children").prefix(mostChildren)
    guard fields.text("media_type") == "CAROUSEL_ALBUM" || !children.isEmpty else {
      return Media(threads: fields, id: post).map { [$0] } ?? []
    }
    var seen: Set<String> = []
    return children.compactMap { child in
      guard let id = child.id("id"), seen.insert(id).inserted else { return nil }
      // A response may state only the ids of the children.
      return Media(threads: child, id: id) ?? Media(id: id, kind: "unknown")
    }
  }

  /// - Returns: `nil` if the object is not an attachment.
  private init?(threads fields: ThreadsFields, id: String) {
    let kind: MediaKind
    switch fields.text("media_type") {
    case "IMAGE": kind = .photo
    case "VIDEO": kind = .video
    case "AUDIO": kind = .audio
    default: return nil
    }
    self.init(id: id, kind: kind)
    altText = fields.text("alt_text")
    let address = fields.url("media_url")
    guard kind == .video else {
      url = address
      return
    }
    posterURL = fields.url("thumbnail_url")
    let isMP4 = address.map { $0.prefix(upToBytes: "?#").hasByteSuffix(".mp4") } ?? false
    variants = address.map { [MediaVariant(url: $0, contentType: isMP4 ? "video/mp4" : nil)] } ?? []
  }
}
