import Basics
import NostrSigner

/// An event as a relay has it.
struct SignedEvent: Sendable {
  let id: String
  /// The public key of the author.
  let author: String
  var json: JSONValue

  init(_ object: [String: JSONValue]) {
    id = object["id"]?.string ?? ""
    author = object["pubkey"]?.string ?? ""
    json = .object(object)
  }

  /// Returns the event with another content, and with the id and the signature of the original.
  func forged(_ content: String) -> SignedEvent {
    SignedEvent((json.object ?? [:]).merging(["content": .string(content)]) { _, new in new })
  }
}

extension Signer {
  /// - Parameter seconds: the time of the event, as seconds since 1970.
  func signed(
    _ content: String, kind: Int = 1, tags: [[String]] = [], at seconds: Int64
  ) -> SignedEvent {
    SignedEvent(object(content, kind: kind, tags: tags, at: seconds))
  }
}
