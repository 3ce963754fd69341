package import JSONText
package import ThreadModel
import UTF8Text

/// A status as a server sent it, with what decides where it belongs and whether anybody may see it.
package struct MastodonStatus: Hashable, Sendable {
  package let id: String
  package let account: MastodonAccount
  package let audience: MastodonAudience
  /// The post that it answers, by this server's id.
  package let inReplyTo: String?
  package let inReplyToAccount: String?
  /// Whether it only shows another's post once more.
  package let isBoost: Bool
  package let createdAt: Timestamp?
  package let fields: MastodonFields

  /// Where people read it: the author's own server.
  package var url: String? { fields.text("url").flatMap(WebAddress.safe) ?? uri }
  /// Its name in ActivityPub, which for most servers is an address, too.
  package var uri: String? { fields.text("uri").flatMap(WebAddress.safe) }

  /// - Throws: ``MastodonRefusal``, saying what it is instead.
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

  /// What an object is that is no status.
  private static func description(of fields: MastodonFields) -> String {
    if let error = fields.text("error") { return "an error: \(error.asName)" }
    if fields.has("params"), fields.has("scheduled_at") { return "a status that waits for its time" }
    if fields.has("detected_source_language") { return "a translation" }
    if fields.has("state"), fields.has("quoted_status") || fields.has("quoted_status_id") { return "a quote" }
    if fields.has("acct") || fields.has("username") { return "an account" }
    if fields.has("options") { return "a poll" }
    if fields.has("shortcode") { return "an emoji" }
    if fields.has("type"), fields.has("preview_url") || fields.has("blurhash") { return "an attachment" }
    if fields.has("type"), fields.has("title") { return "a link card" }
    if fields.has("content"), fields.has("account") { return "a version of a status" }
    if fields.has("@context") || fields.has("attributedTo") { return "an object of ActivityPub" }
    if fields.has("uri") || fields.has("version") || fields.has("software") || fields.has("protocols")
      || fields.has("links")
    {
      return "a description of a server"
    }
    return "an object without a status's fields"
  }
}

/// Who may see a status.
package enum MastodonAudience: Hashable, Sendable {
  case everybody
  /// Everybody who knows the address; also called quiet public. In no public list.
  case unlisted
  /// Followers, or the people named: never stored, whoever may read it.
  case limited(String)

  init(_ visibility: String) {
    switch visibility {
    case "public": self = .everybody
    case "unlisted": self = .unlisted
    // Mastodon's `private` and `direct`, Pleroma's `local` and `list`, GoToSocial's `mutuals_only`, and what nobody knows yet.
    default: self = .limited(visibility)
    }
  }

  package var isOpen: Bool { if case .limited = self { false } else { true } }
}

/// An account as a server describes it.
package struct MastodonAccount: Hashable, Sendable {
  package let id: String
  package let fields: MastodonFields

  package init(_ fields: MastodonFields) throws(MastodonRefusal) {
    guard let id = fields.id("id"), fields.has("acct") || fields.has("username") else { throw .notAnAccount }
    self.id = id
    self.fields = fields
  }

  /// `ada` on the account's own server, `bea@elsewhere.example` elsewhere; snac has the server's name behind its own accounts', too.
  package var acct: String? { fields.text("acct") ?? fields.text("username") }
  package var isSuspended: Bool { fields.bool("suspended") == true }

  /// What it is called on its own server; `nil` where it does not live on the server that speaks of it.
  package func localName(on server: MastodonServer) -> String? {
    guard let parts = acct?.split(atBytes: "@", omittingEmptySubsequences: false), let name = parts.first
    else {
      return nil
    }
    return parts.count == 1 || parts.count == 2 && parts[1].lowercased() == server.name ? String(name) : nil
  }

  /// Whether it lives on the server that speaks of it.
  package func isLocal(on server: MastodonServer) -> Bool { localName(on: server) != nil }

  /// The handle with its host: `ada@mastodon.example`.
  package func handle(on server: MastodonServer) -> String? {
    acct.flatMap { acct in
      guard acct.utf8.count <= 320, acct.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return nil }
      return localName(on: server).map { "\($0)@\(server.name)" } ?? acct
    }
  }
}

/// Why something is not taken for a status, by name.
package enum MastodonRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// What it is instead.
  case notAStatus(String)
  case notAnAccount
  /// The status says nothing of who may see it.
  case unknownAudience(String)
  /// A text longer than any that is read.
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
