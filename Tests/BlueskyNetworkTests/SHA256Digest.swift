import Basics

enum SHA256Digest {
  static func of(_ bytes: [UInt8]) -> [UInt8] { SHA256.hash(bytes) }
}
