import CCurl

/// A WebSocket from the end of its connecting, used only on the thread of its transport.
final class WebSocketSession {
  private enum Phase {
    case opening(ConnectionStream)
    case open(WebSocketFrames)
    /// The error is `nil` if the server closed the connection normally.
    case ended(HTTPError?)
  }

  let transfer: Transfer
  /// Whether the handshake succeeded.
  private(set) var wasOpened = false
  private var phase: Phase
  private var handshake: WebSocketHandshake
  private var unsentHead: ArraySlice<UInt8>
  /// Received messages that no caller has taken yet.
  private var messages: [[UInt8]] = []
  /// The steps that wait for a message, and those that wait for the end of sending.
  private var receivers: [WebSocketStep] = []
  private var senders: [WebSocketStep] = []
  /// The start of the current wait.
  private var waitsSince = ContinuousClock.now
  private let authorities: CertificateAuthorities

  /// - Parameter handle: the handle of the transfer, which is connected.
  init(
    _ transfer: Transfer, _ handle: CurlHandle, userAgent: String, _ authorities: CertificateAuthorities
  ) {
    self.transfer = transfer
    self.authorities = authorities
    phase = .opening(ConnectionStream(handle))
    handshake = WebSocketHandshake(url: transfer.request.url)
    unsentHead = handshake.request(transfer.request, transfer.target, userAgent: userAgent)[...]
  }

  var url: String { transfer.request.url }

  var hasEnded: Bool {
    if case .ended = phase { true } else { false }
  }

  /// The socket with the events that continue the session; `nil` if it waits for its user.
  var descriptor: curl_waitfd? {
    guard let handle = transfer.handle else { return nil }
    let receives: Bool
    let sends: Bool
    switch phase {
    case .opening(let stream):
      receives = true
      sends = stream.hasUnsentBytes || !unsentHead.isEmpty
    case .open(let frames):
      receives = frames.receives && takesMessages
      sends = frames.hasUnsentFrames
    case .ended: return nil
    }
    // Without an event, the system would still report the end of the connection, again and again.
    guard receives || sends else { return nil }
    let events = (receives ? CURL_WAIT_POLLIN : 0) | (sends ? CURL_WAIT_POLLOUT : 0)
    return curl_waitfd(fd: ccurl_connected_socket(handle.pointer), events: Int16(events), revents: 0)
  }

  /// The time until the session must continue even without an event; 0 if it can continue now.
  var remaining: Duration {
    if case .open(let frames) = phase, frames.hasHiddenBytes, takesMessages { return .zero }
    let total = transfer.remaining ?? .zero
    return remainingWait.map { min($0, total) } ?? total
  }

  /// Whether more messages may be received before some are taken.
  private var takesMessages: Bool { messages.count < WebSocketFrames.maximumWaiting }

  /// The remaining time of the current wait; `nil` if nothing is awaited or the wait has no limit.
  private var remainingWait: Duration? {
    let seconds = transfer.request.limits.slowSeconds
    guard seconds > 0, !wasOpened || !receivers.isEmpty || !senders.isEmpty else { return nil }
    return .seconds(seconds) - waitsSince.duration(to: .now)
  }

  /// Sends and receives without waiting.
  func advance() {
    do throws(HTTPError) {
      if case .opening(let stream) = phase { try open(stream) }
      if case .open(let frames) = phase { try exchange(frames) }
      if !hasEnded { try checkTime() }
    } catch {
      end(error)
    }
  }

  /// Carries out a step now or later.
  func take(_ step: WebSocketStep) {
    if receivers.isEmpty, senders.isEmpty { waitsSince = .now }
    switch step.action {
    case .receive:
      receivers.append(step)
      deliver()
    case .send(let message):
      guard case .open(let frames) = phase else { return step.finish(.failure(endOfSending)) }
      frames.enqueue(message)
      senders.append(step)
    case .close:
      if case .open(let frames) = phase {
        frames.enqueueClosing()
        frames.send()
      }
      end(TransferMailbox.closed(url))
      step.finish(.success(nil))
    }
  }

  /// Ends the session in any phase. Messages that have been received can still be taken.
  ///
  /// - Parameter error: `nil` if the server closed the connection normally.
  func end(_ error: HTTPError?) {
    guard !hasEnded else { return }
    phase = .ended(error)
    if !wasOpened { transfer.job.finish(.failure(error ?? endOfSending)) }
    for step in senders { step.finish(.failure(endOfSending)) }
    senders = []
    deliver()
  }

  private func open(_ stream: ConnectionStream) throws(HTTPError) {
    while !unsentHead.isEmpty {
      let count = unsentHead.withUnsafeBytes { stream.write($0) }
      guard count > 0 else { return try check(stream) }
      unsentHead.removeFirst(count)
    }
    stream.flush()
    var part = [UInt8](repeating: 0, count: 4096)
    while let count = part.withUnsafeMutableBytes({ stream.read(into: $0) }) {
      guard let early = try handshake.add(part[..<count]) else { continue }
      let maximum = transfer.request.limits.maximumBytes
      phase = .open(WebSocketFrames(stream, early: early, maximumBytes: maximum))
      wasOpened = true
      return transfer.job.finish(.success(HTTPResponse(status: 101, url: url)))
    }
    try check(stream)
  }

  private func exchange(_ frames: WebSocketFrames) throws(HTTPError) {
    frames.send()
    if takesMessages { frames.receive() }
    let new = frames.takeMessages()
    if !new.isEmpty { waitsSince = .now }
    messages += new
    deliver()
    if !frames.hasUnsentFrames, !senders.isEmpty {
      waitsSince = .now
      for step in senders { step.finish(.success(nil)) }
      senders = []
    }
    if let fault = frames.fault { throw fault.error(url: url) }
    if let closing = frames.closing { return end(closing.error(url: url)) }
    try check(frames.stream)
  }

  /// Gives messages, or the end, to the steps that wait for them.
  private func deliver() {
    while !receivers.isEmpty {
      if !messages.isEmpty {
        receivers.removeFirst().finish(.success(messages.removeFirst()))
      } else if case .ended(let error) = phase {
        receivers.removeFirst().finish(error.map { .failure($0) } ?? .success(nil))
      } else {
        return
      }
    }
  }

  /// The error of messages that cannot be sent any more.
  private var endOfSending: HTTPError {
    if case .ended(let error?) = phase { return error }
    return HTTPError(.cut, "the server closed the connection", url: url)
  }

  private func check(_ stream: ConnectionStream) throws(HTTPError) {
    switch stream.failure {
    case nil: return
    case .ended: throw HTTPError(.cut, "the server closed the connection unexpectedly", url: url)
    case .curl(let code):
      let error = HTTPError(code, of: transfer, authorities)
      throw HTTPError(error.kind, error.message, url: url)
    }
  }

  private func checkTime() throws(HTTPError) {
    let limits = transfer.request.limits
    if let left = transfer.remaining, left <= .zero {
      throw HTTPError(.timedOut, "it took more than \(limits.totalSeconds) seconds", url: url)
    }
    if let left = remainingWait, left <= .zero {
      throw HTTPError(.timedOut, "the server did nothing for \(limits.slowSeconds) seconds", url: url)
    }
  }
}
