package import JSONText
package import ThreadModel
import UTF8Text

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
