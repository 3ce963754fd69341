import Basics
import Foundation
import SiteBuild
import TestSupport
import Testing
import ThreadModel
import ThreadStore

/// Hostile content in every field that a network controls.
@Suite struct HostileContentTests {
  /// Our own payloads, which break out of each kind of place for text.
  private static let ownPayloads = [
    "</title><script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)",
    "--><script>alert(1)</script>",
    "<!-- /post --><!-- poll --><!-- meter 50 -->", "<!-- /thread -->\n\n<!-- header -->", "]]><script/>",
    "{{{body}}}{{>base}}{{#site}}",
    "javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\tscript:alert(1)", " javascript:alert(1)",
    "\u{1}javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>", "vbscript:x", "//evil.example/x",
    "https://evil.example/\"onload=alert(1)",
    "https://evil.example/a b<c>", "[x](javascript:alert(1))",
    "![x](data:image/svg+xml,<svg/onload=alert(1)>)", "<javascript:alert(1)>",
    "[x]: javascript:alert(1)\n\n[x]", "```\n</code></pre><script>", "&#106;avascript:alert(1)",
    "\n---\ntitle: forged\n---\n", "\": {}, \"x\": \"",
    "\u{0}\u{8}\u{B}\u{1B}[31m\u{202E}\u{FFFE}\u{FFFF}", "../../../../etc/passwd", "..", ".",
    "\r\n\r\n<script>", "x; script-src *",
    "https://media.example; script-src */x", "%0d%0a<script>", "en\" onload=\"alert(1)", "", "   ",
  ]

  /// Our own payloads and OWASP's; the fast run has some of them.
  static var payloads: [String] {
    get throws {
      guard let folder = ProjectFolders.sharedFixtures else { return ownPayloads }
      let data = try Data(contentsOf: folder.appending(path: "xss/owasp-payloads.json"))
      return ownPayloads
        + TestDepth.sample(try JSONDecoder().decode([String].self, from: data), fast: 8)
    }
  }

  @Test(arguments: [
    ("paper", true), ("paper", false), ("zettel", true), ("book", true), ("timeline", true), ("plain", true),
  ])
  func payloadsNeverBecomeMarkup(theme: String, showsMedia: Bool) throws {
    let site = try TemporarySite()
    // All of our own and OWASP's payloads only once, because they take long.
    let payloads =
      theme == "paper" && showsMedia
      ? try Self.payloads : TestDepth.sample(Self.ownPayloads, fast: 6)
    let store = ThreadStore(folder: site.path + "/threads")
    for (number, payload) in payloads.enumerated() {
      try site.save(HostileConversation.make(number: number, payload: payload))
      try store.save(HostileConversation.profile(number: number, payload: payload))
    }
    try site.folder.write(
      "base_url: https://ada.example/threads/\ntheme: \(theme)\nmedia: \(showsMedia ? "link" : "none")\nfeed: { entries: 500 }\n"
        + "pagination: { per_page: 50 }\nstrip_counters: true\n", to: "site.yml")
    let summary = try site.build()
    #expect(summary.threads == payloads.count)

    try SiteChecks(site).checkAll()
    let tree = try site.tree()
    var documents = 0
    for (file, data) in tree {
      if file.hasSuffix("index.md") {
        documents += 1
        try checkFrontMatter(String(decoding: data, as: UTF8.self), file)
      }
      if file.hasSuffix(".html") {
        try checkPolicy(String(decoding: data, as: UTF8.self), file, showsMedia: showsMedia)
      }
    }
    #expect(documents == payloads.count)
    try checkJSONFeed(try #require(tree["feed.json"]), count: payloads.count)
    #expect(try XMLTree.parse(Array(try #require(tree["feed.xml"])))["entry"].count == payloads.count)
    // The site has only its usual files, wherever an ID or a tag pointed.
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: site.path).sorted() == [
        ".threadsite", "site", "site.yml", "threads",
      ])
    for file in tree.keys {
      #expect(
        !file.unicodeScalars.contains { $0.value < 0x20 || "\\<>\"".unicodeScalars.contains($0) }, "\(file)")
    }
  }

  private func checkFrontMatter(_ markdown: String, _ file: String) throws {
    let parts = markdown.split(separator: "---\n", maxSplits: 2, omittingEmptySubsequences: false)
    try #require(parts.count == 3 && parts[0].isEmpty, "\(file): invalid front matter")
    let mapping = try #require(
      try TypedYAML.read(parts[1]) as? [String: Any], "\(file): front matter is no mapping")
    let known: Set<String> = [
      "title", "author", "date", "updated", "tags", "source", "posts", "language", "platform", "id", "slug",
      "expected_posts",
      "complete", "missing",
    ]
    #expect(known.isSuperset(of: mapping.keys), "\(file): \(mapping.keys.sorted())")
    #expect(mapping["title"] as? String != "forged")
  }

  /// Checks that there is one policy with only the expected sources.
  private func checkPolicy(_ html: String, _ file: String, showsMedia: Bool) throws {
    let policies = try HTMLTokens(html).startTags.filter { $0["http-equiv"] != nil }.map {
      $0["content"] ?? ""
    }
    #expect(policies.count == 1, "\(file)")
    for directive in (policies.first ?? "").split(separator: "; ") {
      let words = directive.split(separator: " ")
      switch words.first {
      case "script-src":
        #expect(
          words.dropFirst().map(String.init) == ["'self'", try HarmlessHTML.headScriptSource],
          "\(file): \(directive)")
      case "connect-src" where file == "search/index.html", "form-action" where file == "search/index.html":
        #expect(words.dropFirst() == ["'self'"], "\(file): \(directive)")
      case "default-src", "base-uri", "form-action":
        #expect(words.dropFirst() == ["'none'"], "\(file): \(directive)")
      case "style-src", "manifest-src": #expect(words.dropFirst() == ["'self'"], "\(file): \(directive)")
      case "img-src", "media-src":
        let hosts = words.dropFirst(2)
        #expect(words.dropFirst().first == "'self'" && (showsMedia || hosts.isEmpty), "\(file): \(directive)")
        #expect(
          hosts.allSatisfy { $0.wholeMatch(of: /https:\/\/[a-z0-9.-]+(:[0-9]+)?/) != nil },
          "\(file): \(directive)")
      default: Issue.record("\(file): \(directive)")
      }
    }
  }

  private func checkJSONFeed(_ data: Data, count: Int) throws {
    let feed = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let items = try #require(feed["items"] as? [[String: Any]])
    #expect(items.count == count)
    for item in items {
      let content = try #require(item["content_html"] as? String)
      HarmlessHTML.check(try HTMLTokens(content), allowed: .body, "feed.json")
      if let image = item["image"] as? String { #expect(HarmlessHTML.isHarmless(image)) }
    }
  }

  /// The checks of pages depend on this function.
  @Test(arguments: [
    "javascript:alert(1)", " JavaScript:x", "java\nscript:x", "data:text/html,x", "vbscript:x",
    "\u{1}javascript:x", "file:///etc/passwd",
  ])
  func checkDetectsHarmfulURLs(address: String) {
    #expect(!HarmlessHTML.isHarmless(address))
  }

  @Test(arguments: ["https://a.example/", "#x", "../x", "./", "", "mailto:a@b", "HTTP://x", "a/b:c", "?a:b"])
  func checkAcceptsHarmlessURLs(address: String) {
    #expect(HarmlessHTML.isHarmless(address))
  }
}
