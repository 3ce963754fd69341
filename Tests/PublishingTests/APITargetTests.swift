import Foundation
import HTTPTransport
import Publishing
import SiteConfig
import SiteOutput
import TestSupport
import Testing

/// git-pages, according to its README and its source.
@Suite(.enabled(if: PeerPrograms.has("python3"), "needs python3")) struct GitPagesTargetTests {
  private let site: PublishingSite
  private let host: HostServer

  init() throws {
    site = try PublishingSite()
    host = try HostServer("git_pages.py", for: site)
  }

  private func target(
    _ token: String = "right-token", _ authorization: SiteConfig.Publish.GitPages.Authorization = .forge
  ) throws -> GitPagesTarget {
    GitPagesTarget(
      try SiteURL("http://127.0.0.1:\(host.port)/site/"), authorization, token: Secret(token),
      transport: host.transport)
  }

  @Test(arguments: SiteConfig.Publish.GitPages.Authorization.allCases)
  func sendsOnlyFilesThatTheServerLacks(_ authorization: SiteConfig.Publish.GitPages.Authorization)
    async throws
  {
    let target = try target("right-token", authorization)
    let first = try await site.publish(to: target)
    #expect(first?.added.count == PublishingSite.files.count)
    #expect(try host.content() == site.content())
    #expect(try host.log() == ["PUT \(PublishingSite.files.count) 0"])
    #expect(try await site.publish(to: target)?.isEmpty == true)
    try site.change()
    PublishingSite.expectChange(try await target.compare(site.published).difference)
    #expect(try host.log().isEmpty)
    PublishingSite.expectChange(try await site.publish(to: target))
    // The new page, the style sheet, and `_headers`, of which the server keeps no file.
    #expect(try host.log() == ["PUT 3 0"])
    #expect(try host.content() == site.content())
    try site.top.write("/*\n  X-Robots-Tag: noindex\n", to: "site/_headers")
    #expect(try await site.publish(to: target)?.changed.map(\.path.text) == ["_headers"])
    await host.transport.shutdown()
  }

  @Test func sendsFilesAgainThatTheServerForgot() async throws {
    let target = try target()
    try await site.publish(to: target)
    try site.change()
    try host.fail("forget")
    _ = try host.log()
    try await site.publish(to: target)
    #expect(try host.log() == ["PUT 3 1", "PUT 4 0"])
    #expect(try host.content() == site.content())
    await host.transport.shutdown()
  }

  @Test func failureLeavesTheSiteUnchanged() async throws {
    let target = try target()
    try await site.publish(to: target)
    let before = try host.content()
    try site.change()
    for (fault, kind) in [("cut", PublishError.Kind.network), ("large", .content), ("damaged", .network)] {
      try host.fail(fault)
      let error = await #expect(throws: PublishError.self) { try await site.publish(to: target) }
      #expect(error?.kind == kind, "\(error?.description ?? "")")
      #expect(try host.content() == before)
    }
    try host.fail("problem")
    let problem = await #expect(throws: PublishError.self) { try await site.publish(to: target) }
    #expect(problem?.description.contains("placeholders are not supported") == true)
    try host.fail("")
    #expect(try await site.publish(to: target)?.isEmpty == false)
    #expect(try host.content() == site.content())
    await host.transport.shutdown()
  }

  @Test func reportsAWrongToken() async throws {
    for authorization in SiteConfig.Publish.GitPages.Authorization.allCases {
      let error = await #expect(throws: PublishError.self) {
        try await site.publish(to: target("wrong-token", authorization))
      }
      #expect(error?.kind == .access)
      #expect(error?.description.contains("wrong-token") == false)
    }
    #expect(try host.content().isEmpty)
    await host.transport.shutdown()
  }

  @Test func doesNotOverwriteAConcurrentChange() async throws {
    let target = try target()
    try await site.publish(to: target)
    try site.change()
    let work = try await target.compare(site.published)
    try site.top.write("theirs", to: "site/theirs.html")
    try await site.publish(to: target)
    let there = try host.content()
    let error = await #expect(throws: PublishError.self) { try await work.carryOut().get() }
    #expect(error?.kind == .conflict)
    #expect(try host.content() == there)
    await host.transport.shutdown()
  }
}

/// Neocities, according to the API in its source.
@Suite(.enabled(if: PeerPrograms.has("python3"), "needs python3")) struct NeocitiesTargetTests {
  private let site: PublishingSite
  private let host: HostServer
  private static let files = PublishingSite.files.filter { !$0.key.contains("\\") }

  init() throws {
    site = try PublishingSite(Self.files)
    host = try HostServer("neocities.py", for: site)
  }

  private func target(
    _ key: String = "right-key", isSupporter: Bool = false, replacesForeign: Bool = false
  ) throws -> NeocitiesTarget {
    var options = SiteConfig.Publish.Neocities()
    options.isSupporter = isSupporter
    options.apiURL = try SiteURL("http://127.0.0.1:\(host.port)")
    return NeocitiesTarget(
      options, key: Secret(key), replacesForeign: replacesForeign, transport: host.transport)
  }

  /// The site without files for other hosts.
  private func expected() throws -> [String: Data] {
    try site.content().filter { ![".nojekyll", "_headers"].contains($0.key) }
  }

  /// The published files without the list.
  private func publishedFiles() throws -> [String: Data] {
    var content = try host.content()
    content["threadsite-published.json"] = nil
    return content
  }

  @Test func publishesTheSite() async throws {
    try site.top.write("not here", to: "site/404.html")
    try await site.publish(to: target())
    var expected = try expected()
    expected["not_found.html"] = Data("not here".utf8)
    #expect(try publishedFiles() == expected)
    #expect(try await site.publish(to: target())?.isEmpty == true)
    try site.change()
    let difference = try await site.publish(to: target())
    #expect(difference?.added.map(\.path.text) == ["x/bo/3/index.html"])
    #expect(difference?.changed.map(\.path.text) == ["assets/site.css"])
    #expect(difference?.removed.map(\.text) == ["x/@ada/هذا-1/index.html"])
    expected = try self.expected()
    expected["not_found.html"] = Data("not here".utf8)
    #expect(try publishedFiles() == expected)
    await host.transport.shutdown()
  }

  @Test func keepsFilesOfOthers() async throws {
    try site.top.write("welcome", to: "host/now/index.html")
    try site.top.write("mine", to: "host/now/recipes.html")
    let error = await #expect(throws: PublishError.self) { try await site.publish(to: target()) }
    #expect(error?.kind == .content)
    #expect(error?.description.contains("index.html") == true)
    #expect(try host.log().isEmpty)
    try await site.publish(to: target(replacesForeign: true))
    #expect(try site.top.text("host/now/recipes.html") == "mine")
    #expect(try site.top.text("host/now/index.html") == PublishingSite.files["index.html"])
    // Later runs know the file.
    try site.top.write("<!doctype html><title>New</title>", to: "site/index.html")
    try await site.publish(to: target())
    #expect(try site.top.text("host/now/index.html") == "<!doctype html><title>New</title>")
    await host.transport.shutdown()
  }

  @Test func uploadsManyFilesInBatches() async throws {
    for number in 0..<120 { try site.top.write("\(number)", to: "site/n/\(number).txt") }
    try await site.publish(to: target())
    let uploads = try host.log().count { $0 == "/api/upload" }
    // The list twice; parts, pages and lists one after another.
    #expect(uploads == 2 + 3 + 1 + 1)
    #expect(try publishedFiles() == expected())
    for number in 0..<120 { try site.top.remove("site/n/\(number).txt") }
    try site.top.remove("site/n")
    try await site.publish(to: target())
    #expect(try host.log().count { $0 == "/api/delete" } == 3)
    #expect(try publishedFiles() == expected())
    await host.transport.shutdown()
  }

  @Test func resumesAnInterruptedRun() async throws {
    try host.fail("cut")
    let error = await #expect(throws: PublishError.self) { try await site.publish(to: target()) }
    #expect(error?.kind == .network, "\(error?.description ?? "")")
    try host.fail("")
    try await site.publish(to: target())
    #expect(try publishedFiles() == expected())
    await host.transport.shutdown()
  }

  @Test func reportsUnsupportedFilesBeforeUploading() async throws {
    try site.top.write("film", to: "site/media/film.mp4")
    let error = await #expect(throws: PublishError.self) { try await site.publish(to: target()) }
    #expect(error?.kind == .content)
    #expect(error?.description.contains("media/film.mp4") == true)
    #expect(try host.log().isEmpty)
    let refused = await #expect(throws: PublishError.self) { try await site.publish(to: target("wrong")) }
    #expect(refused?.kind == .content)
    try site.top.remove("site/media/film.mp4")
    let key = await #expect(throws: PublishError.self) { try await site.publish(to: target("wrong")) }
    #expect(key?.kind == .access)
    try host.fail("full")
    let full = await #expect(throws: PublishError.self) { try await site.publish(to: target()) }
    #expect(full?.kind == .content)
    await host.transport.shutdown()
  }

  /// The file types of accounts without payment equal Neocities' own list, except for types that no site of threadsite
  /// has.
  @Test func fileTypesEqualThoseOfNeocities() throws {
    let script = try String(
      contentsOf: ProjectFolders.repository.appending(path: "Tests/PublishingTests/Fixtures/neocities.py"),
      encoding: .utf8)
    let list = try #require(
      script.components(separatedBy: "VALID = \"\"\"").last?.components(separatedBy: "\"\"\"").first)
    let theirs = Set(list.split(whereSeparator: \.isWhitespace).map(String.init))
    #expect(NeocitiesTarget.freeExtensions.isSubset(of: theirs))
  }
}
