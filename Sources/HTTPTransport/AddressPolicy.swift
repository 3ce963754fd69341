/// Which addresses a transfer's sockets may be opened to.
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

  /// Why not, as a sentence without a full stop.
  static func refusal(of address: IPAddress?) -> String {
    guard let address else { return "the host leads to an address that is no internet address" }
    return "the host leads to \(address), which is not a public address (\(address.scope.rawValue))"
  }
}
