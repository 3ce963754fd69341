import Basics
import Foundation
import HTTPTransport
import Publishing
import SiteConfig
import SiteOutput
import TestSupport
import Testing
import ThreadModel

/// A repository of the AT Protocol, according to the documentation of its API and the lexicons of standard.site.
@Suite(.enabled(if: PeerPrograms.has("python3"), "needs python3")) struct AtprotoTargetTests {
  private static let account = "did:plc:ewvi7nxzyoun6zhxrhs64oiz"
  private static let places = (1...7).map { "site.standard.document/" + key($0) }

  /// The keys of the threads' records, in their order.
  private static func key(_ number: Int) -> String {
    "3lqosh4yb7"
      + [number / 100, number / 10 % 10, number % 10].map { String(Array("abcdefghij")[$0]) }.joined()
  }

  private static let peers = ProjectFolders.repository.appending(path: ".build/publishing-peers/bin/python3")
    .path
  private static let hasArroba =
    (try? shell(peers, "-c", "import arroba, flask_sock", in: "/")) != nil

  private let site: PublishingSite
  private let host: HostServer

  init() throws {
    site = try PublishingSite()
    host = try HostServer("atproto.py", for: site)
  }

  /// A repository that others have written, with their copy of the lexicons.
  @Test(.enabled(if: hasArroba, "needs arroba; Tests/Peers/servers installs it"))
  func agreesWithArroba() async throws {
    let arroba = try HostServer("arroba_pds.py", for: site, python: Self.peers)
    func target(_ records: SiteRecords) throws -> AtprotoTarget {
      var options = SiteConfig.Publish.Atproto(account: Self.account)
      options.server = try SiteURL("http://127.0.0.1:\(arroba.port)")
      return AtprotoTarget(
        options, records: records, password: Secret("right-word"), transport: arroba.transport)
    }
    // More threads than a response lists.
    let threads = (1...105).map { Self.thread($0) }
    let colors: [[UInt8]] = [[255, 255, 255], [17, 17, 17], [29, 77, 126], [250, 250, 251]]
    #expect(try await site.publish(to: target(records(threads, colors: colors)))?.added.count == 106)
    #expect(try await site.publish(to: target(records(threads, colors: colors)))?.isEmpty == true)
    #expect(try site.top.tree("host/now/site.standard.document").count == 105)
    var changed = Array(threads.dropFirst(2))
    changed[0] = Self.thread(3, title: "A new title")
    let difference = try await site.publish(to: target(records(changed, colors: colors)))
    #expect(difference?.changed.count == 1 && difference?.removed.count == 2)
    #expect(difference?.unchanged == 103)
    #expect(try stored("site.standard.document/" + Self.key(3))["title"]?.string == "A new title")
    #expect(try site.top.tree("host/now/site.standard.document").count == 103)
    await arroba.transport.shutdown()
    await host.transport.shutdown()
  }

  private static func thread(_ number: Int, title: String? = nil) -> ThreadSummary {
    var thread = ThreadSummary(
      id: PostID("\(number)", on: .x), path: SitePath("x/ada/日本-\(number)/"),
      title: title ?? "Thread \(number)",
      author: AuthorSummary(
        platform: .x, handle: "ada", name: "Ada", url: "https://x.example/ada", path: SitePath("x/ada/")))
    thread.published = Timestamp(seconds: 1_700_000_000 + Int64(number))
    thread.updated = Timestamp(seconds: 1_700_000_100)
    thread.excerpts = Excerpts(short: "Begins.")
    thread.tags = ThreadTag.tags(["tides"])
    return thread
  }

  /// The records about a site with the threads.
  private func records(
    _ threads: [ThreadSummary], name: String = "Kept", colors: [[UInt8]]? = nil
  ) -> SiteRecords {
    let standard = StandardSite(account: Self.account, baseURL: "https://ada.example/blog/", links: [])
    var records = SiteRecords(
      publication: standard.publication, url: "https://ada.example/blog/", name: name, summary: "Threads.",
      colors: colors)
    for thread in threads {
      records.add(
        "at://\(Self.account)/site.standard.document/\(Self.key(Int(thread.id.value) ?? 0))", thread,
        text: "First.\n\nSecond.", post: nil)
    }
    return records
  }

  private func target(
    _ records: SiteRecords, password: String? = "right-word", resolves: Bool = false
  ) throws -> AtprotoTarget {
    var options = SiteConfig.Publish.Atproto(account: Self.account)
    if !resolves { options.server = try SiteURL("http://127.0.0.1:\(host.port)") }
    return AtprotoTarget(
      options, records: records, password: password.map { Secret($0) },
      directory: "http://127.0.0.1:\(host.port)", transport: host.transport)
  }

  private func stored(_ place: String) throws -> JSONValue {
    try JSONValue(parsing: Array(site.top.text("host/now/\(place).json").utf8))
  }

  @Test func publishesOnlyChanges() async throws {
    let threads = (1...7).map { Self.thread($0) }
    let first = try await site.publish(to: target(records(threads)))
    #expect(first?.added.count == 8)
    let log = try host.log()
    #expect(log.first?.hasPrefix("repo.putRecord site.standard.publication/") == true)
    #expect(log.dropFirst() == Self.places.map { "repo.putRecord \($0)" }[...])
    // The server returns three records at a time.
    #expect(try await site.publish(to: target(records(threads)))?.isEmpty == true)
    #expect(try host.log().isEmpty)

    var changed = Array(threads.dropFirst())
    changed[0] = Self.thread(2, title: "A new title")
    let difference = try await site.publish(to: target(records(changed)))
    #expect(difference?.changed.map(\.path.text) == [Self.places[1]])
    #expect(difference?.removed.map(\.text) == [Self.places[0]])
    #expect(difference?.unchanged == 6)
    #expect(try host.log() == ["repo.putRecord \(Self.places[1])", "repo.deleteRecord \(Self.places[0])"])
    #expect(try stored(Self.places[1])["title"]?.string == "A new title")
    await host.transport.shutdown()
  }

  @Test func describesASiteAndAThread() async throws {
    let colors: [[UInt8]] = [[255, 255, 255], [17, 17, 17], [29, 77, 126], [250, 250, 251]]
    let all = records([Self.thread(1)], colors: colors)
    try await site.publish(to: target(all))
    let publication = try stored(try #require(all.records.first?.place.text))
    #expect(publication["url"]?.string == "https://ada.example/blog")
    #expect(publication["basicTheme"]?["accent"]?["b"]?.integer == 126)
    let document = try stored(Self.places[0])
    #expect(document["site"]?.string == all.publication)
    // The AppView shows a card if the URL of the site, a slash and the path are the URL of the link, apart from slashes at the end
    // (bluesky-social/atproto, packages/bsky/src/util/standard-site.ts).
    #expect(document["path"]?.string == "/x/ada/%E6%97%A5%E6%9C%AC-1")
    #expect(document["publishedAt"]?.string == "2023-11-14T22:13:21Z")
    #expect(document["updatedAt"]?.string == "2023-11-14T22:15:00Z")
    #expect(document["textContent"]?.string == "First.\n\nSecond.")
    #expect(document["tags"] == ["tides"])
    await host.transport.shutdown()
  }

  @Test func shortensWhatIsTooLong() async throws {
    var thread = Self.thread(1, title: String(repeating: "x", count: 600))
    thread.tags = ThreadTag.tags([String(repeating: "y", count: 200)])
    thread.excerpts = Excerpts(short: String(repeating: "👩‍👩‍👧‍👦", count: 3500))
    try await site.publish(to: target(records([thread])))
    let document = try stored(Self.places[0])
    #expect(document["title"]?.string?.count == 500)
    #expect(document["title"]?.string?.hasSuffix("x…") == true)
    let excerpt = try #require(document["description"]?.string)
    #expect(excerpt.utf8.count <= 30_000 && excerpt.hasSuffix("👩‍👩‍👧‍👦…"))
    await host.transport.shutdown()
  }

  @Test func keepsRecordsOfOtherSites() async throws {
    let other =
      "{\"$type\":\"site.standard.document\",\"site\":\"at://\(Self.account)/site.standard.publication/3lqosh4yb72vz\",\"title\":\"Other\"}"
    try site.top.write(other, to: "host/now/site.standard.document/3aaaaaaaaaaaa.json")
    try await site.publish(to: target(records([Self.thread(1)])))
    let difference = try await site.publish(to: target(records([])))
    #expect(difference?.removed.map(\.text) == [Self.places[0]])
    #expect(try site.top.text("host/now/site.standard.document/3aaaaaaaaaaaa.json") == other)
    await host.transport.shutdown()
  }

  @Test func resumesAnInterruptedRun() async throws {
    let threads = (1...4).map { Self.thread($0) }
    try host.fail("cut")
    let error = await #expect(throws: PublishError.self) {
      try await site.publish(to: target(records(threads)))
    }
    #expect(error?.kind == .network, "\(error?.description ?? "")")
    try host.fail("")
    let difference = try await site.publish(to: target(records(threads)))
    #expect(difference?.added.count == 4 && difference?.unchanged == 1)
    await host.transport.shutdown()
  }

  @Test func findsTheServerOfTheAccount() async throws {
    let difference = try await site.publish(to: target(records([Self.thread(1)]), resolves: true))
    #expect(difference?.added.count == 2)
    await host.transport.shutdown()
  }

  /// Everybody can read the records, so a dry run needs no password.
  @Test func comparesWithoutAPassword() async throws {
    let target = try target(records([Self.thread(1)]), password: nil)
    #expect(try await target.compare(site.published).difference?.added.count == 2)
    #expect(try host.log().isEmpty)
    await host.transport.shutdown()
  }

  @Test(arguments: [
    ("", "wrong-word", "Check the app password"), ("other", "right-word", "of another account"),
  ])
  func refusesWrongPasswords(_ fault: String, _ password: String, _ advice: String) async throws {
    try host.fail(fault)
    let error = await #expect(throws: PublishError.self) {
      try await site.publish(to: target(records([Self.thread(1)]), password: password))
    }
    #expect(error?.kind == .access)
    #expect(error?.description.contains(advice) == true, "\(error?.description ?? "")")
    #expect(error?.description.contains(password) == false)
    #expect(try host.log().isEmpty)
    await host.transport.shutdown()
  }

  /// A server that never ends a list does not hold up the run.
  @Test func endsAnEndlessList() async throws {
    try await site.publish(to: target(records((1...4).map { Self.thread($0) })))
    try host.fail("endless")
    _ = try await target(records([Self.thread(1)])).compare(site.published)
    await host.transport.shutdown()
  }

  @Test func reportsTwoThreadsWithOneRecord() async throws {
    let error = await #expect(throws: PublishError.self) {
      try await site.publish(to: target(records([Self.thread(1), Self.thread(1)])))
    }
    #expect(error?.kind == .content)
    #expect(error?.description.contains(Self.places[0]) == true)
    await host.transport.shutdown()
  }
}
