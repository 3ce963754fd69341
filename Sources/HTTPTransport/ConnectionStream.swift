import CCurl

/// The bytes of a connection that libcurl opened with CURLOPT_CONNECT_ONLY. No method waits.
final class ConnectionStream {
  enum Failure {
    /// The server closed the connection.
    case ended
    case curl(CURLcode)
  }

  /// The maximum number of bytes that are read or written at once: those of one record of TLS.
  static let capacity = 16 << 10

  private let handle: CurlHandle
  /// Bytes on their way. OpenSSL requires that an incomplete write is repeated with the same memory.
  private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: capacity, alignment: 1)
  private var unsent = 0..<0
  /// The reason why nothing more is sent or received.
  private(set) var failure: Failure?

  init(_ handle: CurlHandle) { self.handle = handle }

  deinit { output.deallocate() }

  var hasUnsentBytes: Bool { !unsent.isEmpty }

  /// Accepts bytes for sending.
  ///
  /// - Returns: the number of accepted bytes; 0 while earlier bytes are unsent, and after a failure.
  func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard flush() else { return 0 }
    let count = min(bytes.count, output.count)
    output.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    unsent = 0..<count
    flush()
    return count
  }

  /// Sends accepted bytes.
  ///
  /// - Returns: whether all have been sent.
  @discardableResult
  func flush() -> Bool {
    while failure == nil, !unsent.isEmpty {
      let rest = UnsafeRawBufferPointer(rebasing: output[unsent])
      var count = 0
      let code = curl_easy_send(handle.pointer, rest.baseAddress, rest.count, &count)
      if code == CURLE_AGAIN { return false }
      guard code == CURLE_OK, count > 0 else {
        failure = .curl(code)
        break
      }
      unsent.removeFirst(min(count, unsent.count))
    }
    return failure == nil
  }

  /// Reads bytes into a buffer that is not empty.
  ///
  /// - Returns: their number; `nil` if none have arrived, and after a failure.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    guard failure == nil else { return nil }
    var count = 0
    let code = curl_easy_recv(handle.pointer, buffer.baseAddress, buffer.count, &count)
    if code == CURLE_AGAIN { return nil }
    if code != CURLE_OK {
      failure = .curl(code)
    } else if count == 0 {
      failure = .ended
    }
    return failure == nil ? count : nil
  }

  /// Returns bytes that have arrived; an empty array if nothing has arrived, and after a failure.
  func readPart() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Self.capacity) { buffer, count in
      count = read(into: UnsafeMutableRawBufferPointer(buffer)) ?? 0
    }
  }
}
