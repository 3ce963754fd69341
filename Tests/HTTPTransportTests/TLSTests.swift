import Foundation
import HTTPTransport
import LoopbackServer
import TestSupport
import Testing

@Suite struct TLSTests {
  @Test func offersHTTP2() async throws {
    let server = try LoopbackServer()
    let hello = Hello()
    server.onConnection { connection in
      hello.set(try connection.receive())
      connection.close()
    }
    _ = await failure(transport(), get("https://localhost:\(server.port)/"))
    // The names of ALPN (RFC 7301), each after its length.
    #expect(hello.holds(Array("\u{2}h2\u{8}http/1.1".utf8)))
  }

  @Test(.enabled(if: OpenSSLServer.exists, "openssl is not installed"))
  func trustsOnlyKnownAuthorities() async throws {
    let folder = try TemporaryFolder()
    let server = try OpenSSLServer(folder)
    defer { server.stop() }
    let url = "https://localhost:\(server.port)/"
    let error = await failure(transport(), get(url))
    #expect(error?.kind == .insecure, "\(error.map { "\($0)" } ?? "")")
    let believing = transport { $0.authorities = CertificateAuthorities(file: server.certificate) }
    #expect(try await believing.send(get(url)).status == 200)
    // The certificate is for another name.
    let wrongName = await failure(believing, get("https://127.0.0.1:\(server.port)/"))
    #expect(wrongName?.kind == .insecure)
  }
}

/// The first bytes of a connection.
private final class Hello: Sendable {
  private let bytes = Locked<[UInt8]>([])

  func set(_ value: [UInt8]) { bytes.set(value) }

  func holds(_ part: [UInt8]) -> Bool {
    let all = bytes.value
    return all.indices.contains { all[$0...].starts(with: part) }
  }
}
