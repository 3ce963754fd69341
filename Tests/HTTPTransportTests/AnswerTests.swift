import HTTPTransport
import LoopbackServer
import TestSupport
import Testing

@Suite struct AnswerTests {
  @Test func receivesStatusHeadersAndBody() async throws {
    let server = try LoopbackServer()
    server.on(
      "/", .answer(status: 418, headers: [("X-One", "1"), ("x-one", " two ")], body: Array("hi".utf8)))
    let response = try await transport().send(
      get(server.url("/?q=1")) {
        $0.headers = [("Accept", "text/plain"), ("X-Empty", "")]
      })
    #expect(response.status == 418)
    #expect(response.text == "hi")
    #expect(response.headers["X-ONE"] == "two")
    #expect(response.url == server.url("/?q=1"))
    let request = try #require(server.requests.first)
    #expect(request.method == "GET")
    #expect(request.target == "/?q=1")
    #expect(request["user-agent"] == "threadsite-tests/1")
    #expect(request["accept"] == "text/plain")
    #expect(request["x-empty"] == "")
    #expect(request["accept-encoding"]?.contains("gzip") == true)
    #expect(request["cookie"] == nil)
    #expect(request["authorization"] == nil)
  }

  @Test func postsABody() async throws {
    let server = try LoopbackServer()
    server.on("/token", .text("ok"))
    var request = HTTPRequest(.post, server.url("/token"))
    request.body = [UInt8](repeating: UInt8(ascii: "b"), count: 2_000_000)
    request.headers = [("Content-Type", "application/octet-stream")]
    #expect(try await transport().send(request).text == "ok")
    let received = try #require(server.requests.first)
    #expect(received.method == "POST")
    #expect(received.body == request.body)
    #expect(received["Expect"] == nil)
    _ = try await transport().send(HTTPRequest(.post, server.url("/token")))
    #expect(server.requests.last?["Content-Length"] == "0")
  }

  @Test func decodesChunksAndCompression() async throws {
    let server = try LoopbackServer()
    server.on("/chunks", .chunked([Array("one ".utf8), Array("two".utf8)]))
    server.on("/gzip", .gzip(Gzip.stored(Array("three".utf8))))
    let client = transport()
    #expect(try await client.send(get(server.url("/chunks"))).text == "one two")
    #expect(try await client.send(get(server.url("/gzip"))).text == "three")
  }

  @Test func reusesConnections() async throws {
    let server = try LoopbackServer()
    server.otherwise(.text("ok"))
    let client = transport()
    for number in 0..<20 { _ = try await client.send(get(server.url("/\(number)"))) }
    #expect(server.requests.count == 20)
    // curl closes a connection that is idle for two minutes, which can happen on a busy machine.
    #expect(server.connectionCount <= 3)
  }

  @Test func replacesAConnectionThatTheServerClosed() async throws {
    let server = try LoopbackServer()
    server.on("/") { _, connection in
      try connection.answer(body: [1])
      connection.close()
    }
    let client = transport()
    for _ in 0..<5 { #expect(try await client.send(get(server.url())).body == [1]) }
    #expect(server.connectionCount == 5)
  }

  @Test func ignoresProvisionalResponses() async throws {
    let server = try LoopbackServer()
    server.on("/") { _, connection in
      try connection.send("HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n")
      try connection.answer(status: 200, body: [7])
    }
    let response = try await transport().send(get(server.url()))
    #expect(response.status == 200)
    #expect(response.headers["Link"] == nil)
  }

  @Test func writesABodyToAFile() async throws {
    let server = try LoopbackServer()
    let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    server.on("/photo", .answer(body: bytes))
    let folder = try TemporaryFolder()
    try folder.write(String(repeating: "old and longer", count: 500_000), to: "photo")
    let response = try await transport().download(get(server.url("/photo")), to: folder.path + "/photo")
    #expect(response.status == 200)
    #expect(response.body.isEmpty)
    #expect(try folder.tree()["photo"].map { Array($0) } == bytes)
  }

  @Test func emptyBodyGivesAnEmptyFile() async throws {
    let server = try LoopbackServer()
    server.on("/", .answer())
    let folder = try TemporaryFolder()
    _ = try await transport().download(get(server.url()), to: folder.path + "/empty")
    #expect(try folder.tree()["empty"]?.count == 0)
  }

  @Test func reportsAnUnwritableFile() async throws {
    let server = try LoopbackServer()
    server.on("/", .text("x"))
    let error = await #expect(throws: HTTPError.self) {
      try await transport().download(get(server.url()), to: "/nonexistent/folder/file")
    }
    #expect(error?.kind == .file)
    #expect(error?.message.contains("/nonexistent/folder/file") == true)
    #expect(server.requests.isEmpty)
  }
}
