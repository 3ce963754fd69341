import HTTPTransport
import LoopbackServer
import Testing

@Suite struct WebSocketTests {
  let server: LoopbackServer

  init() throws { server = try LoopbackServer() }

  @Test func exchangesMessages() async throws {
    server.onWebSocket("/relay") { peer in
      while true {
        let frame = try peer.receive()
        #expect(frame.isMasked)
        if frame.opcode == WebSocketPeer.closing { return #expect(frame.payload == [3, 232]) }
        try peer.send(WebSocketPeer.frame(WebSocketPeer.text, frame.payload))
      }
    }
    let client = transport()
    let socket = try await client.openWebSocket(get(server.webSocketURL("/relay?a=b#c")))
    for text in [
      "hello", "", "größer 🧵", String(repeating: "x", count: 300), String(repeating: "é", count: 1 << 17),
    ] {
      try await socket.send(text)
      let message = try #require(try await socket.receive())
      #expect(message == Array(text.utf8))
    }
    await socket.close()
    #expect(try await eventually { server.openConnectionCount == 0 })
    #expect(await socket.receiveAll().error?.kind == .cancelled)
  }

  @Test func sendsACompleteRequest() async throws {
    server.onWebSocket("/relay") { try $0.waitForEnd() }
    let request = get(server.webSocketURL("/relay?a=b#c")) {
      $0.headers = [("X-Test", "1")]
      $0.authorization = Secret("Bearer hunter2")
    }
    let socket = try await transport().openWebSocket(request)
    await socket.close()
    let received = try #require(server.requests.first)
    #expect(received.method == "GET")
    #expect(received.target == "/relay?a=b")
    let expected = [
      "Host": "127.0.0.1:\(server.port)", "Upgrade": "websocket", "Connection": "Upgrade",
      "Sec-WebSocket-Version": "13", "User-Agent": "threadsite-tests/1", "X-Test": "1",
      "Authorization": "Bearer hunter2",
    ]
    for (name, value) in expected { #expect(received[name] == value) }
    #expect(received["Sec-WebSocket-Key"]?.count == 24)
    #expect(received["Sec-WebSocket-Extensions"] == nil)
  }

  /// The example of RFC 6455, 1.3.
  @Test func peerAcceptsKeysByTheStandard() {
    #expect(WebSocketPeer.accepted("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
  }

  @Test func joinsFragmentsAndRespondsToPings() async throws {
    server.onWebSocket { peer in
      // The é is divided between two frames.
      try peer.send(WebSocketPeer.frame(WebSocketPeer.text, Array("caf".utf8) + [0xC3], isLast: false))
      try peer.send(WebSocketPeer.frame(WebSocketPeer.ping, Array("are you there".utf8)))
      try peer.send(WebSocketPeer.frame(WebSocketPeer.pong, []))
      try peer.send(WebSocketPeer.frame(WebSocketPeer.continuation, [0xA9], isLast: false))
      try peer.send(WebSocketPeer.frame(WebSocketPeer.continuation, []))
      let pong = WebSocketPeer.Frame(
        opcode: WebSocketPeer.pong, isMasked: true, payload: Array("are you there".utf8))
      #expect(try peer.receive() == pong)
      try peer.sendClosing(1000)
      #expect(try peer.receive().opcode == WebSocketPeer.closing)
    }
    let socket = try await transport().openWebSocket(get(server.webSocketURL()))
    let (texts, error) = await socket.receiveAll()
    #expect(texts == ["café"])
    #expect(error == nil)
    // The end stays the end.
    #expect(try await socket.receive() == nil)
    await #expect(throws: HTTPError.self) { try await socket.send("late") }
  }

  @Test func deliversAllMessagesBeforeTheEnd() async throws {
    server.onWebSocket { peer in
      for number in 0..<5000 { try peer.send("\(number)") }
      try peer.sendClosing(1001)
      try peer.waitForEnd()
    }
    let socket = try await transport().openWebSocket(get(server.webSocketURL()))
    let (texts, error) = await socket.receiveAll()
    #expect(texts == (0..<5000).map { "\($0)" })
    #expect(error == nil)
  }

  @Test func readsMessagesThatArriveWithTheHandshake() async throws {
    server.on("/") { request, connection in
      let frame = WebSocketPeer.frame(WebSocketPeer.text, Array("early".utf8))
      try connection.send(Array(WebSocketPeer.head(for: request).utf8) + frame)
      try connection.waitForEnd()
    }
    let socket = try await transport().openWebSocket(get(server.webSocketURL()))
    #expect(try await socket.receive() == Array("early".utf8))
  }

  @Test func closesTheConnectionWhenItIsReleased() async throws {
    server.onWebSocket { try $0.waitForEnd() }
    let client = transport()
    do {
      let socket = try await client.openWebSocket(get(server.webSocketURL()))
      try await socket.send("hello")
      #expect(server.openConnectionCount == 1)
    }
    #expect(try await eventually { server.openConnectionCount == 0 })
  }

  @Test func openSocketsDoNotDelayRequests() async throws {
    server.onWebSocket("/socket") { try $0.waitForEnd() }
    server.on("/", .text("ok"))
    let client = transport { $0.maximumTransfers = 1 }
    var sockets: [any WebSocket] = []
    for _ in 0..<5 { sockets.append(try await client.openWebSocket(get(server.webSocketURL("/socket")))) }
    #expect(try await client.send(get(server.url())).text == "ok")
    for socket in sockets { await socket.close() }
  }

  @Test func wrappersForwardTheOpening() async throws {
    server.onWebSocket { try $0.send("hello") }
    let client = RetryingTransport(transport())
    let socket = try await client.openWebSocket(get(server.webSocketURL()))
    #expect(try await socket.receive() == Array("hello".utf8))
  }
}
