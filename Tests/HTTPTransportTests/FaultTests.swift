import HTTPTransport
import LoopbackServer
import TestSupport
import Testing

@Suite struct FaultTests {
  let server: LoopbackServer

  init() throws { server = try LoopbackServer() }

  @Test func truncatedResponseIsAnError() async throws {
    server.on("/cut", .cut(after: 10, of: 100))
    server.on("/hangUp", .hangUp)
    server.on("/chunks") { _, connection in
      try connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
      connection.close()
    }
    for path in ["/cut", "/hangUp", "/chunks"] {
      #expect(await failure(transport(), get(server.url(path)))?.kind == .cut, "\(path)")
    }
  }

  @Test func endlessBodyStopsAtTheLimit() async throws {
    server.on("/", .endless)
    let error = await failure(transport(), get(server.url()) { $0.limits.maximumBytes = 1 << 20 })
    #expect(error?.kind == .tooLarge)
    #expect(error?.message.contains("1048576") == true)
    #expect(try await eventually { server.openConnectionCount == 0 })
  }

  @Test func rejectsADeclaredLengthBeyondTheLimitAtOnce() async throws {
    server.on("/", .cut(after: 10, of: 1 << 30))
    #expect(await failure(transport(), get(server.url()))?.kind == .tooLarge)
  }

  @Test func acceptsABodyOfExactlyTheLimit() async throws {
    server.on("/", .chunked([[UInt8](repeating: 1, count: 1000)]))
    let client = transport()
    #expect(try await client.send(get(server.url()) { $0.limits.maximumBytes = 1000 }).body.count == 1000)
    #expect(await failure(client, get(server.url()) { $0.limits.maximumBytes = 999 })?.kind == .tooLarge)
  }

  @Test func countsBytesAfterDecompression() async throws {
    let bomb = Gzip.bomb(ofZeros: 2_000_000)
    #expect(bomb.count < 20_000)
    server.on("/", .gzip(bomb))
    let client = transport()
    #expect(await failure(client, get(server.url()) { $0.limits.maximumBytes = 1 << 18 })?.kind == .tooLarge)
    let folder = try TemporaryFolder()
    let error = await #expect(throws: HTTPError.self) {
      try await client.download(
        get(server.url()) { $0.limits.maximumBytes = 1 << 18 }, to: folder.path + "/file")
    }
    #expect(error?.kind == .tooLarge)
    #expect(try folder.tree()["file"].map { $0.count <= 1 << 18 } == true)
    // The bomb is a valid stream, which is read under a higher limit.
    #expect(try await client.send(get(server.url())).body.count > 1_900_000)
  }

  @Test func stopsAtEndlessHeaders() async throws {
    server.on("/", .headerFlood)
    #expect(await failure(transport(), get(server.url()))?.kind == .tooLarge)
  }

  @Test func stopsAtEndlessProvisionalResponses() async throws {
    server.on("/") { _, connection in
      while true { try connection.send("HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n") }
    }
    #expect(await failure(transport(), get(server.url()))?.kind == .tooLarge)
  }

  @Test func missingResponseTimesOut() async throws {
    server.on("/", .silence)
    let error = await failure(transport(), get(server.url()) { $0.limits.totalSeconds = 1 })
    #expect(error?.kind == .timedOut)
  }

  @Test func slowResponseTimesOut() async throws {
    server.on("/", .drip(everyMilliseconds: 20))
    let error = await failure(
      transport(),
      get(server.url()) {
        $0.limits.slowBytesPerSecond = 1000
        $0.limits.slowSeconds = 1
        $0.limits.totalSeconds = 60
      })
    #expect(error?.kind == .timedOut)
  }

  @Test func closedPortIsUnreachable() async throws {
    let port = server.port
    server.stop()
    #expect(try await eventually { !server.isListening })
    let error = await failure(transport(), get("http://127.0.0.1:\(port)/a?secret=1"))
    #expect(error?.kind == .unreachable)
    #expect(error?.url == "http://127.0.0.1:\(port)/a")
  }

  @Test func damagedCompressionIsAnError() async throws {
    server.on("/", .gzip([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]))
    #expect(await failure(transport(), get(server.url())) != nil)
  }

  @Test func otherProtocolIsAnError() async throws {
    server.onConnection { connection in
      try connection.send("SSH-2.0-OpenSSH_9.2\r\n")
      connection.close()
    }
    #expect(await failure(transport(), get(server.url())) != nil)
  }
}
