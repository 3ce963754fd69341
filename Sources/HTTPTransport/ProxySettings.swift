#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The proxy from the environment, by the variables and rules of curl: `https_proxy`, `HTTPS_PROXY`, `all_proxy`, `ALL_PROXY`, `no_proxy`,
/// `NO_PROXY` (https://everything.curl.dev/usingcurl/proxies/env.html).
///
/// They are read here and not by libcurl, because the addresses that may be reached depend on whether a proxy is used. This machine is
/// never reached through a proxy. `http_proxy` is ignored, because http is only allowed to this machine.
package struct ProxySettings: Sendable, Hashable {
  /// A proxy's URL may contain a password.
  private let proxy: Secret?
  /// The parts of `no_proxy` in lower case.
  private let exceptions: [String]

  /// No proxy.
  package static let none = ProxySettings { _ in nil }
  /// Reads the settings from the environment of this process.
  package static var ofThisProcess: ProxySettings {
    ProxySettings { name in getenv(name).map { String(cString: $0) } }
  }

  /// - Parameter variable: the value of an environment variable.
  package init(variable: (String) -> String?) {
    func first(_ names: String...) -> String? {
      names.compactMap(variable).first { !$0.isEmpty }
    }
    proxy = first("https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY").map { Secret($0) }
    exceptions = (first("no_proxy", "NO_PROXY") ?? "").lowercased()
      .split { $0 == "," || $0.isWhitespace }.map(String.init)
  }

  /// Returns the proxy for a host; `nil` if the host is reached directly.
  package func proxy(for target: TransferTarget) -> Secret? {
    guard let proxy, !target.isLoopback, !exceptions.contains(where: { Self.matches($0, target) }) else {
      return nil
    }
    return proxy
  }

  /// An exception is `*`, a name (which includes its subdomains), an address, or a network such as 10.0.0.0/8.
  private static func matches(_ exception: String, _ target: TransferTarget) -> Bool {
    if exception == "*" { return true }
    if let address = target.address {
      let parts = exception.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
      guard let network = IPAddress(String(parts[0])) else { return false }
      guard parts.count == 2 else { return network == address }
      return Int(parts[1]).map { address.isInside(network, length: $0) } ?? false
    }
    let name = trimmingDots(exception)
    let host = trimmingDots(target.host)
    return !name.isEmpty
      && (host == name || host.utf8.suffix(name.utf8.count + 1).elementsEqual(".\(name)".utf8))
  }

  private static func trimmingDots(_ name: String) -> Substring {
    var name = name.unicodeScalars[...]
    if name.first == "." { name.removeFirst() }
    if name.last == "." { name.removeLast() }
    return Substring(name)
  }
}
