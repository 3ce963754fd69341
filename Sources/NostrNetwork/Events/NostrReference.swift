import Basics

/// The name of a replaceable event, such as an article: its kind, its author and the author's name for it, the value of its `d` tag (NIP-01).
package struct NostrCoordinate: Hashable, Sendable {
  package var kind: Int
  /// The author's public key, as lower-case digits.
  package var author: String
  package var identifier: String

  package init(kind: Int, author: String, identifier: String) {
    self.kind = kind
    self.author = author
    self.identifier = identifier
  }

  /// Reads the value of an `a` tag: `30023:<key>:<identifier>`.
  package init?(tag text: String) {
    let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, let kind = Int(parts[0]), (0...65_535).contains(kind), NostrHex.isKey(parts[1])
    else { return nil }
    self.init(kind: kind, author: String(parts[1]), identifier: String(parts[2]))
  }

  /// Reads the value of an `a` tag; `nil` if it does not name an article that can be stored.
  static func article(tag text: String) -> NostrCoordinate? {
    NostrCoordinate(tag: text).flatMap { $0.isArticle ? $0 : nil }
  }

  /// Whether it names an article that can be stored.
  var isArticle: Bool { kind == NostrEvent.Kind.article && isWritable }

  /// Whether NIP-19 can write the name. An identifier has at most 255 bytes.
  package var isWritable: Bool { identifier.utf8.count <= 255 }
}

/// An id or a key in the form in which people share it (NIP-19), with facts about where to find it.
package enum NostrReference: Hashable, Sendable {
  /// `note1…` or `nevent1…`.
  case event(id: String, relays: [String] = [], author: String? = nil, kind: Int? = nil)
  /// `npub1…` or `nprofile1…`.
  case profile(key: String, relays: [String] = [])
  /// `naddr1…`.
  case replaceable(NostrCoordinate, relays: [String] = [])

  package enum Problem: Error, Hashable, Sendable {
    /// The text is not a reference.
    case form
    /// A character is missing or wrong.
    case checksum
    /// The text is a secret key.
    case secret
  }

  /// The maximum number of relays that are read. Clients write a few.
  private static let mostRelays = 10
  private static let words = ["note1", "npub1", "nevent1", "nprofile1", "naddr1", "nsec1"]

  /// Returns whether a text begins like a reference, in any capitalization.
  package static func isLike(_ text: some StringProtocol) -> Bool {
    let start = text.utf8.prefix(9).map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
    return words.contains { start.starts(with: $0.utf8) }
  }

  /// Reads a reference without `nostr:`.
  package init(_ text: some StringProtocol) throws(Problem) {
    guard Self.isLike(text) else { throw .form }
    // A secret key is never part of a message, even if it is damaged.
    guard text.prefix(5).lowercased() != "nsec1" else { throw .secret }
    let (word, bytes) = try Bech32.decode(text)
    switch word {
    case "note":
      guard bytes.count == 32 else { throw .form }
      self = .event(id: Hexadecimal.digits(bytes))
    case "npub":
      guard bytes.count == 32 else { throw .form }
      self = .profile(key: Hexadecimal.digits(bytes))
    case "nevent", "nprofile", "naddr":
      guard let fields = Fields(bytes), let reference = Self(word, fields) else { throw .form }
      self = reference
    default: throw .form
    }
  }

  private init?(_ word: String, _ fields: Fields) {
    guard let special = fields.special else { return nil }
    switch word {
    case "nevent":
      guard special.count == 32 else { return nil }
      self = .event(
        id: Hexadecimal.digits(special), relays: fields.relays, author: fields.author, kind: fields.kind)
    case "nprofile":
      guard special.count == 32 else { return nil }
      self = .profile(key: Hexadecimal.digits(special), relays: fields.relays)
    default:
      guard let author = fields.author, let kind = fields.kind,
        let identifier = String(validating: special, as: UTF8.self)
      else { return nil }
      self = .replaceable(
        NostrCoordinate(kind: kind, author: author, identifier: identifier), relays: fields.relays)
    }
  }

  /// The values of a reference, each with its type and its length before it. Unknown types are skipped.
  private struct Fields {
    var special: [UInt8]?
    var relays: [String] = []
    var author: String?
    var kind: Int?

    /// - Returns: `nil` if a value is not complete.
    init?(_ bytes: [UInt8]) {
      var rest = bytes[...]
      while let type = rest.popFirst() {
        guard let length = rest.popFirst(), rest.count >= length else { return nil }
        let value = Array(rest.prefix(Int(length)))
        rest = rest.dropFirst(Int(length))
        switch type {
        case 0: special = special ?? value
        case 1:
          // A relay is ASCII text. The client decides whether it connects to it.
          guard relays.count < NostrReference.mostRelays, value.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            continue
          }
          relays.append(String(decoding: value, as: UTF8.self))
        case 2: if value.count == 32 { author = author ?? Hexadecimal.digits(value) }
        case 3:
          if value.count == 4 {
            let number = value.reduce(0) { $0 << 8 | Int($1) }
            if number <= 65_535 { kind = kind ?? number }
          }
        default: continue
        }
      }
    }
  }
}

extension NostrReference: CustomStringConvertible {
  /// The reference in bech32: `npub1…` for a profile without relays, otherwise the form with fields.
  package var description: String {
    var bytes: [UInt8] = []
    func add(_ type: UInt8, _ value: some Collection<UInt8>) {
      guard let length = UInt8(exactly: value.count) else { return }
      bytes += [type, length]
      bytes += value
    }
    func add(_ relays: [String]) { for relay in relays.prefix(Self.mostRelays) { add(1, Array(relay.utf8)) } }
    func add(kind: Int) { add(3, withUnsafeBytes(of: UInt32(clamping: kind).bigEndian) { Array($0) }) }
    func key(_ text: String) -> [UInt8] { NostrHex.bytes(text) ?? [] }
    switch self {
    case .profile(let author, let relays):
      guard !relays.isEmpty else { return Bech32.encode("npub", key(author)) }
      add(0, key(author))
      add(relays)
      return Bech32.encode("nprofile", bytes)
    case .event(let id, let relays, let author, let kind):
      add(0, key(id))
      if let author { add(2, key(author)) }
      if let kind { add(kind: kind) }
      add(relays)
      return Bech32.encode("nevent", bytes)
    case .replaceable(let name, let relays):
      add(0, Array(name.identifier.utf8))
      add(2, key(name.author))
      add(kind: name.kind)
      add(relays)
      return Bech32.encode("naddr", bytes)
    }
  }
}
