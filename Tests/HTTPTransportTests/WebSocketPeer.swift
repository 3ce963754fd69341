import Basics
import Foundation
import HTTPTransport
import LoopbackServer
import Testing

/// The server's side of a WebSocket. It works at the level of frames and can therefore also violate the protocol.
final class WebSocketPeer {
  struct Frame: Equatable {
    var opcode: UInt8
    var isMasked: Bool
    var payload: [UInt8]
  }

  static let continuation: UInt8 = 0
  static let text: UInt8 = 1
  static let binary: UInt8 = 2
  static let closing: UInt8 = 8
  static let ping: UInt8 = 9
  static let pong: UInt8 = 10

  let request: LoopbackRequest
  private let connection: LoopbackConnection
  private var received: [UInt8] = []

  /// Accepts the request.
  init(_ request: LoopbackRequest, _ connection: LoopbackConnection) throws {
    self.request = request
    self.connection = connection
    try connection.send(Self.head(for: request))
  }

  /// The response that opens a WebSocket.
  static func head(for request: LoopbackRequest) -> String {
    "HTTP/1.1 101 Switching Protocols\r\nUpgrade: WebSocket\r\nConnection: keep-alive, Upgrade\r\n"
      + "Sec-WebSocket-Accept: \(accepted(request["Sec-WebSocket-Key"] ?? ""))\r\n\r\n"
  }

  static func accepted(_ key: String) -> String {
    Data(SHA1.hash((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)).base64EncodedString()
  }

  /// The bytes of a frame (RFC 6455, 5.2).
  static func frame(
    _ opcode: UInt8, _ payload: [UInt8], isLast: Bool = true, reserved: UInt8 = 0, isMasked: Bool = false
  ) -> [UInt8] {
    var bytes = [(isLast ? 0x80 : 0) | reserved << 4 | opcode]
    let mask: UInt8 = isMasked ? 0x80 : 0
    switch payload.count {
    case ...125: bytes.append(mask | UInt8(payload.count))
    case ...65_535:
      bytes += [mask | 126] + (0..<2).map { UInt8(truncatingIfNeeded: payload.count >> (8 - 8 * $0)) }
    default: bytes += [mask | 127] + (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
    }
    // A mask of zeros does not change the payload.
    if isMasked { bytes += [0, 0, 0, 0] }
    return bytes + payload
  }

  func send(_ bytes: [UInt8]) throws { try connection.send(bytes) }

  func send(_ text: String) throws { try send(Self.frame(Self.text, Array(text.utf8))) }

  func sendClosing(_ code: Int, _ reason: String = "") throws {
    try send(Self.frame(Self.closing, [UInt8(code >> 8), UInt8(code & 0xFF)] + Array(reason.utf8)))
  }

  /// Reads the next frame, and removes its mask.
  func receive() throws -> Frame {
    let head = try take(2)
    let length: Int
    switch head[1] & 0x7F {
    case 126: length = try take(2).reduce(0) { $0 << 8 | Int($1) }
    case 127: length = try take(8).reduce(0) { $0 << 8 | Int($1) }
    case let short: length = Int(short)
    }
    let isMasked = head[1] & 0x80 != 0
    let mask = isMasked ? try take(4) : [0, 0, 0, 0]
    var payload = try take(length)
    for index in payload.indices { payload[index] ^= mask[index % 4] }
    return Frame(opcode: head[0] & 0x0F, isMasked: isMasked, payload: payload)
  }

  func waitForEnd() throws { try connection.waitForEnd() }

  func pause(milliseconds: Int) throws { try connection.pause(milliseconds: milliseconds) }

  private func take(_ count: Int) throws -> [UInt8] {
    struct Ended: Error {}
    while received.count < count {
      let part = try connection.receive()
      guard !part.isEmpty else { throw Ended() }
      received += part
    }
    defer { received.removeFirst(count) }
    return Array(received[..<count])
  }
}

extension LoopbackServer {
  /// Accepts WebSockets at a path. The connection is closed after the body.
  func onWebSocket(_ path: String = "/", _ body: @escaping @Sendable (WebSocketPeer) throws -> Void) {
    on(path) { request, connection in
      defer { connection.close() }
      try body(try WebSocketPeer(request, connection))
    }
  }

  func webSocketURL(_ path: String = "/") -> String { "ws://127.0.0.1:\(port)\(path)" }
}

/// The error with which opening fails.
func openingFailure(
  _ transport: any HTTPTransport, _ request: HTTPRequest, sourceLocation: SourceLocation = #_sourceLocation
) async -> HTTPError? {
  do throws(HTTPError) {
    _ = try await transport.openWebSocket(request)
    Issue.record("the WebSocket was opened", sourceLocation: sourceLocation)
    return nil
  } catch {
    return error
  }
}

extension WebSocket {
  /// Receives all messages up to the end of the connection.
  ///
  /// - Returns: the messages as text; the error is `nil` after a normal end.
  func receiveAll() async -> (texts: [String], error: HTTPError?) {
    var texts: [String] = []
    do throws(HTTPError) {
      while let message = try await receive() { texts.append(String(decoding: message, as: UTF8.self)) }
      return (texts, nil)
    } catch {
      return (texts, error)
    }
  }

  func send(_ text: String) async throws(HTTPError) { try await send(Array(text.utf8)) }
}
