import FlyingFox
import FlyingSocks
import HTTPTransport
import Testing

/// A server that other people wrote.
@Suite struct WebSocketWitnessTests {
  private struct Echo: WSMessageHandler {
    func makeMessages(for client: AsyncStream<WSMessage>) async throws -> AsyncStream<WSMessage> { client }
  }

  @Test func exchangesMessagesWithFlyingFox() async throws {
    let server = HTTPServer(address: .loopback(port: 0))
    // Longer messages than a frame arrive in several frames.
    await server.appendRoute("GET /echo", to: .webSocket(Echo(), frameSize: 100))
    let running = Task { try await server.run() }
    defer { running.cancel() }
    try await server.waitUntilListening(timeout: 300)
    let address = try #require(await server.listeningAddress)
    let port =
      switch address {
      case .ip4(_, let port), .ip6(_, let port): port
      case .unix: UInt16(0)
      }
    let socket = try await transport().openWebSocket(get("ws://localhost:\(port)/echo"))
    for text in ["hello", "größer 🧵", String(repeating: "é", count: 5000)] {
      try await socket.send(text)
      #expect(try await socket.receive() == Array(text.utf8))
    }
    await socket.close()
  }
}
