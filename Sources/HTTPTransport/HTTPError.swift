import CCurl

/// The reason why a request has no response.
package struct HTTPError: Error, Sendable, Hashable, CustomStringConvertible {
  package enum Kind: Sendable, Hashable {
    case cancelled
    /// The URL may not be fetched, because of its scheme or because it contains credentials.
    case refusedURL
    /// The host's name has no address, or no server listens there.
    case unreachable
    /// The certificate is not trusted, or the TLS handshake failed.
    case insecure
    case timedOut
    /// The response has more bytes than allowed.
    case tooLarge
    /// The connection ended before the response was complete.
    case cut
    /// Too many redirects, or a redirect to a URL that may not be fetched.
    case refusedRedirect
    /// The address is not public.
    case refusedAddress
    /// The file of the body cannot be written or read.
    case file
    case other
  }

  package var kind: Kind
  /// A sentence without a full stop; contains no credential.
  package var message: String
  /// The URL without its query, which may be long or private, and without a user and a password.
  package var url: String

  package init(_ kind: Kind, _ message: String, url: String) {
    self.kind = kind
    self.message = message
    self.url = Self.shown(url)
  }

  package var description: String { "\(url): error: \(message)" }

  /// Returns the error for a code of libcurl.
  init(_ code: CURLcode, of transfer: Transfer, _ authorities: CertificateAuthorities) {
    if let refusal = transfer.refusal, code == CURLE_COULDNT_CONNECT {
      self.init(.refusedAddress, refusal, url: transfer.target.url)
      return
    }
    let limits = transfer.request.limits
    let detail = transfer.handle?.explanation(of: code) ?? String(cString: curl_easy_strerror(code))
    let (kind, what) = Self.meaning(of: code, limits)
    let advice = kind == .insecure ? authorities.advice.map { "; \($0)" } ?? "" : ""
    self.init(kind, "\(what) (\(detail))\(advice)", url: transfer.target.url)
  }

  private static func meaning(of code: CURLcode, _ limits: HTTPLimits) -> (Kind, String) {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST: (.unreachable, "the host name cannot be resolved")
    case CURLE_COULDNT_RESOLVE_PROXY: (.unreachable, "the proxy's host name cannot be resolved")
    case CURLE_COULDNT_CONNECT: (.unreachable, "the connection was refused")
    case CURLE_PROXY: (.unreachable, "the proxy refuses the connection")
    case CURLE_OPERATION_TIMEDOUT: (.timedOut, "it timed out")
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
      CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_USE_SSL_FAILED:
      (.insecure, "the connection is not secure")
    case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2,
      CURLE_HTTP2_STREAM:
      (.cut, "the connection closed before the response was complete")
    case CURLE_FILESIZE_EXCEEDED:
      (.tooLarge, "the response is larger than the limit of \(limits.maximumBytes) bytes")
    case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: (.refusedURL, "the URL cannot be fetched")
    case CURLE_BAD_CONTENT_ENCODING: (.other, "the response cannot be decompressed")
    default: (.other, "it failed")
    }
  }

  /// Returns a URL for messages: without query and fragment, user and password, and control characters, and of limited length.
  ///
  /// Invalid URLs are also shown; if such a URL could contain a password, only its scheme is shown.
  static func shown(_ url: String) -> String {
    let visible = url.unicodeScalars.prefix { $0 != "?" && $0 != "#" }.filter {
      $0.properties.generalCategory != .control
    }
    // Compared by scalars, so that a combining mark after a slash or an at sign does not hide the character from a URL parser.
    var rest = String.UnicodeScalarView(visible.prefix(300))[...]
    var scheme = ""
    if let colon = rest.firstIndex(of: ":"), rest[colon...].dropFirst().first == "/" {
      let start = rest[colon...].dropFirst().firstIndex { $0 != "/" } ?? rest.endIndex
      scheme = String(rest[..<start])
      rest = rest[start...]
    }
    guard !rest.contains("\\") else { return scheme + "…" }
    let end = rest.firstIndex(of: "/") ?? rest.endIndex
    let authority = rest[..<end]
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    guard isHostAndPort(host) else { return scheme + "…" }
    return scheme + String(host) + String(rest[end...])
  }

  /// Whether the text after the last colon is a port. Otherwise it may be the beginning of a password that contains a slash.
  private static func isHostAndPort(_ text: Substring.UnicodeScalarView) -> Bool {
    guard text.last != "]", let colon = text.lastIndex(of: ":") else { return true }
    return text[text.index(after: colon)...].allSatisfy { ("0"..."9").contains($0) }
  }
}
