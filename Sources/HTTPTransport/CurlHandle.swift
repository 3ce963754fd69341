import CCurl

/// An easy handle: one hop of one transfer.
final class CurlHandle {
  let pointer: UnsafeMutableRawPointer
  /// The first setting that libcurl refused.
  private(set) var refused: CURLcode = CURLE_OK
  private var lists: [UnsafeMutablePointer<curl_slist>] = []
  private let message: UnsafeMutablePointer<CChar>

  init?() {
    guard let pointer = curl_easy_init() else { return nil }
    self.pointer = pointer
    message = .allocate(capacity: Int(CURL_ERROR_SIZE))
    message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    note(ccurl_set_error_buffer(pointer, message))
  }

  deinit {
    curl_easy_cleanup(pointer)
    for list in lists { curl_slist_free_all(list) }
    message.deallocate()
  }

  /// libcurl's error message, on one line.
  func explanation(of code: CURLcode) -> String {
    let text = String(cString: message)
    let words = text.isEmpty ? String(cString: curl_easy_strerror(code)) : text
    return String(words.map { $0.isNewline ? " " : $0 })
  }

  func note(_ code: CURLcode) {
    if refused == CURLE_OK { refused = code }
  }

  func set(_ option: CURLoption, _ value: Int) {
    note(ccurl_set_long(pointer, option, value))
  }

  func set(_ option: CURLoption, _ value: Bool) { set(option, value ? 1 : 0) }

  func set(_ option: CURLoption, offset value: Int) {
    note(ccurl_set_offset(pointer, option, curl_off_t(value)))
  }

  func set(_ option: CURLoption, _ value: String) {
    note(ccurl_set_string(pointer, option, value))
  }

  func set(_ option: CURLoption, _ values: [String]) {
    var list: UnsafeMutablePointer<curl_slist>?
    for value in values {
      guard let longer = curl_slist_append(list, value) else {
        note(CURLE_OUT_OF_MEMORY)
        break
      }
      list = longer
    }
    if let list { lists.append(list) }
    note(ccurl_set_list(pointer, option, list))
  }

  /// Only connects. The connection is then used by `ConnectionStream`, in HTTP/1.1, which ALPN negotiates.
  func setConnectOnly() {
    set(CURLOPT_CONNECT_ONLY, true)
    set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
  }

  /// Sets up a PUT request whose body, of this many bytes, comes from the read callback.
  func setUpload(of count: Int) {
    set(CURLOPT_UPLOAD, true)
    set(CURLOPT_INFILESIZE_LARGE, offset: count)
  }

  private func setBody(_ bytes: [UInt8]) {
    set(CURLOPT_POST, true)
    set(CURLOPT_POSTFIELDSIZE_LARGE, offset: bytes.count)
    bytes.withUnsafeBytes { buffer in
      // An empty body also needs a valid pointer.
      if let base = buffer.baseAddress {
        note(ccurl_set_post_bytes(pointer, base))
      } else {
        note(ccurl_set_post_bytes(pointer, ""))
      }
    }
  }

  // The settings of one hop. Settings that matter for safety do not rely on libcurl's defaults.

  /// Applies the settings that are the same for all requests of a transport.
  func apply(_ options: CurlOptions, userAgent: String) {
    set(CURLOPT_USERAGENT, userAgent)
    set(CURLOPT_NOSIGNAL, true)
    set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
    // Redirects are followed by TransferLoop, hop by hop; these two settings are a precaution.
    set(CURLOPT_FOLLOWLOCATION, false)
    set(CURLOPT_REDIR_PROTOCOLS_STR, "https")
    set(CURLOPT_DISALLOW_USERNAME_IN_URL, true)
    set(CURLOPT_SSL_VERIFYPEER, true)
    set(CURLOPT_SSL_VERIFYHOST, 2)
    set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    set(CURLOPT_HTTP09_ALLOWED, false)
    // All encodings that this libcurl can decompress.
    set(CURLOPT_ACCEPT_ENCODING, "")
    set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, true)
    note(ccurl_set_forgets_resolver(pointer))
    if let file = options.authorities.file { set(CURLOPT_CAINFO, file) }
    if !options.fixedAddresses.isEmpty {
      set(CURLOPT_RESOLVE, options.fixedAddresses.map { "\($0.host):\($0.port):\($0.address)" })
    }
  }

  func apply(_ target: TransferTarget, proxy: Secret?) {
    set(CURLOPT_URL, target.url)
    set(CURLOPT_PROTOCOLS_STR, target.isPlain ? "http" : "https")
    // An empty value means no proxy, whatever the environment contains: ProxySettings has already read it.
    set(CURLOPT_PROXY, proxy?.revealed ?? "")
    set(CURLOPT_NOPROXY, "")
  }

  /// - Parameter remaining: the remaining time of the whole transfer, in seconds.
  func apply(_ request: HTTPRequest, remaining: Duration) {
    let limits = request.limits
    set(CURLOPT_CONNECTTIMEOUT_MS, max(limits.connectSeconds, 1) * 1000)
    set(CURLOPT_LOW_SPEED_LIMIT, max(limits.slowBytesPerSecond, 0))
    set(CURLOPT_LOW_SPEED_TIME, max(limits.slowSeconds, 0))
    // 0 would mean no limit.
    set(CURLOPT_TIMEOUT_MS, max(Int(remaining / .milliseconds(1)), 1))
    // Avoids the transfer if the server announces the length. The callback counts in any case.
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
    // For libcurl, a line that ends with a colon removes the header; one that ends with a semicolon sends it without a value.
    var lines = request.headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
    // No waiting for "100 Continue".
    lines.append("Expect:")
    // By default libcurl declares the body to be a form.
    if request.method == .put, !request.headers.contains(where: { $0.name.lowercased() == "content-type" }) {
      lines.append("Content-Type:")
    }
    if let authorization = request.authorization { lines.append("Authorization: \(authorization.revealed)") }
    return lines
  }
}

/// The settings of a `CurlTransport` for all requests.
package struct CurlOptions: Sendable {
  /// The maximum number of simultaneous transfers. Others wait; the wait does not count towards their time limits.
  package var maximumTransfers = 16
  /// The maximum number of simultaneous transfers for each host and port.
  package var maximumTransfersPerHost = 8
  /// Whether requests with `reach: .publicOnly` may also reach this machine. For tests, whose servers run there.
  package var allowsLoopback = false
  /// The proxy for all hosts except this machine.
  package var proxies = ProxySettings.ofThisProcess
  package var authorities = CertificateAuthorities.ofThisMachine
  /// Fixed addresses of host names, which are then not looked up; for tests.
  package var fixedAddresses: [FixedAddress] = []

  /// The thread's name in debuggers and `top`. Linux shows the first 15 bytes.
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
