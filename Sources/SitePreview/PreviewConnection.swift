import FlyingSocks
import Foundation

/// A browser's connection: reads heads of requests within limits, and sends the responses.
///
/// Every page that is open in a browser can send requests here, whatever site it is from. So only heads are read, and at most
/// `RequestHead.maximumBytes` of a head.
struct PreviewConnection: Sendable {
  /// The maximum time for a head to arrive.
  private static let patience = Duration.seconds(30)
  /// The maximum number of bytes of a body that are read and dropped, so that the client gets the response before the connection ends.
  private static let maximumDropped = 1 << 20
  /// The size of the parts in which files are read and sent.
  private static let part = 256 << 10

  let socket: AsyncSocket
  let handler: PreviewHandler

  /// Responds to requests until the client or the preview closes the connection.
  func serve() async {
    // The client has closed the connection, was too slow, or the preview ends. In all of these cases, there is no recipient for an error
    // message.
    try? await answerAll()
    try? socket.close()
  }

  private func answerAll() async throws {
    var received: [UInt8] = []
    while let end = try await receiveHead(&received) {
      let head: RequestHead
      do {
        head = try RequestHead(Self.withoutEmptyLine(received[..<end]))
      } catch {
        return try await refuse(400, "The preview does not support this request.")
      }
      received.removeFirst(end)
      var response = handler.response(to: head.request)
      var goesOn = head.keepsAlive && !head.hasBody
      // The end of the connection marks the end of events.
      if case .events = response.body { goesOn = false }
      response.headers["connection"] = goesOn ? "keep-alive" : "close"
      try await send(response, withBody: head.request.method != "HEAD")
      guard goesOn else { return try await finish() }
    }
  }

  /// Receives until the bytes begin with a complete head.
  ///
  /// - Returns: the length of the head with its empty line; `nil` if the connection ended before it, or the head is too long.
  private func receiveHead(_ received: inout [UInt8]) async throws -> Int? {
    let deadline = ContinuousClock.now + Self.patience
    var searched = 0
    while true {
      if let end = RequestHead.end(in: received, from: searched), end <= RequestHead.maximumBytes {
        return end
      }
      guard received.count < RequestHead.maximumBytes else {
        try await refuse(431, "The headers of the request are too long.")
        return nil
      }
      searched = received.count
      do {
        received += try await read(until: deadline)
      } catch SocketError.disconnected {
        return nil
      }
    }
  }

  /// - Throws: `SocketError.timeout` when the time is over.
  private func read(until deadline: ContinuousClock.Instant) async throws -> [UInt8] {
    try await withThrowingTaskGroup(of: [UInt8].self) { [socket] group in
      group.addTask { try await socket.read(atMost: 4096) }
      group.addTask {
        try await Task.sleep(until: deadline)
        throw SocketError.timeout(message: "the request did not arrive")
      }
      defer { group.cancelAll() }
      return try await group.next() ?? []
    }
  }

  private static func withoutEmptyLine(_ head: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var head = head.dropLast()
    if head.last == UInt8(ascii: "\r") { head.removeLast() }
    head.removeLast()
    if head.last == UInt8(ascii: "\r") { head.removeLast() }
    return head
  }

  private func refuse(_ status: Int, _ text: String) async throws {
    var response = PreviewResponse(status, text: text)
    response.headers["connection"] = "close"
    try await send(response, withBody: true)
    try await finish()
  }

  private func send(_ response: PreviewResponse, withBody: Bool) async throws {
    var head = "HTTP/1.1 \(response.status) \(Self.phrase(response.status))\r\n"
    for (name, value) in response.headers.sorted(by: { $0.key < $1.key }) {
      head += "\(name): \(String(value.unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }))\r\n"
    }
    // Also for HEAD requests, whose responses have no body.
    if let length = response.length, response.status != 304 { head += "content-length: \(length)\r\n" }
    try await socket.write(Data((head + "\r\n").utf8))
    guard withBody else { return }
    switch response.body {
    case .bytes(let bytes): try await socket.write(Data(bytes))
    case .file(let file, var range):
      while !range.isEmpty {
        let bytes = try file.bytes(min(Self.part, range.count), at: range.lowerBound)
        // The file has become shorter since it was opened. The connection is closed, because the announced length cannot be sent.
        guard !bytes.isEmpty else { throw SocketError.disconnected }
        try await socket.write(Data(bytes))
        range = range.lowerBound + bytes.count..<range.upperBound
      }
    case .events:
      for await event in handler.events.follow() { try await socket.write(Data(event)) }
    }
  }

  /// Ends the connection after a response. Further bytes from the client are read and dropped first: if a connection with unread bytes is
  /// closed, the system discards sent data.
  private func finish() async throws {
    _ = shutdown(socket.socket.file.rawValue, Int32(SHUT_WR))
    let deadline = ContinuousClock.now + .seconds(2)
    var dropped = 0
    while dropped < Self.maximumDropped { dropped += try await read(until: deadline).count }
  }

  private static func phrase(_ status: Int) -> String {
    switch status {
    case 200: "OK"
    case 206: "Partial Content"
    case 302: "Found"
    case 304: "Not Modified"
    case 400: "Bad Request"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 416: "Range Not Satisfiable"
    case 431: "Request Header Fields Too Large"
    default: "Service Unavailable"
    }
  }
}
