import CCurl

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
