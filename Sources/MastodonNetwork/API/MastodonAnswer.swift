package import Basics
import SiteConfig
package import ThreadModel

/// The statuses in a response of Mastodon's API.
package struct MastodonAnswer: Hashable, Sendable {
  package var statuses: [MastodonStatus] = []
  /// The reasons why other values in the response were rejected.
  package var refusals: [MastodonRefusal] = []

  /// - Parameter value: a status, an array of statuses, the result of a search, or a context.
  /// - Throws: ``MastodonRefusal`` if the value is not a status, or if an array has only invalid ones.
  package init(_ value: JSONValue) throws(MastodonRefusal) {
    if let list = value.array {
      take(list)
      // An empty array is valid.
      if statuses.isEmpty, let refusal = refusals.first { throw refusal }
    } else if let found = value["statuses"]?.array {
      // The result of a search.
      take(found)
    } else if value["ancestors"] != nil || value["descendants"] != nil {
      take((value["ancestors"]?.array ?? []) + (value["descendants"]?.array ?? []))
    } else {
      statuses = [try MastodonStatus(value)]
    }
  }

  private mutating func take(_ values: [JSONValue]) {
    for value in values {
      do { statuses.append(try MastodonStatus(value)) } catch { refusals.append(error) }
    }
  }
}

/// The members of one JSON object. Reading is lenient: servers with Mastodon's API omit members that they do not support or send null for
/// them, and may send numbers as strings.
package struct MastodonFields: Hashable, Sendable {
  package let members: JSONObject

  package init(_ members: JSONObject) { self.members = members }

  /// The value of a member; `nil` if it is missing or null.
  package subscript(key: String) -> JSONValue? {
    guard let value = members[key], !value.isNull else { return nil }
    return value
  }

  /// Whether a member is present, even if it is null.
  package func has(_ key: String) -> Bool { members[key] != nil }
  package func string(_ key: String) -> String? { self[key]?.string }
  package func bool(_ key: String) -> Bool? { self[key]?.bool }
  package func fields(_ key: String) -> MastodonFields? { self[key]?.object.map(MastodonFields.init) }

  /// Returns a string unless it is empty.
  package func text(_ key: String) -> String? { string(key).flatMap { $0.isEmpty ? nil : $0 } }

  /// Returns the objects of an array; other values are skipped.
  package func list(_ key: String) -> [MastodonFields] {
    self[key]?.array?.compactMap { $0.object.map(MastodonFields.init) } ?? []
  }

  package func int(_ key: String) -> Int? {
    guard let value = self[key] else { return nil }
    // Some servers send `1920.0` for a whole number.
    return value.int ?? value.string.flatMap { Int($0) }
      ?? value.double.flatMap { Int(exactly: $0.rounded()) }
  }

  /// Returns a whole number unless it is negative.
  package func count(_ key: String) -> Int? { int(key).flatMap { $0 >= 0 ? $0 : nil } }
  package func time(_ key: String) -> Timestamp? { string(key).flatMap { Timestamp(iso8601: $0) } }

  /// Returns a valid id: a string. Some servers send it as a number.
  package func id(_ key: String) -> String? {
    guard let value = self[key] else { return nil }
    return (value.string ?? value.integer.map { "\($0)" }).flatMap { MastodonServer.isID($0) ? $0 : nil }
  }

  /// Returns the URLs of the pictures in a list of emoji, by short code. A still picture is preferred to an animated one.
  package func emoji(_ key: String = "emojis") -> [String: String] {
    Dictionary(
      list(key).compactMap { emoji in
        guard let code = emoji.text("shortcode"),
          let url = [emoji.text("static_url"), emoji.text("url")].lazy
            .compactMap({ $0.flatMap(WebAddress.safe) }).first
        else { return nil }
        return (code, url)
      }, uniquingKeysWith: { first, _ in first })
  }
}

/// A server of the Fediverse. The ids of its posts and accounts are unique only on this server.
package struct MastodonServer: Hashable, Sendable {
  /// The host in lower case, with its port if it has one.
  package let name: String

  package init(_ name: String) { self.name = name.lowercased() }

  package func post(_ id: String) -> PostID { PostID(id, by: name, on: .mastodon) }
  package func author(_ id: String) -> AuthorID { AuthorID(id, by: name, on: .mastodon) }

  /// Returns the host of a URL in lower case, with its port; `nil` if the text is not a URL.
  package static func host(of url: String) -> String? {
    guard WebAddress.isSafe(url), let start = url.firstRange(of: "://")?.upperBound else { return nil }
    let authority = url[start...].prefix(upToBytes: "/?#\\")
    return authority.split(atBytes: "@").last.map { $0.lowercased() }
  }

  /// Whether a text is a valid id: digits on Mastodon; elsewhere also letters, `-`, `_` and `.`. A valid id always remains a single
  /// component of a path.
  package static func isID(_ text: String) -> Bool {
    (1...128).contains(text.utf8.count) && text != "." && text != ".."
      && text.utf8.allSatisfy { isASCIILetterOrDigit($0) || "-_.".utf8.contains($0) }
  }
}
