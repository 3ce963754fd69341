import Basics
import ThreadModel

/// An account as ActivityPub describes it, at its address or in an export's `actor.json`.
struct ActivityActor: Sendable {
  /// Its address, by which its posts name it.
  let address: String
  let server: MastodonServer
  /// What stands before the server in its handle.
  let name: String
  /// Where its picture lies in the export; `nil` where it is on the network.
  let picture: String?
  private let fields: MastodonFields

  /// Where its posts are listed, newest first.
  var outbox: String? { fields.text("outbox") }
  var isSuspended: Bool { fields.bool("suspended") == true }

  /// `nil` for what is no account.
  init?(_ value: JSONValue) {
    guard let object = value.object else { return nil }
    let fields = MastodonFields(object)
    guard let address = fields.text("id"), let host = MastodonServer.host(of: address),
      let name = fields.text("preferredUsername") ?? Self.name(of: address), MastodonServer.isID(name)
    else { return nil }
    self.address = address
    self.name = name
    self.fields = fields
    server = MastodonServer(host)
    let icon = fields.objects("icon").first?.text("url")
    picture = icon.flatMap { WebAddress.isSafe($0) ? nil : $0 }
  }

  /// Of an account of which nothing but the address is known.
  init?(address: String) { self.init(.object(["id": .string(address)])) }

  /// Whether a post is its own, by the post's address: those of Mastodon's and snac's accounts lie below their accounts'.
  func owns(_ post: String) -> Bool { post.hasBytePrefix(address + "/") }

  private static func name(of address: String) -> String? {
    address.prefix(upToBytes: "?#").split(atBytes: "/").last.map { last in
      String(last.without(bytePrefix: "@") ?? last)
    }
  }

  /// The account as its server's API describes it, so that one reader understands both.
  func account(id: String) -> JSONObject {
    var account: JSONObject = [
      "id": .string(id), "username": .string(name), "acct": .string(name), "uri": .string(address),
    ]
    account["display_name"] = fields["name"]
    account["note"] = fields["summary"]
    account["url"] = fields.text("url").map { .string($0) }
    account["avatar"] = fields.objects("icon").first?["url"]
    account["created_at"] = fields["published"]
    account["fields"] = .array(
      fields.objects("attachment").filter { $0.text("type") == "PropertyValue" }.map {
        .object(["name": $0["name"] ?? .null, "value": $0["value"] ?? .null])
      })
    account["emojis"] = .array(fields.objects("tag").compactMap(\.emoji))
    for key in ["discoverable", "indexable", "memorial", "suspended"] { account[key] = fields[key] }
    if let type = fields.text("type") {
      account["bot"] = .bool(type == "Service" || type == "Application")
      account["group"] = .bool(type == "Group")
    }
    if let moved = fields.text("movedTo"), let host = MastodonServer.host(of: moved),
      let name = Self.name(of: moved)
    {
      account["moved"] = ["acct": .string("\(name)@\(host)")]
    }
    return account
  }
}

extension MastodonFields {
  /// The objects of a member that may be one or several.
  func objects(_ key: String) -> [MastodonFields] { fields(key).map { [$0] } ?? list(key) }

  /// The addresses in a member that may be one or several, as texts or as objects with an `id` or `href`.
  func addresses(_ key: String) -> [String] {
    guard let value = self[key] else { return [] }
    return (value.array ?? [value]).compactMap { element in
      element.string ?? element["id"]?.string ?? element["href"]?.string
    }
  }

  /// An emoji of a server's own, as the API describes one.
  var emoji: JSONValue? {
    guard text("type") == "Emoji", let name = text("name"), let url = objects("icon").first?.text("url")
    else {
      return nil
    }
    let code = name.without(bytePrefix: ":")?.without(byteSuffix: ":").map(String.init) ?? name
    return ["shortcode": .string(code), "url": .string(url)]
  }
}
