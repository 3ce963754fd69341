import CSecp256k1

/// Schnorr signatures of the curve secp256k1 (BIP-340), with which authors sign their events.
enum NostrSignatures {
  /// In bytes.
  static let signatureLength = 64
  /// The length of a key and of a message, in bytes.
  static let keyLength = 32

  /// Returns whether a signature on a message was made with the secret key of a public key. It is `false` for bytes of another length and
  /// for a key that is not a point of the curve.
  static func isSignature(_ signature: [UInt8], on message: [UInt8], by key: [UInt8]) -> Bool {
    guard signature.count == signatureLength, message.count == keyLength, key.count == keyLength else {
      return false
    }
    return csecp256k1_is_signature(signature, message, key)
  }
}
