import Basics
import Foundation
import HTTPTransport
import LoopbackServer
import Publishing
import SiteConfig
import SiteOutput
import TestSupport
import Testing

/// Independent servers with the S3 API; `Tests/Peers/servers` installs them.
@Suite("Independent S3 servers", .serialized) struct S3PeerTests {
  static let access = "threadsite-test-key"
  static let secret = "a-secret-key-for-tests-only-1234567890"

  /// A server that checks signatures strictly and stores objects as files, so the test can read them
  /// directly.
  @Test(.enabled(if: PeerPrograms.has("rclone"), "needs rclone; Tests/Peers/servers installs it"))
  func publishesToRclone() async throws {
    let site = try PublishingSite()
    let port = try PeerPrograms.freePort()
    try FileManager.default.createDirectory(
      atPath: site.top.path + "/objects/pages", withIntermediateDirectories: true)
    let server = try PeerServer(
      try #require(PeerPrograms.path("rclone")),
      [
        "serve", "s3", "--addr", "127.0.0.1:\(port)", "--auth-key", "\(Self.access),\(Self.secret)",
        "--config", "/dev/null",
        site.top.path + "/objects",
      ], in: site.top.path)
    defer { withExtendedLifetime(server) {} }
    try PeerPrograms.wait(for: port)
    func there() throws -> [String: Data] {
      var tree = try site.top.tree("objects/pages")
      tree[".threadsite/published.json"] = nil
      return tree
    }
    let target = try S3Place(port: port)
    let first = try await site.publish(to: target.target)
    #expect(first?.added.count == PublishingSite.files.count)
    #expect(try there() == site.content())
    #expect(try await site.publish(to: target.target)?.isEmpty == true)
    try site.change()
    PublishingSite.expectChange(try await target.target.compare(site.published).difference)
    PublishingSite.expectChange(try await site.publish(to: target.target))
    #expect(try there() == site.content())
    // Foreign objects stay.
    try site.top.write("theirs", to: "objects/pages/theirs.txt")
    try site.top.write("more", to: "site/more.html")
    try await site.publish(to: target.target)
    #expect(try site.top.text("objects/pages/theirs.txt") == "theirs")
    let wrong = try S3Place(port: port, secret: "another-secret-key-that-is-wrong-1234")
    let refused = await #expect(throws: PublishError.self) { try await site.publish(to: wrong.target) }
    #expect(refused?.kind == .access, "\(refused?.description ?? "")")
    #expect(refused?.description.contains("another-secret") == false)
    await target.transport.shutdown()
    await wrong.transport.shutdown()
  }

  /// A server that supports conditions, metadata and headers.
  @Test(.enabled(if: PeerPrograms.has("weed"), "needs SeaweedFS; Tests/Peers/servers installs it"))
  func publishesToSeaweedFS() async throws {
    let site = try PublishingSite()
    let seaweed = try await SeaweedServer(in: site.top)
    let place = try S3Place(port: seaweed.port, prefix: "blog/日本/")
    let wrong = try S3Place(port: seaweed.port, secret: "another-secret-key-that-is-wrong-1234")
    let missing = try S3Place(port: seaweed.port, bucket: "no-such-bucket")
    let raw = RawS3(port: seaweed.port, transport: place.transport)
    try await raw.makeBucket("pages")
    func expectTheSite() async throws {
      for (path, data) in try site.content() {
        let response = try await raw.get("/pages/blog/日本/\(path)")
        #expect(response.status == 200 && Data(response.body) == data, "\(path): \(response.status)")
      }
    }
    try await site.publish(to: place.target)
    try await expectTheSite()
    // As a browser receives them.
    let page = try await raw.get("/pages/blog/日本/index.html")
    #expect(page.headers["content-type"] == "text/html; charset=utf-8")
    #expect(page.headers["cache-control"] == "public, max-age=0, must-revalidate")
    let style = try await raw.get("/pages/blog/日本/assets/site.css")
    #expect(style.headers["content-type"] == "text/css; charset=utf-8")
    #expect(style.headers["cache-control"] == "public, max-age=31536000, immutable")
    #expect(try await site.publish(to: place.target)?.isEmpty == true)
    try site.change()
    PublishingSite.expectChange(try await site.publish(to: place.target))
    try await expectTheSite()
    #expect(try await raw.get("/pages/blog/日本/x/@ada/هذا-1/index.html").status == 404)

    // Two programs publish at the same time: the second one reports a conflict, and no file of the first is
    // lost.
    try site.top.write("first", to: "site/first.html")
    let late = try await place.target.compare(site.published)
    try await site.publish(to: place.target)
    guard case .failure(let conflict) = await late.carryOut() else {
      Issue.record("both runs published")
      return
    }
    #expect(conflict.kind == .conflict)
    try await expectTheSite()

    // The files of an interrupted run are checked and not sent again.
    let list = "/pages/blog/日本/.threadsite/published.json"
    var value = try #require(
      try JSONSerialization.jsonObject(with: Data(try await raw.get(list).body)) as? [String: Any])
    var files = try #require(value["files"] as? [String: [String]])
    files["index.html"] = [""] + (files["index.html"] ?? [])
    files["feed.xml"] = ["another", "and another"]
    value["files"] = files
    try await raw.put(list, Array(try JSONSerialization.data(withJSONObject: value)))
    let difference = try await site.publish(to: place.target)
    #expect(difference?.changed.map(\.path.text) == ["feed.xml"])
    #expect(try await site.publish(to: place.target)?.isEmpty == true)

    let refused = await #expect(throws: PublishError.self) { try await site.publish(to: wrong.target) }
    #expect(refused?.kind == .access, "\(refused?.description ?? "")")
    let none = await #expect(throws: PublishError.self) { try await site.publish(to: missing.target) }
    #expect(none?.kind == .configuration, "\(none?.description ?? "")")
    for place in [place, wrong, missing] { await place.transport.shutdown() }
  }
}

/// Faults that a correct server never has.
@Suite struct S3FaultTests {
  private let site: PublishingSite
  private let server: LoopbackServer
  private let place: S3Place

  init() throws {
    site = try PublishingSite(["index.html": "home", "assets/a.css": "a", "b/index.html": "b"])
    server = try LoopbackServer()
    place = try S3Place(port: server.port)
    server.on("/pages/.threadsite/published.json") { request, connection in
      if request.method == "GET" {
        try connection.answer(
          status: 404, headers: [], body: Array("<Error><Code>NoSuchKey</Code></Error>".utf8))
      } else {
        try connection.answer(status: 200, headers: [("ETag", "\"1\"")], body: [])
      }
    }
    server.otherwise(.answer())
  }

  private func uploads() -> [String] { server.requests.filter { $0.method == "PUT" }.map(\.path) }

  @Test func uploadsFilesBeforePagesAndTheListTwice() async throws {
    try await site.publish(to: place.target)
    #expect(
      uploads() == [
        "/pages/.threadsite/published.json", "/pages/assets/a.css", "/pages/b/index.html",
        "/pages/index.html",
        "/pages/.threadsite/published.json",
      ])
    let puts = server.requests.filter { $0.method == "PUT" }
    #expect(puts.first?["if-none-match"] == "*")
    #expect(puts.last?["if-match"] == "\"1\"")
    #expect(puts.allSatisfy { $0["authorization"]?.contains("SignedHeaders=") == true })
    // The first list names the files that may follow, the last one those that exist.
    let intention = String(decoding: puts.first?.body ?? [], as: UTF8.self)
    #expect(intention.contains("\"\","))
    #expect(puts.map(\.body.count).min() == 1)
    await place.transport.shutdown()
  }

  @Test func failedUploadDeletesNothingAndKeepsTheList() async throws {
    let answer = """
      {"version":1,"files":{"old.html":["x"],"index.html":["y"]}}
      """
    server.on("/pages/.threadsite/published.json") { request, connection in
      try connection.answer(
        status: 200, headers: [("ETag", "\"1\"")], body: request.method == "GET" ? Array(answer.utf8) : [])
    }
    server.on("/pages/b/index.html", .cut(after: 0, of: 10))
    let error = await #expect(throws: PublishError.self) { try await site.publish(to: place.target) }
    #expect(error?.kind == .network)
    #expect(server.requests.allSatisfy { $0.method != "DELETE" })
    #expect(server.requests(of: "/pages/.threadsite/published.json").count == 2)
    // Pages that link to others wait for them.
    #expect(server.requests(of: "/pages/index.html").isEmpty)
    server.on("/pages/b/index.html", .answer())
    try await site.publish(to: place.target)
    #expect(server.requests.filter { $0.method == "DELETE" }.map(\.path) == ["/pages/old.html"])
    await place.transport.shutdown()
  }

  @Test func errorsAdviseWhatToDo() async throws {
    for (status, code, kind) in [
      (403, "InvalidAccessKeyId", PublishError.Kind.access), (403, "RequestTimeTooSkewed", .access),
      (404, "NoSuchBucket", .configuration), (301, "PermanentRedirect", .configuration), (418, "", .network),
    ] {
      server.on(
        "/pages/.threadsite/published.json",
        .answer(status: status, body: Array("<Error><Code>\(code)</Code></Error>".utf8)))
      let error = await #expect(throws: PublishError.self) { try await site.publish(to: place.target) }
      #expect(error?.kind == kind, "\(error?.description ?? "")")
      #expect(code.isEmpty || error?.description.contains(code) == true)
      #expect(error?.description.contains(S3PeerTests.secret) == false)
    }
    await place.transport.shutdown()
  }

  /// A list from the bucket cannot name files outside of it.
  @Test func doesNotTrustTheList() async throws {
    for list in ["{\"version\":1,\"files\":{\"../other/x\":[\"1\"]}}", "{\"version\":9}", "<html>"] {
      server.on("/pages/.threadsite/published.json", .answer(body: Array(list.utf8)))
      let error = await #expect(throws: PublishError.self) { try await site.publish(to: place.target) }
      #expect(error?.kind == .content)
    }
    #expect(server.requests.allSatisfy { $0.method == "GET" })
    await place.transport.shutdown()
  }

  @Test func signsSessionTokens() async throws {
    let place = try S3Place(port: server.port, token: "a-session-token")
    try await site.publish(to: place.target)
    #expect(server.requests.allSatisfy { $0["x-amz-security-token"] == "a-session-token" })
    #expect(server.requests.allSatisfy { $0["authorization"]?.contains("x-amz-security-token") == true })
    await place.transport.shutdown()
  }
}

/// A bucket on loopback as in site.yml.
struct S3Place {
  let target: S3Target
  let transport: CurlTransport

  init(
    port: Int, bucket: String = "pages", prefix: String = "", secret: String = S3PeerTests.secret,
    token: String? = nil
  ) throws {
    transport = CurlTransport(userAgent: "tests")
    var options = SiteConfig.Publish.S3(bucket: bucket)
    options.endpoint = try SiteURL("http://127.0.0.1:\(port)")
    options.prefix = prefix
    target = S3Target(
      options,
      credentials: AWSCredentials(
        accessKey: S3PeerTests.access, secretKey: Secret(secret), sessionToken: token.map { Secret($0) }),
      transport: transport, now: { Int(Date().timeIntervalSince1970) })
  }
}

/// SeaweedFS with one key.
struct SeaweedServer {
  let port: Int
  private let server: PeerServer

  init(in folder: TemporaryFolder) async throws {
    try folder.write(
      """
      {"identities":[{"name":"t","credentials":[{"accessKey":"\(S3PeerTests.access)","secretKey":"\(S3PeerTests.secret)"}],
      "actions":["Admin","Read","Write","List","Tagging"]}]}
      """, to: "s3.json")
    // It uses eight ports, and another program may take one of them first.
    for attempt in 0..<3 {
      let (port, server) = try Self.start(in: folder, attempt)
      if try await Self.isReady(port) {
        (self.port, self.server) = (port, server)
        return
      }
    }
    throw CancellationError()
  }

  private static func start(in folder: TemporaryFolder, _ attempt: Int) throws -> (Int, PeerServer) {
    try folder.write("", to: "weed-\(attempt)/empty")
    let port = try PeerPrograms.freePort()
    let ports = try [
      "master.port", "volume.port", "filer.port", "master.port.grpc", "volume.port.grpc", "filer.port.grpc",
      "s3.port.grpc",
    ].map { "-\($0)=\(try PeerPrograms.freePort())" }
    let server = try PeerServer(
      try #require(PeerPrograms.path("weed")),
      [
        "server", "-ip=127.0.0.1", "-ip.bind=127.0.0.1", "-dir=\(folder.path)/weed-\(attempt)", "-filer",
        "-s3",
        "-s3.port=\(port)", "-s3.config=\(folder.path)/s3.json", "-master.volumeSizeLimitMB=64",
        "-volume.max=20", "-s3.port.iceberg=0", "-s3.port.lance=0",
      ] + ports, in: folder.path)
    return (port, server)
  }

  /// Waits until it answers, which happens some time after it listens.
  private static func isReady(_ port: Int) async throws -> Bool {
    let transport = CurlTransport(userAgent: "tests")
    for _ in 0..<1000 {
      let response = try? await RawS3(port: port, transport: transport).put("/ready", [])
      if response?.status == 200 {
        await transport.shutdown()
        return true
      }
      try await Task.sleep(for: .milliseconds(300))
    }
    await transport.shutdown()
    return false
  }
}

/// Handwritten requests.
struct RawS3 {
  let port: Int
  let transport: CurlTransport

  func makeBucket(_ name: String) async throws {
    let response = try await put("/" + name, [])
    try #require(
      response.status == 200, "\(response.status) \(String(decoding: response.body, as: UTF8.self))")
  }

  func get(_ path: String) async throws -> HTTPResponse { try await send(.get, path, nil) }

  @discardableResult
  func put(_ path: String, _ body: [UInt8]) async throws -> HTTPResponse { try await send(.put, path, body) }

  private func send(_ method: HTTPRequest.Method, _ path: String, _ body: [UInt8]?) async throws
    -> HTTPResponse
  {
    let path = AWSSignature.encoded(path: path)
    var request = HTTPRequest(method, "http://127.0.0.1:\(port)\(path)")
    request.body = body
    let signature = AWSSignature(
      AWSCredentials(accessKey: S3PeerTests.access, secretKey: Secret(S3PeerTests.secret)),
      region: "us-east-1")
    signature.sign(
      &request, host: "127.0.0.1:\(port)", path: path,
      payload: Hexadecimal.digits(SHA256.hash(body ?? [])),
      seconds: Int(Date().timeIntervalSince1970))
    return try await transport.send(request)
  }
}
