import Basics

/// The host names for which the preview responds to requests.
///
/// A page on another site can change the address of its own host name to this machine's. Then it could read the files served here as if
/// they were on its own site (DNS rebinding). Its requests still contain its host name, which is not allowed.
package struct AllowedHosts: Sendable {
  /// The host that the user chose: a name, an address, or all addresses of the machine.
  private let asked: String

  package init(_ asked: String) { self.asked = asked.lowercased() }

  /// Whether the preview listens on all addresses of the machine.
  private var isAny: Bool { asked == "0.0.0.0" || asked == "::" }

  /// - Parameter header: the value of the request's `Host` header.
  package func allow(_ header: String) -> Bool {
    guard let name = Self.name(in: header) else { return false }
    if name == "localhost" || name.hasByteSuffix(".localhost") { return true }
    if name == "127.0.0.1" || name == "[::1]" { return true }
    if name == asked || name == "[\(asked)]" { return true }
    // A literal IP address cannot be redirected by DNS.
    return isAny && Self.isAddress(name)
  }

  /// Returns the host without its port, in lower case; `nil` if the header is invalid.
  static func name(in header: String) -> String? {
    let text = header.lowercased()
    let isFit = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
      default: ".:[]-_".utf8.contains(byte)
      }
    }
    guard isFit, !text.isEmpty else { return nil }
    let name: Substring
    let port: Substring
    if text.hasBytePrefix("[") {
      guard let end = text.utf8.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      name = text[...end]
      port = text[text.utf8.index(after: end)...]
    } else {
      name = text.prefix(upToBytes: ":")
      port = text[name.endIndex...]
    }
    let digits = port.dropFirst()
    guard port.isEmpty || port.hasBytePrefix(":") && digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return name.isEmpty ? nil : String(name)
  }

  private static func isAddress(_ name: String) -> Bool {
    if name.hasBytePrefix("[") { return true }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil }
  }
}
