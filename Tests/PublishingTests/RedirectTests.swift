import Foundation
import HTTPTransport
import LoopbackServer
import Publishing
import SiteConfig
import SiteOutput
import TestSupport
import Testing

/// Targets with an API send their token to the host of `site.yml`, and to no host that a response names.
@Suite struct RedirectTests {
  private let site: PublishingSite
  /// The host of `site.yml`, which redirects.
  private let host: LoopbackServer
  private let other: LoopbackServer
  private let transport = CurlTransport(userAgent: "tests")

  init() throws {
    site = try PublishingSite(["index.html": "home", "a.css": "a"])
    (host, other) = (try LoopbackServer(), try LoopbackServer())
    other.otherwise(.answer(body: Array("{}".utf8)))
  }

  /// Publishes to a host that redirects every request with each of the statuses.
  private func check(_ target: (Int) throws -> some PublishTarget, token: String) async throws {
    for status in [301, 302, 303, 307, 308] {
      host.otherwise(.redirect(to: other.url("/elsewhere"), status: status))
      let target = try target(host.port)
      let error = await #expect(throws: PublishError.self, "\(status)") { try await site.publish(to: target) }
      #expect(error?.description.contains(token) == false)
    }
    #expect(host.requests.count >= 5)
    #expect(other.requests.isEmpty)
    await transport.shutdown()
  }

  @Test func s3SendsNoSignatureElsewhere() async throws {
    try await check({ try S3Place(port: $0, token: "a-session-token").target }, token: "a-session-token")
    #expect(host.requests.allSatisfy { $0["x-amz-security-token"] == "a-session-token" })
  }

  @Test(arguments: SiteConfig.Publish.GitPages.Authorization.allCases)
  func gitPagesSendsNoTokenElsewhere(_ authorization: SiteConfig.Publish.GitPages.Authorization) async throws
  {
    try await check(
      {
        GitPagesTarget(
          try SiteURL("http://127.0.0.1:\($0)/site/"), authorization, token: Secret("a-token-of-one-host"),
          transport: transport)
      }, token: "a-token-of-one-host")
  }

  @Test func neocitiesSendsNoKeyElsewhere() async throws {
    try await check(
      {
        var options = SiteConfig.Publish.Neocities()
        options.apiURL = try SiteURL("http://127.0.0.1:\($0)")
        return NeocitiesTarget(
          options, key: Secret("a-key-of-one-host"), replacesForeign: true, transport: transport)
      }, token: "a-key-of-one-host")
  }
}
