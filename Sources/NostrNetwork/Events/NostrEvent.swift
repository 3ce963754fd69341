import Basics
package import ThreadModel

/// A signed event of Nostr (NIP-01). A value of this type is authentic: its id is the digest of its content, and its author signed the id.
///
/// Equal ids therefore mean equal events.
package struct NostrEvent: Sendable {
  /// The SHA-256 digest of the event, as lower-case digits.
  package let id: String
  /// The author's public key, as lower-case digits.
  package let author: String
  /// Seconds since 1970, as the author states.
  package let createdAt: Int64
  package let kind: Int
  package let tags: [[String]]
  package let content: String

  /// The limits of an event, which relays also set (NIP-11). An article of a book's length has 1 MB.
  package enum Limits {
    /// The text and all tags, in bytes.
    package static let bytes = 2 << 20
    package static let tags = 10_000
    /// The parts of all tags together.
    package static let tagParts = 50_000
    /// The last second of the year 9999, after which times cannot be written.
    package static let latest: Int64 = 253_402_300_799
  }

  /// Reads an event, and checks its id and its signature.
  ///
  /// - Throws: ``NostrEventError`` if a member is missing or invalid, if the event exceeds a limit, or if the event is forged.
  package init(_ object: JSONObject) throws(NostrEventError) {
    guard let id = object["id"]?.string, NostrHex.isKey(id) else { throw .invalid("id") }
    guard let author = object["pubkey"]?.string, NostrHex.isKey(author), let key = NostrHex.bytes(author)
    else {
      throw .invalid("pubkey")
    }
    guard let time = object["created_at"]?.integer, (0...Limits.latest).contains(time) else {
      throw .invalid("created_at")
    }
    guard let kind = object["kind"]?.int, (0...65_535).contains(kind) else { throw .invalid("kind") }
    guard let content = object["content"]?.string else { throw .invalid("content") }
    guard let text = object["sig"]?.string, let signature = NostrHex.bytes(text),
      signature.count == NostrSignatures.signatureLength
    else { throw .invalid("sig") }
    self.id = id
    self.author = author
    createdAt = time
    self.kind = kind
    tags = try Self.tags(object["tags"], bytes: content.utf8.count)
    self.content = content
    let digest = try digest()
    guard NostrSignatures.isSignature(signature, on: digest, by: key) else { throw .wrongSignature }
  }

  /// - Parameter bytes: the size of the content.
  private static func tags(_ value: JSONValue?, bytes: Int) throws(NostrEventError) -> [[String]] {
    guard let list = value?.array else { throw .invalid("tags") }
    guard list.count <= Limits.tags else { throw .tooLarge }
    var tags: [[String]] = []
    tags.reserveCapacity(list.count)
    var bytes = bytes
    var parts = 0
    for tag in list {
      guard let strings = tag.array else { throw .invalid("tags") }
      parts += strings.count
      guard parts <= Limits.tagParts else { throw .tooLarge }
      var values: [String] = []
      values.reserveCapacity(strings.count)
      for string in strings {
        guard let string = string.string else { throw .invalid("tags") }
        bytes += string.utf8.count
        values.append(string)
      }
      tags.append(values)
    }
    guard bytes <= Limits.bytes else { throw .tooLarge }
    return tags
  }

  /// Returns the digest of the event, which must be its id.
  private func digest() throws(NostrEventError) -> [UInt8] {
    let digest = SHA256.hash(canonical(escapingControls: false))
    if Hexadecimal.digits(digest) == id { return digest }
    // JavaScript's `JSON.stringify`, which most clients use, escapes all controls. Both forms are unambiguous.
    if hasOtherControls {
      let digest = SHA256.hash(canonical(escapingControls: true))
      if Hexadecimal.digits(digest) == id { return digest }
    }
    throw .wrongID
  }

  private var hasOtherControls: Bool {
    let isControl: (UInt8) -> Bool = { $0 < 0x20 && Self.letter(of: $0) == nil }
    return content.utf8.contains(where: isControl)
      || tags.contains { $0.contains { $0.utf8.contains(where: isControl) } }
  }

  /// Returns the JSON text whose digest is the id (NIP-01): an array without white space. Only seven characters are escaped.
  ///
  /// - Parameter escapingControls: whether the other controls are escaped as `\u0001`, and not written verbatim, as the NIP demands.
  private func canonical(escapingControls: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(content.utf8.count + 200)
    bytes += "[0,\"\(author)\",\(createdAt),\(kind),[".utf8
    for (number, tag) in tags.enumerated() {
      bytes += number == 0 ? "[".utf8 : ",[".utf8
      for (number, part) in tag.enumerated() {
        if number > 0 { bytes.append(UInt8(ascii: ",")) }
        Self.append(part, to: &bytes, escapingControls)
      }
      bytes.append(UInt8(ascii: "]"))
    }
    bytes += "],".utf8
    Self.append(content, to: &bytes, escapingControls)
    bytes.append(UInt8(ascii: "]"))
    return bytes
  }

  private static func append(_ text: String, to bytes: inout [UInt8], _ escapingControls: Bool) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      if let letter = letter(of: byte) {
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(letter)
      } else if byte < 0x20, escapingControls {
        bytes += "\\u00\(Hexadecimal.digits([byte]))".utf8
      } else {
        bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Returns the letter after the backslash that stands for a byte; `nil` for bytes that are not escaped.
  private static func letter(of byte: UInt8) -> UInt8? {
    switch byte {
    case 0x0A: UInt8(ascii: "n")
    case 0x22, 0x5C: byte
    case 0x0D: UInt8(ascii: "r")
    case 0x09: UInt8(ascii: "t")
    case 0x08: UInt8(ascii: "b")
    case 0x0C: UInt8(ascii: "f")
    default: nil
    }
  }
}

extension NostrEvent: Hashable {
  package static func == (lhs: NostrEvent, rhs: NostrEvent) -> Bool { lhs.id == rhs.id }
  package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension NostrEvent {
  /// Returns the values of the tags with a name: the parts after the name. Tags without a value are left out.
  package func values(_ name: String) -> [ArraySlice<String>] {
    tags.lazy.filter { $0.count > 1 && $0[0] == name }.map { $0.dropFirst() }
  }

  /// Returns the first value of the first tag with a name; `nil` if it is missing or empty.
  package func value(_ name: String) -> String? {
    tags.first { $0.count > 1 && $0[0] == name }.flatMap { $0[1].isEmpty ? nil : $0[1] }
  }
}

/// The reason why a JSON object is not an authentic event.
package enum NostrEventError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A member is missing or does not have the form of NIP-01.
  case invalid(_ member: String)
  case tooLarge
  /// The id is not the digest of the content: the event was changed.
  case wrongID
  /// The author did not sign the event.
  case wrongSignature

  /// Whether the event has the form of an event but not the content that its author signed.
  package var isForgery: Bool { self == .wrongID || self == .wrongSignature }

  package var description: String {
    switch self {
    case .invalid(let member): "`\(member)` is missing or invalid"
    case .tooLarge: "the event is too large"
    case .wrongID: "the id does not match the content"
    case .wrongSignature: "the signature is not valid"
    }
  }
}
