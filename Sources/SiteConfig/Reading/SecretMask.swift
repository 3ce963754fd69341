import Foundation

/// Keeps credentials out of messages: a token pasted into site.yml must not travel on into a CI log,
/// through the very error that says it does not belong there.
struct SecretMask: Sendable {
  /// Values found where a credential may have been written; each is hidden wherever it occurs.
  private(set) var values: [[UInt8]] = []
  /// The credentials that the program itself would use; those too short to be told from words are not among them.
  private let known: [[UInt8]]

  /// - Parameter secrets: the values of the environment variables and files that hold the program's credentials.
  init(secrets: [String] = []) {
    // A bearer token is copied from an address now and then, where some of its characters are percent-encoded.
    known = secrets.flatMap { [$0, $0.removingPercentEncoding ?? $0] }.map { Array($0.utf8) }
      .filter { $0.count >= Self.shortestSecret }
    values = known
  }

  /// What a text holds that may not stand in a file that is published and shared, in words for a message.
  func secret(in text: String) -> String? {
    let bytes = Array(text.utf8)
    if known.contains(where: { bytes.firstRange(of: $0) != nil }) {
      return "the credential that this program uses"
    }
    return SecretForm.name(in: text)
  }

  /// Values shorter than this are left: masking "a" everywhere would say more than it hides.
  private static let shortestValue = 4
  /// A credential in use that is shorter than this may be a word.
  private static let shortestSecret = 12
  /// Runs shorter than this are taken for words.
  private static let shortestToken = 25

  mutating func hide(_ value: String) {
    // A folded value stands on several lines, so each of its words is hidden by itself.
    for word in value.split(whereSeparator: \.isWhitespace) where word.utf8.count >= Self.shortestValue {
      values.append(Array(word.utf8))
    }
  }

  /// A line of the file with everything that is or looks like a credential replaced by as many stars, so that
  /// columns stay.
  func masking(line: String) -> String {
    var bytes = Array(line.utf8)
    for value in values.sorted(by: { $0.count > $1.count }) {
      Self.replace(value, in: &bytes)
    }
    return Self.masking(String(decoding: bytes, as: UTF8.self))
  }

  /// The same for a message, which may quote what is in the file; what was found there but is a word is left in it.
  func masking(message: String) -> String {
    var bytes = Array(message.utf8)
    for value in known { Self.replace(value, in: &bytes) }
    return Self.masking(String(decoding: bytes, as: UTF8.self))
  }

  /// Text with everything that looks like a credential replaced by as many stars.
  static func masking(_ text: String) -> String {
    var bytes = Array(text.utf8)
    var start = 0
    while start < bytes.count {
      var end = start
      while end < bytes.count, isTokenByte(bytes[end]) { end += 1 }
      if end > start, looksLikeToken(bytes[start..<end]) {
        for index in start..<end { bytes[index] = UInt8(ascii: "*") }
      }
      start = end + 1
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether a value looks like a bearer token or an API key and not like a name or a path.
  static func looksLikeToken(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.allSatisfy(isTokenByte) && looksLikeToken(bytes[...])
  }

  /// Long, and a mixture that nobody writes by hand: upper case, lower case and digits.
  private static func looksLikeToken(_ run: ArraySlice<UInt8>) -> Bool {
    if SecretForm.name(ofRun: run) != nil { return true }
    guard run.count >= shortestToken else { return false }
    return run.contains { (0x30...0x39).contains($0) } && run.contains { (0x41...0x5A).contains($0) }
      && run.contains { (0x61...0x7A).contains($0) }
  }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "%"), UInt8(ascii: "_"), UInt8(ascii: "-"),
      UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static func replace(_ value: [UInt8], in bytes: inout [UInt8]) {
    guard bytes.count >= value.count, let first = value.first else { return }
    var start = 0
    while start + value.count <= bytes.count {
      if bytes[start] == first, bytes[start..<(start + value.count)].elementsEqual(value) {
        let stars = value.count { $0 & 0xC0 != 0x80 }
        bytes.replaceSubrange(
          start..<(start + value.count), with: repeatElement(UInt8(ascii: "*"), count: stars))
        start += stars
      } else {
        start += 1
      }
    }
  }
}
