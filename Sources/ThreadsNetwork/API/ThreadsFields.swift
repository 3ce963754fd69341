package import Basics
package import ThreadModel

/// The members of one JSON object from the Threads API. Reading is lenient, because a response has only the requested fields: a member that
/// is missing, null or of an unexpected type is `nil`.
package struct ThreadsFields: Hashable, Sendable {
  package let members: JSONObject

  package init(_ object: JSONObject) { members = object.filter { !$0.value.isNull } }

  package subscript(key: String) -> JSONValue? { members[key] }

  package func bool(_ key: String) -> Bool? { members[key]?.bool }
  package func fields(_ key: String) -> ThreadsFields? { members[key]?.object.map(ThreadsFields.init) }

  /// A string that is not empty.
  package func text(_ key: String) -> String? { members[key]?.string.flatMap { $0.isEmpty ? nil : $0 } }

  /// Returns the objects of a list, which the Graph API wraps: `{"data": […]}`. Elements that are not objects are skipped.
  package func list(_ key: String) -> [ThreadsFields] {
    members[key]?["data"]?.array?.compactMap { $0.object.map(ThreadsFields.init) } ?? []
  }

  /// Returns an http or https URL; `nil` for any other text.
  package func url(_ key: String) -> String? {
    text(key).flatMap { WebAddress.host(of: $0) == nil ? nil : $0 }
  }

  /// Returns a valid id of the API.
  package func id(_ key: String) -> String? { text(key).flatMap { ThreadsID.isValid($0) ? $0 : nil } }

  /// Returns the id in an object that stands for another post, such as `"root_post": {"id": "1"}`.
  package func reference(_ key: String) -> String? { fields(key)?.id("id") }

  /// Returns a time. The Graph API writes the offset without a colon: `2026-04-14T09:30:00+0000`.
  package func time(_ key: String) -> Timestamp? {
    guard let text = text(key) else { return nil }
    if let time = Timestamp(iso8601: text) { return time }
    guard text.utf8.count > 5, text.utf8.suffix(4).allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) else {
      return nil
    }
    let minutes = text.utf8.index(text.endIndex, offsetBy: -2)
    return Timestamp(iso8601: "\(text[..<minutes]):\(text[minutes...])")
  }
}

/// The ids and names of Threads.
package enum ThreadsID {
  /// Creates the id of a post: the number of the API, which is not the number in the shortcode of the post's URL.
  package static func post(_ id: String) -> PostID { PostID(id, on: .threads) }

  /// Creates the id of an account: its name in lower case. Responses have the id of the token's own account only.
  package static func author(_ name: String) -> AuthorID { AuthorID(name.lowercased(), on: .threads) }

  /// The API's ids are strings of digits, as 64-bit numbers without a leading zero.
  package static func isValid(_ id: some StringProtocol) -> Bool {
    (1...20).contains(id.utf8.count) && id.utf8.allSatisfy { $0 &- UInt8(ascii: "0") < 10 }
      && id.utf8.first != UInt8(ascii: "0")
  }

  /// Names consist of letters, digits, `.` and `_`. Names of Instagram have at most 30 characters.
  package static func isName(_ name: String) -> Bool {
    (1...30).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "_")
          || byte == UInt8(ascii: ".")
      } && name.utf8.last != UInt8(ascii: ".") && name.utf8.first != UInt8(ascii: ".")
  }

  /// Shortcodes are numbers in the URL-safe alphabet of base 64.
  package static func isShortcode(_ code: some StringProtocol) -> Bool {
    (1...40).contains(code.utf8.count)
      && code.utf8.allSatisfy { byte in
        (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "_")
          || byte == UInt8(ascii: "-")
      }
  }
}
