/// The frames of an open WebSocket, in both directions. Pings are answered here.
final class WebSocketFrames {
  /// The maximum number of received messages that wait to be taken, beyond which nothing is received.
  static let maximumWaiting = 64

  let stream: ConnectionStream
  private var reader: WebSocketFrameReader
  /// Bytes that have arrived and are not read yet.
  private var input: ArraySlice<UInt8>
  private var messages: [[UInt8]] = []
  /// Whether no more bytes had arrived when receiving ended.
  private var isBlocked = false
  /// The frame of which a part has been sent.
  private var current: MaskedWebSocketFrame?
  /// The frames after it.
  private var unsent: [(opcode: WebSocketOpcode, payload: [UInt8])] = []
  /// The error in the frames of the server; the failure of the connection is the stream's.
  private(set) var fault: WebSocketFault?
  /// The server's closing frame.
  private(set) var closing: WebSocketClosing?

  /// - Parameters:
  ///   - early: bytes that arrived with the handshake.
  ///   - maximumBytes: the limit of all received frames.
  init(_ stream: ConnectionStream, early: [UInt8], maximumBytes: Int) {
    self.stream = stream
    reader = WebSocketFrameReader(maximumBytes: maximumBytes)
    input = early[...]
  }

  /// Whether frames wait to be sent.
  var hasUnsentFrames: Bool { stream.hasUnsentBytes || current != nil || !unsent.isEmpty }

  /// Whether frames may be received now.
  var receives: Bool { closing == nil && fault == nil && messages.count < Self.maximumWaiting }

  /// Whether bytes may have arrived that the socket does not report, because they have already been taken from it.
  var hasHiddenBytes: Bool { receives && !isBlocked }

  func takeMessages() -> [[UInt8]] {
    defer { messages = [] }
    return messages
  }

  func enqueue(_ message: [UInt8]) { unsent.append((.text, message)) }

  /// Drops the frames of which nothing was sent, and ends with a closing frame.
  func enqueueClosing(_ code: UInt16 = WebSocketClosing.normal) {
    unsent = [(.closing, WebSocketClosing.payload(code))]
  }

  /// Sends the waiting frames that the connection accepts without waiting.
  func send() {
    while stream.flush(), var frame = current ?? nextFrame() {
      let bytes = frame.take(ConnectionStream.capacity)
      // A stream without unsent bytes accepts all of them, unless the connection fails.
      _ = bytes.withUnsafeBytes { stream.write($0) }
      current = frame.isEmpty ? nil : frame
    }
  }

  /// Receives at most one part of the stream, so that a fast server does not delay other transfers. Sends the responses to its frames.
  func receive() {
    if input.isEmpty, receives {
      input = stream.readPart()[...]
      isBlocked = input.isEmpty
    }
    do throws(WebSocketFault) {
      while receives, let event = try reader.next(&input) { handle(event) }
    } catch {
      fault = error
      enqueueClosing(error.closingCode)
    }
    send()
  }

  private func handle(_ event: WebSocketFrameReader.Event) {
    switch event {
    case .message(let message): messages.append(message)
    case .ping(let payload):
      // Only the most recent ping needs a response (RFC 6455, 5.5.3), so a flood of pings takes no memory.
      unsent.removeAll { $0.opcode == .pong }
      unsent.insert((.pong, payload), at: 0)
    case .closing(let closing):
      self.closing = closing
      enqueueClosing(closing.code)
    }
  }

  private func nextFrame() -> MaskedWebSocketFrame? {
    guard !unsent.isEmpty else { return nil }
    let (opcode, payload) = unsent.removeFirst()
    var random = SystemRandomNumberGenerator()
    return MaskedWebSocketFrame(opcode, payload, mask: random.next())
  }
}
