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

  /// From bytes in network order: 4 or 16 of them.
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

  /// An address as it is written, an IPv6 address with or without brackets; `nil` for names, and for numbers in
  /// another form than four decimal parts.
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

  /// Whether the first `length` bits are those of `prefix`; addresses of two families have none in common.
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
