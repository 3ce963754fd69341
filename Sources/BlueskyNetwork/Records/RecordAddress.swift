import Basics
import SiteConfig
import ThreadModel

/// An AT URI: the account (DID) of a record, the record's collection, and its key in the collection.
///
///     at://did:plc:ewvi7nxzyoun6zhxrhs64oiz/app.bsky.feed.post/3k43tv4rft22g
struct RecordAddress: Hashable, Sendable {
  let did: String
  let collection: String
  let key: String

  static let posts = "app.bsky.feed.post"

  init(did: String, collection: String = posts, key: String) {
    self.did = did
    self.collection = collection
    self.key = key
  }

  /// Creates an address from an AT URI; `nil` if the text is not the AT URI of a record, or has a handle in place of the DID. A handle can
  /// pass to another account.
  init?(_ text: String?) {
    guard let text, text.utf8.count <= 8192, text.hasBytePrefix("at://") else { return nil }
    let parts = text.dropFirst(5).split(atBytes: "/", omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    let (did, collection, key) = (String(parts[0]), String(parts[1]), String(parts[2]))
    guard Self.isDID(did), Self.isCollection(collection), Self.isKey(key) else { return nil }
    self.init(did: did, collection: collection, key: key)
  }

  var text: String { "at://\(did)/\(collection)/\(key)" }
  var isPost: Bool { collection == Self.posts }

  /// Returns whether a text has the form of a DID. All methods are allowed, not only `did:plc:` and `did:web:`.
  static func isDID(_ text: String) -> Bool {
    let parts = text.split(atBytes: ":", omittingEmptySubsequences: false)
    return text.utf8.count <= 256 && parts.count >= 3 && parts[0] == "did" && !parts[1].isEmpty
      && parts[1].utf8.allSatisfy { (0x61...0x7A).contains($0) } && parts.last?.isEmpty == false
      && !text.hasByteSuffix("%")
      && text.utf8.allSatisfy { isASCIILetterOrDigit($0) || "-._:%".utf8.contains($0) }
  }

  private static func isCollection(_ text: String) -> Bool {
    (1...317).contains(text.utf8.count)
      && text.utf8.allSatisfy { isASCIILetterOrDigit($0) || "-.".utf8.contains($0) }
  }

  /// Returns whether a text is a valid record key of AT Protocol. `.` and `..` are not valid.
  static func isKey(_ text: String) -> Bool {
    (1...512).contains(text.utf8.count) && text != "." && text != ".."
      && text.utf8.allSatisfy { isASCIILetterOrDigit($0) || "-_~.:".utf8.contains($0) }
  }
}

extension RecordAddress {
  /// Returns the time in a key, in milliseconds since 1970, as claimed by the client that chose the key; `nil` if the key is not a TID: 13
  /// digits of base 32, of which the first eleven are microseconds since 1970 (record key specification, "TID").
  static func milliseconds(ofKey key: String) -> Int64? {
    guard key.utf8.count == 13 else { return nil }
    var number: UInt64 = 0
    for byte in key.utf8.prefix(11) {
      switch byte {
      case UInt8(ascii: "2")...UInt8(ascii: "7"): number = number << 5 | UInt64(byte - UInt8(ascii: "2"))
      case UInt8(ascii: "a")...UInt8(ascii: "z"): number = number << 5 | UInt64(byte - UInt8(ascii: "a") + 6)
      default: return nil
      }
    }
    return Int64(number / 1000)
  }

  var postID: PostID { PostID(key, by: did, on: .bluesky) }
  var authorID: AuthorID { AuthorID(did, on: .bluesky) }

  /// The post's URL on bsky.app, with the account's DID, which stays the same when the handle changes.
  var webAddress: String { "https://bsky.app/profile/\(did)/post/\(key)" }
}
