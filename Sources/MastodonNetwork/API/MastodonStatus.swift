package import Basics
package import ThreadModel

/// A status as sent by a server, with the members that determine its place in a thread and its audience.
package struct MastodonStatus: Hashable, Sendable {
  package let id: String
  package let account: MastodonAccount
  package let audience: MastodonAudience
  /// The id, on this server, of the post that it answers.
  package let inReplyTo: String?
  /// The id, on this server, of the author of the post that it answers.
  package let inReplyToAccount: String?
  /// Whether it only repeats another post.
  package let isBoost: Bool
  package let createdAt: Timestamp?
  package let fields: MastodonFields

  /// The URL of its page, on the author's server.
  package var url: String? { fields.text("url").flatMap(WebAddress.safe) ?? uri }
  /// Its id in ActivityPub, if that is a URL, as on most servers.
  package var uri: String? { fields.text("uri").flatMap(WebAddress.safe) }

  /// - Throws: ``MastodonRefusal`` if the value is not a status, or does not state its audience.
  package init(_ value: JSONValue) throws(MastodonRefusal) {
    guard let object = value.object else { throw .notAStatus("no object") }
    let fields = MastodonFields(object)
    guard let id = fields.id("id") else { throw .notAStatus(Self.description(of: fields)) }
    guard let account = fields.fields("account") else { throw .notAStatus(Self.description(of: fields)) }
    guard fields.has("content") || fields.has("reblog") else {
      throw .notAStatus(Self.description(of: fields))
    }
    self.id = id
    self.fields = fields
    self.account = try MastodonAccount(account)
    guard let visibility = fields.text("visibility") else { throw .unknownAudience(id) }
    audience = MastodonAudience(visibility)
    inReplyTo = fields.id("in_reply_to_id")
    inReplyToAccount = fields.id("in_reply_to_account_id")
    isBoost = fields["reblog"] != nil
    createdAt = fields.time("created_at")
  }

  /// Returns a description of an object that is not a status.
  private static func description(of fields: MastodonFields) -> String {
    if let error = fields.text("error") { return "an error: \(error.asName)" }
    if fields.has("params"), fields.has("scheduled_at") { return "a scheduled status" }
    if fields.has("detected_source_language") { return "a translation" }
    if fields.has("state"), fields.has("quoted_status") || fields.has("quoted_status_id") { return "a quote" }
    if fields.has("acct") || fields.has("username") { return "an account" }
    if fields.has("options") { return "a poll" }
    if fields.has("shortcode") { return "an emoji" }
    if fields.has("type"), fields.has("preview_url") || fields.has("blurhash") { return "an attachment" }
    if fields.has("type"), fields.has("title") { return "a link card" }
    if fields.has("content"), fields.has("account") { return "a version of a status" }
    if fields.has("@context") || fields.has("attributedTo") { return "an ActivityPub object" }
    if fields.has("uri") || fields.has("version") || fields.has("software") || fields.has("protocols")
      || fields.has("links")
    {
      return "a description of a server"
    }
    return "an object without a status's fields"
  }

  /// Returns the status as a post.
  ///
  /// - Throws: ``MastodonRefusal`` if its text cannot be read.
  package func post(on server: MastodonServer, seenAt: Timestamp?) throws(MastodonRefusal) -> Post {
    var facts = Post.Facts(id: server.post(id), authorID: server.author(account.id))
    var surroundings = HTMLSurroundings(emoji: fields.emoji())
    surroundings.mentions = mentions(on: server)
    guard let text = fields.markedUpText("content", surroundings, on: server) else { throw .tooLong(id) }
    facts.text = text
    facts.createdAt = createdAt
    facts.editedAt = fields.time("edited_at")
    facts.language = fields.text("language")
    facts.url = url
    facts.inReplyTo = inReplyTo.map(server.post)
    facts.inReplyToAuthor = inReplyTo == nil ? nil : inReplyToAccount.map(server.author)
    facts.quotes = MastodonQuote(self).map { server.post($0.id) }
    facts.contentWarning = fields.text("spoiler_text")
    facts.isSensitive = fields.bool("sensitive") ?? false
    facts.media = fields.list("media_attachments").enumerated().map {
      Media(mastodon: $1, position: $0, of: id)
    }
    facts.poll = fields.fields("poll").map(Poll.init(mastodon:))
    facts.emoji = emoji(in: facts)
    facts.card = fields.fields("card").flatMap(LinkCard.init(mastodon:))
    facts.metrics = Metrics(
      likes: fields.count("favourites_count"), replies: fields.count("replies_count"),
      reposts: fields.count("reblogs_count"), quotes: fields.count("quotes_count"))
    facts.observedAt = seenAt
    facts.extra = extra
    return Post(facts)
  }

  /// Returns the emoji that occur in the post's text, content warning and poll, each once. A poll has a separate list of emoji.
  private func emoji(in facts: Post.Facts) -> [CustomEmoji] {
    let known = fields.emoji()
    let ofPoll = (fields.fields("poll")?.emoji() ?? [:]).merging(known) { first, _ in first }
    var found = facts.text.emoji
    found += InlineText(facts.contentWarning ?? "", marking: known).emoji
    for option in facts.poll?.options ?? [] { found += InlineText(option.label, marking: ofPoll).emoji }
    return found.uniqueByCode
  }

  private func mentions(on server: MastodonServer) -> [HTMLSurroundings.Mention] {
    fields.list("mentions").compactMap { mention in
      guard let url = mention.text("url"), let account = try? MastodonAccount(mention),
        let handle = account.handle(on: server)
      else { return nil }
      return HTMLSurroundings.Mention(url: url, handle: handle)
    }
  }

  /// Members without a property in the model that may be useful. Actions of the token's account on the status are left out.
  private var extra: JSONObject {
    var extra: JSONObject = [:]
    extra["uri"] = uri.flatMap { $0 == url ? nil : .string($0) }
    if audience == .unlisted { extra["visibility"] = "unlisted" }
    extra["application"] = fields.fields("application")?.text("name").map { .string($0.asName) }
    return extra
  }
}

/// The audience of a status.
package enum MastodonAudience: Hashable, Sendable {
  case everybody
  /// Everybody who knows the URL. The status is in no public list. Also called quiet public.
  case unlisted
  /// Followers, or only the mentioned people, with the server's word for it. Such a status is never stored, even if the token gives access
  /// to it.
  case limited(String)

  init(_ visibility: String) {
    switch visibility {
    case "public": self = .everybody
    case "unlisted": self = .unlisted
    // Mastodon's `private` and `direct`, Pleroma's `local` and `list`, GoToSocial's `mutuals_only`, and unknown values.
    default: self = .limited(visibility)
    }
  }

  package var isOpen: Bool { if case .limited = self { false } else { true } }
}

extension MastodonFields {
  /// Returns a text in HTML, or in the markup that the members name; `nil` if it is too long.
  fileprivate func markedUpText(
    _ key: String, _ surroundings: HTMLSurroundings, on server: MastodonServer
  ) -> InlineText? {
    let text = string(key) ?? ""
    return self[MisskeyNote.markup] == MisskeyNote.mfm
      ? InlineText(mfm: text, on: server, emoji: surroundings.emoji) : InlineText(html: text, surroundings)
  }
}

/// An account as sent by a server.
package struct MastodonAccount: Hashable, Sendable {
  package let id: String
  package let fields: MastodonFields

  package init(_ fields: MastodonFields) throws(MastodonRefusal) {
    guard let id = fields.id("id"), fields.has("acct") || fields.has("username") else { throw .notAnAccount }
    self.id = id
    self.fields = fields
  }

  /// The name: `ada` on the account's own server, `bea@elsewhere.example` on other servers. snac also appends the server to the names of
  /// its own accounts.
  package var acct: String? { fields.text("acct") ?? fields.text("username") }
  package var isSuspended: Bool { fields.bool("suspended") == true }

  /// Returns the name without the server; `nil` if the account is not on the given server, which sent it.
  package func localName(on server: MastodonServer) -> String? {
    guard let parts = acct?.split(atBytes: "@", omittingEmptySubsequences: false), let name = parts.first
    else {
      return nil
    }
    return parts.count == 1 || parts.count == 2 && parts[1].lowercased() == server.name ? String(name) : nil
  }

  /// Whether the account is on the given server, which sent it.
  package func isLocal(on server: MastodonServer) -> Bool { localName(on: server) != nil }

  /// Returns the handle with its host: `ada@mastodon.example`; `nil` if it is too long or contains control characters or spaces.
  package func handle(on server: MastodonServer) -> String? {
    acct.flatMap { acct in
      guard acct.utf8.count <= 320, acct.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
      return localName(on: server).map { "\($0)@\(server.name)" } ?? acct
    }
  }
}

/// The reason why a value was rejected as a status or an account.
package enum MastodonRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// The value is not a status; with a description of the value.
  case notAStatus(String)
  case notAnAccount
  /// The status with this id does not state its audience.
  case unknownAudience(String)
  /// The text of the status with this id exceeds the maximum length.
  case tooLong(String)

  package var description: String {
    switch self {
    case .notAStatus(let what): "not a status but \(what)"
    case .notAnAccount: "not an account"
    case .unknownAudience(let id): "the status \(id) does not say who may see it"
    case .tooLong(let id): "the text of the status \(id) is too long to be read"
    }
  }
}

/// The quote in a status.
struct MastodonQuote {
  /// The quoted status's id on this server, or a made-up id if the server does not state it.
  let id: String
  /// The quoted status, if it may be shown.
  let status: JSONValue?
  /// The reason why the quoted status may not be shown.
  let refusal: TombstoneReason?

  init?(_ post: MastodonStatus) {
    let fields = post.fields
    let pleroma = fields.fields("pleroma")
    let quote = fields.fields("quote") ?? pleroma?.fields("quote")
    guard let quote else {
      // Pleroma and Akkoma return only the id and URL of a quoted status that they do not show.
      guard let id = fields.id("quote_id") ?? pleroma?.id("quote_id") else { return nil }
      self.init(id: id)
      return
    }
    // Akkoma's quote is the status itself.
    guard let state = quote.text("state") else {
      guard let id = quote.id("id") else { return nil }
      self.init(id: id, status: .object(quote.members))
      return
    }
    let quoted = quote.fields("quoted_status")
    let id = quoted?.id("id") ?? quote.id("quoted_status_id")
    if state == "accepted" {
      guard let id else { return nil }
      self.init(id: id, status: quoted.map { .object($0.members) })
    } else {
      self.init(id: id ?? "\(post.id)-quote", refusal: Self.reason(of: state))
    }
  }

  private init(id: String, status: JSONValue? = nil, refusal: TombstoneReason? = nil) {
    self.id = id
    self.status = status
    self.refusal = refusal
  }

  /// Returns the reason for a state other than "accepted". Unknown states do not allow showing the quoted status.
  private static func reason(of state: String) -> TombstoneReason {
    switch state {
    case "deleted": .deleted
    case "pending": .quotePending
    case "rejected": .quoteRejected
    case "revoked": .quoteRevoked
    case "blocked_account", "blocked_domain", "muted_account": .blocked
    default: .notShown
    }
  }
}

extension [CustomEmoji] {
  /// The emoji with each short code once, with its first picture, sorted by short code.
  fileprivate var uniqueByCode: [CustomEmoji] {
    Dictionary(map { ($0.shortcode, $0) }, uniquingKeysWith: { first, _ in first }).values
      .sorted { $0.shortcode < $1.shortcode }
  }
}

// MARK: Attachments

extension Media {
  /// - Parameters:
  ///   - position: its index among the status's attachments, used for an attachment without an id.
  init(mastodon fields: MastodonFields, position: Int, of status: String) {
    let type = fields.text("type") ?? "unknown"
    let kind: MediaKind =
      switch type {
      case "image": .photo
      case "gifv": .gif
      default: MediaKind(rawValue: type)
      }
    self.init(
      id: fields.id("id") ?? "\(status)-\(position)", kind: kind,
      // A server without a copy returns the URL of the original.
      url: [fields.text("url"), fields.text("remote_url")].lazy.compactMap { $0.flatMap(WebAddress.safe) }
        .first)
    altText = fields.text("description")
    let meta = fields.fields("meta")
    let original = meta?.fields("original")
    width = (original?.count("width") ?? meta?.count("width")).flatMap { $0 > 0 ? $0 : nil }
    height = (original?.count("height") ?? meta?.count("height")).flatMap { $0 > 0 ? $0 : nil }
    if kind == .photo { color = fields.text("blurhash").flatMap(Self.color) }
    if let seconds = (original?["duration"] ?? meta?["duration"])?.double, seconds > 0, seconds < 1e6 {
      durationMilliseconds = Int((seconds * 1000).rounded())
    }
    if kind != .photo, let preview = fields.text("preview_url").flatMap(WebAddress.safe), preview != url,
      kind != .audio || !Self.isSound(preview)
    {
      posterURL = preview
    }
    if let focus = meta?.fields("focus"), let x = focus["x"], let y = focus["y"], x.double != nil,
      y.double != nil
    {
      extra["focus"] = ["x": x, "y": y]
    }
    extra["mime_type"] = fields.fields("pleroma")?.text("mime_type").map { .string($0) }
  }

  /// Returns the average color that a blurhash states: its third to sixth characters are a number of 24 bits in base 83
  /// (https://github.com/woltapp/blurhash/blob/master/Algorithm.md).
  private static func color(ofBlurhash hash: String) -> String? {
    let characters = hash.utf8.dropFirst(2).prefix(4)
    guard hash.utf8.count >= 6 else { return nil }
    var number = 0
    for character in characters {
      guard let digit = digitsOfBlurhash.firstIndex(of: character) else { return nil }
      number = number * 83 + digit
    }
    guard number < 1 << 24 else { return nil }
    return "#" + Hexadecimal.digits([16, 8, 0].map { UInt8(number >> $0 & 0xFF) })
  }

  private static let digitsOfBlurhash = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~".utf8)

  /// Whether a URL leads to a sound file. Older versions of Mastodon returned the sound itself as its preview.
  private static func isSound(_ url: String) -> Bool {
    [".mp3", ".ogg", ".oga", ".wav", ".flac", ".opus", ".m4a", ".aac"].contains {
      url.lowercased().hasByteSuffix($0)
    }
  }
}

extension Poll {
  init(mastodon fields: MastodonFields) {
    self.init(
      options: fields.list("options").map {
        PollOption($0.string("title") ?? "", votes: $0.count("votes_count"))
      },
      status: fields.bool("expired").map { $0 ? .closed : .open } ?? .unknown,
      endsAt: fields.time("expires_at"))
    id = fields.id("id")
    voters = fields.count("voters_count")
    allowsMultiple = fields.bool("multiple") ?? false
  }
}

extension LinkCard {
  /// Reads a link card. Its `html`, which embeds a page of another site, is never used.
  init?(mastodon fields: MastodonFields) {
    guard let url = fields.text("url").flatMap(WebAddress.safe) else { return nil }
    self.init(
      url: url, title: fields.text("title"), summary: fields.text("description"),
      imageURL: fields.text("image").flatMap(WebAddress.safe))
    // For a video or an embedded page, `width` and `height` are those of the frame.
    guard imageURL != nil, fields.text("type") == "link" || fields.text("type") == "photo" else { return }
    imageWidth = fields.count("width").flatMap { $0 > 0 ? $0 : nil }
    imageHeight = fields.count("height").flatMap { $0 > 0 ? $0 : nil }
  }
}

// MARK: Accounts

extension MastodonAccount {
  package func author(on server: MastodonServer, seenAt: Timestamp?) -> Author {
    var author = Author(id: server.author(id), handle: handle(on: server))
    author.name = fields.text("display_name") ?? fields.text("username")
    author.url = (fields.text("url") ?? fields.text("uri")).flatMap(WebAddress.safe)
    author.avatarURL = (fields.text("avatar_static") ?? fields.text("avatar")).flatMap(WebAddress.safe)
    if fields.text("note") != nil {
      author.bio = fields.markedUpText("note", HTMLSurroundings(emoji: fields.emoji()), on: server)
    }
    author.emoji =
      (InlineText(author.name ?? "", marking: fields.emoji()).emoji + (author.bio?.emoji ?? [])).uniqueByCode
    author.website = website
    author.joinedAt = fields.time("created_at")
    author.followers = fields.count("followers_count")
    author.following = fields.count("following_count")
    author.posts = fields.count("statuses_count")
    author.observedAt = seenAt
    author.extra = extra
    return author
  }

  /// The first verified link of the profile, or the first link if none is verified.
  private var website: String? {
    let links = fields.list("fields").compactMap { field -> (url: String, isVerified: Bool)? in
      guard let html = field.text("value"), let text = InlineText(html: html) else { return nil }
      for entity in text.entities {
        if case .link(let url, _) = entity.kind { return (url, field["verified_at"] != nil) }
      }
      return nil
    }
    return (links.first(where: \.isVerified) ?? links.first)?.url
  }

  /// The account's kind, its settings for being found, and its state, such as suspended or moved.
  private var extra: JSONObject {
    var extra: JSONObject = [:]
    for key in ["bot", "discoverable", "group", "indexable", "limited", "memorial", "noindex", "suspended"] {
      extra[key] = fields.bool(key).map { .bool($0) }
    }
    extra["moved"] = fields.fields("moved")?.text("acct").map { .string($0.asName) }
    return extra
  }
}
