import CWslay

/// The frames of a WebSocket by wslay, which masks the frames of this side, responds to pings, and checks the frames of the server.
///
/// wslay does not collect the parts of messages: its copy of each part needs far more memory than a part of one byte.
final class WebSocketFrames {
  /// The maximum number of waiting messages, received ones and responses to pings, beyond which nothing is received. One read may exceed it.
  static let maximumWaiting = 64

  let stream: ConnectionStream
  /// `nil` only in `init`.
  private var context: OpaquePointer?
  /// Bytes that arrived with the handshake.
  private var early: ArraySlice<UInt8>
  private let maximumBytes: Int
  private var receivedBytes = 0
  /// The part of the message that is arriving.
  private var message: [UInt8] = []
  private var messages: [[UInt8]] = []
  private var isInControlFrame = false
  /// Whether receiving ended because no more bytes had arrived.
  private var isBlocked = false
  /// The error in what the server sent; the failure of the connection is the stream's.
  private(set) var failure: (kind: HTTPError.Kind, message: String)?
  /// The server's closing frame.
  private(set) var closing: WebSocketClosing?

  /// - Parameter maximumBytes: the limit of all received frames.
  init?(_ stream: ConnectionStream, early: [UInt8], maximumBytes: Int) {
    self.stream = stream
    self.early = early[...]
    self.maximumBytes = max(maximumBytes, 0)
    var callbacks = Self.callbacks
    let this = Unmanaged.passUnretained(self).toOpaque()
    guard wslay_event_context_client_init(&context, &callbacks, this) == 0 else { return nil }
    wslay_event_config_set_no_buffering(context, 1)
    // The limit of a frame; all frames together are counted in `read`.
    wslay_event_config_set_max_recv_msg_length(context, UInt64(self.maximumBytes))
  }

  deinit {
    if let context { wslay_event_context_free(context) }
  }

  /// Whether frames wait to be sent.
  var hasUnsentFrames: Bool { stream.hasUnsentBytes || wslay_event_want_write(context) != 0 }

  /// Whether frames may be received now.
  var receives: Bool {
    wslay_event_get_read_enabled(context) != 0 && failure == nil && messages.count < Self.maximumWaiting
      && wslay_event_get_queued_msg_count(context) < Self.maximumWaiting
  }

  /// Whether bytes may have arrived that the socket does not report, because TLS has already read them.
  var hasHiddenBytes: Bool { receives && !isBlocked }

  func takeMessages() -> [[UInt8]] {
    defer { messages = [] }
    return messages
  }

  /// - Returns: whether the message can be sent.
  func enqueue(_ message: [UInt8]) -> Bool {
    message.withUnsafeBufferPointer { bytes in
      var message = wslay_event_msg(
        opcode: UInt8(WSLAY_TEXT_FRAME.rawValue), msg: bytes.baseAddress, msg_length: bytes.count)
      return wslay_event_queue_msg(context, &message) == 0
    }
  }

  func enqueueClosing() {
    wslay_event_queue_close(context, UInt16(WSLAY_CODE_NORMAL_CLOSURE.rawValue), nil, 0)
  }

  /// Sends waiting frames as far as this is possible now.
  func send() {
    while stream.flush(), wslay_event_want_write(context) != 0 {
      guard wslay_event_send(context) == 0 else { return }
    }
  }

  /// Receives frames as far as this is possible now, and sends the responses to them.
  func receive() {
    isBlocked = false
    while !isBlocked, receives { wslay_event_recv(context) }
    send()
    // wslay also ends receiving after the server's closing frame, and when a callback fails.
    guard wslay_event_get_read_enabled(context) == 0, closing == nil, failure == nil, stream.failure == nil
    else { return }
    failure =
      switch UInt32(wslay_event_get_status_code_sent(context)) {
      case WSLAY_CODE_INVALID_FRAME_PAYLOAD_DATA.rawValue: (.other, "the server sent text that is not UTF-8")
      case WSLAY_CODE_MESSAGE_TOO_BIG.rawValue: tooLarge
      default: (.other, "the server does not follow the protocol of WebSockets")
      }
  }

  private var tooLarge: (HTTPError.Kind, String) {
    (.tooLarge, "the messages are larger than the limit of \(maximumBytes) bytes")
  }

  // Callbacks of wslay. They must not free this object.

  private static let callbacks = wslay_event_callbacks(
    recv_callback: { _, bytes, count, _, data in
      WebSocketFrames.from(data)?.read(into: UnsafeMutableRawBufferPointer(start: bytes, count: count)) ?? -1
    },
    send_callback: { _, bytes, count, _, data in
      WebSocketFrames.from(data)?.write(UnsafeRawBufferPointer(start: bytes, count: count)) ?? -1
    },
    genmask_callback: { _, bytes, count, _ in
      var random = SystemRandomNumberGenerator()
      for index in 0..<count { bytes?[index] = random.next() }
      return 0
    },
    on_frame_recv_start_callback: { _, frame, data in
      if let frame { WebSocketFrames.from(data)?.begin(UInt32(frame.pointee.opcode)) }
    },
    on_frame_recv_chunk_callback: { _, part, data in
      guard let part else { return }
      WebSocketFrames.from(data)?.add(
        UnsafeBufferPointer(start: part.pointee.data, count: part.pointee.data_length))
    },
    on_frame_recv_end_callback: nil,
    on_msg_recv_callback: { _, message, data in
      if let message { WebSocketFrames.from(data)?.end(message.pointee) }
    })

  private static func from(_ data: UnsafeMutableRawPointer?) -> WebSocketFrames? {
    data.map { Unmanaged<WebSocketFrames>.fromOpaque($0).takeUnretainedValue() }
  }

  /// - Returns: the number of bytes; -1 if there are none.
  private func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard receives else { return stop() }
    guard let count = takeEarly(into: buffer) ?? stream.read(into: buffer) else {
      isBlocked = true
      return stop()
    }
    receivedBytes += count
    guard receivedBytes <= maximumBytes else {
      failure = tooLarge
      return stop()
    }
    return count
  }

  private func takeEarly(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
    let part = early.prefix(buffer.count)
    early = early.dropFirst(part.count)
    buffer.copyBytes(from: part)
    return part.isEmpty ? nil : part.count
  }

  private func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    let count = stream.write(bytes)
    return count > 0 ? count : stop()
  }

  /// Tells wslay whether it may continue later.
  private func stop() -> Int {
    let mayContinue = failure == nil && stream.failure == nil
    wslay_event_set_error(context, (mayContinue ? WSLAY_ERR_WOULDBLOCK : WSLAY_ERR_CALLBACK_FAILURE).rawValue)
    return -1
  }

  private func begin(_ opcode: UInt32) {
    // RFC 6455, 5.2.
    isInControlFrame = opcode & 0x8 != 0
    if opcode == WSLAY_BINARY_FRAME.rawValue {
      failure = (.other, "the server sent a binary message instead of text")
    }
  }

  private func add(_ bytes: UnsafeBufferPointer<UInt8>) {
    if !isInControlFrame { message += bytes }
  }

  private func end(_ received: wslay_event_on_msg_recv_arg) {
    switch UInt32(received.opcode) {
    case WSLAY_TEXT_FRAME.rawValue:
      messages.append(message)
      message = []
    case WSLAY_CONNECTION_CLOSE.rawValue:
      // The reason follows two bytes of the code.
      let reason = UnsafeBufferPointer(start: received.msg, count: received.msg_length).dropFirst(2)
      closing = WebSocketClosing(code: received.status_code, reason: String(decoding: reason, as: UTF8.self))
    default: break
    }
  }
}

/// The reason why a server closed a WebSocket (RFC 6455, 7.4).
struct WebSocketClosing {
  /// 0 if the server sent none.
  let code: UInt16
  let reason: String

  /// The error for the caller; `nil` if the server closed the connection normally.
  func error(url: String) -> HTTPError? {
    guard
      ![0, UInt16(WSLAY_CODE_NORMAL_CLOSURE.rawValue), UInt16(WSLAY_CODE_GOING_AWAY.rawValue)].contains(code)
    else { return nil }
    let shown = String(
      String.UnicodeScalarView(reason.unicodeScalars.filter { $0.properties.generalCategory != .control }))
    return HTTPError(
      .cut, "the server closed the connection with code \(code)\(shown.isEmpty ? "" : ": \(shown)")", url: url
    )
  }
}
