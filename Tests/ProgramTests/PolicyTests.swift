import Foundation
import SiteBuild
import SiteWorkspace
import TestSupport
import Testing

/// The Content-Security-Policy of a site's pages follows its site.yml and its theme, and a build warns of what the policy blocks.
@Suite struct PolicyTests {
  private func policy(_ site: TemporarySite, _ page: String = "index.html") throws -> String {
    let html = try site.page(page)
    let match = try #require(html.firstMatch(of: /Content-Security-Policy" content="([^"]*)"/))
    return String(match.output.1).replacing("&#39;", with: "'").replacing("&#x27;", with: "'")
  }

  @Test func addsTheAllowedOrigins() throws {
    let site = try TemporarySite("thread-list")
    try site.folder.write(
      """
      title: A
      security:
        allow:
          script: ["https://Giscus.app/", self]
          frame: ["https://giscus.app"]
          connect: ["https://stats.example:8443"]
      """, to: "site.yml")
    try site.build()
    for page in ["index.html", "404.html"] {
      let policy = try policy(site, page)
      #expect(policy.contains("frame-src https://giscus.app; "), "\(policy)")
      #expect(
        policy.contains(" https://giscus.app 'self'") || policy.contains("'self' 'sha256-"), "\(policy)")
      #expect(policy.contains("https://stats.example:8443; "), "\(policy)")
      #expect(policy.hasPrefix("default-src 'none'; ") && policy.contains("form-action 'none'"))
    }
    #expect(try site.page("_headers").contains("frame-src https://giscus.app; "))
  }

  @Test func allowsTheFontsOfTheTheme() throws {
    let site = try TemporarySite("thread-list")
    try site.folder.write("title: A\n", to: "site.yml")
    try site.build()
    #expect(try !policy(site).contains("font-src"))
    try site.folder.write("a font", to: "themes/paper/static/garamond.woff2")
    try site.folder.write(
      "@import \"base:style.css\";\n@font-face { font-family: G; src: url(garamond.woff2); }\n",
      to: "themes/paper/static/style.css")
    try site.build()
    #expect(try policy(site).contains("font-src 'self'; "))
    #expect(try site.page("_headers").contains("font-src 'self'; "))
    #expect(!site.warnings.contains { $0.contains("blocked") }, "\(site.warnings)")
  }

  /// None of these values can widen the policy beyond one host.
  @Test(arguments: [
    "*", "https://*.example", "http://a.example", "data:", "'unsafe-inline'", "https:", "https://",
    "//a.example",
    "https://a.example/client.js", "https://a.example; script-src *", "https://a.example 'unsafe-eval'",
    "https://a.example:99999", "https://a.example:0", "https://user@a.example", "https://-a.example",
    "https://a..example",
    "https://a.example?x", "https://exämple.org", "none",
  ])
  func rejectsEverythingButOrigins(_ value: String) throws {
    let site = try TemporarySite("thread-list")
    let quoted = value.replacing("'", with: "''")
    try site.folder.write("title: A\nsecurity:\n  allow:\n    script: ['\(quoted)']\n", to: "site.yml")
    let error = try #require(throws: PipelineError.self) { try site.build() }
    #expect(error.messages.joined().contains("site.yml:4:"), "\(error.messages)")
  }

  @Test func warnsOfBlockedUses() throws {
    let site = try TemporarySite("thread-list")
    try site.folder.write("title: A\n", to: "site.yml")
    try site.folder.write(
      "<script src=\"https://giscus.app/client.js\" async></script>\n",
      to: "themes/paper/partials/comments.mustache")
    try site.folder.write(
      "@import \"base:style.css\";\n@font-face { font-family: G; src: url(https://fonts.example/g.woff2); }\n",
      to: "themes/paper/static/style.css")
    try site.folder.write(
      "---\ntitle: Map\nhtml: true\n---\n<iframe src=\"https://map.example/1\"></iframe>\n<p style=\"color: red\" onclick=\"f()\">Hi</p>\n<script>f()</script>\n",
      to: "pages/map.md")
    try site.folder.write("# About\n\nText\n\n<details>more</details>\n", to: "pages/about.md")
    try site.build()
    for expected in [
      "partials/comments.mustache: warning: the script \"https://giscus.app/client.js\" is blocked; allow its host with `security: {allow: {script: [\"https://giscus.app\"]}}`",
      "the font \"https://fonts.example/g.woff2\" is blocked",
      "pages/map.md: warning: the frame \"https://map.example/1\" is blocked",
      "pages/map.md: warning: an inline script is blocked",
      "pages/map.md: warning: inline styles are blocked",
      "pages/map.md: warning: the attribute onclick is blocked",
      "pages/about.md:5:1: warning: the HTML in this page is left out",
    ] {
      #expect(site.warnings.contains { $0.contains(expected) }, "\(expected) in \(site.warnings)")
    }
  }

  @Test func doesNotWarnOfAllowedUses() throws {
    let site = try TemporarySite("thread-list")
    try site.folder.write(
      "title: A\nsecurity:\n  allow: {script: [\"https://giscus.app\"], frame: [\"https://map.example\"]}\n",
      to: "site.yml")
    try site.folder.write(
      "<script src=\"https://giscus.app/client.js\" async></script>\n",
      to: "themes/paper/partials/comments.mustache")
    try site.folder.write(
      "---\ntitle: Map\nhtml: true\n---\n<iframe src=\"https://map.example/1\"></iframe>\n",
      to: "pages/map.md")
    try site.build()
    #expect(!site.warnings.contains { $0.contains("blocked") }, "\(site.warnings)")
    #expect(try site.tree().keys.contains("map/index.html"))
  }
}
