import CCurl

/// A URL that may be fetched, in the form that libcurl receives.
///
/// It is parsed by libcurl, so that the checked URL is the fetched one. Schemes other than https (and http if the host is this machine), a
/// user or a password, and characters that are invalid in a URL are refused.
package struct TransferTarget: Sendable, Hashable {
  package let url: String
  /// In lower case; an IPv6 address without brackets, an IPv4 address in four decimal parts, in whatever form it was written.
  package let host: String
  package let port: String
  package let isPlain: Bool
  /// The address, if the host is an address and not a name.
  package let address: IPAddress?

  /// The host with its port. The limit of parallel transfers applies to each combination.
  package var hostAndPort: String { host + " " + port }

  /// `localhost` (which libcurl never looks up), 127.0.0.0/8 or ::1.
  package var isLoopback: Bool { address?.isLoopback ?? (host == "localhost") }

  package init(_ url: String) throws(HTTPError) {
    try self.init(url, basedOn: nil)
  }

  /// Creates the target of a WebSocket from a `wss` URL, or a `ws` URL of this machine. The target's own URL has the scheme https or http,
  /// with the same default ports.
  package init(webSocket url: String) throws(HTTPError) {
    let scheme = String(Substring(url.utf8.prefix { $0 != UInt8(ascii: ":") }))
    let rest = String(Substring(url.utf8.dropFirst(scheme.utf8.count)))
    let isPlain = scheme.lowercased() == "ws"
    guard isPlain || scheme.lowercased() == "wss" else {
      throw HTTPError(.refusedURL, "only wss URLs are opened as WebSockets", url: url)
    }
    let secure = try TransferTarget("https" + rest)
    guard !isPlain || secure.isLoopback else {
      throw HTTPError(
        .refusedURL, "only wss URLs are opened as WebSockets (ws only on this machine)", url: url)
    }
    // The host becomes a header's value without libcurl's conversion of international names.
    guard secure.host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
      throw HTTPError(.refusedURL, "the host's name must be written in ASCII (xn--…)", url: url)
    }
    self = isPlain ? try TransferTarget("http" + rest) : secure
  }

  /// The host with its port, as in the URL, for the `Host` header.
  var authority: String { String(Substring(afterScheme.prefix { $0 != UInt8(ascii: "/") })) }

  /// The path with the query, as in a request's first line.
  var requestTarget: String {
    String(Substring(afterScheme.drop { $0 != UInt8(ascii: "/") }.prefix { $0 != UInt8(ascii: "#") }))
  }

  /// The URL from its host on. libcurl ends the host of each URL with a slash.
  private var afterScheme: Substring.UTF8View { url.utf8.dropFirst(isPlain ? 7 : 8) }

  /// Returns the target of a redirect; `location` may be relative to this URL.
  package func following(_ location: String) throws(HTTPError) -> TransferTarget {
    do throws(HTTPError) {
      return try TransferTarget(location, basedOn: url)
    } catch {
      throw HTTPError(
        .refusedRedirect, "the redirect to \(error.url) is not followed: \(error.message)", url: url)
    }
  }

  private init(_ url: String, basedOn base: String?) throws(HTTPError) {
    guard url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
      throw HTTPError(.refusedURL, "the URL contains a space or a control character", url: url)
    }
    guard let parts = curl_url() else {
      throw HTTPError(.other, "out of memory", url: url)
    }
    defer { curl_url_cleanup(parts) }
    let flags = UInt32(CURLU_DISALLOW_USER | CURLU_URLENCODE)
    if let base { _ = curl_url_set(parts, CURLUPART_URL, base, 0) }
    let code = curl_url_set(parts, CURLUPART_URL, url, flags)
    guard code == CURLUE_OK else { throw Self.failure(code, url) }
    func part(_ part: CURLUPart, _ flags: Int32 = 0) throws(HTTPError) -> String {
      var text: UnsafeMutablePointer<CChar>?
      let code = curl_url_get(parts, part, &text, UInt32(flags))
      guard code == CURLUE_OK, let text else { throw Self.failure(code, url) }
      defer { curl_free(text) }
      return String(cString: text)
    }
    let scheme = try part(CURLUPART_SCHEME)
    let host = try part(CURLUPART_HOST).lowercased()
    self.url = try part(CURLUPART_URL)
    self.port = try part(CURLUPART_PORT, CURLU_DEFAULT_PORT)
    self.host = host.utf8.first == UInt8(ascii: "[") ? String(host.dropFirst().dropLast()) : host
    isPlain = scheme != "https"
    // A dot at the end does not change an address.
    address = IPAddress(String(Self.withoutLastDot(host)))
    guard scheme == "https" || (scheme == "http" && isLoopback) else {
      let message =
        scheme == "http"
        ? "only https URLs are fetched (http only from this machine)" : "only https is fetched, not \(scheme)"
      throw HTTPError(.refusedURL, message, url: url)
    }
  }

  /// A dot at the end of a host's name does not change the host.
  private static func withoutLastDot(_ host: String) -> Substring {
    host.utf8.last == UInt8(ascii: ".") ? host[..<host.utf8.index(before: host.endIndex)] : host[...]
  }

  private static func failure(_ code: CURLUcode, _ url: String) -> HTTPError {
    let reason =
      switch code {
      case CURLUE_USER_NOT_ALLOWED: "the URL contains a user name or password"
      case CURLUE_UNSUPPORTED_SCHEME: "only https is fetched"
      default: "the URL cannot be read (\(String(cString: curl_url_strerror(code))))"
      }
    return HTTPError(.refusedURL, reason, url: url)
  }
}

extension TransferTarget {
  /// Refuses hosts that are addresses out of reach, or names of this machine, before any socket is opened.
  ///
  /// The addresses behind a name are checked when a socket is opened (`Transfer.openSocket`).
  package func check(_ reach: HTTPRequest.Reach, allowsLoopback: Bool) throws(HTTPError) {
    guard reach == .publicOnly else { return }
    let policy = allowsLoopback ? AddressPolicy.publicOrLoopback : .publicOnly
    if let address, !policy.permits(address) {
      throw HTTPError(
        .refusedAddress, "\(address) is not a public address (\(address.scope.rawValue))", url: url)
    }
    let name = Self.withoutLastDot(host)
    // Compared by bytes: `hasSuffix` does not find a full stop that is followed by a combining mark.
    let isLocal = name.utf8.suffix(10).elementsEqual(".localhost".utf8) || name == "localhost"
    if !allowsLoopback, isLocal {
      throw HTTPError(.refusedAddress, "the host is this machine", url: url)
    }
  }
}
