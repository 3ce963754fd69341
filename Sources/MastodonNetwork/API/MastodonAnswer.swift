package import Basics
import SiteConfig
package import ThreadModel

/// What an answer of Mastodon's API holds, where it holds statuses.
package struct MastodonAnswer: Hashable, Sendable {
  package var statuses: [MastodonStatus] = []
  /// What among them could not be taken, and why.
  package var refusals: [MastodonRefusal] = []

  /// - Parameter value: a status, a list of them, or a context.
  /// - Throws: ``MastodonRefusal`` where there is none in it.
  package init(_ value: JSONValue) throws(MastodonRefusal) {
    if let list = value.array {
      take(list)
      // An empty list is an answer, too.
      if statuses.isEmpty, let refusal = refusals.first { throw refusal }
    } else if let found = value["statuses"]?.array {
      // What a search found.
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

/// The members of one JSON object, read forgivingly: servers that speak Mastodon's API leave out what they do not have, send null for it, or
/// numbers as texts.
package struct MastodonFields: Hashable, Sendable {
  package let members: JSONObject

  package init(_ members: JSONObject) { self.members = members }

  package subscript(key: String) -> JSONValue? {
    guard let value = members[key], !value.isNull else { return nil }
    return value
  }

  package func has(_ key: String) -> Bool { members[key] != nil }
  package func string(_ key: String) -> String? { self[key]?.string }
  package func bool(_ key: String) -> Bool? { self[key]?.bool }
  package func fields(_ key: String) -> MastodonFields? { self[key]?.object.map(MastodonFields.init) }

  /// A string that is not empty.
  package func text(_ key: String) -> String? { string(key).flatMap { $0.isEmpty ? nil : $0 } }

  /// The objects of an array; what is none is passed over.
  package func list(_ key: String) -> [MastodonFields] {
    self[key]?.array?.compactMap { $0.object.map(MastodonFields.init) } ?? []
  }

  package func int(_ key: String) -> Int? {
    guard let value = self[key] else { return nil }
    // `1920.0` is a whole number, too.
    return value.int ?? value.string.flatMap { Int($0) }
      ?? value.double.flatMap { Int(exactly: $0.rounded()) }
  }

  /// A whole number that counts something: not negative.
  package func count(_ key: String) -> Int? { int(key).flatMap { $0 >= 0 ? $0 : nil } }
  package func time(_ key: String) -> Timestamp? { string(key).flatMap { Timestamp(iso8601: $0) } }

  /// An id: a text, which some servers send as a number.
  package func id(_ key: String) -> String? {
    guard let value = self[key] else { return nil }
    return (value.string ?? value.integer.map { "\($0)" }).flatMap { MastodonServer.isID($0) ? $0 : nil }
  }

  /// The pictures of the emoji in a list of them, by short code: the ones that do not move, where there are such.
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

/// A server of the Fediverse, by whose ids posts and accounts are known: an id means something there alone.
package struct MastodonServer: Hashable, Sendable {
  /// The host in lower case, with its port where it has one.
  package let name: String

  package init(_ name: String) { self.name = name.lowercased() }

  package func post(_ id: String) -> PostID { PostID(id, by: name, on: .mastodon) }
  package func author(_ id: String) -> AuthorID { AuthorID(id, by: name, on: .mastodon) }

  /// The host of an address, with its port; `nil` for what is no address on the web.
  package static func host(of url: String) -> String? {
    guard WebAddress.isSafe(url), let start = url.firstRange(of: "://")?.upperBound else { return nil }
    let authority = url[start...].prefix(upToBytes: "/?#\\")
    return authority.split(atBytes: "@").last.map { $0.lowercased() }
  }

  /// Digits on Mastodon; letters and signs elsewhere. Nothing that could leave its place in a path.
  package static func isID(_ text: String) -> Bool {
    (1...128).contains(text.utf8.count) && text != "." && text != ".."
      && text.utf8.allSatisfy { isASCIILetterOrDigit($0) || "-_.".utf8.contains($0) }
  }
}
