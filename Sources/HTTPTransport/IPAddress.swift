#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An address of a machine on the internet, IPv4 or IPv6.
package enum IPAddress: Sendable, Hashable {
  /// The four bytes as a number: 127.0.0.1 is 0x7F00_0001.
  case v4(UInt32)
  /// The sixteen bytes as two numbers: `::1` is `high: 0, low: 1`.
  case v6(high: UInt64, low: UInt64)

  /// Creates an address from 4 or 16 bytes in network order.
  package init?(bytes: some Collection<UInt8>) {
    switch bytes.count {
    case 4: self = .v4(bytes.reduce(0) { $0 << 8 | UInt32($1) })
    case 16:
      self = .v6(
        high: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) },
        low: bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) })
    default: return nil
    }
  }

  /// Parses an address, an IPv6 address with or without brackets; `nil` for names, and for numbers that are not four
  /// decimal parts.
  package init?(_ text: String) {
    var inner = text[...]
    if inner.first == "[", inner.last == "]" { inner = inner.dropFirst().dropLast() }
    var bytes = [UInt8](repeating: 0, count: 16)
    let isSix = inner.utf8.contains(UInt8(ascii: ":"))
    guard !inner.utf8.contains(0), inet_pton(isSix ? AF_INET6 : AF_INET, String(inner), &bytes) == 1 else {
      return nil
    }
    self.init(bytes: bytes.prefix(isSix ? 16 : 4))
  }

  /// Whether the first `length` bits are equal to those of `prefix`; `false` if the two belong to different families.
  package func isInside(_ prefix: IPAddress, length: Int) -> Bool {
    switch (self, prefix) {
    case (.v4(let own), .v4(let other)):
      (0...32).contains(length) && (own ^ other) & Self.mask(length) == 0
    case (.v6(let high, let low), .v6(let otherHigh, let otherLow)):
      (0...128).contains(length)
        && (high ^ otherHigh) & Self.mask(min(length, 64)) == 0
        && (low ^ otherLow) & Self.mask(max(length - 64, 0)) == 0
    default: false
    }
  }

  /// A number whose first `length` bits are set. Shifting by the full width gives 0 in Swift.
  private static func mask<Number: FixedWidthInteger>(_ length: Int) -> Number {
    ~(~Number.zero >> Number(length))
  }

  /// The group of machines that an address can belong to.
  package enum Scope: String, Sendable, Hashable {
    /// Any machine on the internet.
    case global
    /// This machine.
    case loopback
    /// The local network, or the provider's.
    case privateUse = "private"
    case linkLocal = "link-local"
    case multicast
    case unspecified
    /// Reserved for documents, measurements or protocols, or not assigned yet.
    case reserved
  }

  /// The scope according to the registries of special-purpose addresses (https://www.iana.org/assignments/iana-ipv4-special-registry,
  /// …/iana-ipv6-special-registry).
  ///
  /// An IPv6 address that wraps an IPv4 address (mapped, RFC 4291; 6to4, RFC 3056; NAT64, RFC 6052) has the scope of the IPv4 address, so
  /// that wrapping does not evade a check. A wrapped loopback address is `reserved`, because it has no legitimate use.
  package var scope: Scope {
    if let wrapped {
      let inner = wrapped.scope
      return inner == .loopback ? .reserved : inner
    }
    switch self {
    case .v4: return Self.special(self, in: Self.specialFour) ?? .global
    case .v6(let high, _):
      if let special = Self.special(self, in: Self.specialSix) { return special }
      // Only 2000::/3 has been assigned.
      return high >> 61 == 1 ? .global : .reserved
    }
  }

  /// 127.0.0.0/8 and `::1`.
  package var isLoopback: Bool { scope == .loopback }

  /// The IPv4 address that an IPv6 address wraps.
  private var wrapped: IPAddress? {
    guard case .v6(let high, let low) = self else { return nil }
    if high == 0, low >> 32 == 0xFFFF { return .v4(UInt32(truncatingIfNeeded: low)) }
    if high == 0x0064_FF9B_0000_0000, low >> 32 == 0 { return .v4(UInt32(truncatingIfNeeded: low)) }
    if high >> 48 == 0x2002 { return .v4(UInt32(truncatingIfNeeded: high >> 16)) }
    return nil
  }

  private static func special(_ address: IPAddress, in table: [Special]) -> Scope? {
    table.first { address.isInside($0.prefix, length: $0.length) }?.scope
  }

  private struct Special {
    let prefix: IPAddress
    let length: Int
    let scope: Scope

    init(_ prefix: UInt32, _ length: Int, _ scope: Scope) {
      self.prefix = .v4(prefix)
      self.length = length
      self.scope = scope
    }

    init(six high: UInt64, low: UInt64 = 0, _ length: Int, _ scope: Scope) {
      prefix = .v6(high: high, low: low)
      self.length = length
      self.scope = scope
    }
  }

  private static let specialFour = [
    Special(0x0000_0000, 32, .unspecified),
    Special(0x0000_0000, 8, .reserved),  // this network
    Special(0x0A00_0000, 8, .privateUse),
    Special(0x6440_0000, 10, .privateUse),  // 100.64/10, shared by a provider's customers
    Special(0x7F00_0000, 8, .loopback),
    Special(0xA9FE_0000, 16, .linkLocal),
    Special(0xAC10_0000, 12, .privateUse),
    Special(0xC000_0000, 24, .reserved),  // protocols
    Special(0xC000_0200, 24, .reserved),  // documents
    Special(0xC058_6300, 24, .reserved),  // 6to4 relays
    Special(0xC0A8_0000, 16, .privateUse),
    Special(0xC612_0000, 15, .reserved),  // measurements
    Special(0xC633_6400, 24, .reserved),  // documents
    Special(0xCB00_7100, 24, .reserved),  // documents
    Special(0xE000_0000, 4, .multicast),
    Special(0xF000_0000, 4, .reserved),
  ]

  private static let specialSix = [
    Special(six: 0, 128, .unspecified),
    Special(six: 0, low: 1, 128, .loopback),
    Special(six: 0x0064_FF9B_0001_0000, 48, .privateUse),  // NAT64 within a network
    Special(six: 0x2001_0000_0000_0000, 23, .reserved),  // protocols, including Teredo
    Special(six: 0x2001_0DB8_0000_0000, 32, .reserved),  // documents
    Special(six: 0x3FFF_0000_0000_0000, 20, .reserved),  // documents
    Special(six: 0xFC00_0000_0000_0000, 7, .privateUse),
    Special(six: 0xFE80_0000_0000_0000, 10, .linkLocal),
    Special(six: 0xFEC0_0000_0000_0000, 10, .privateUse),  // site-local (deprecated)
    Special(six: 0xFF00_0000_0000_0000, 8, .multicast),
  ]
}

extension IPAddress: CustomStringConvertible {
  package var description: String {
    var bytes: [UInt8] = []
    switch self {
    case .v4(let number):
      bytes = (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
      return bytes.map(String.init).joined(separator: ".")
    case .v6(let high, let low):
      let groups = [high, low].flatMap { half in (0..<4).map { half >> (48 - 16 * $0) & 0xFFFF } }
      return groups.map { String($0, radix: 16) }.joined(separator: ":")
    }
  }
}

/// The addresses to which a transfer may open sockets.
enum AddressPolicy: Sendable, Hashable {
  case any
  /// Requests without TLS stay on this machine.
  case loopbackOnly
  case publicOnly
  /// For tests, whose servers are on this machine.
  case publicOrLoopback

  func permits(_ address: IPAddress?) -> Bool {
    switch self {
    case .any: true
    case .loopbackOnly: address?.scope == .loopback
    case .publicOnly: address?.scope == .global
    case .publicOrLoopback: address?.scope == .global || address?.scope == .loopback
    }
  }

  /// Returns the reason why an address is refused, as a sentence without a full stop.
  static func refusal(of address: IPAddress?) -> String {
    guard let address else { return "the host resolves to an address that is not an internet address" }
    return "the host resolves to \(address), which is not a public address (\(address.scope.rawValue))"
  }
}
