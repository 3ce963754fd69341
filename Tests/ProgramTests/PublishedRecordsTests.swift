import Basics
import Foundation
import TestSupport
import Testing
import ThreadModel

/// Records about a site's threads in a repository of the AT Protocol, from site.yml to the server.
@Suite(.enabled(if: PeerPrograms.has("python3"), "needs python3")) struct PublishedRecordsTests {
  private static let account = "did:plc:ewvi7nxzyoun6zhxrhs64oiz"

  private let site: TemporarySite
  private let program: Program
  private let server: PeerServer
  private let port: Int

  init() throws {
    site = try TemporarySite()
    for number in 1...3 {
      let post = ExportedSite.post(number * 1000, by: ExportedSite.ada, "Thread \(number)", year: 2020)
      try site.save(ExportedSite.conversation([post], by: ExportedSite.ada))
    }
    port = try PeerPrograms.freePort()
    let script = ProjectFolders.repository.appending(path: "Tests/PublishingTests/Fixtures/atproto.py").path
    try FileManager.default.createDirectory(
      atPath: site.path + "/host/now", withIntermediateDirectories: true)
    server = try PeerServer(
      try #require(PeerPrograms.path("python3")), [script, "\(port)", site.path + "/host"], in: site.path)
    try PeerPrograms.wait(for: port)
    program = Program(
      folder: site.path,
      environment: [
        "THREADSITE_SHARE": ProjectFolders.repository.path, "HOME": site.path,
        "ATPROTO_APP_PASSWORD": "right-word",
      ])
    try configure()
  }

  private func configure(place: String = "  folder: www\n", _ more: String = "") throws {
    try site.folder.write(
      """
      title: Kept
      search: false
      base_url: https://Ada.example/blog/
      publish:
      \(place)  atproto:
          account: \(Self.account)
          server: http://127.0.0.1:\(port)
      \(more)
      """, to: "site.yml")
  }

  private func run(_ words: String...) throws -> Program.Outcome {
    let outcome = try program.run(words)
    #expect(outcome.code == 0, "\(words): \(outcome.errors)")
    return outcome
  }

  private func records() throws -> [String: JSONValue] {
    let folder = "host/now/site.standard.document"
    guard site.folder.exists(folder) else { return [:] }
    return try site.folder.tree(folder).mapValues { try JSONValue(parsing: Array($0)) }
  }

  /// Returns the URL that the AppView compares with a link, as its source computes it (bluesky-social/atproto,
  /// packages/bsky/src/util/standard-site.ts).
  private func canonical(_ url: String) throws -> String {
    let parts = try #require(URLComponents(string: url))
    let path = parts.percentEncodedPath
    let host = try #require(parts.host)
    return "https://" + host.lowercased() + (path.hasSuffix("/") ? String(path.dropLast()) : path)
  }

  @Test func pagesNameTheirRecords() throws {
    _ = try run("build", "--offline")
    let publication = try site.page(".well-known/site.standard.publication")
      .trimmingCharacters(in: .newlines)
    #expect(publication.hasPrefix("at://\(Self.account)/site.standard.publication/"))
    #expect(
      try site.page("index.html").contains("<link rel=\"site.standard.publication\" href=\"\(publication)\">")
    )
    _ = try run("publish")
    #expect(try site.folder.text("www/.well-known/site.standard.publication").hasPrefix(publication))
    let found = try records()
    #expect(found.count == 3)
    for (file, record) in found {
      let path = try #require(record["path"]?.string)
      let page = try site.page(String(path.dropFirst()) + "/index.html")
      let uri = "at://\(Self.account)/site.standard.document/\(file.dropLast(5))"
      #expect(page.contains("<link rel=\"site.standard.document\" href=\"\(uri)\">"))
      #expect(record["site"]?.string == publication)
      let link = try #require(page.firstMatch(of: /<link rel="canonical" href="([^"]*)">/))
      let home = try JSONValue(
        parsing: Array(
          site.folder.text(
            "host/now/\(publication.split(separator: "/").suffix(2).joined(separator: "/")).json"
          )
          .utf8))
      #expect(try canonical(#require(home["url"]?.string) + path) == canonical(String(link.1)))
    }
  }

  @Test func publishesFilesAndThenRecords() throws {
    _ = try run("build", "--offline")
    let dry = try run("publish", "--dry-run")
    #expect(
      dry.output.contains("new      index.html") && dry.output.contains("new      site.standard.document/"))
    #expect(try records().isEmpty && !site.folder.exists("www"))
    let first = try run("publish", "--json")
    let json = try JSONValue(parsing: Array(first.output.utf8))
    #expect(json["place"]?.string == "the folder \(site.path)/www" && json["recorded"]?.int == 3)
    #expect(json["records"]?["added"]?.array?.count == 4)
    #expect(!first.errors.contains("right-word"))
    let again = try run("publish")
    #expect(again.errors.contains("the repository of \(Self.account) has all 4 records"), "\(again.errors)")

    // A new title changes one record, and an excluded thread has none.
    try configure(
      place: "",
      """
      threads:
        - url: https://x.com/ada/status/1000
          title: Another
        - url: https://x.com/ada/status/2000
          exclude: true
      """)
    _ = try run("build", "--offline")
    let second = try run("publish", "--max-deletes", "100%")
    #expect(second.errors.contains("0 new, 1 changed, 1 deleted, 2 unchanged"), "\(second.errors)")
    #expect(Set(try records().values.compactMap { $0["title"]?.string }) == ["Another", "Thread 3"])
  }

  /// A record never leads to a page that is not published yet.
  @Test func threadsWithoutAPageHaveNoRecord() throws {
    _ = try run("build", "--offline")
    let post = ExportedSite.post(9000, by: ExportedSite.ada, "Thread 9", year: 2021)
    try site.save(ExportedSite.conversation([post], by: ExportedSite.ada))
    let early = try run("publish")
    #expect(early.errors.contains("out of date"), "\(early.errors)")
    #expect(try records().count == 3)
    _ = try run("build", "--offline")
    _ = try run("publish")
    #expect(try records().count == 4)
  }

  /// Only the account is part of pages.
  @Test func anotherAccountChangesPages() throws {
    _ = try run("build", "--offline")
    let other = "did:plc:z72i7hdynmk6r22z27h6tvur"
    try site.folder.write(
      site.folder.text("site.yml").replacing(Self.account, with: other), to: "site.yml")
    _ = try run("build", "--offline")
    for page in ["index.html", ".well-known/site.standard.publication", "x/ada/thread-1-1000/index.html"] {
      let text = try site.page(page)
      #expect(text.contains(other) && !text.contains(Self.account), "\(page)")
    }
    try site.folder.write("title: Kept\nsearch: false\nbase_url: https://Ada.example/blog/\n", to: "site.yml")
    _ = try run("build", "--offline")
    #expect(try !site.page("index.html").contains("site.standard"))
    #expect(!site.folder.exists("site/.well-known"))
  }

  @Test func protectsPublishedRecords() throws {
    _ = try run("build", "--offline")
    _ = try run("publish")
    let before = try records()
    try configure(
      "threads:\n  - url: https://x.com/ada/status/1000\n    exclude: true\n  - url: https://x.com/ada/status/2000\n    exclude: true\n"
    )
    _ = try run("build", "--offline")
    let outcome = try program.run(["publish", "--max-deletes", "1"])
    #expect(outcome.code == 3, "\(outcome.errors)")
    #expect(try records() == before)
  }

  @Test(arguments: [
    ("account: ada.bsky.social", "site.yml:3:14", "https://ada.bsky.social/.well-known/atproto-did"),
    ("account: did:plc:short", "site.yml:3:14", "expected the DID of an account"),
    ("server: https://pds.example", "site.yml:3:5", "account"),
    ("account: did:web:ada.example, colors: { accent: blue }", "site.yml:3", "expected a color"),
  ])
  func reportsMistakes(_ text: String, _ place: String, _ words: String) throws {
    let (key, value) = (text.prefix { $0 != ":" }, text.drop { $0 != ":" })
    let section = text.contains(", ") ? "  atproto: { \(text) }" : "  atproto:\n    \(key)\(value)"
    try site.folder.write("title: Kept\npublish:\n\(section)\n", to: "site.yml")
    let outcome = try program.run(["build", "--offline"])
    #expect(outcome.code == 78, "\(outcome.code): \(outcome.errors)")
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
  }

  @Test func needsAURLAndAPassword() throws {
    let section = "publish:\n  atproto:\n    account: \(Self.account)\n    server: http://127.0.0.1:\(port)\n"
    try site.folder.write("title: Kept\nsearch: false\n" + section, to: "site.yml")
    _ = try run("build", "--offline")
    let outcome = try program.run(["publish"])
    #expect(outcome.code == 78 && outcome.errors.contains("needs base_url"), "\(outcome.errors)")
    try configure()
    _ = try run("build", "--offline")
    let poor = Program(
      folder: site.path,
      environment: ["THREADSITE_SHARE": ProjectFolders.repository.path, "HOME": site.path])
    #expect(try poor.run(["publish", "--dry-run"]).code == 0)
    let refused = try poor.run(["publish"])
    #expect(refused.code == 77 && refused.errors.contains("ATPROTO_APP_PASSWORD"), "\(refused.errors)")
    #expect(!site.folder.exists("www"))
  }
}
