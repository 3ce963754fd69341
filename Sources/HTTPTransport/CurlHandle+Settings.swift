import CCurl

/// The settings of one hop. None is left to what a version of libcurl takes for granted where safety hangs on it.
extension CurlHandle {
  /// What is the same for all requests of a transport.
  func apply(_ options: CurlOptions, userAgent: String) {
    set(CURLOPT_USERAGENT, userAgent)
    set(CURLOPT_NOSIGNAL, true)
    set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
    // Redirects are followed by TransferLoop, hop by hop: these two are for the day when somebody forgets that.
    set(CURLOPT_FOLLOWLOCATION, false)
    set(CURLOPT_REDIR_PROTOCOLS_STR, "https")
    set(CURLOPT_DISALLOW_USERNAME_IN_URL, true)
    set(CURLOPT_SSL_VERIFYPEER, true)
    set(CURLOPT_SSL_VERIFYHOST, 2)
    set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    set(CURLOPT_HTTP09_ALLOWED, false)
    // Everything that this libcurl can decompress.
    set(CURLOPT_ACCEPT_ENCODING, "")
    set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
    note(ccurl_set_forgets_resolver(pointer))
    if let file = options.certificateAuthorities { set(CURLOPT_CAINFO, file) }
    if !options.fixedAddresses.isEmpty {
      set(CURLOPT_RESOLVE, options.fixedAddresses.map { "\($0.host):\($0.port):\($0.address)" })
    }
  }

  func apply(_ target: TransferTarget, proxy: Secret?) {
    set(CURLOPT_URL, target.url)
    set(CURLOPT_PROTOCOLS_STR, target.isPlain ? "http" : "https")
    // Empty means none, whatever the environment says: ProxySettings has read it already.
    set(CURLOPT_PROXY, proxy?.revealed ?? "")
    set(CURLOPT_NOPROXY, "")
  }

  /// - Parameter remaining: what is left of the time for the whole.
  func apply(_ request: HTTPRequest, remaining: Duration) {
    let limits = request.limits
    set(CURLOPT_CONNECTTIMEOUT_MS, max(limits.connectSeconds, 1) * 1000)
    set(CURLOPT_LOW_SPEED_LIMIT, max(limits.slowBytesPerSecond, 0))
    set(CURLOPT_LOW_SPEED_TIME, max(limits.slowSeconds, 0))
    // 0 would mean no limit.
    set(CURLOPT_TIMEOUT_MS, max(Int(remaining / .milliseconds(1)), 1))
    // Spares the transfer where the server says beforehand how long it will be; the callback counts in any case.
    set(CURLOPT_MAXFILESIZE_LARGE, offset: max(limits.maximumBytes, 1))
    if request.method == .head { set(CURLOPT_NOBODY, true) }
    switch request.method {
    case .get, .head: break
    case .post: setBody(request.body ?? [])
    case .put where request.bodyFile != nil: break
    case .put:
      setBody(request.body ?? [])
      set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
    case .delete: set(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
    }
    set(CURLOPT_HTTPHEADER, Self.lines(of: request))
  }

  private static func lines(of request: HTTPRequest) -> [String] {
    // A header without a value takes it out where a colon ends it, and sends it where a semicolon does.
    var lines = request.headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
    // No waiting for "100 Continue".
    lines.append("Expect:")
    // libcurl would call bytes a form.
    if request.method == .put, !request.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
      lines.append("Content-Type:")
    }
    if let authorization = request.authorization { lines.append("Authorization: \(authorization.revealed)") }
    return lines
  }
}
