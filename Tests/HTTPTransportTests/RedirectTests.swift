import HTTPTransport
import LoopbackServer
import TestSupport
import Testing

@Suite struct RedirectTests {
  let server: LoopbackServer

  init() throws {
    server = try LoopbackServer()
    server.on("/end", .text("the end"))
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func followsRedirects(status: Int) async throws {
    server.on("/a/start", .redirect(to: "../b", status: status))
    server.on("/b", .redirect(to: server.url("/end"), status: status))
    let response = try await transport().send(get(server.url("/a/start")) { $0.maximumRedirects = 2 })
    #expect(response.text == "the end")
    #expect(response.status == 200)
    #expect(response.url == server.url("/end"))
  }

  @Test func tooManyRedirectsAreAnError() async throws {
    server.on("/loop", .redirect(to: "/loop"))
    let error = await failure(transport(), get(server.url("/loop")) { $0.maximumRedirects = 3 })
    #expect(error?.kind == .refusedRedirect)
    #expect(server.requests.count == 4)
  }

  @Test func returnsARedirectByDefault() async throws {
    server.on("/start", .redirect(to: "/end"))
    let response = try await transport().send(get(server.url("/start")))
    #expect(response.status == 302)
    #expect(response.headers["Location"] == "/end")
    #expect(response.text == "over there")
    #expect(server.requests.count == 1)
  }

  @Test func doesNotRedirectAPost() async throws {
    server.on("/start", .redirect(to: "/end", status: 307))
    var request = HTTPRequest(.post, server.url("/start"))
    request.maximumRedirects = 5
    #expect(try await transport().send(request).status == 307)
    #expect(server.requests.count == 1)
  }

  @Test func credentialsDoNotFollowARedirect() async throws {
    let other = try LoopbackServer()
    other.otherwise(.text("caught"))
    server.on("/start", .redirect(to: other.url("/catch")))
    server.on("/inside", .redirect(to: "/end"))
    let client = transport()
    for path in ["/start", "/inside"] {
      let response = try await client.send(
        get(server.url(path)) {
          $0.authorization = Secret("Bearer hunter2")
          $0.maximumRedirects = 5
        })
      #expect(response.status == 302)
    }
    #expect(other.requests.isEmpty)
    #expect(server.requests.map(\.path) == ["/start", "/inside"])
    #expect(server.requests.allSatisfy { $0["Authorization"] == "Bearer hunter2" })
    // Later requests use neither the header nor the connection.
    _ = try await client.send(get(server.url("/end")))
    let last = try #require(server.requests.last)
    #expect(last["Authorization"] == nil)
    #expect(last.connection != server.requests[0].connection)
  }

  @Test func discardsTheBodyOfARedirect() async throws {
    server.on("/start", .redirect(to: "/end"))
    let folder = try TemporaryFolder()
    _ = try await transport().download(
      get(server.url("/start")) { $0.maximumRedirects = 1 }, to: folder.path + "/file")
    #expect(try folder.text("file") == "the end")
  }

  @Test(arguments: [
    "http://example.org/", "ftp://127.0.0.1/", "file:///etc/passwd", "https://user:pass@127.0.0.1/",
    "gopher://127.0.0.1/", "//example.org/", "http://", "http://[::ffff:127.0.0.1]/",
  ])
  func rejectsRedirectsToOtherSchemes(location: String) async throws {
    server.on("/start", .redirect(to: location))
    let error = await failure(transport(), get(server.url("/start")) { $0.maximumRedirects = 5 })
    #expect(error?.kind == .refusedRedirect)
    #expect(error.map { "\($0)".contains("pass@") } == false)
  }

  @Test func followsARedirectToHTTPOnThisMachine() async throws {
    server.on("/start", .redirect(to: "http://localhost:\(server.port)/end"))
    let response = try await transport().send(get(server.url("/start")) { $0.maximumRedirects = 1 })
    #expect(response.text == "the end")
  }

  @Test func timeLimitIncludesAllRedirects() async throws {
    server.on("/loop", .later(milliseconds: 300, .redirect(to: "/loop")))
    let error = await failure(
      transport(),
      get(server.url("/loop")) {
        $0.maximumRedirects = 1000
        $0.limits.totalSeconds = 1
      })
    #expect(error?.kind == .timedOut)
    #expect(server.requests.count <= 4)
  }
}
