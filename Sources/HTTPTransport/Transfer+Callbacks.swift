import CCurl

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What libcurl calls while a transfer runs; always on the thread of the transport.
extension Transfer {
  /// Connects the callbacks; the transfer has to outlive the handle.
  func attachCallbacks(to handle: CurlHandle) {
    let this = Unmanaged.passUnretained(self).toOpaque()
    handle.note(
      ccurl_set_header_callback(
        handle.pointer,
        { bytes, size, count, data in
          Transfer.from(data)?.takeHead(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
        }, this))
    handle.note(
      ccurl_set_body_callback(
        handle.pointer,
        { bytes, size, count, data in
          Transfer.from(data)?.takeBody(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
        }, this))
    handle.note(
      ccurl_set_socket_callback(
        handle.pointer,
        { data, _, address in
          // -1 is CURL_SOCKET_BAD.
          guard let address else { return -1 }
          return Transfer.from(data)?.openSocket(address) ?? -1
        }, this))
    guard source != nil else { return }
    handle.note(
      ccurl_set_read_callback(
        handle.pointer,
        { bytes, size, count, data in
          let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
          // CURL_READFUNC_ABORT
          return Transfer.from(data)?.source?.read(into: buffer) ?? 0x1000_0000
        },
        { data, offset, origin in
          // Only ever from the beginning (CURLOPT_SEEKFUNCTION); 1 is CURL_SEEKFUNC_FAIL.
          guard origin == SEEK_SET, let source = Transfer.from(data)?.source else { return 1 }
          return source.seek(to: Int(offset)) ? 0 : 1
        }, this))
  }

  private static func from(_ data: UnsafeMutableRawPointer?) -> Transfer? {
    data.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
  }

  /// - Returns: how many bytes were taken: fewer than there are end the transfer.
  private func takeHead(_ line: UnsafeRawBufferPointer) -> Int {
    guard head.add(line) else {
      fail(.tooLarge, "the answer's headers have more than \(AnswerHead.maximumBytes >> 10) KB")
      return 0
    }
    return line.count
  }

  /// The bytes are what decompression gave.
  private func takeBody(_ part: UnsafeRawBufferPointer) -> Int {
    bodyBytes += part.count
    guard bodyBytes <= request.limits.maximumBytes else {
      fail(.tooLarge, "the answer has more than the \(request.limits.maximumBytes) bytes that it may have")
      return 0
    }
    // What a redirect says besides is of no use.
    if followsRedirect { return part.count }
    if let reason = body.append(part) {
      fail(.file, reason)
      return 0
    }
    return part.count
  }

  /// Opens a socket, unless the address is out of the request's reach.
  private func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
    if addresses != .any {
      var bytes = [UInt8](repeating: 0, count: 16)
      let count = Int(ccurl_address_bytes(address, &bytes))
      let found = IPAddress(bytes: bytes.prefix(count))
      guard addresses.permits(found) else {
        refusal = AddressPolicy.refusal(of: found)
        return -1
      }
    }
    return ccurl_open_socket(address)
  }
}
