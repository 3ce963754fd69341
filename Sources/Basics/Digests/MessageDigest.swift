import CNettle

/// A digest of bytes that arrive in pieces, computed by Nettle.
package protocol MessageDigest: Sendable {
  /// Creates the digest of no bytes.
  init()

  mutating func update(_ bytes: UnsafeRawBufferPointer)

  /// Returns the digest of all bytes so far; more may follow.
  func finalize() -> [UInt8]
}

extension MessageDigest {
  package mutating func update(_ bytes: some Collection<UInt8>) {
    // A collection without contiguous storage is copied.
    let isDone = bytes.withContiguousStorageIfAvailable { update(UnsafeRawBufferPointer($0)) } != nil
    if !isDone { Array(bytes).withUnsafeBytes { update($0) } }
  }

  /// Returns the digest of bytes.
  package static func hash(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var digest = Self()
    digest.update(bytes)
    return digest.finalize()
  }
}

/// SHA-256 (FIPS 180-4): 32 bytes, resistant to collisions.
package struct SHA256: MessageDigest {
  package static let byteCount = Int(SHA256_DIGEST_SIZE)

  private var context = sha256_ctx()

  package init() { nettle_sha256_init(&context) }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    nettle_sha256_update(&context, bytes.count, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
  }

  package func finalize() -> [UInt8] {
    // Nettle resets the state on which it computes the digest, so a copy is used.
    var context = context
    return digest(of: Self.byteCount) { cnettle_sha256_finish(&context, $0) }
  }
}

/// SHA-1 (FIPS 180-4): 20 bytes. Only for formats that require it, such as git's: it is not resistant to collisions.
package struct SHA1: MessageDigest {
  private var context = sha1_ctx()

  package init() { nettle_sha1_init(&context) }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    nettle_sha1_update(&context, bytes.count, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
  }

  package func finalize() -> [UInt8] {
    var context = context
    return digest(of: Int(SHA1_DIGEST_SIZE)) { cnettle_sha1_finish(&context, $0) }
  }
}

/// MD5 (RFC 1321): 16 bytes. Only for formats that require it: it is insecure.
package struct MD5: MessageDigest {
  private var context = md5_ctx()

  package init() { nettle_md5_init(&context) }

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    nettle_md5_update(&context, bytes.count, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self))
  }

  package func finalize() -> [UInt8] {
    var context = context
    return digest(of: Int(MD5_DIGEST_SIZE)) { cnettle_md5_finish(&context, $0) }
  }
}

/// Message authentication codes with a secret key (HMAC, RFC 2104, with SHA-256).
package enum HMACSHA256 {
  /// - Returns: 32 bytes.
  package static func code(of bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    var context = hmac_sha256_ctx()
    nettle_hmac_sha256_set_key(&context, key.count, key)
    nettle_hmac_sha256_update(&context, bytes.count, bytes)
    return digest(of: SHA256.byteCount) { cnettle_hmac_sha256_finish(&context, $0) }
  }
}

/// - Parameter finish: writes `count` bytes.
private func digest(of count: Int, by finish: (UnsafeMutablePointer<UInt8>) -> Void) -> [UInt8] {
  [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
    guard let base = buffer.baseAddress else { return }
    finish(base)
    initialized = count
  }
}
