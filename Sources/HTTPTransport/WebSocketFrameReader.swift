import Basics

/// Reads the frames of a server (RFC 6455, section 5) from bytes that arrive in parts of any size. Extensions are not supported.
///
/// The result does not depend on the parts. Memory is used only for bytes that have arrived, not for announced lengths.
package struct WebSocketFrameReader: Sendable {
  package enum Event: Sendable, Hashable {
    /// A complete text message, which is valid UTF-8.
    case message([UInt8])
    /// A ping with its payload.
    case ping([UInt8])
    /// The last frame of the server.
    case closing(WebSocketClosing)
  }

  /// The frame whose payload is arriving.
  private struct Frame {
    let opcode: WebSocketOpcode
    let isLast: Bool
    /// The number of payload bytes that have not arrived.
    var missing: Int
  }

  /// The maximum number of payload bytes in a control frame (RFC 6455, 5.5).
  private static let maximumControlBytes = 125

  private let maximumBytes: Int
  /// The size of all frames so far, including the announced payload of the current frame.
  private var frameBytes = 0
  /// The part of the next frame's head that has arrived.
  private var head: [UInt8] = []
  private var frame: Frame?
  /// Whether the first frame of a message has arrived, but not its last one.
  private var isInMessage = false
  /// The payload of the current message.
  private var message: [UInt8] = []
  /// The payload of the current control frame.
  private var control: [UInt8] = []

  /// - Parameter maximumBytes: the limit of all frames together, with their heads.
  package init(maximumBytes: Int) { self.maximumBytes = max(maximumBytes, 0) }

  /// Reads up to the end of the next message, ping or closing frame, and removes the bytes that were read.
  ///
  /// Must not be called again after an error or a closing frame.
  ///
  /// - Returns: `nil` if more bytes are needed; `bytes` is empty then.
  package mutating func next(_ bytes: inout ArraySlice<UInt8>) throws(WebSocketFault) -> Event? {
    while true {
      if frame == nil { frame = try readHead(&bytes) }
      guard var current = frame else { return nil }
      let part = bytes.prefix(current.missing)
      bytes = bytes.dropFirst(part.count)
      current.missing -= part.count
      if current.opcode.isControl { control += part } else { message += part }
      guard current.missing == 0 else {
        frame = current
        return nil
      }
      frame = nil
      if let event = try end(current) { return event }
    }
  }

  /// - Returns: `nil` if the head is incomplete.
  private mutating func readHead(_ bytes: inout ArraySlice<UInt8>) throws(WebSocketFault) -> Frame? {
    while let byte = bytes.popFirst() {
      head.append(byte)
      guard head.count >= 2, head.count == 2 + Self.lengthBytes(head[1]) else { continue }
      defer { head.removeAll(keepingCapacity: true) }
      let frame = try parseHead()
      guard head.count <= maximumBytes - frameBytes, frame.missing <= maximumBytes - frameBytes - head.count
      else { throw .tooLarge(limit: maximumBytes) }
      frameBytes += head.count + frame.missing
      return frame
    }
    return nil
  }

  /// Returns the number of length bytes after the second byte of a head.
  private static func lengthBytes(_ second: UInt8) -> Int {
    switch second & 0x7F {
    case 126: 2
    case 127: 8
    default: 0
    }
  }

  /// Reads and checks a complete head.
  private mutating func parseHead() throws(WebSocketFault) -> Frame {
    let isLast = head[0] & 0x80 != 0
    let hasExtension = head[0] & 0x70 != 0
    let isMasked = head[1] & 0x80 != 0
    guard let opcode = WebSocketOpcode(rawValue: head[0] & 0x0F), !hasExtension, !isMasked
    else { throw .protocolViolation }
    let length = try payloadLength()
    if opcode.isControl {
      guard isLast, length <= Self.maximumControlBytes else { throw .protocolViolation }
    } else {
      guard isInMessage == (opcode == .continuation) else { throw .protocolViolation }
      guard opcode != .binary else { throw .binaryMessage }
      isInMessage = !isLast
    }
    return Frame(opcode: opcode, isLast: isLast, missing: length)
  }

  private func payloadLength() throws(WebSocketFault) -> Int {
    let short = UInt64(head[1] & 0x7F)
    guard head.count > 2 else { return Int(short) }
    let long = head[2...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    // The shortest of the three forms is required, and the first bit must be 0.
    guard long > (short == 126 ? 125 : 0xFFFF), let length = Int(exactly: long) else {
      throw .protocolViolation
    }
    return length
  }

  private mutating func end(_ frame: Frame) throws(WebSocketFault) -> Event? {
    defer {
      if frame.opcode.isControl { control = [] } else if frame.isLast { message = [] }
    }
    switch frame.opcode {
    case .ping: return .ping(control)
    case .pong: return nil
    case .closing: return .closing(try WebSocketClosing(payload: control))
    case .continuation, .text, .binary:
      guard frame.isLast else { return nil }
      guard message.withUnsafeBufferPointer(firstInvalidUTF8) == nil else { throw .invalidText }
      return .message(message)
    }
  }
}

/// The kinds of frames (RFC 6455, 11.8).
package enum WebSocketOpcode: UInt8, Sendable {
  case continuation = 0
  case text = 1
  case binary = 2
  case closing = 8
  case ping = 9
  case pong = 10

  /// Whether the frame may occur within a message.
  package var isControl: Bool { rawValue & 0x8 != 0 }
}

/// The reason why a server's frames are rejected.
package enum WebSocketFault: Error, Hashable {
  case protocolViolation
  case binaryMessage
  case invalidText
  /// The limit in bytes.
  case tooLarge(limit: Int)

  /// The status code for the server (RFC 6455, 7.4.1).
  var closingCode: UInt16 {
    switch self {
    case .protocolViolation: 1002
    case .binaryMessage: 1003
    case .invalidText: 1007
    case .tooLarge: 1009
    }
  }

  func error(url: String) -> HTTPError {
    switch self {
    case .protocolViolation:
      HTTPError(.other, "the server does not follow the protocol of WebSockets", url: url)
    case .binaryMessage: HTTPError(.other, "the server sent a binary message instead of text", url: url)
    case .invalidText: HTTPError(.other, "the server sent text that is not UTF-8", url: url)
    case .tooLarge(let limit):
      HTTPError(.tooLarge, "the messages are larger than the limit of \(limit) bytes", url: url)
    }
  }
}
