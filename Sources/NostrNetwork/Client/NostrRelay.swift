import Basics
import HTTPTransport
import NetworkSources
import SiteConfig
import ThreadModel

/// The limits of requests to a relay.
struct RelayLimits: Sendable {
  /// The longest wait for a message, in seconds.
  var silentSeconds = 20
  /// The maximum time for a response, in seconds.
  var responseSeconds = 60
  /// The maximum number of messages in a response. A page has fewer events than this.
  var messages = 5000
  /// The maximum size of a response, in bytes.
  var responseBytes = 16 << 20
  /// The maximum size of all responses on a connection, in bytes. A run that reads more opens another connection.
  var connectionBytes = 64 << 20
  /// The maximum time for a connection, in seconds. A longer run opens another one.
  var connectionSeconds = 3600
}

/// A response of a relay: authentic events that match the filter, in the order in which they were sent.
struct RelayAnswer: Sendable {
  var events: [NostrEvent] = []
  /// The number of events whose id or signature is wrong.
  var forged = 0
  /// The reason why the response is missing or not complete.
  var failure: SourceError?
}

/// A relay in one run. The connection is opened by the first request and used for all further requests, which are sent one after the other:
/// many relays limit the number of simultaneous subscriptions.
///
/// After a failure of the connection, the relay is not contacted again, and all further requests fail with the same error.
actor NostrRelay {
  nonisolated let url: RelayURL
  private let reach: HTTPRequest.Reach
  private let transport: any HTTPTransport
  private let limits: RelayLimits
  private let count: @Sendable (_ endpoint: String) -> Void
  private let gate = HostGate(atOnce: 1)
  private var socket: (any WebSocket)?
  /// The bytes that were received on the connection, and the time at which it was opened.
  private var received = 0
  private var opened = ContinuousClock.now
  private var requests = 0
  private var failure: SourceError?
  /// The last text for the user, which may explain a missing response.
  private var notice: String?

  /// - Parameters:
  ///   - reach: `publicOnly` for a relay that the user did not choose.
  ///   - count: called with the name of each request.
  init(
    _ url: RelayURL, reach: HTTPRequest.Reach, transport: any HTTPTransport, limits: RelayLimits,
    count: @escaping @Sendable (_ endpoint: String) -> Void
  ) {
    self.url = url
    self.reach = reach
    self.transport = transport
    self.limits = limits
    self.count = count
  }

  /// Requests the stored events that match a filter: the newest ones if the relay has more than it sends in one response.
  func events(_ filter: RelayFilter) async -> RelayAnswer {
    do {
      try await gate.take()
    } catch {
      return RelayAnswer(failure: .stopped)
    }
    defer { gate.giveBack() }
    if let failure { return RelayAnswer(failure: failure) }
    if !hasRoom { await disconnect() }
    let isReused = socket != nil
    var answer = RelayAnswer()
    var outcome = await request(filter, &answer)
    // Relays close idle connections.
    if isReused, case .disconnected = outcome {
      await disconnect()
      answer = RelayAnswer()
      outcome = await request(filter, &answer)
    }
    switch outcome {
    case .complete: break
    case .refused(let error): answer.failure = error
    case .disconnected(let error), .failed(let error):
      answer.failure = error
      // A run that was stopped is not a failure of the relay.
      if error.kind != .interrupted { failure = error }
      await disconnect()
    }
    return answer
  }

  private enum Outcome {
    case complete
    /// The relay refuses this request; the connection remains usable.
    case refused(SourceError)
    /// The connection was closed.
    case disconnected(SourceError)
    case failed(SourceError)
  }

  private func request(_ filter: RelayFilter, _ answer: inout RelayAnswer) async -> Outcome {
    requests += 1
    notice = nil
    let subscription = "threads-\(requests)"
    do throws(HTTPError) {
      let socket = try await connect()
      count(filter.name)
      try await socket.send(RelayMessage.request(subscription, filter))
      return try await receive(subscription, filter, from: socket, &answer)
    } catch {
      let failure = SourceError(error, of: url.name)
      return error.kind == .cut ? .disconnected(failure) : .failed(explained(failure))
    }
  }

  /// Reads messages until the end of the response.
  private func receive(
    _ subscription: String, _ filter: RelayFilter, from socket: any WebSocket, _ answer: inout RelayAnswer
  ) async throws(HTTPError) -> Outcome {
    let end = ContinuousClock.now + .seconds(limits.responseSeconds)
    var bytes = 0
    var ids: Set<String> = []
    for _ in 0..<limits.messages {
      guard let message = try await socket.receive() else {
        return .disconnected(explained(problem("closed the connection before the end of its response")))
      }
      bytes += message.count
      received += message.count
      guard bytes <= limits.responseBytes else {
        return .failed(problem("sent more than \(limits.responseBytes >> 20) MB in response to one request"))
      }
      guard ContinuousClock.now < end else {
        return .failed(explained(problem("did not finish its response in \(limits.responseSeconds) seconds")))
      }
      switch RelayMessage(message) {
      // Late messages of earlier subscriptions are ignored.
      case .event(subscription, let object): take(object, filter, &ids, &answer)
      case .end(subscription):
        await close(subscription, on: socket)
        return .complete
      case .closed(subscription, let reason): return .refused(refusal(reason))
      case .notice(let text): notice = text
      case .event, .end, .closed, .other: break
      }
    }
    return .failed(problem("sent more than \(limits.messages) messages in response to one request"))
  }

  /// Ends a subscription. If the relay has closed the connection, the next request opens another one.
  private func close(_ subscription: String, on socket: any WebSocket) async {
    do throws(HTTPError) {
      try await socket.send(RelayMessage.close(subscription))
    } catch {
      await disconnect()
    }
  }

  private func take(
    _ object: JSONObject, _ filter: RelayFilter, _ ids: inout Set<String>, _ answer: inout RelayAnswer
  ) {
    do throws(NostrEventError) {
      let event = try NostrEvent(object)
      if filter.matches(event), ids.insert(event.id).inserted { answer.events.append(event) }
    } catch {
      // Events of another form, or too large, are not events that this program can show.
      if error.isForgery { answer.forged += 1 }
    }
  }

  // MARK: The connection

  private func connect() async throws(HTTPError) -> any WebSocket {
    if let socket { return socket }
    var request = HTTPRequest(.get, url.description)
    request.reach = reach
    request.limits.slowSeconds = limits.silentSeconds
    request.limits.totalSeconds = limits.connectionSeconds
    request.limits.maximumBytes = limits.connectionBytes
    let socket = try await transport.openWebSocket(request)
    self.socket = socket
    received = 0
    opened = .now
    return socket
  }

  /// Whether a response of any permitted size and length fits into the limits of the connection.
  private var hasRoom: Bool {
    received + limits.responseBytes <= limits.connectionBytes
      && opened.duration(to: .now) + .seconds(limits.responseSeconds) <= .seconds(limits.connectionSeconds)
  }

  private func disconnect() async {
    let old = socket
    socket = nil
    await old?.close()
  }

  // MARK: Errors

  private func problem(_ clause: String) -> SourceError { SourceError(.network, "\(url.name) \(clause).") }

  /// Adds the relay's last text to an error, because older relays refuse requests by a notice only.
  private func explained(_ error: SourceError) -> SourceError {
    guard let notice, !notice.isEmpty else { return error }
    return SourceError(error.kind, "\(error.message) Its last message was: \(clipped(notice))")
  }

  /// Returns the error for the reason of a refusal, which begins with a word for programs (NIP-01).
  private func refusal(_ reason: String) -> SourceError {
    let shown = reason.isEmpty ? "" : " (\(clipped(reason)))"
    switch reason.prefix(upToBytes: ":") {
    case "auth-required", "restricted":
      return SourceError(
        .access,
        "\(url.name) sends events only to users who log in\(shown). threadsite never logs in: remove the relay from nostr.relays in site.yml."
      )
    case "rate-limited":
      return SourceError(.quota, "\(url.name) accepts no more requests for now\(shown). Try again later.")
    default: return SourceError(.network, "\(url.name) refused a request\(shown).")
    }
  }
}
