import CCurl

/// HTTP by libcurl.
///
/// A separate thread owns all objects of libcurl and runs all transfers (`TransferLoop`). Tasks send it jobs and wait. Guarantees:
/// - Only https, and http for this machine (`localhost`, 127.0.0.0/8, ::1), also at each hop of a redirect. URLs with a user or a password
///   and headers with line breaks are refused.
/// - `authorization` is sent only to the URL's host. Such a request follows no redirect, and its connections are not used for requests
///   without it. `.netrc` is not read, and cookies are not stored.
/// - `reach: .publicOnly` is checked for the address of each socket, so that no response of a name server can evade it. If a proxy is used,
///   the socket leads to the proxy. Then only hosts that are addresses, and `localhost`, are refused here, and the proxy is responsible for
///   the addresses of names.
/// - Redirects of GET and HEAD requests are followed, up to `maximumRedirects`. Each hop is checked like a new request.
/// - Bytes are counted after decompression, as they arrive. Headers may have 256 KB in total.
/// - Responses are compressed and HTTP/2 is used if the server supports it. Connections are reused.
/// - WebSockets have the same guarantees, with wss instead of https. A WebSocket has a separate connection. It counts towards the maximum
///   numbers of transfers only while it connects.
///
/// The thread ends some time after the transport is released, or by `shutdown()`. A program must not end before the thread: `exit` lets
/// OpenSSL free objects that libcurl still uses there, and the program crashes. `withTransport` prevents this.
package final class CurlTransport: HTTPTransport {
  private let mailbox = TransferMailbox()
  private let thread: TransferThread
  private let options: CurlOptions

  /// - Parameter userAgent: the value of the `User-Agent` header; control characters are removed.
  package init(userAgent: String, options: CurlOptions = CurlOptions()) {
    self.options = options
    let agent = String(String.UnicodeScalarView(userAgent.unicodeScalars.filter { $0.value >= 0x20 }))
    thread = TransferThread(mailbox, options, userAgent: agent)
  }

  /// Runs work with a transport. The transport's thread has ended when this returns or throws.
  package static func withTransport<Result: Sendable>(
    userAgent: String, options: CurlOptions = CurlOptions(), isolation: isolated (any Actor)? = #isolation,
    _ work: (CurlTransport) async throws -> Result
  ) async throws -> Result {
    let transport = CurlTransport(userAgent: userAgent, options: options)
    do {
      let result = try await work(transport)
      await transport.shutdown()
      return result
    } catch {
      await transport.shutdown()
      throw error
    }
  }

  deinit { mailbox.close() }

  package func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    try await transfer(request, TransferTarget(request.url))
  }

  package func download(_ request: HTTPRequest, to path: String) async throws(HTTPError) -> HTTPResponse {
    try await transfer(request, TransferTarget(request.url), to: path)
  }

  /// Canceling the task ends the connection.
  package func openWebSocket(_ request: HTTPRequest) async throws(HTTPError) -> any WebSocket {
    let id = mailbox.newID()
    do throws(HTTPError) {
      _ = try await transfer(request, TransferTarget(webSocket: request.url), webSocket: id)
    } catch {
      // With the caller's URL, whose scheme differs from the target's.
      throw HTTPError(error.kind, error.message, url: request.url)
    }
    return CurlWebSocket(id, url: request.url, mailbox, of: self)
  }

  /// Ends running transfers as if they were canceled, and waits for the end of the thread. Later requests fail.
  package func shutdown() async {
    mailbox.close()
    await withCheckedContinuation { mailbox.whenEnded($0) }
    thread.join()
  }

  /// - Parameter webSocket: the number of the WebSocket that is opened; `nil` for a request.
  private func transfer(
    _ request: HTTPRequest, _ target: TransferTarget, to path: String? = nil, webSocket: UInt64? = nil
  ) async throws(HTTPError) -> HTTPResponse {
    try target.check(request.reach, allowsLoopback: options.allowsLoopback)
    try request.checkHeaders()
    let id = webSocket ?? mailbox.newID()
    let result: Result<HTTPResponse, HTTPError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let job = TransferJob(
          id: id, request: request, target: target, path: path, opensWebSocket: webSocket != nil
        ) { continuation.resume(returning: $0) }
        mailbox.post(.start(job))
        // The cancellation handler below may have run before the job existed.
        if Task.isCancelled { mailbox.post(.cancel(id)) }
      }
    } onCancel: {
      mailbox.post(.cancel(id))
    }
    return try result.get()
  }
}

/// Connections and TLS sessions, which are shared only by requests of the same kind.
final class ConnectionPool {
  struct Kind: Hashable {
    /// Requests with credentials.
    let isAuthorized: Bool
    /// A connection to an address that one request may reach must not be used by a request that may not reach it.
    let reach: HTTPRequest.Reach

    init(_ request: HTTPRequest) {
      isAuthorized = request.authorization != nil
      reach = request.reach
    }
  }

  private let share: UnsafeMutableRawPointer

  /// Used on one thread only, so that libcurl needs no locks.
  init?() {
    guard let share = curl_share_init() else { return nil }
    self.share = share
    for data in [CURL_LOCK_DATA_CONNECT, CURL_LOCK_DATA_SSL_SESSION] {
      guard ccurl_share_data(share, data) == CURLSHE_OK else {
        curl_share_cleanup(share)
        return nil
      }
    }
  }

  /// Closes the connections; no handle may use the pool afterwards.
  deinit { curl_share_cleanup(share) }

  func attach(to handle: CurlHandle) {
    handle.note(ccurl_set_share(handle.pointer, share))
  }
}
