import HTTPTransport
import LoopbackServer
import Testing

@Suite struct ProxyTests {
  private func settings(_ variables: [String: String]) -> ProxySettings { ProxySettings { variables[$0] } }

  private func proxy(_ variables: [String: String], for url: String) throws -> String? {
    settings(variables).proxy(for: try TransferTarget(url))?.revealed
  }

  @Test func readsTheUsualVariables() throws {
    let url = "https://example.org/"
    #expect(try proxy([:], for: url) == nil)
    #expect(try proxy(["HTTPS_PROXY": "a"], for: url) == "a")
    #expect(try proxy(["HTTPS_PROXY": "a", "https_proxy": "b"], for: url) == "b")
    #expect(try proxy(["ALL_PROXY": "c"], for: url) == "c")
    #expect(try proxy(["https_proxy": "", "all_proxy": "d"], for: url) == "d")
    #expect(try proxy(["http_proxy": "e"], for: url) == nil)
  }

  @Test(arguments: [
    ("*", "https://example.org/"), ("example.org", "https://example.org/"),
    (".example.org", "https://a.EXAMPLE.org/"),
    ("x, Example.Org", "https://a.example.org./"), ("10.0.0.0/8", "https://10.2.3.4/"),
    ("10.2.3.4", "https://10.2.3.4/"), ("fd00::/8", "https://[fd00::1]/"), ("", "https://127.0.0.1/"),
    ("", "https://localhost/"),
  ])
  func exceptionsUseADirectConnection(noProxy: String, url: String) throws {
    #expect(try proxy(["https_proxy": "p", "no_proxy": noProxy], for: url) == nil)
    #expect(try proxy(["https_proxy": "p", "NO_PROXY": noProxy], for: url) == nil)
  }

  @Test(arguments: [
    ("example.org", "https://notexample.org/"), ("a.example.org", "https://example.org/"),
    ("10.0.0.0/8", "https://11.0.0.1/"), (".", "https://example.org/"), ("10.0.0.0/x", "https://10.0.0.1/"),
  ])
  func otherHostsUseTheProxy(noProxy: String, url: String) throws {
    #expect(try proxy(["https_proxy": "p", "no_proxy": noProxy], for: url) == "p")
  }

  @Test func proxyGetsTheHostWithoutCredentials() async throws {
    let server = try LoopbackServer()
    server.otherwise(.answer(status: 403))
    let client = transport {
      $0.allowsLoopback = false
      $0.proxies = settings(["https_proxy": "http://127.0.0.1:\(server.port)"])
    }
    let error = await failure(
      client, get("https://api.example/secret?x") { $0.authorization = Secret("Bearer hunter2") })
    #expect(error != nil)
    let request = try #require(server.requests.first)
    #expect(request.method == "CONNECT")
    #expect(request.target == "api.example:443")
    #expect(request["Authorization"] == nil)
    // The same for `publicOnly`: the socket connects to the proxy, which may have a private address.
    _ = await failure(client, get("https://media.example/") { $0.reach = .publicOnly })
    #expect(server.requests.last?.target == "media.example:443")
    // But a URL with a private address is rejected.
    let count = server.requests.count
    let refused = await failure(client, get("https://10.0.0.1/") { $0.reach = .publicOnly })
    #expect(refused?.kind == .refusedAddress)
    #expect(server.requests.count == count)
  }
}
