import CCurl

/// HTTP by libcurl.
///
/// One thread of its own owns everything of libcurl's and runs all transfers (`TransferLoop`); tasks hand it jobs and wait. What it
/// promises:
/// - https only, and http for this machine (`localhost`, 127.0.0.0/8, ::1), at each hop of a redirect, too. A URL with a user or a
///   password in it is refused, and so are headers that hold line breaks.
/// - `authorization` goes to the URL's own host. Such a request follows no redirect, and its connections serve no request without it.
///   `.netrc` is not read, and there are no cookies.
/// - `reach: .publicOnly` is checked on the address that a socket is opened to, so that no answer of a name server gets around it. Where a
///   proxy is used, the socket leads to the proxy: then only hosts that are written as addresses, and `localhost`, are refused here, and what
///   names lead to is for the proxy to judge.
/// - Redirects are followed for GET, up to `maximumRedirects`; each hop is checked like a request of its own.
/// - Bytes are counted behind decompression, as they arrive; headers may have 256 KB in all.
/// - Answers are compressed where the server can, HTTP/2 is used where it is offered, connections are used again.
///
/// The thread ends with the transport, or by `shutdown()`.
package final class CurlTransport: HTTPTransport {
  private let mailbox = TransferMailbox()
  private let options: CurlOptions

  /// - Parameter userAgent: what the `User-Agent` header says; control characters are left out.
  package init(userAgent: String, options: CurlOptions = CurlOptions()) {
    self.options = options
    let agent = String(String.UnicodeScalarView(userAgent.unicodeScalars.filter { $0.value >= 0x20 }))
    TransferThread.start(mailbox, options, userAgent: agent)
  }

  deinit { mailbox.close() }

  package func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
    try await transfer(request, to: nil)
  }

  package func download(_ request: HTTPRequest, to path: String) async throws(HTTPError) -> HTTPResponse {
    try await transfer(request, to: path)
  }

  /// Ends what runs, as if it were cancelled, and waits for the thread to end. Later requests fail.
  package func shutdown() async {
    mailbox.close()
    await withCheckedContinuation { mailbox.whenEnded($0) }
  }

  private func transfer(_ request: HTTPRequest, to path: String?) async throws(HTTPError) -> HTTPResponse {
    let target = try TransferTarget(request.url)
    try target.check(request.reach, allowsLoopback: options.allowsLoopback)
    try request.checkHeaders()
    let id = mailbox.newID()
    let result: Result<HTTPResponse, HTTPError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        mailbox.post(
          .start(
            TransferJob(id: id, request: request, target: target, path: path) {
              continuation.resume(returning: $0)
            }))
        // The handler below may have run before there was anything to cancel.
        if Task.isCancelled { mailbox.post(.cancel(id)) }
      }
    } onCancel: {
      mailbox.post(.cancel(id))
    }
    return try result.get()
  }
}

/// Connections and TLS sessions that requests of one kind use again, and requests of other kinds do not.
final class ConnectionPool {
  struct Kind: Hashable {
    /// With credentials.
    let isAuthorized: Bool
    /// A connection to an address that one request may reach must not serve another that may not.
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

  /// Closes its connections; no handle uses it any more.
  deinit { curl_share_cleanup(share) }

  func attach(to handle: CurlHandle) {
    handle.note(ccurl_set_share(handle.pointer, share))
  }
}
