import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A connection to a `LoopbackServer`, for reading and writing bytes.
package final class LoopbackConnection: Sendable {
  /// The number of the connection, from 1, in the order of acceptance.
  package let number: Int
  /// The descriptor; -1 if the connection is closed.
  private let descriptor: Mutex<Int32>
  /// Bytes that were received and not yet used.
  private let buffer = Mutex<[UInt8]>([])
  private let closes = Mutex(false)

  init(_ descriptor: Int32, number: Int) {
    self.descriptor = Mutex(descriptor)
    self.number = number
    #if canImport(Darwin)
      var on: Int32 = 1
      setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    #endif
  }

  /// Sends all bytes; throws if the client has closed the connection.
  package func send(_ bytes: [UInt8]) throws {
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    var rest = bytes[...]
    while !rest.isEmpty {
      // The lock is not held while sending, which may block: only the sending thread closes the descriptor.
      let open = descriptor.withLock { $0 }
      #if canImport(Darwin)
        let count = rest.withUnsafeBytes { Darwin.send(open, $0.baseAddress, $0.count, flags) }
      #else
        let count = rest.withUnsafeBytes { Glibc.send(open, $0.baseAddress, $0.count, flags) }
      #endif
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw LoopbackError("send") }
      rest = rest.dropFirst(count)
    }
  }

  package func send(_ text: String) throws { try send(Array(text.utf8)) }

  /// Sends a complete response with its length.
  package func answer(
    status: Int = 200, headers: [(name: String, value: String)] = [], body: [UInt8] = []
  ) throws {
    var head = "HTTP/1.1 \(status) Status\r\nContent-Length: \(body.count)\r\n"
    for (name, value) in headers { head += "\(name): \(value)\r\n" }
    try send(Array((head + "\r\n").utf8) + body)
  }

  /// Sends one piece of a chunked body; an empty piece ends the body.
  package func sendChunk(_ bytes: [UInt8]) throws {
    try send(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [0x0D, 0x0A])
  }

  /// Returns the received bytes, and waits for at least one; returns an empty array at the end of the connection.
  package func receive() throws -> [UInt8] {
    let early = buffer.withLock { buffer in
      defer { buffer = [] }
      return buffer
    }
    if !early.isEmpty { return early }
    let open = descriptor.withLock { $0 }
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { space, count in
      let part = recv(open, space.baseAddress, space.count, 0)
      if part < 0 { failure = errno }
      count = max(part, 0)
    }
    if failure != 0, failure != EINTR { throw LoopbackError("recv") }
    return bytes
  }

  /// Waits until the client closes the connection, and discards the bytes that it sends.
  package func waitForEnd() throws {
    while try !receive().isEmpty {}
  }

  /// Waits in a handler; throws if the connection ends meanwhile, as when the server is stopped.
  package func pause(milliseconds: Int) throws {
    var one = pollfd(fd: descriptor.withLock { $0 }, events: 0, revents: 0)
    // Only a hang-up ends the wait early.
    if poll(&one, 1, Int32(milliseconds)) > 0 { throw LoopbackError("the other side has gone") }
  }

  /// Ends the connection after the bytes that have been sent; no further request is read.
  package func close() {
    closes.withLock { $0 = true }
    shutDown()
  }

  /// Ends the connection with a reset.
  package func reset() {
    closes.withLock { $0 = true }
    let open = descriptor.withLock { $0 }
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(open, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }

  var isClosed: Bool { closes.withLock { $0 } }

  /// Shuts the connection down, which wakes the thread that waits for it; may be called from any thread.
  func shutDown() {
    descriptor.withLock { open in
      #if canImport(Darwin)
        if open >= 0 { shutdown(open, SHUT_RDWR) }
      #else
        if open >= 0 { shutdown(open, Int32(SHUT_RDWR)) }
      #endif
    }
  }

  /// Closes the descriptor; called by the connection's thread at its end.
  func finish() {
    descriptor.withLock { open in
      #if canImport(Darwin)
        _ = Darwin.close(open)
      #else
        _ = Glibc.close(open)
      #endif
      open = -1
    }
  }

  /// Reads the next request with its body; returns `nil` at the end of the connection.
  func readRequest() throws -> LoopbackRequest? {
    var bytes: [UInt8] = []
    var searched = 0
    while true {
      let part = try receive()
      if part.isEmpty { return nil }
      bytes += part
      let head = (searched..<bytes.count).first { bytes[$0...].starts(with: [13, 10, 13, 10]) }
      // The end of the head may arrive in two parts.
      searched = max(bytes.count - 3, 0)
      if let head { return try readBody(of: bytes[..<head], rest: Array(bytes[(head + 4)...])) }
    }
  }

  private func readBody(of head: ArraySlice<UInt8>, rest: [UInt8]) throws -> LoopbackRequest? {
    var request = LoopbackRequest(head: String(decoding: head, as: UTF8.self), connection: number)
    let length = request["Content-Length"].flatMap { Int($0) } ?? 0
    var bytes = rest
    while bytes.count < length {
      let part = try receive()
      if part.isEmpty { return nil }
      bytes += part
    }
    request.body = Array(bytes[..<length])
    buffer.withLock { $0 = Array(bytes[length...]) }
    return request
  }
}

extension LoopbackRequest {
  fileprivate init(head: String, connection: Int) {
    let lines = head.split(separator: "\r\n")
    let words = (lines.first ?? "").split(separator: " ").map(String.init)
    method = words.first ?? ""
    target = words.dropFirst().first ?? ""
    headers = lines.dropFirst().map { line in
      let colon = line.firstIndex(of: ":") ?? line.endIndex
      return (name: String(line[..<colon]), value: String(line[colon...].dropFirst().drop { $0 == " " }))
    }
    body = []
    self.connection = connection
  }
}
