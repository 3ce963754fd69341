import Basics
import Testing

/// The digests, checked with the examples of their specifications.
struct MessageDigestTests {
  /// FIPS 180-4's examples (csrc.nist.gov, "Cryptographic Standards and Guidelines": SHA1.pdf, SHA256.pdf) and RFC 1321's test suite.
  @Test(arguments: [
    (
      "", "da39a3ee5e6b4b0d3255bfef95601890afd80709",
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "d41d8cd98f00b204e9800998ecf8427e"
    ),
    (
      "abc", "a9993e364706816aba3e25717850c26c9cd0d89d",
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", "900150983cd24fb0d6963f7d28e17f72"
    ),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1", "8215ef0796a20bcaaae116d3876c664a"
    ),
  ])
  func matchesPublishedDigests(text: String, sha1: String, sha256: String, md5: String) {
    #expect(Hexadecimal.digits(SHA1.hash(text.utf8)) == sha1)
    #expect(Hexadecimal.digits(SHA256.hash(text.utf8)) == sha256)
    #expect(Hexadecimal.digits(MD5.hash(text.utf8)) == md5)
  }

  /// RFC 4231, 4.2, 4.3 and 4.7: a short key, a word, and a key that is longer than a block.
  @Test(arguments: [
    (
      [UInt8](repeating: 0x0B, count: 20), "Hi There",
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      Array("Jefe".utf8), "what do ya want for nothing?",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      [UInt8](repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
  ])
  func matchesPublishedCodes(key: [UInt8], text: String, code: String) {
    #expect(Hexadecimal.digits(HMACSHA256.code(of: Array(text.utf8), key: key)) == code)
  }

  @Test func piecesGiveTheSameDigestAsTheWhole() {
    let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    var digest = SHA256()
    var rest = bytes[...]
    var length = 0
    while !rest.isEmpty {
      digest.update(rest.prefix(length))
      rest = rest.dropFirst(length)
      length += 1
    }
    let whole = SHA256.hash(bytes)
    #expect(digest.finalize() == whole)
    // Finalizing does not change the state.
    #expect(digest.finalize() == whole)
    digest.update([0])
    #expect(digest.finalize() == SHA256.hash(bytes + [0]))
    // A sequence without contiguous storage.
    #expect(SHA256.hash(bytes.lazy.map { $0 }) == whole)
  }
}
