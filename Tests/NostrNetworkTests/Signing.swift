import Basics
import CSecp256k1
import NostrNetwork
import ThreadModel

/// Signs events for tests, whose content no fixture has.
struct Signer {
  let key: String
  private let secret: [UInt8]

  /// - Parameter number: the secret key.
  init(_ number: UInt8 = 7) {
    secret = [UInt8](repeating: 0, count: 31) + [number]
    key = Self.withKeypair(secret) { context, pair in
      var point = secp256k1_xonly_pubkey()
      var bytes = [UInt8](repeating: 0, count: 32)
      precondition(secp256k1_keypair_xonly_pub(context, &point, nil, pair) == 1)
      precondition(secp256k1_xonly_pubkey_serialize(context, &bytes, &point) == 1)
      return Hexadecimal.digits(bytes)
    }
  }

  private static func withKeypair<Result>(
    _ secret: [UInt8], _ body: (OpaquePointer, UnsafePointer<secp256k1_keypair>) -> Result
  ) -> Result {
    // SECP256K1_CONTEXT_NONE, a macro that Swift does not import.
    guard let context = secp256k1_context_create(1) else { preconditionFailure("no memory") }
    defer { secp256k1_context_destroy(context) }
    var pair = secp256k1_keypair()
    precondition(secp256k1_keypair_create(context, &pair, secret) == 1)
    return body(context, &pair)
  }

  /// Returns a signed event. The texts must have no characters that only JSON escapes, such as controls.
  func object(
    _ content: String, kind: Int = 1, tags: [[String]] = [], at time: Int64 = 1_760_000_000
  ) -> JSONObject {
    let tags = JSONValue.array(tags.map { .array($0.map { .string($0) }) })
    let array: JSONValue = [
      0, .string(key), .integer(time), .integer(Int64(kind)), tags, .string(content),
    ]
    let id = SHA256.hash(JSONWriter.text(of: array, .compact).bytes.filter { $0 != 0x0A })
    let signature = Self.withKeypair(secret) { context, pair in
      var bytes = [UInt8](repeating: 0, count: 64)
      precondition(secp256k1_schnorrsig_sign32(context, &bytes, id, pair, nil) == 1)
      return bytes
    }
    return [
      "id": .string(Hexadecimal.digits(id)), "pubkey": .string(key), "created_at": .integer(time),
      "kind": .integer(Int64(kind)), "tags": tags, "content": .string(content),
      "sig": .string(Hexadecimal.digits(signature)),
    ]
  }

  func event(
    _ content: String, kind: Int = 1, tags: [[String]] = [], at time: Int64 = 1_760_000_000
  ) throws -> NostrEvent {
    try NostrEvent(object(content, kind: kind, tags: tags, at: time))
  }

  func line(_ content: String, kind: Int = 1, tags: [[String]] = [], at time: Int64 = 1_760_000_000) -> String {
    JSONWriter.text(of: .object(object(content, kind: kind, tags: tags, at: time)), .compact).string
  }
}
