import Basics
import CSecp256k1
package import ThreadModel

/// Signs events of Nostr for tests.
package struct Signer: Sendable {
  /// The public key, as lower-case digits.
  package let key: String
  private let secret: [UInt8]

  /// - Parameter number: the secret key.
  package init(_ number: UInt8 = 7) {
    let secret = [UInt8](repeating: 0, count: 31) + [number]
    self.secret = secret
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
    // 1 is SECP256K1_CONTEXT_NONE, a macro that Swift does not import.
    guard let context = secp256k1_context_create(1) else { preconditionFailure("out of memory") }
    defer { secp256k1_context_destroy(context) }
    var pair = secp256k1_keypair()
    precondition(secp256k1_keypair_create(context, &pair, secret) == 1, "not a secret key")
    return body(context, &pair)
  }

  /// Returns a signed event.
  package func object(
    _ content: String, kind: Int = 1, tags: [[String]] = [], at time: Int64 = 1_760_000_000
  ) -> JSONObject {
    let list = tags.map { "[" + $0.map(Self.quoted).joined(separator: ",") + "]" }.joined(separator: ",")
    let text = "[0,\"\(key)\",\(time),\(kind),[\(list)],\(Self.quoted(content))]"
    let id = SHA256.hash(text.utf8)
    let signature = Self.withKeypair(secret) { context, pair in
      var bytes = [UInt8](repeating: 0, count: 64)
      precondition(secp256k1_schnorrsig_sign32(context, &bytes, id, pair, nil) == 1)
      return bytes
    }
    return [
      "id": .string(Hexadecimal.digits(id)), "pubkey": .string(key), "created_at": .integer(time),
      "kind": .integer(Int64(kind)), "tags": .array(tags.map { .array($0.map { .string($0) }) }),
      "content": .string(content), "sig": .string(Hexadecimal.digits(signature)),
    ]
  }

  /// Returns a signed event as one line of JSON.
  package func line(
    _ content: String, kind: Int = 1, tags: [[String]] = [], at time: Int64 = 1_760_000_000
  ) -> String {
    JSONWriter.text(of: .object(object(content, kind: kind, tags: tags, at: time)), .compact).string
  }

  /// Returns a string of the JSON text from which the id is computed (NIP-01).
  private static func quoted(_ text: String) -> String {
    let escapes: [Unicode.Scalar: String] = [
      "\n": "\\n", "\"": "\\\"", "\\": "\\\\", "\r": "\\r", "\t": "\\t", "\u{8}": "\\b", "\u{C}": "\\f",
    ]
    return "\"" + text.unicodeScalars.map { escapes[$0] ?? String($0) }.joined() + "\""
  }
}
