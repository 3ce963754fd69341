import HTTPTransport
import LoopbackServer
import Testing

/// `reach: .publicOnly`: URLs from a network must not lead into the user's private network.
@Suite struct ReachTests {
  let server: LoopbackServer

  init() throws {
    server = try LoopbackServer()
    server.otherwise(.text("inside"))
  }

  private func publicOnly(_ url: String) -> HTTPRequest {
    get(url) {
      $0.reach = .publicOnly
      $0.maximumRedirects = 3
      $0.limits.connectSeconds = 120
      $0.limits.totalSeconds = 300
    }
  }

  @Test(arguments: [
    "https://127.0.0.1", "https://localhost", "https://sub.localhost", "https://localhost.",
    "https://10.0.0.1",
    "https://169.254.169.254/latest/meta-data", "https://[::1]", "https://[::ffff:10.0.0.1]",
    "https://[fd00::1]", "https://0.0.0.0", "https://0", "https://2130706433", "https://0x7f.1",
    "https://017700000001", "https://100.64.0.1", "https://[64:ff9b::10.0.0.1]", "https://224.0.0.1",
    "https://127.0.0.1.", "http://127.0.0.1", "https://%31%32%37.0.0.1",
  ])
  func rejectsHostsThatAreNotPublic(url: String) async throws {
    let error = await failure(transport { $0.allowsLoopback = false }, publicOnly(url))
    #expect(error?.kind == .refusedAddress, "\(error.map { "\($0)" } ?? "")")
  }

  @Test(arguments: ["127.0.0.1", "10.1.2.3", "::1", "::ffff:127.0.0.1", "0.0.0.0", "fe80::1"])
  func checksTheAddressesOfNames(address: String) async throws {
    let client = transport {
      $0.allowsLoopback = false
      $0.fixedAddresses = [.init("media.example", port: server.port, leadsTo: address)]
    }
    let error = await failure(client, publicOnly("https://media.example:\(server.port)/"))
    #expect(error?.kind == .refusedAddress)
    #expect(server.connectionCount == 0)
  }

  @Test func checksEachRedirect() async throws {
    let client = transport {
      $0.fixedAddresses = [.init("media.example", port: 443, leadsTo: "10.1.2.3")]
    }
    server.on("/private", .redirect(to: "https://192.168.0.1/admin"))
    server.on("/name", .redirect(to: "https://media.example/photo"))
    server.on("/ok", .redirect(to: "/photo"))
    #expect(await failure(client, publicOnly(server.url("/private")))?.kind == .refusedAddress)
    #expect(await failure(client, publicOnly(server.url("/name")))?.kind == .refusedAddress)
    #expect(try await client.send(publicOnly(server.url("/ok"))).text == "inside")
  }

  @Test func doesNotReuseAConnectionOfAnotherReach() async throws {
    let client = transport()
    _ = try await client.send(get(server.url()))
    _ = try await client.send(publicOnly(server.url()))
    #expect(server.connectionCount == 2)
  }
}
