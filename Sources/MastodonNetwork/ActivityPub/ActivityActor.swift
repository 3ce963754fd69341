import Basics
import ThreadModel

/// An account as described by ActivityPub, at its URL or in an export's `actor.json`.
struct ActivityActor: Sendable {
  /// The account's URL, which its posts state as their author.
  let address: String
  let server: MastodonServer
  /// The part of the handle before the server.
  let name: String
  /// The path of the picture in the export; `nil` if the picture is on the network or missing.
  let picture: String?
  private let fields: MastodonFields

  /// The URL of the list of its posts, newest first.
  var outbox: String? { fields.text("outbox") }
  var isSuspended: Bool { fields.bool("suspended") == true }

  /// Reads an account; `nil` if the value does not describe one.
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

  /// Creates an account of which only the URL is known; `nil` if the URL does not lead to an account.
  init?(address: String) { self.init(.object(["id": .string(address)])) }

  /// Whether a post is by this account, judging by the post's URL: on Mastodon and snac, posts' URLs begin with the account's URL.
  func owns(_ post: String) -> Bool { post.hasBytePrefix(address + "/") }

  private static func name(of address: String) -> String? {
    address.prefix(upToBytes: "?#").split(atBytes: "/").last.map { last in
      String(last.without(bytePrefix: "@") ?? last)
    }
  }

  /// Returns the account in the format of Mastodon's API, so that one reader handles both formats.
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
  /// Returns the objects of a member that may be a single object or an array.
  func objects(_ key: String) -> [MastodonFields] { fields(key).map { [$0] } ?? list(key) }

  /// Returns the URLs in a member that may be a single value or an array, of strings or of objects with an `id` or `href`.
  func addresses(_ key: String) -> [String] {
    guard let value = self[key] else { return [] }
    return (value.array ?? [value]).compactMap { element in
      element.string ?? element["id"]?.string ?? element["href"]?.string
    }
  }

  /// A server's custom emoji, in the format of the API.
  var emoji: JSONValue? {
    guard text("type") == "Emoji", let name = text("name"), let url = objects("icon").first?.text("url")
    else {
      return nil
    }
    let code = name.without(bytePrefix: ":")?.without(byteSuffix: ":").map(String.init) ?? name
    return ["shortcode": .string(code), "url": .string(url)]
  }
}
