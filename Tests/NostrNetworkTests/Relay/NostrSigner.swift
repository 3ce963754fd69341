import Basics
import CSecp256k1

/// An account of a test, which signs events (BIP-340).
struct NostrSigner: Sendable {
  /// The public key, as lower-case digits.
  let key: String
  private let secret: [UInt8]

  /// - Parameter number: the secret key, from 1.
  init(_ number: UInt8) {
    let secret = [UInt8](repeating: 0, count: 31) + [number]
    self.secret = secret
    key = Self.withKeyPair(secret) { context, pair in
      var point = secp256k1_xonly_pubkey()
      var bytes = [UInt8](repeating: 0, count: 32)
      _ = secp256k1_keypair_xonly_pub(context, &point, nil, &pair)
      _ = secp256k1_xonly_pubkey_serialize(context, &bytes, &point)
      return Hexadecimal.digits(bytes)
    }
  }

  /// Returns a signed event.
  ///
  /// - Parameter seconds: the time of the event, as seconds since 1970.
  func event(
    _ content: String, kind: Int = 1, tags: [[String]] = [], at seconds: Int64
  ) -> SignedEvent {
    let list: JSONValue = .array(tags.map { .array($0.map { .string($0) }) })
    let canonical: JSONValue = .array([
      0, .string(key), .integer(seconds), .integer(Int64(kind)), list, .string(content),
    ])
    let digest = SHA256.hash(JSONWriter.text(of: canonical, .compact).bytes)
    let signature = Self.withKeyPair(secret) { context, pair in
      var bytes = [UInt8](repeating: 0, count: 64)
      _ = secp256k1_schnorrsig_sign32(context, &bytes, digest, &pair, nil)
      return Hexadecimal.digits(bytes)
    }
    let id = Hexadecimal.digits(digest)
    return SignedEvent(
      id: id, author: key,
      json: .object([
        "id": .string(id), "pubkey": .string(key), "created_at": .integer(seconds),
        "kind": .integer(Int64(kind)),
        "tags": list, "content": .string(content), "sig": .string(signature),
      ]))
  }

  private static func withKeyPair<Result>(
    _ secret: [UInt8], _ body: (OpaquePointer, inout secp256k1_keypair) -> Result
  ) -> Result {
    guard let context = secp256k1_context_create(1) else { preconditionFailure("out of memory") }
    defer { secp256k1_context_destroy(context) }
    var pair = secp256k1_keypair()
    _ = secp256k1_keypair_create(context, &pair, secret)
    return body(context, &pair)
  }
}

/// An event as a relay has it.
struct SignedEvent: Sendable {
  let id: String
  let author: String
  var json: JSONValue

  /// Returns the event with another content, and with the id and the signature of the original.
  func forged(_ content: String) -> SignedEvent {
    var members = json.object ?? [:]
    members["content"] = .string(content)
    return SignedEvent(id: id, author: author, json: .object(members))
  }
}
