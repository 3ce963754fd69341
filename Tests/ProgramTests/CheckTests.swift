import Foundation
import HTTPTransport
import SiteBuild
import SiteWorkspace
import Synchronization
import TestSupport
import Testing
import ThreadModel

/// `threadsite check` reports nothing on a good site and finds each mistake that the tests plant.
@Suite struct CheckTests {
  private struct Finding: Hashable {
    let kind: String
    let place: String
    let subject: String
  }

  /// The repository's own site, built once: the files of its folder by their paths.
  private static let sample = Result {
    let site = try TemporarySite()
    let top = ProjectFolders.repository.path
    try FileManager.default.copyItem(atPath: top + "/threads", toPath: site.path + "/threads")
    try FileManager.default.copyItem(atPath: top + "/site.yml", toPath: site.path + "/site.yml")
    let program = Program(folder: site.path, environment: ["THREADSITE_SHARE": top])
    let built = try program.run(["build", "--offline"])
    #expect(built.code == 0, "\(built.errors)")
    return try site.folder.tree()
  }

  /// A built copy of the repository's own site.
  ///
  /// - Parameter yaml: lines for site.yml that do not change the built site.
  private func sample(_ yaml: String = "") throws -> (TemporarySite, Program) {
    let site = try TemporarySite(files: Self.sample.get())
    try site.folder.write(try site.folder.text("site.yml") + yaml, to: "site.yml")
    let share = ["THREADSITE_SHARE": ProjectFolders.repository.path]
    return (site, Program(folder: site.path, environment: share))
  }

  private func check(_ program: Program, _ arguments: [String] = []) throws -> (
    code: Int32, found: Set<Finding>
  ) {
    let outcome = try program.run(["check", "--json"] + arguments)
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    let findings = try #require(json["findings"] as? [[String: String]])
    return (
      outcome.code,
      Set(
        findings.map {
          Finding(kind: $0["kind"] ?? "", place: $0["place"] ?? "", subject: $0["subject"] ?? "")
        })
    )
  }

  @Test func reportsNoErrorsForAGoodSite() throws {
    let (site, program) = try sample()
    defer { withExtendedLifetime(site) {} }
    let (code, found) = try check(program)
    #expect(code == 0)
    // The third kind depends on the programs of this machine.
    #expect(Set(found.map(\.kind)).subtracting(["unscaled-photos"]) == ["no-alt", "incomplete"])
    #expect(try check(program, ["--strict"]).code == 1)
    #expect(try program.run(["check"]).errors.contains("0 errors, 1 warning"))
  }

  /// The counts of images and threads are those of the build, and each finding leads to its page and file.
  @Test func countsAsTheBuildDoes() throws {
    let (site, program) = try sample()
    defer { withExtendedLifetime(site) {} }
    func numbers(_ command: [String]) throws -> [String: Any] {
      try #require(
        try JSONSerialization.jsonObject(with: Data(try program.run(command + ["--json"]).output.utf8))
          as? [String: Any])
    }
    let (built, checked) = (try numbers(["build", "--offline"]), try numbers(["check", "--kind", "no-alt"]))
    let findings = try #require(checked["findings"] as? [[String: String]])
    #expect(findings.count == built["missing_alt_texts"] as? Int && !findings.isEmpty)
    #expect(checked["threads"] as? Int == built["threads"] as? Int)
    for finding in findings {
      #expect(finding["kind"] == "no-alt")
      #expect(site.folder.exists("site/\(finding["page"] ?? "?")index.html"))
    }
    let shown = try program.run(["check", "--kind", "no-alt"])
    #expect(shown.output.contains("\n  page: site/") && shown.errors.contains("\(findings.count) no-alt)"))
    #expect(try program.run(["check", "--kind", "no-such"]).code == 64)
  }

  @Test func findsEveryPlantedMistake() throws {
    let (site, program) = try sample()
    let before = try check(program).found
    let thread = "x/ada_example/how-long-is-this-string-1835956406462254645/index.html"
    func plant(_ text: String, _ other: String, in file: String) throws {
      let page = try site.page(file)
      let range = try #require(page.range(of: text), "\(file) does not contain \(text)")
      try site.folder.write(page.replacingCharacters(in: range, with: other), to: "site/" + file)
    }
    func add(_ html: String, to file: String) throws { try plant("</main>", html + "</main>", in: file) }
    try add(
      """
      <a href="../nosuch/">1</a><a href="#nosuch">2</a><img alt="" src="a.png" srcset="b.png 100w, c.png, d.png 2x">
      <video poster="e.jpg"><source src="f.mp4"><track src="g.vtt"></video><a href="../../../../above">3</a>
      <a href="https://threads.example/nowhere/">4</a><a href="/wrong.html?x#y">5</a><a href="%zz">6</a>
      <a href="../../../x/hana_example/#nosuch">7</a><a name="old" id="new&amp;er"></a><a href="#old">8</a><a href="#new%26er">9</a>
      <a href="mailto:a@example.org">10</a><a href="//elsewhere.example/x">11</a><a href="  ">12</a><a href="../../../about">13</a>
      <script data-src="h.js"></script>
      """, to: thread)
    try plant("</feed>", "", in: "feed.xml")
    try plant("<loc>https://threads.example/x/", "<loc>https://threads.example/y/", in: "sitemap.xml")
    try plant("https://threads.example/x/", "https://threads.example/none/x/", in: "feed.json")
    try FileManager.default.removeItem(atPath: site.path + "/site/assets/" + "\(try asset(".css", in: site))")
    var found = try check(program).found.subtracting(before)
    // The style sheet is missing on every page and is reported once.
    let style = found.filter { $0.subject.hasSuffix(".css") }
    #expect(style.count >= 60)
    found.subtract(style)
    let links = found.filter { $0.place == thread }
    #expect(
      Set(links.map { "\($0.kind) \($0.subject)" }) == [
        "broken-link ../nosuch/", "broken-anchor #nosuch", "broken-link a.png", "broken-link b.png",
        "broken-link c.png", "broken-link d.png", "broken-link e.jpg", "broken-link f.mp4",
        "broken-link g.vtt", "broken-link h.js",
        "broken-link ../../../../above", "broken-link https://threads.example/nowhere/",
        "broken-link /wrong.html?x#y", "broken-link %zz", "broken-anchor ../../../x/hana_example/#nosuch",
        "broken-link ../../../about",
      ])
    #expect(found.contains(Finding(kind: "bad-feed", place: "feed.xml", subject: "")))
    #expect(found.contains { $0.kind == "broken-link" && $0.place == "sitemap.xml" })
    #expect(
      found.contains { $0.place == "feed.json" && $0.subject.hasPrefix("https://threads.example/none/") })
    #expect(try check(program).code == 1)
  }

  /// Follows the URLs in style sheets and ignores text that is not a file name.
  @Test func followsStyleSheets() throws {
    let (site, program) = try sample()
    let before = try check(program).found
    let style = try asset(".css", in: site)
    let css = try site.page("assets/" + style)
    try site.folder.write("body { color: red }", to: "site/assets/there.css")
    try site.folder.write("x", to: "site/assets/sub/a b.woff2")
    let planted = """
      @import "one.css"; @import url(two.css) screen; @IMPORT url( 'three.css' );
      @font-face { src: url("four.woff2") format("woff2"), url(../five.woff) }
      a { background: URL(six.png); cursor: url( seven.cur ), auto }
      b { background: image-set("not-looked-at.png" 1x, url('eight.png') 2x) }
      c { background: url(/nine.png) } d { background: url(https://threads.example/ten.png) }
      e { background: url(el\\65 ven.png) } f { background: url("sub/a b.woff2#x?y"), url(sub/twelve.png?v=1) }
      /* url(comment.png) @import "comment.css"; */ g::after { content: "url(text.png)" }
      h { background: url(data:image/png;base64,AA==), url(#part), url("") } i { myurl(no.png) }
      @import "there.css"; j { background: url(sub/a%20b.woff2), url('../assets/there.css') }
      """
    try site.folder.write(css + "\n" + planted.replacing("\\\\", with: "\\"), to: "site/assets/" + style)
    let page = "404.html"
    let html = try site.page(page)
    try site.folder.write(
      html.replacing("</head>", with: "<style>p { background: url(/thirteen.png) }</style></head>")
        .replacing("</main>", with: "<p style=\"background: url('/fourteen.png')\">x</p></main>"),
      to: "site/" + page)
    let found = try check(program).found.subtracting(before)
    #expect(
      Set(found.filter { $0.place == "assets/" + style }.map { "\($0.kind) \($0.subject)" })
        == Set(
          [
            "one.css", "two.css", "three.css", "four.woff2", "../five.woff", "six.png", "seven.cur",
            "eight.png", "/nine.png", "https://threads.example/ten.png", "eleven.png", "sub/twelve.png?v=1",
          ].map { "broken-link \($0)" }))
    #expect(
      Set(found.filter { $0.place == page }.map(\.subject)) == ["/thirteen.png", "/fourteen.png"])
    #expect(found.count == 14)
  }

  private func asset(_ ending: String, in site: TemporarySite) throws -> String {
    let names = try FileManager.default.contentsOfDirectory(atPath: site.path + "/site/assets")
    return try #require(names.first { $0.hasPrefix("style") && $0.hasSuffix(ending) })
  }

  @Test func checksTheStore() throws {
    let (site, program) = try sample(
      "\ncheck:\n  ignore: [incomplete, \"media/*.gif\", \"x/otti*\"]\n")
    let before = try check(program).found
    #expect(before.isEmpty, "all other findings are ignored")
    try site.folder.write("{}", to: "threads/x/ada_example/1.json")
    var found = try check(program).found
    #expect(found == [Finding(kind: "bad-file", place: "x/ada_example/1.json", subject: "")])
    try FileManager.default.removeItem(atPath: site.path + "/threads/x/ada_example/1.json")
    try site.folder.write("GIF89a", to: "threads/media/b.gif")
    try site.folder.write("GIF89a", to: "threads/media/b.png")
    try FileManager.default.removeItem(
      atPath: site.path + "/threads/media/18e5caac88b152be092774039a5c96d9.jpg")
    found = try check(program).found
    #expect(found.contains(Finding(kind: "unused-media", place: "media/b.png", subject: "")))
    #expect(!found.contains { $0.place == "media/b.gif" })
    #expect(
      found.contains { $0.kind == "missing-media" && $0.subject == "18e5caac88b152be092774039a5c96d9.jpg" })
  }

  /// A finding prints lines for site.yml. With them, the page has the image's description.
  @Test func suggestedDescriptionReachesThePage() throws {
    let (site, program) = try sample()
    let finding = try #require(try check(program).found.first { $0.kind == "no-alt" })
    let config = try site.folder.text("site.yml")
    try site.folder.write(
      config + "  - url: https://x.com/otti_example/status/2013193015005777791\n    alt:\n"
        + "      \(finding.subject): The letter & its \"hole\".\n", to: "site.yml")
    #expect(try program.run(["build", "--offline"]).code == 0)
    #expect(!(try check(program).found.contains { $0.kind == "no-alt" }))
    let page = try #require(
      try site.tree().first {
        $0.key.hasPrefix("x/otti_example/on-the-left") && $0.key.hasSuffix("index.html")
      })
    let html = String(decoding: page.value, as: UTF8.self)
    #expect(html.contains("alt=\"The letter &amp; its &quot;hole&quot;.\""))
    // An author's own description is never replaced, and describing a medium that is not an image is an
    // error.
    try site.folder.write(
      config + "  - url: https://x.com/otti_example/status/2013193015005777791\n    alt: {nonsense: a}\n",
      to: "site.yml")
    let wrong = try program.run(["build", "--offline"])
    #expect(wrong.code == 78 && wrong.errors.contains("threads[1].alt.nonsense"), "\(wrong.errors)")
  }

  @Test func requiresABuiltSite() throws {
    let site = try TemporarySite("defaults")
    let outcome = try Program(
      folder: site.path, environment: ["THREADSITE_SHARE": ProjectFolders.repository.path]
    ).run(["check"])
    #expect(outcome.code == 65 && outcome.errors.contains("there is no site to check"))
  }

  // MARK: External links

  /// Answers by URL and counts the requests.
  private final class Web: HTTPTransport {
    struct Page: Sendable {
      var status = 200
      var location: String?
      /// The status for HEAD, if it differs.
      var headStatus: Int?
    }

    let pages: [String: Page]
    let asked = Mutex<[String]>([])

    init(_ pages: [String: Page]) { self.pages = pages }

    func send(_ request: HTTPRequest) async throws(HTTPError) -> HTTPResponse {
      asked.withLock { $0.append("\(request.method.rawValue) \(request.url)") }
      #expect(request.reach == .publicOnly)
      guard let page = pages[request.url] else {
        throw HTTPError(.unreachable, "there is no such host", url: request.url)
      }
      let status = request.method == .head ? page.headStatus ?? page.status : page.status
      return HTTPResponse(
        status: status, headers: HTTPHeaders(page.location.map { ["Location": $0] } ?? [:]), url: request.url)
    }
  }

  @Test func checksExternalLinks() async throws {
    let folder = try TemporaryFolder()
    let web = Web([
      "https://a.example/fine": .init(), "https://a.example/no-head": .init(headStatus: 405),
      "https://a.example/gone": .init(status: 410), "https://a.example/busy": .init(status: 429),
      "https://b.example/broken": .init(status: 503),
      "https://b.example/old": .init(status: 301, location: "/new"), "https://b.example/new": .init(),
      "https://b.example/for-now": .init(status: 302, location: "https://a.example/fine"),
      "https://b.example/circle": .init(status: 302, location: "https://b.example/circle"),
    ])
    let links = (web.pages.keys.filter { $0 != "https://b.example/new" } + ["https://nowhere.example/"])
      .sorted()
      .map { SiteCheck.ExternalLink(url: $0, page: "index.html") }
    func found(_ now: Int64) async throws -> [String: String] {
      let check = LinkCheck(transport: web, folder: folder.path, now: Timestamp(seconds: now)) { _ in }
      let findings = try await check.run(links) { _ in }.findings
      return Dictionary(uniqueKeysWithValues: findings.map { ($0.subject, $0.kind.rawValue) })
    }
    let expected = [
      "https://a.example/gone": "dead-link", "https://nowhere.example/": "dead-link",
      "https://b.example/old": "moved-link", "https://a.example/busy": "unverified-link",
      "https://b.example/broken": "unverified-link", "https://b.example/circle": "unverified-link",
    ]
    #expect(try await found(1_000_000) == expected)
    let first = web.asked.withLock { asked in
      defer { asked = [] }
      return asked
    }
    #expect(first.contains("HEAD https://a.example/fine") && !first.contains("GET https://a.example/fine"))
    #expect(first.contains("GET https://a.example/no-head"))
    #expect(first.count { $0 == "GET https://b.example/broken" } == 2, "a failed request is retried once")
    // Answers are cached for a week; failures are not.
    #expect(try await found(1_000_000 + 6 * 86_400) == expected)
    let second = web.asked.withLock { asked in
      defer { asked = [] }
      return asked
    }
    #expect(
      !second.contains { $0.hasSuffix("/fine") && !$0.contains("for-now") }
        && second.contains("HEAD https://a.example/gone"))
    #expect(try await found(1_000_000 + 14 * 86_400) == expected)
    #expect(web.asked.withLock { $0.contains("HEAD https://a.example/fine") })
  }

  /// The targets of redirects may be relative, and only permanent redirects have moved a page.
  @Test func followsRedirects() async throws {
    let folder = try TemporaryFolder()
    let web = Web([
      "https://a.example/docs/guide": .init(status: 302, location: "intro.html"),
      "https://a.example/docs/intro.html": .init(),
      "https://a.example/docs/top": .init(status: 301, location: "./"), "https://a.example/docs/": .init(),
      "https://a.example/up/a/b?c": .init(status: 308, location: "../d"), "https://a.example/up/d": .init(),
      "https://a.example/find": .init(status: 302, location: "?v=2"), "https://a.example/find?v=2": .init(),
      "https://a.example/other": .init(status: 302, location: "//b.example/v2"),
      "https://b.example/v2": .init(),
      "https://a.example/latest": .init(status: 302, location: "https://b.example/v1"),
      "https://b.example/v1": .init(status: 301, location: "/v2"),
      "https://a.example/old": .init(status: 301, location: "/new"),
      "https://a.example/new": .init(status: 302, location: "?session=1"),
      "https://a.example/new?session=1": .init(),
    ])
    let links = [
      "https://a.example/docs/guide", "https://a.example/docs/top", "https://a.example/up/a/b?c",
      "https://a.example/find", "https://a.example/other", "https://a.example/latest",
      "https://a.example/old",
    ].map { SiteCheck.ExternalLink(url: $0, page: "index.html") }
    let check = LinkCheck(transport: web, folder: folder.path, now: Timestamp(seconds: 1_000_000)) { _ in }
    let outcome = try await check.run(links) { _ in }
    #expect(outcome.dead.isEmpty && outcome.unverified.isEmpty)
    #expect(
      Dictionary(uniqueKeysWithValues: outcome.findings.map { ($0.subject, $0.message) }) == [
        "https://a.example/docs/top": "it has moved permanently to https://a.example/docs/",
        "https://a.example/up/a/b?c": "it has moved permanently to https://a.example/up/d",
        "https://a.example/old": "it has moved permanently to https://a.example/new",
      ])
  }

  // MARK: Dead links

  private static let recordFile = "threads/dead-links.json"

  /// Checks links of a site, and records those that are dead.
  private func record(
    _ pages: [String: Web.Page], _ links: [String], in site: TemporarySite
  ) async throws -> Int? {
    let folder = try SiteFolder.open(configFile: site.path + "/site.yml", isDefault: true, progress: { _ in })
    let cache = try TemporaryFolder()
    defer { withExtendedLifetime(cache) {} }
    let check = LinkCheck(
      transport: Web(pages), folder: cache.path, now: Timestamp(seconds: 1_000_000)
    ) { _ in }
    let links = links.map { SiteCheck.ExternalLink(url: $0, page: "index.html") }
    return try await check.run(links) { _ in }.record(in: folder)
  }

  @Test func recordsDeadLinksInTheStore() async throws {
    let site = try TemporarySite("defaults")
    let links = [
      "https://b.example/gone", "https://a.example/lost", "https://nowhere.example/", "https://c.example/",
    ]
    let pages: [String: Web.Page] = [
      "https://b.example/gone": .init(status: 410), "https://a.example/lost": .init(status: 404),
      "https://c.example/": .init(),
    ]
    #expect(try await record(pages, links, in: site) == 3)
    #expect(
      try site.folder.text(Self.recordFile) == """
        {
          "format": 1,
          "links": [
            "https://a.example/lost",
            "https://b.example/gone",
            "https://nowhere.example/"
          ]
        }

        """)
    #expect(try await record(pages, links, in: site) == nil, "an unchanged record is not written")
    // One works again, one is no longer on the site, and one cannot be checked this time.
    #expect(
      try await record(
        [
          "https://a.example/lost": .init(status: 503), "https://c.example/": .init(),
          "https://b.example/gone": .init(),
        ],
        links.filter { !$0.contains("nowhere") }, in: site) == 1)
    #expect(try site.folder.text(Self.recordFile).contains("https://a.example/lost"))
    #expect(try await record(["https://a.example/lost": .init()], ["https://a.example/lost"], in: site) == 0)
    #expect(!site.folder.exists(Self.recordFile))
  }

  @Test("If no server responds, the machine may be offline, and the record stays unchanged")
  func recordsNothingWhileOffline() async throws {
    let site = try TemporarySite("defaults")
    try site.folder.write("{\"format\": 1, \"links\": [\"https://a.example/\"]}", to: Self.recordFile)
    #expect(try await record([:], ["https://a.example/", "https://b.example/"], in: site) == nil)
  }

  /// Somebody may have removed a post or an account, so its page is neither recorded nor linked.
  @Test func recordsNoPagesOfNetworks() async throws {
    let site = try TemporarySite("defaults")
    let links = [
      "https://x.com/ada/status/1", "https://twitter.com/ada",
      "https://bsky.app/profile/ada.example/post/3k43tv4rft22g",
      "https://bsky.app/profile/ada.example", "https://social.example/@ada/109348684215482921",
      "https://social.example/@ada", "https://social.example/users/ada/statuses/109348684215482921",
      "https://x.com/ada/status/1?s=" + String(repeating: "2", count: 400),
      "https://mobile.twitter.com/i/web/status/1",
    ]
    let gone = Dictionary(uniqueKeysWithValues: links.map { ($0, Web.Page(status: 404)) })
    #expect(try await record(gone, links, in: site) == nil)

    var conversation = Conversation(id: PostID("1", on: .x), authorID: AuthorID("11", on: .x))
    conversation.authors = [Author(id: conversation.authorID, handle: "eve")]
    let page = links[4]
    let text = "Look: \(page)"
    var post = Post(
      id: conversation.id, authorID: conversation.authorID,
      text: InlineText(text, entities: [TextEntity(6..<text.utf8.count, .link(url: page, short: nil))]))
    post.createdAt = Timestamp(seconds: 1_600_000_000)
    conversation.posts = [post]
    let other = try TemporarySite()
    try other.save(conversation)
    try other.folder.write("title: A\narchived_links: true\n", to: "site.yml")
    try other.folder.write("{\"format\": 1, \"links\": [\"\(page)\"]}", to: Self.recordFile)
    try other.build()
    #expect(try other.tree().values.allSatisfy { !$0.contains("web.archive.org") })
  }

  @Test(arguments: [
    "", "[]", "{}", "{\"format\": 2, \"links\": []}", "{\"format\": 1, \"links\": [1]}",
    "{\"format\": 1, \"links\": [\"javascript:alert(1)\"]}", "{\"format\": 1, \"links\": [\"a.example\"]}",
    "{\"format\": 1, \"links\": [], \"more\": 1}",
  ])
  func rejectsInvalidRecordsOfDeadLinks(text: String) throws {
    let site = try TemporarySite("defaults")
    try site.build()
    try site.folder.write(text, to: Self.recordFile)
    try site.build()
    let config = site.folder.exists("site.yml") ? try site.folder.text("site.yml") : ""
    try site.folder.write(config + "\narchived_links: true\n", to: "site.yml")
    let error = #expect(throws: PipelineError.self) { try site.build() }
    #expect(error?.messages.contains { $0.contains("dead-links.json") } == true)
  }

  @Test func advisesOnArchivedLinks() async throws {
    let folder = try TemporaryFolder()
    let links = ["https://a.example/gone", "https://x.com/ada/status/1"].map {
      SiteCheck.ExternalLink(url: $0, page: "index.html")
    }
    let web = Web([
      "https://a.example/gone": .init(status: 404), "https://x.com/ada/status/1": .init(status: 404),
    ])
    let check = LinkCheck(
      transport: web, folder: folder.path, now: Timestamp(seconds: 1_000_000),
      pause: { _ in }, advisesArchive: { !NetworkRegistry.all.mayShowPosts($0) })
    let findings = try await check.run(links) { _ in }.findings
    #expect(findings.first { $0.subject == links[0].url }?.message.contains("archived_links: true") == true)
    #expect(findings.first { $0.subject == links[1].url }?.message == "it is gone (404)")
  }
}
