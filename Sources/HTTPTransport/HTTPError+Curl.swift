import CCurl

extension HTTPError {
  /// What a code of libcurl's means for who made the request.
  init(_ code: CURLcode, of transfer: Transfer) {
    if let refusal = transfer.refusal, code == CURLE_COULDNT_CONNECT {
      self.init(.refusedAddress, refusal, url: transfer.target.url)
      return
    }
    let limits = transfer.request.limits
    let detail = transfer.handle?.explanation(of: code) ?? String(cString: curl_easy_strerror(code))
    let (kind, what) = Self.meaning(of: code, limits)
    self.init(kind, "\(what) (\(detail))", url: transfer.target.url)
  }

  private static func meaning(of code: CURLcode, _ limits: HTTPLimits) -> (Kind, String) {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST: (.unreachable, "the host's name is not known")
    case CURLE_COULDNT_RESOLVE_PROXY: (.unreachable, "the proxy's name is not known")
    case CURLE_COULDNT_CONNECT: (.unreachable, "nobody answers there")
    case CURLE_PROXY: (.unreachable, "the proxy does not connect")
    case CURLE_OPERATION_TIMEDOUT: (.timedOut, "it took too long")
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
      CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
      CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_USE_SSL_FAILED:
      (.insecure, "the connection is not secure")
    case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2,
      CURLE_HTTP2_STREAM:
      (.cut, "the connection ended before the answer did")
    case CURLE_FILESIZE_EXCEEDED:
      (.tooLarge, "the answer has more than the \(limits.maximumBytes) bytes that it may have")
    case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: (.refusedURL, "the URL cannot be fetched")
    case CURLE_BAD_CONTENT_ENCODING: (.other, "the answer cannot be decompressed")
    default: (.other, "it failed")
    }
  }
}
