import Foundation
import HTTPTransport
import Intake
import SiteConfig
import SiteWorkspace
import Synchronization
import TestSupport
import Testing
import ThreadModel
import ThreadStore

/// A site that fetches in the process of the tests from stubs on loopback. Its connection can be cut after a
/// number of requests.
final class FetchBench: Sendable {
  /// A connection that fails after a number of requests.
  private final class BreakingTransport: HTTPTransport {
    let base: CurlTransport
    let remaining = Mutex(Int.max)

    init(_ base: CurlTransport) { self.base = base }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
      let isOpen = remaining.withLock { remaining in
        remaining -= 1
        return remaining >= 0
      }
      guard isOpen else { throw HTTPError(.other, "the connection was cut", url: request.url) }
      return try await base.send(request)
    }

    func download(_ request: HTTPRequest, to path: String) async throws(HTTPError) -> HTTPResponse {
      try await base.download(request, to: path)
    }
  }

  let folder: TemporaryFolder
  private let transport: BreakingTransport
  private let curl: CurlTransport

  /// - Parameter configuration: members of site.yml with the stub's URL.
  init(_ configuration: String) throws {
    folder = try TemporaryFolder()
    try folder.write("title: Fetched\nmedia: link\n\(configuration)\n", to: "site.yml")
    var options = CurlOptions()
    options.allowsLoopback = true
    curl = CurlTransport(userAgent: "threadsite-tests/1", options: options)
    transport = BreakingTransport(curl)
  }

  /// Ends the transport's thread.
  func finish() async { await curl.shutdown() }

  /// Deletes everything that was fetched.
  func clear() throws {
    for name in ["threads", ".threadsite"] where folder.exists(name) { try folder.remove(name) }
  }

  /// Adds a thread by the URL of one of its posts.
  ///
  /// - Parameter requests: the number of requests after which the connection is cut.
  @discardableResult
  func add(_ address: String, cutAfter requests: Int = .max) async throws -> FetchSummary {
    transport.remaining.withLock { $0 = requests }
    let site = try SiteFolder.open(
      configFile: folder.path + "/site.yml", isDefault: true, progress: { _ in })
    let services = FetchServices(
      environment: [:], api: transport, media: transport, now: { Timestamp(seconds: 1_800_000_000) })
    let post = try site.networks.addresses.post(address)
    return try await SiteFetch(
      site, options: FetchOptions(.only([post])), services: services, jobs: 1, progress: { _ in }
    ).run()
  }

  func conversations() throws -> [Conversation] {
    let store = ThreadStore(folder: folder.path + "/threads")
    return try store.list().map { try store.read($0) }
  }
}
