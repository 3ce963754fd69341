/// A connection to a server that exchanges text messages (RFC 6455).
package protocol WebSocket: Sendable {
  /// Sends a message, which must be UTF-8, and waits until the system has accepted all of its bytes.
  func send(_ message: [UInt8]) async throws(HTTPError)

  /// Returns the next message in the order of arrival, and waits for it; `nil` after the server closed the connection normally.
  func receive() async throws(HTTPError) -> [UInt8]?

  /// Closes the connection. The server's consent is not awaited; messages that were not sent yet are dropped.
  func close() async
}

/// The WebSocket of a `CurlTransport`, whose thread has the connection. The connection is closed when this object is released.
///
/// Canceling a task that sends or receives ends the connection, because a message may have been sent in part.
final class CurlWebSocket: WebSocket {
  private let id: UInt64
  private let url: String
  private let mailbox: TransferMailbox
  /// Retained, because its release ends all connections.
  private let transport: CurlTransport

  init(_ id: UInt64, url: String, _ mailbox: TransferMailbox, of transport: CurlTransport) {
    self.id = id
    self.url = url
    self.mailbox = mailbox
    self.transport = transport
  }

  deinit {
    mailbox.post(.step(WebSocketStep(socket: id, url: url, action: .close) { _ in }))
  }

  func send(_ message: [UInt8]) async throws(HTTPError) {
    _ = try await perform(.send(message))
  }

  func receive() async throws(HTTPError) -> [UInt8]? {
    try await perform(.receive)
  }

  func close() async {
    await withCheckedContinuation { continuation in
      mailbox.post(.step(WebSocketStep(socket: id, url: url, action: .close) { _ in continuation.resume() }))
    }
  }

  private func perform(_ action: WebSocketStep.Action) async throws(HTTPError) -> [UInt8]? {
    let result: Result<[UInt8]?, HTTPError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        mailbox.post(
          .step(WebSocketStep(socket: id, url: url, action: action) { continuation.resume(returning: $0) }))
        // The cancellation handler below may have run before the thread received the step.
        if Task.isCancelled { mailbox.post(.cancel(id)) }
      }
    } onCancel: {
      mailbox.post(.cancel(id))
    }
    return try result.get()
  }
}

/// A use of a WebSocket, on its way to the transport's thread.
struct WebSocketStep: Sendable {
  enum Action: Sendable {
    case send([UInt8])
    case receive
    /// The last step of a WebSocket.
    case close
  }

  /// The number of the WebSocket.
  let socket: UInt64
  let url: String
  let action: Action
  /// Called exactly once; the message is the result of `receive`.
  let finish: @Sendable (Result<[UInt8]?, HTTPError>) -> Void
}
