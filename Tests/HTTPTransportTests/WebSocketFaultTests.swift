import HTTPTransport
import LoopbackServer
import TestSupport
import Testing

/// Servers that violate the protocol or the limits, and connections that are not allowed.
@Suite struct WebSocketFaultTests {
  let server: LoopbackServer

  init() throws { server = try LoopbackServer() }

  // MARK: The handshake

  @Test(arguments: [200, 302, 401, 503])
  func reportsTheStatusOfARefusal(status: Int) async throws {
    server.on("/", .answer(status: status, headers: [("Location", "/other")], body: Array("no".utf8)))
    let error = await openingFailure(transport(), get(server.webSocketURL()) { $0.maximumRedirects = 3 })
    #expect(error?.kind == .other)
    #expect(error?.message.contains("status \(status)") == true)
    #expect(error?.url == server.webSocketURL())
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [
    ("Sec-WebSocket-Accept: ", "Sec-WebSocket-Accept: x"), ("Sec-WebSocket-Accept", "X-Accept"),
    ("Upgrade: WebSocket\r\n", ""), ("Upgrade: WebSocket", "Upgrade: h2c"),
    ("keep-alive, Upgrade", "keep-alive"),
    ("HTTP/1.1", "HTTP/1.0"), ("Upgrade: W", "Sec-WebSocket-Extensions: permessage-deflate\r\nUpgrade: W"),
    ("Upgrade: W", "Sec-WebSocket-Protocol: chat\r\nUpgrade: W"), ("HTTP/1.1 101", "SSH-2.0"),
  ])
  func rejectsAnInvalidHandshake(part: String, replacement: String) async throws {
    server.on("/") { request, connection in
      try connection.send(WebSocketPeer.head(for: request).replacing(part, with: replacement))
      try connection.waitForEnd()
    }
    let error = await openingFailure(transport(), get(server.webSocketURL()))
    #expect(error?.kind == .other, "\(String(describing: error))")
    #expect(try await eventually { server.openConnectionCount == 0 })
  }

  @Test func endsAnEndlessHead() async throws {
    server.on("/", .headerFlood)
    #expect(await openingFailure(transport(), get(server.webSocketURL()))?.kind == .tooLarge)
  }

  @Test func reportsAConnectionThatEndsInTheHandshake() async throws {
    server.on("/", .hangUp)
    #expect(await openingFailure(transport(), get(server.webSocketURL()))?.kind == .cut)
  }

  // MARK: Frames

  /// The bytes of a server with the error of the client.
  struct Violation: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    var kind = HTTPError.Kind.other
  }

  @Test(arguments: [
    Violation(testDescription: "binary", bytes: WebSocketPeer.frame(WebSocketPeer.binary, [1])),
    Violation(
      testDescription: "invalid UTF-8", bytes: WebSocketPeer.frame(WebSocketPeer.text, [0x61, 0xFF])),
    Violation(testDescription: "incomplete UTF-8", bytes: WebSocketPeer.frame(WebSocketPeer.text, [0xC3])),
    Violation(
      testDescription: "mask", bytes: WebSocketPeer.frame(WebSocketPeer.text, [0x61], isMasked: true)),
    Violation(
      testDescription: "compression", bytes: WebSocketPeer.frame(WebSocketPeer.text, [0x61], reserved: 4)),
    Violation(testDescription: "unknown opcode", bytes: WebSocketPeer.frame(3, [0x61])),
    Violation(testDescription: "continuation without a start", bytes: WebSocketPeer.frame(0, [0x61])),
    Violation(
      testDescription: "text in a message",
      bytes: WebSocketPeer.frame(1, [0x61], isLast: false) + WebSocketPeer.frame(1, [0x61])),
    Violation(
      testDescription: "long ping",
      bytes: WebSocketPeer.frame(WebSocketPeer.ping, Array(repeating: 0, count: 126))),
    Violation(
      testDescription: "fragmented ping", bytes: WebSocketPeer.frame(WebSocketPeer.ping, [], isLast: false)),
    Violation(testDescription: "invalid code", bytes: WebSocketPeer.frame(WebSocketPeer.closing, [0, 5])),
    Violation(
      testDescription: "huge length", bytes: [0x81, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0x61], kind: .tooLarge),
    Violation(testDescription: "negative length", bytes: [0x81, 127] + Array(repeating: 0xFF, count: 8)),
    Violation(testDescription: "policy", bytes: [0x88, 4, 3, 240, 0x6E, 0x6F], kind: .cut),
    Violation(testDescription: "end without a closing frame", bytes: [0x81, 5, 0x61], kind: .cut),
  ])
  func endsTheConnectionOfAServer(with violation: Violation) async throws {
    server.onWebSocket { peer in
      try peer.send("valid")
      try peer.send(violation.bytes)
      if violation.kind != .cut { try peer.waitForEnd() }
    }
    let socket = try await transport().openWebSocket(get(server.webSocketURL()))
    let (texts, error) = await socket.receiveAll()
    #expect(texts == ["valid"])
    #expect(error?.kind == violation.kind, "\(String(describing: error))")
    #expect(error?.url == server.webSocketURL())
    #expect(try await eventually { server.openConnectionCount == 0 })
    #expect(await socket.receiveAll().error == error)
  }

  /// RFC 6455, 5.5.1 and 7.4.1.
  @Test(
    arguments: [
      (WebSocketPeer.frame(3, []), 1002), (WebSocketPeer.frame(WebSocketPeer.binary, [1]), 1003),
      (WebSocketPeer.frame(WebSocketPeer.text, [0xFF]), 1007), ([0x81, 127, 0, 0, 1, 0, 0, 0, 0, 0], 1009),
      ([0x88, 2, 0x03, 0xE8], 1000), ([0x88, 3, 0x0F, 0xA1, 0x61], 4001), ([0x88, 0], nil),
    ] as [([UInt8], Int?)])
  func endsWithAClosingFrame(bytes: [UInt8], code: Int?) async throws {
    let frames = Locked<[WebSocketPeer.Frame]>([])
    server.onWebSocket { peer in
      try peer.send(bytes)
      frames.set([try peer.receive()])
      try peer.waitForEnd()
    }
    let socket = try await transport().openWebSocket(get(server.webSocketURL()))
    _ = await socket.receiveAll()
    #expect(try await eventually { server.openConnectionCount == 0 })
    let payload = code.map { [UInt8($0 >> 8), UInt8($0 & 0xFF)] } ?? []
    #expect(frames.value == [.init(opcode: WebSocketPeer.closing, isMasked: true, payload: payload)])
  }

  @Test func reportsTheReasonOfTheServerWithoutControlCharacters() async throws {
    server.onWebSocket { try $0.sendClosing(4001, "paid \u{1B}[31mrelay") }
    let socket = try await transport().openWebSocket(get(server.webSocketURL()))
    let error = await socket.receiveAll().error
    #expect(error?.message == "the server closed the connection with code 4001: paid [31mrelay")
  }

  // MARK: Limits

  /// The error of opening a WebSocket or of receiving all messages. On a busy machine, either may exceed a limit of time.
  private func receivingFailure(_ request: HTTPRequest) async -> HTTPError? {
    do throws(HTTPError) {
      let socket = try await transport().openWebSocket(request)
      return await socket.receiveAll().error
    } catch {
      return error
    }
  }

  @Test(arguments: [
    WebSocketPeer.frame(WebSocketPeer.text, Array(repeating: 0x61, count: 1000)),
    WebSocketPeer.frame(WebSocketPeer.continuation, [0x61], isLast: false),
    WebSocketPeer.frame(WebSocketPeer.continuation, [], isLast: false),
  ])
  func limitsTheBytesOfAllMessages(frame: [UInt8]) async throws {
    server.onWebSocket { peer in
      if frame[0] == 0 { try peer.send(WebSocketPeer.frame(WebSocketPeer.text, [], isLast: false)) }
      let part = Array(repeatElement(frame, count: 100).joined())
      while true { try peer.send(part) }
    }
    let socket = try await transport().openWebSocket(
      get(server.webSocketURL()) { $0.limits.maximumBytes = 1 << 20 })
    let (texts, error) = await socket.receiveAll()
    #expect(error?.kind == .tooLarge)
    #expect(texts.reduce(0) { $0 + $1.utf8.count } <= 1 << 20)
  }

  /// The responses to the pings cannot be sent, and must not use up the memory.
  @Test func doesNotCollectResponsesToPings() async throws {
    server.onWebSocket { peer in
      let part = Array(repeatElement(WebSocketPeer.frame(WebSocketPeer.ping, []), count: 1000).joined())
      while true { try peer.send(part) }
    }
    let request = get(server.webSocketURL()) {
      $0.limits.slowSeconds = 1
      $0.limits.maximumBytes = 1 << 40
    }
    #expect(await receivingFailure(request)?.kind == .timedOut)
  }

  @Test func limitsTheWaitForAMessage() async throws {
    server.onWebSocket { peer in
      while true {
        try peer.send(WebSocketPeer.frame(WebSocketPeer.ping, []))
        try peer.pause(milliseconds: 50)
      }
    }
    let error = await receivingFailure(get(server.webSocketURL()) { $0.limits.slowSeconds = 1 })
    #expect(error?.kind == .timedOut)
  }

  @Test func limitsTheWaitForTheHandshake() async throws {
    server.on("/", .silence)
    let error = await openingFailure(transport(), get(server.webSocketURL()) { $0.limits.slowSeconds = 1 })
    #expect(error?.kind == .timedOut)
  }

  @Test func limitsTheWaitForSending() async throws {
    server.onWebSocket { peer in
      // Nothing is read until the client gives up.
      try peer.pause(milliseconds: 300_000)
    }
    let error = await #expect(throws: HTTPError.self) {
      let request = get(server.webSocketURL()) { $0.limits.slowSeconds = 1 }
      let socket = try await transport().openWebSocket(request)
      try await socket.send([UInt8](repeating: 0x61, count: 32 << 20))
    }
    #expect(error?.kind == .timedOut)
  }

  @Test func limitsTheTotalTime() async throws {
    server.onWebSocket { peer in
      while true {
        try peer.send("still here")
        try peer.pause(milliseconds: 50)
      }
    }
    let error = await receivingFailure(get(server.webSocketURL()) { $0.limits.totalSeconds = 1 })
    #expect(error?.kind == .timedOut)
  }

  // MARK: Cancellation

  @Test func cancellationEndsTheConnection() async throws {
    server.onWebSocket { try $0.waitForEnd() }
    let socket = try await transport().openWebSocket(get(server.webSocketURL()))
    let task = Task { await socket.receiveAll().error }
    try await Task.sleep(for: .milliseconds(50))
    task.cancel()
    #expect(await task.value?.kind == .cancelled)
    #expect(try await eventually { server.openConnectionCount == 0 })
  }

  @Test func cancellationEndsTheHandshake() async throws {
    server.on("/", .silence)
    let client = transport()
    let task = Task { await openingFailure(client, get(server.webSocketURL())) }
    #expect(try await eventually { server.requests.count == 1 })
    task.cancel()
    #expect(await task.value?.kind == .cancelled)
    #expect(try await eventually { server.openConnectionCount == 0 })
  }

  @Test func shutdownEndsSocketsAndRejectsNewOnes() async throws {
    server.onWebSocket { try $0.waitForEnd() }
    let client = transport()
    let socket = try await client.openWebSocket(get(server.webSocketURL()))
    let task = Task { await socket.receiveAll().error }
    await client.shutdown()
    #expect(await task.value?.kind == .cancelled)
    #expect(await openingFailure(client, get(server.webSocketURL()))?.kind == .cancelled)
    await socket.close()
    #expect(try await eventually { server.openConnectionCount == 0 })
  }

  // MARK: Refused connections

  @Test(arguments: [
    "ws://example.org/", "ws://10.0.0.1/", "ws://127.0.0.1.example.org/", "https://example.org/",
    "http://127.0.0.1/", "wss://user:hunter2@example.org/", "wss://exämple.org/", "wss:", "", "wss://a b/",
    "wss://example.org/\r\nX-Evil: 1", "file:///etc/passwd",
  ])
  func rejectsInvalidURLs(url: String) async {
    let error = await openingFailure(transport(), get(url))
    #expect(error?.kind == .refusedURL)
    #expect(error.map { "\($0) \($0.url)".contains("hunter2") } == false)
  }

  @Test(arguments: ["wss://127.0.0.1", "wss://localhost", "wss://[::1]", "wss://10.0.0.1", "ws://localhost"])
  func rejectsHostsThatAreNotPublic(url: String) async {
    let client = transport { $0.allowsLoopback = false }
    let error = await openingFailure(client, get(url) { $0.reach = .publicOnly })
    #expect(error?.kind == .refusedAddress)
  }

  @Test(arguments: ["127.0.0.1", "10.1.2.3", "::1"])
  func checksTheAddressesOfNames(address: String) async {
    let client = transport {
      $0.allowsLoopback = false
      $0.fixedAddresses = [.init("relay.example", port: server.port, leadsTo: address)]
    }
    let url = "wss://relay.example:\(server.port)/"
    let error = await openingFailure(client, get(url) { $0.reach = .publicOnly })
    #expect(error?.kind == .refusedAddress)
    #expect(error?.url == url)
    #expect(server.connectionCount == 0)
  }

  @Test(arguments: ["Sec-WebSocket-Protocol", "sec-websocket-extensions", "Upgrade", "Cookie"])
  func rejectsReservedHeaders(name: String) async {
    let error = await openingFailure(transport(), get(server.webSocketURL()) { $0.headers = [(name, "x")] })
    #expect(error?.kind == .other)
    #expect(server.connectionCount == 0)
  }

  @Test func proxyGetsTheHostWithoutCredentials() async throws {
    server.otherwise(.answer(status: 403))
    let variables = ["https_proxy": "http://127.0.0.1:\(server.port)"]
    let client = transport { $0.proxies = ProxySettings { variables[$0] } }
    let error = await openingFailure(
      client, get("wss://relay.example/secret") { $0.authorization = Secret("Bearer hunter2") })
    #expect(error != nil)
    let request = try #require(server.requests.first)
    #expect(request.method == "CONNECT")
    #expect(request.target == "relay.example:443")
    #expect(request["Authorization"] == nil)
  }

  @Test func offersHTTP1Only() async throws {
    let hello = Locked<[UInt8]>([])
    server.onConnection { connection in
      hello.set(try connection.receive())
      connection.close()
    }
    _ = await openingFailure(transport(), get("wss://localhost:\(server.port)/"))
    // The list of ALPN (RFC 7301) with its length.
    let bytes = hello.value
    let list = Array("\u{0}\u{9}\u{8}http/1.1".utf8)
    #expect(bytes.indices.contains { bytes[$0...].starts(with: list) })
  }

  @Test(.enabled(if: OpenSSLServer.exists, "openssl is not installed"))
  func trustsOnlyKnownAuthorities() async throws {
    let folder = try TemporaryFolder()
    let secure = try OpenSSLServer(folder)
    defer { secure.stop() }
    let url = "wss://localhost:\(secure.port)/"
    #expect(await openingFailure(transport(), get(url))?.kind == .insecure)
    let believing = transport { $0.authorities = CertificateAuthorities(file: secure.certificate) }
    // This server responds with a page in HTTP/1.0.
    #expect(await openingFailure(believing, get(url))?.message == "the response is not HTTP/1.1")
    #expect(await openingFailure(believing, get("wss://127.0.0.1:\(secure.port)/"))?.kind == .insecure)
  }
}
