import CCurl

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A request in progress, used only on the thread of its transport.
///
/// Each hop has a separate easy handle, which is freed at the end of the hop. So no data of a request, such as credentials, stays in a
/// handle. Connections and TLS sessions are kept in the `ConnectionPool`.
final class Transfer {
  let job: TransferJob
  var target: TransferTarget
  var redirects = 0
  /// The end of its time limit; `nil` until it first starts.
  private var deadline: ContinuousClock.Instant?
  /// Whether it counts as running in the queue.
  var hasTurn = false
  /// The handle; `nil` while the transfer waits.
  var handle: CurlHandle?
  var head = AnswerHead()
  let body: BodySink
  /// The file that is the request's body.
  let source: BodySource?
  var bodyBytes = 0
  /// The number of bytes that the connection had received when the hop was first checked; `nil` until then.
  private var receivedBefore: Int?
  var addresses = AddressPolicy.any
  /// The error, if it was found here and not by libcurl.
  var failure: HTTPError?
  /// The reason why an address was refused; the transfer fails only if no other address of the host is allowed.
  var refusal: String?

  private let sockets: OpenSockets

  init(_ job: TransferJob, _ sockets: OpenSockets) {
    self.job = job
    self.sockets = sockets
    target = job.target
    body = BodySink(job.path)
    source = job.request.bodyFile.map(BodySource.init)
  }

  var request: HTTPRequest { job.request }

  /// Whether the response is a redirect that is followed.
  var followsRedirect: Bool {
    guard request.authorization == nil, [.get, .head].contains(request.method), request.maximumRedirects > 0
    else {
      return false
    }
    return [301, 302, 303, 307, 308].contains(head.status) && head.headers["Location"] != nil
  }

  func fail(_ kind: HTTPError.Kind, _ message: String) {
    if failure == nil { failure = HTTPError(kind, message, url: target.url) }
  }

  /// The remaining time, negative when it is over; `nil` until the transfer first starts.
  var remaining: Duration? {
    deadline.map { ContinuousClock.now.duration(to: $0) }
  }

  func startClock() {
    if deadline == nil { deadline = .now + .seconds(request.limits.totalSeconds) }
  }

  /// The maximum number of bytes that a connection may receive beside headers and body: frames, chunk sizes, encryption.
  private static let maximumFraming = 4 << 20

  /// The socket of the connection; `nil` as long as it is unknown.
  private var socket: Int32?

  /// Whether the connection has received far more bytes than headers and body have. Chunk extensions and empty frames can be endless, and
  /// libcurl skips them silently. libcurl reports a transfer's socket only after the transfer has ended, so the socket is found by its
  /// port.
  var isWasteful: Bool {
    guard let handle else { return false }
    let port = ccurl_connection_port(handle.pointer)
    guard port > 0 else { return false }
    if socket.map({ ccurl_socket_port($0) != port }) ?? true { socket = sockets.socket(onPort: port) }
    guard let socket else { return false }
    let received = Int(ccurl_received_bytes(socket))
    guard received >= 0 else { return false }
    let before = receivedBefore ?? received
    receivedBefore = min(before, received)
    // A chunk of one byte takes six bytes, and an encrypted frame about thirty more.
    return received - before > Self.maximumFraming + AnswerHead.maximumBytes + 64 * bodyBytes
  }

  /// Clears the data of a hop that has ended.
  func beginHop() {
    head = AnswerHead()
    bodyBytes = 0
    refusal = nil
    receivedBefore = nil
    socket = nil
  }

  func response() -> HTTPResponse {
    HTTPResponse(status: head.status, headers: head.headers, body: body.bytes, url: target.url)
  }

  // Callbacks of libcurl during a transfer, always on the thread of the transport.

  /// Connects the callbacks. The transfer must outlive the handle.
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
          // The origin is always the beginning (CURLOPT_SEEKFUNCTION); 1 is CURL_SEEKFUNC_FAIL.
          guard origin == SEEK_SET, let source = Transfer.from(data)?.source else { return 1 }
          return source.seek(to: Int(offset)) ? 0 : 1
        }, this))
  }

  private static func from(_ data: UnsafeMutableRawPointer?) -> Transfer? {
    data.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
  }

  /// - Returns: the number of accepted bytes. If it is lower than the number of bytes received, the transfer ends.
  private func takeHead(_ line: UnsafeRawBufferPointer) -> Int {
    guard head.add(line) else {
      fail(.tooLarge, "the response's headers are larger than \(AnswerHead.maximumBytes >> 10) KB")
      return 0
    }
    return line.count
  }

  /// The bytes are the result of decompression.
  private func takeBody(_ part: UnsafeRawBufferPointer) -> Int {
    bodyBytes += part.count
    guard bodyBytes <= request.limits.maximumBytes else {
      fail(.tooLarge, "the response is larger than the limit of \(request.limits.maximumBytes) bytes")
      return 0
    }
    // The body of a redirect is not needed.
    if followsRedirect { return part.count }
    if let reason = body.append(part) {
      fail(.file, reason)
      return 0
    }
    return part.count
  }

  /// Opens a socket unless the request may not reach the address.
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
    let descriptor = ccurl_open_socket(address)
    sockets.add(descriptor)
    return descriptor
  }
}

/// The sockets that libcurl has opened. Closed sockets are detected when a socket is searched for.
final class OpenSockets {
  private var descriptors: Set<Int32> = []

  func add(_ descriptor: Int32) {
    if descriptor >= 0 { descriptors.insert(descriptor) }
  }

  /// Returns the socket of the connection that has a port on this machine; `nil` if there is no such connection.
  func socket(onPort port: Int) -> Int32? {
    descriptors = descriptors.filter { ccurl_socket_port($0) >= 0 }
    return descriptors.first { ccurl_socket_port($0) == port }
  }
}

/// The status and headers of a response, parsed line by line as they arrive.
package struct AnswerHead {
  /// The maximum number of header bytes of one hop, including provisional responses (1xx) and trailers.
  static let maximumBytes = 256 << 10

  package private(set) var status = 0
  package private(set) var headers = HTTPHeaders()
  private var bytes = 0

  package init() {}

  /// - Returns: whether the headers are within the limit.
  package mutating func add(_ line: UnsafeRawBufferPointer) -> Bool {
    bytes += line.count
    guard bytes <= Self.maximumBytes else { return false }
    if line.starts(with: "HTTP/".utf8) {
      // Earlier headers belong to a provisional response.
      headers = HTTPHeaders()
      let code = line.drop { $0 != UInt8(ascii: " ") }.dropFirst().prefix { $0 != UInt8(ascii: " ") }
      status = Int(Self.text(code)) ?? 0
      return true
    }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return true }
    headers[Self.text(line[..<colon])] = Self.text(line[(colon + 1)...])
    return true
  }

  /// Returns the text without surrounding white space and line breaks; invalid UTF-8 is replaced.
  private static func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
    var bytes = bytes
    while let first = bytes.first, first <= 0x20 { bytes.removeFirst() }
    while let last = bytes.last, last <= 0x20 { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}
