/// How a `CurlTransport` works, for all of its requests.
package struct CurlOptions: Sendable {
  /// How many transfers run at once; the others wait for their turn, which costs them none of their time.
  package var maximumTransfers = 16
  /// The same for each host (and port).
  package var maximumTransfersPerHost = 8
  /// Whether requests with `reach: .publicOnly` may go to this machine, too: for tests, whose servers are there.
  package var allowsLoopback = false
  /// The proxy for everything but this machine.
  package var proxies = ProxySettings.ofThisProcess
  /// A PEM file of the authorities to believe instead of the system's.
  package var certificateAuthorities: String?
  /// Names that lead to addresses without being looked up, for tests.
  package var fixedAddresses: [FixedAddress] = []

  /// What debuggers and `top` call the thread: of more than 15 bytes Linux shows the first.
  package var threadName = "threadsite-curl"

  package struct FixedAddress: Sendable, Hashable {
    package var host: String
    package var port: Int
    package var address: String

    package init(_ host: String, port: Int, leadsTo address: String) {
      self.host = host
      self.port = port
      self.address = address
    }
  }

  package init() {}
}
