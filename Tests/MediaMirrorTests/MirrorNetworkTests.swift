import HTTPTransport
import LoopbackServer
import MediaMirror
import Testing
import ThreadModel

/// The mirror with real connections to a server on this machine.
@Suite struct MirrorNetworkTests {
  let bench: MirrorBench
  let server: LoopbackServer

  init() throws {
    bench = try MirrorBench()
    server = try LoopbackServer()
    server.on("/good", .answer(body: Samples.png(width: 5, height: 5)))
  }

  private func mirror(
    _ paths: String..., allowsLoopback: Bool = true, imageBytes: Int = 1 << 20
  ) async throws -> (media: [Media], report: MediaReport) {
    var network = CurlOptions()
    network.allowsLoopback = allowsLoopback
    var options = MediaMirrorOptions()
    options.limits.imageBytes = imageBytes
    let mirror = try MediaMirror(
      store: bench.store, transport: CurlTransport(userAgent: "threadsite-test", options: network),
      options: options)
    let post = MirrorBench.post("1", media: paths.map { MirrorBench.photo(server.url($0)) })
    let (conversation, report) = await mirror.mirror(MirrorBench.conversation([post]))
    #expect(try bench.unfinished().isEmpty)
    return (conversation.media, report)
  }

  @Test func fetchesFiles() async throws {
    for index in 0..<50 {
      server.on("/\(index)", .answer(body: Samples.jpeg(width: 100 + index, height: 100, salt: "x")))
    }
    let mirror = try MediaMirror(
      store: bench.store,
      transport: {
        var options = CurlOptions()
        options.allowsLoopback = true
        return CurlTransport(userAgent: "threadsite-test", options: options)
      }())
    let post = MirrorBench.post("1", media: (0..<50).map { MirrorBench.photo(server.url("/\($0)")) })
    let (conversation, report) = await mirror.mirror(MirrorBench.conversation([post]))
    #expect(conversation.media.map(\.width) == (100..<150).map { $0 })
    #expect(report.fetched == 50)
    #expect(server.greatestConcurrency <= 8)
    #expect(try bench.names().count == 50)
    #expect(try bench.unfinished().isEmpty)
  }

  @Test func followsAtMostThreeRedirects() async throws {
    for hops in 1...4 { server.on("/\(hops)", .redirect(to: hops == 1 ? "/good" : "/\(hops - 1)")) }
    let (media, report) = try await mirror("/3", "/4")
    #expect(media[0].file != nil)
    #expect(media[1].file == nil)
    #expect(report.failures.map(\.url) == [server.url("/4")])
    #expect(server.requests.allSatisfy { $0["Authorization"] == nil && $0["Cookie"] == nil })
  }

  /// No packet is sent to these addresses, because they are rejected first.
  @Test(arguments: [
    "https://10.0.0.1/a.jpg", "https://192.168.1.1/a.jpg", "https://169.254.169.254/latest/meta-data",
    "https://[::ffff:10.0.0.1]/a.jpg", "https://[fe80::1]/a.jpg", "http://10.0.0.1/a.jpg",
    "file:///etc/passwd",
  ])
  func rejectsARedirectToAPrivateAddress(_ target: String) async throws {
    server.on("/away", .redirect(to: target))
    let (media, report) = try await mirror("/away", "/good")
    #expect(media[0].file == nil)
    #expect(media[1].file != nil)
    #expect(report.failures.map(\.isPassing) == [false])
  }

  @Test func rejectsThisMachineAsAPublicAddress() async throws {
    let (media, report) = try await mirror("/good", allowsLoopback: false)
    #expect(media[0].file == nil)
    #expect(report.failures.map(\.isPassing) == [false])
    #expect(server.requests.isEmpty)
  }

  @Test func faultsOfAServerLeaveNoFiles() async throws {
    server.on("/cut", .cut(after: 100, of: 1000))
    server.on("/endless", .endless)
    server.on("/hang-up", .hangUp)
    server.on("/page.jpg", .answer(headers: [("Content-Type", "image/jpeg")], body: Array("<html>".utf8)))
    let (media, report) = try await mirror("/cut", "/endless", "/hang-up", "/page.jpg", "/missing", "/good")
    #expect(media.map { $0.file != nil } == [false, false, false, false, false, true])
    #expect(report.fetched == 1)
    let passing = Dictionary(uniqueKeysWithValues: report.failures.map { ($0.url, $0.isPassing) })
    #expect(
      passing == [
        server.url("/cut"): true, server.url("/endless"): false, server.url("/hang-up"): true,
        server.url("/page.jpg"): false, server.url("/missing"): false,
      ])
    #expect(try bench.names().count == 1)
  }
}
