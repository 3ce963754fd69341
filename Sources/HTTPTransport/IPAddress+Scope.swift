extension IPAddress {
  /// Whom an address can belong to.
  package enum Scope: String, Sendable, Hashable {
    /// Anybody on the internet.
    case global
    /// This machine.
    case loopback
    /// The local network, or the provider's.
    case privateUse = "private"
    case linkLocal = "link-local"
    case multicast
    case unspecified
    /// For documents, measurements, protocols, or nobody yet.
    case reserved
  }

  /// By the registries of special-purpose addresses
  /// (https://www.iana.org/assignments/iana-ipv4-special-registry, …/iana-ipv6-special-registry).
  ///
  /// An IPv6 address that only wraps an IPv4 address (mapped, RFC 4291; 6to4, RFC 3056; NAT64, RFC 6052) has the scope of
  /// that one, so that nothing hides in it; a wrapped loopback address is `reserved`, as no loopback address is written so.
  package var scope: Scope {
    if let wrapped {
      let inner = wrapped.scope
      return inner == .loopback ? .reserved : inner
    }
    switch self {
    case .v4: return Self.special(self, in: Self.specialFour) ?? .global
    case .v6(let high, _):
      if let special = Self.special(self, in: Self.specialSix) { return special }
      // 2000::/3 is all that has been given out.
      return high >> 61 == 1 ? .global : .reserved
    }
  }

  /// 127.0.0.0/8 and `::1`.
  package var isLoopback: Bool { scope == .loopback }

  /// The IPv4 address inside an IPv6 address that stands for it.
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
    Special(six: 0x2001_0000_0000_0000, 23, .reserved),  // protocols, Teredo among them
    Special(six: 0x2001_0DB8_0000_0000, 32, .reserved),  // documents
    Special(six: 0x3FFF_0000_0000_0000, 20, .reserved),  // documents
    Special(six: 0xFC00_0000_0000_0000, 7, .privateUse),
    Special(six: 0xFE80_0000_0000_0000, 10, .linkLocal),
    Special(six: 0xFEC0_0000_0000_0000, 10, .privateUse),  // site-local, as it once was
    Special(six: 0xFF00_0000_0000_0000, 8, .multicast),
  ]
}
