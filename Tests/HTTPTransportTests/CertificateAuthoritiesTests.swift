import HTTPTransport
import TestSupport
import Testing

@Suite struct CertificateAuthoritiesTests {
  private func file(_ variables: [String: String] = [:], readable: [String] = []) -> String? {
    CertificateAuthorities(variable: { variables[$0] }, isReadable: readable.contains).file
  }

  @Test func prefersVariablesToWellKnownFiles() {
    let files = CertificateAuthorities.wellKnownFiles
    #expect(file(["SSL_CERT_FILE": "/a"], readable: files) == "/a")
    #expect(file(["CURL_CA_BUNDLE": "/b", "SSL_CERT_FILE": "/a"], readable: files) == "/b")
    #expect(file(["CURL_CA_BUNDLE": "", "SSL_CERT_FILE": "/a"], readable: files) == "/a")
    #expect(file(["CURL_CA_BUNDLE": ""], readable: files) == files[0])
  }

  @Test func usesTheFirstReadableWellKnownFile() {
    let files = CertificateAuthorities.wellKnownFiles
    for number in files.indices {
      #expect(file(readable: Array(files[number...])) == files[number])
    }
    #expect(file() == nil)
  }

  @Test(.enabled(if: OpenSSLServer.exists, "openssl is not installed"))
  func trustsTheAuthoritiesOfTheEnvironment() async throws {
    let folder = try TemporaryFolder()
    let server = try OpenSSLServer(folder)
    defer { server.stop() }
    let url = "https://localhost:\(server.port)/"
    let client = transport {
      $0.authorities = CertificateAuthorities(
        variable: { $0 == "SSL_CERT_FILE" ? server.certificate : nil }, isReadable: { _ in true })
    }
    #expect(try await client.send(get(url)).status == 200)
  }

  @Test(.enabled(if: OpenSSLServer.exists, "openssl is not installed"))
  func reportsAMissingFileThatTheEnvironmentNames() async throws {
    let folder = try TemporaryFolder()
    let server = try OpenSSLServer(folder)
    defer { server.stop() }
    let client = transport { $0.authorities = CertificateAuthorities(file: "/nonexistent/authorities.pem") }
    let error = await failure(client, get("https://localhost:\(server.port)/"))
    #expect(error?.kind == .insecure)
    #expect(error?.message.contains("/nonexistent/authorities.pem") == true)
  }

  @Test(.enabled(if: OpenSSLServer.exists, "openssl is not installed"))
  func advisesToInstallAuthoritiesIfThereAreNone() async throws {
    let folder = try TemporaryFolder()
    let server = try OpenSSLServer(folder)
    defer { server.stop() }
    let client = transport {
      $0.authorities = CertificateAuthorities(variable: { _ in nil }, isReadable: { _ in false })
    }
    let error = await failure(client, get("https://localhost:\(server.port)/"))
    #expect(error?.kind == .insecure)
    #expect(error?.message.contains("install ca-certificates") == true)
  }
}
