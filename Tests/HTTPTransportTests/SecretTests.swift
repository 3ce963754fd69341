import HTTPTransport
import LoopbackServer
import Testing

@Suite struct SecretTests {
  private let secret = Secret("hunter2")

  @Test func secretIsNeverPrinted() {
    var dumped = ""
    dump(secret, to: &dumped)
    dump([secret: [secret]], to: &dumped)
    var request = HTTPRequest(.get, "https://example.org/")
    request.authorization = secret
    dump(request, to: &dumped)
    let texts = [
      "\(secret)", String(describing: secret), String(reflecting: secret), secret.description,
      secret.debugDescription, "\(Optional(secret) as Any)", "\([secret])", "\(request)", dumped,
      "\(Mirror(reflecting: secret).children.map(\.value))", String(reflecting: request),
    ]
    for text in texts { #expect(!text.contains("hunter2"), "\(text)") }
    #expect("\(secret)" == "(redacted)")
    #expect(secret.revealed == "hunter2")
  }

  @Test func passwordOfAProxyIsNeverPrinted() {
    let proxies = ProxySettings { $0 == "https_proxy" ? "http://me:hunter2@proxy.example:3128" : nil }
    var text = "\(proxies) \(String(reflecting: proxies))"
    dump(proxies, to: &text)
    #expect(!text.contains("hunter2"))
  }

  @Test func errorsShowNoCredentials() async throws {
    let server = try LoopbackServer()
    server.on("/cut", .cut(after: 1, of: 100))
    server.on("/hangUp", .hangUp)
    server.on("/flood", .headerFlood)
    server.on("/endless", .endless)
    let client = transport()
    for path in ["/cut", "/hangUp", "/flood", "/endless"] {
      let error = await failure(
        client,
        get(server.url(path)) {
          $0.authorization = secret
          $0.limits.maximumBytes = 1000
        })
      var text = "\(error as Any)"
      dump(error, to: &text)
      #expect(!text.contains("hunter2"))
    }
    #expect(server.requests.allSatisfy { $0["Authorization"] == "hunter2" })
  }
}
