/// Bech32 (BIP-173), the form in which people share ids and keys of Nostr: a word, `1`, and digits of five bits with a checksum.
enum Bech32 {
  /// In characters (NIP-19).
  static let maximumLength = 5000

  private static let alphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)
  private static let checksumLength = 6

  /// The value of each ASCII character; 255 for characters that are not digits.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 128)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  /// Returns the word before the `1`, in lower case, and the bytes after it.
  static func decode(
    _ text: some StringProtocol
  ) throws(NostrReference.Problem) -> (word: String, bytes: [UInt8]) {
    var characters = Array(text.utf8)
    guard characters.count <= maximumLength, characters.allSatisfy({ 0x21...0x7E ~= $0 }) else { throw .form }
    let hasCapitals = characters.contains { 0x41...0x5A ~= $0 }
    if hasCapitals {
      guard !characters.contains(where: { 0x61...0x7A ~= $0 }) else { throw .form }
      characters = characters.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
    }
    guard let separator = characters.lastIndex(of: UInt8(ascii: "1")), separator > 0,
      characters.count - separator > checksumLength
    else { throw .form }
    let word = characters[..<separator]
    let digits = characters[(separator + 1)...].map { values[Int($0)] }
    guard !digits.contains(255) else { throw .form }
    guard checksum(expanded(word) + digits) == 1 else { throw .checksum }
    guard let bytes = regrouped(digits.dropLast(checksumLength), from: 5, to: 8, isPadded: false) else {
      throw .form
    }
    return (String(decoding: word, as: UTF8.self), bytes)
  }

  /// - Parameter word: in lower case.
  static func encode(_ word: String, _ bytes: [UInt8]) -> String {
    let digits = regrouped(bytes[...], from: 8, to: 5, isPadded: true) ?? []
    let rest = checksum(expanded(word.utf8) + digits + [UInt8](repeating: 0, count: checksumLength)) ^ 1
    let check = (0..<checksumLength).map { UInt8(truncatingIfNeeded: rest >> (5 * UInt32(5 - $0))) & 31 }
    return word + "1" + String(decoding: (digits + check).map { alphabet[Int($0)] }, as: UTF8.self)
  }

  private static func expanded(_ word: some Collection<UInt8>) -> [UInt8] {
    word.map { $0 >> 5 } + [0] + word.map { $0 & 31 }
  }

  private static func checksum(_ values: [UInt8]) -> UInt32 {
    let generator: [UInt32] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3]
    var sum: UInt32 = 1
    for value in values {
      let top = sum >> 25
      sum = (sum & 0x1ff_ffff) << 5 ^ UInt32(value)
      for bit in 0..<5 where top >> UInt32(bit) & 1 == 1 { sum ^= generator[bit] }
    }
    return sum
  }

  /// Returns the same bits in groups of another size.
  ///
  /// - Parameter isPadded: whether the last group is filled with zeros. Otherwise the rest must be shorter than a group and zero.
  private static func regrouped(
    _ groups: ArraySlice<UInt8>, from old: UInt32, to new: UInt32, isPadded: Bool
  ) -> [UInt8]? {
    var result: [UInt8] = []
    result.reserveCapacity(groups.count * Int(old) / Int(new) + 1)
    var bits: UInt32 = 0
    var count: UInt32 = 0
    for group in groups {
      bits = (bits << old | UInt32(group)) & 0xfff
      count += old
      while count >= new {
        count -= new
        result.append(UInt8(truncatingIfNeeded: bits >> count & (1 << new - 1)))
      }
    }
    let rest = bits & (1 << count - 1)
    if isPadded {
      if count > 0 { result.append(UInt8(truncatingIfNeeded: rest << (new - count))) }
    } else if count >= old || rest != 0 {
      return nil
    }
    return result
  }
}
