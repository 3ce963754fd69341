import Basics
import InterfaceText
import SiteOutput
import TestSupport
import Testing
import ThreadModel

@Suite struct SitemapTests {
  private func files(
    _ threads: [ThreadSummary], baseURL: String? = "https://ada.example/", limit: Int = Sitemap.addressesInOne
  ) -> [(path: SitePath, content: [UInt8])] {
    let site = Samples.site(baseURL: baseURL)
    let index = SiteIndex(threads, calendar: .utc)
    let pages = index.pages(threadsPerPage: site.threadsPerPage)
    var files: [(path: SitePath, content: [UInt8])] = []
    Sitemap.write(site: site, index: index, pages: pages, limit: limit) { files.append(($0, $1.bytes)) }
    return files
  }

  @Test func hasNoSitemapWithoutABaseURL() {
    #expect(files(Samples.threads(3), baseURL: nil).isEmpty)
  }

  @Test func namesEveryPageExceptThe404() throws {
    var threads = Samples.threads(21)
    threads[20].path = "x/ada/日本 & <more>-1020/"
    threads[20].updated = Timestamp(iso8601: "2022-01-01T00:00:00Z")
    let files = files(threads)
    #expect(files.map(\.path) == ["sitemap.xml"])
    let urls = try XMLTree.parse(files[0].content)["url"]
    let addresses = urls.compactMap { $0.text("loc") }
    #expect(Set(addresses).count == addresses.count)
    #expect(addresses.first == "https://ada.example/")
    #expect(addresses.contains("https://ada.example/page/2/"))
    #expect(addresses.contains("https://ada.example/x/ada/%E6%97%A5%E6%9C%AC%20%26%20%3Cmore%3E-1020/"))
    #expect(!addresses.contains { $0.contains("404") })
    // The home page and its second page, authors, tags, archive, two pages each for the author, the year and
    // the month, 21 threads.
    #expect(addresses.count == 2 + 3 + 6 + 21)
    #expect(
      urls.first { $0.text("loc")?.contains("more") == true }?.text("lastmod") == "2022-01-01T00:00:00Z")
    #expect(urls[0].text("lastmod") == nil)
  }

  @Test func splitsAtTheLimitOfTheProtocol() throws {
    #expect(Sitemap.addressesInOne == 50_000)
    let whole = try XMLTree.parse(files(Samples.threads(25))[0].content)["url"].compactMap { $0.text("loc") }
    let files = files(Samples.threads(25), limit: 10)
    #expect(
      files.map(\.path) == [
        "sitemap.xml", "sitemap-1.xml", "sitemap-2.xml", "sitemap-3.xml", "sitemap-4.xml",
      ])
    let overview = try XMLTree.parse(files[0].content)
    #expect(overview.name == "sitemapindex")
    #expect(
      overview["sitemap"].compactMap { $0.text("loc") }
        == (1...4).map { "https://ada.example/sitemap-\($0).xml" })
    let parts = try files.dropFirst().map {
      try XMLTree.parse($0.content)["url"].compactMap { $0.text("loc") }
    }
    #expect(parts.allSatisfy { $0.count <= 10 })
    #expect(parts.flatMap(\.self) == whole)
    #expect(whole.count == 36)
  }

  @Test func exactlyOneFullFileIsOneFile() {
    // The five pages of an empty site without its 404 page.
    #expect(files([], limit: 4).map(\.path) == ["sitemap.xml"])
    #expect(files([], limit: 3).count == 3)
  }
}

@Suite struct ServerFilesTests {
  private func text(_ name: SitePath, baseURL: String?) -> String {
    ServerFiles.files(site: Samples.site(baseURL: baseURL), mediaHosts: ["media.example"]).first {
      $0.path == name
    }?
    .content.string ?? ""
  }

  @Test func robotsFileNamesTheSitemap() {
    #expect(text("robots.txt", baseURL: nil) == "User-agent: *\nAllow: /\n")
    #expect(
      text("robots.txt", baseURL: "https://ada.example/threads/")
        == "User-agent: *\nAllow: /\nSitemap: https://ada.example/threads/sitemap.xml\n")
  }

  @Test func headersRepeatThePolicy() {
    let headers = text("_headers", baseURL: nil)
    #expect(headers.contains("\n  Content-Security-Policy: default-src 'none';"))
    #expect(headers.contains("img-src 'self' https://media.example;"))
    #expect(headers.contains("frame-ancestors 'none'\n"))
  }

  @Test func filesNamedByContentMayBeCachedForever() {
    #expect(
      text("_headers", baseURL: nil).hasSuffix(
        "\n/assets/*\n  Cache-Control: public, max-age=31536000, immutable\n"
          + "/media/*\n  Cache-Control: public, max-age=31536000, immutable\n"))
    #expect(text("_headers", baseURL: "https://ada.example/threads/").contains("\n/threads/assets/*\n"))
  }

  @Test func writesANoJekyllFile() {
    #expect(ServerFiles.files(site: Samples.site(), mediaHosts: []).contains { $0.path == ".nojekyll" })
    // The owner's files are not named by their content.
    let headers = ServerFiles.files(site: Samples.site(), mediaHosts: [], own: ["assets/logo.svg"])
      .first { $0.path == "_headers" }?.content.string
    #expect(headers?.contains("/assets/*") == false)
    #expect(headers?.contains("/media/*") == true)
  }
}

@Suite struct ContentSecurityPolicyTests {
  @Test func namesTheHosts() {
    #expect(
      ContentSecurityPolicy.text(mediaHosts: ["pbs.example", "media.example:8443"])
        == "default-src 'none'; style-src 'self'; img-src 'self' https://pbs.example https://media.example:8443; "
        + "media-src 'self' https://pbs.example https://media.example:8443; "
        + "manifest-src 'self'; base-uri 'none'; form-action 'none'"
    )
  }

  /// A reading page may run its inline script and no file. The search page may also run the site's script.
  @Test func namesTheInlineScript() throws {
    let folder = try TemporaryFolder()
    try folder.write("name: t\n", to: "t/theme.yml")
    for layout in Theme.requiredLayouts {
      try folder.write("<script>{{{theme.head_script}}}</script>", to: "t/layouts/\(layout).mustache")
    }
    try folder.write("p {}", to: "t/static/style.css")
    try folder.write("\r\nlet a = 1\r\nlet b = 2\n", to: "t/head.js")
    let script = try #require(Theme.load("t", in: [folder.path]).headScript)
    #expect(script.text == "let a = 1\nlet b = 2")
    // printf 'let a = 1\nlet b = 2' | openssl dgst -sha256 -binary | base64
    let source = "'sha256-sNUlqUKm2IMNHxghp1FhRCcGOhBadzcaC5qGAcIUv44='"
    #expect(script.source == source)
    #expect(
      ContentSecurityPolicy.text(mediaHosts: [], inline: script).contains(
        "; script-src \(source); base-uri 'none'; form-action 'none'"))
    #expect(
      ContentSecurityPolicy.text(mediaHosts: [], scripts: .searching, inline: script).contains(
        "; script-src 'self' \(source); connect-src 'self'; "))
    try folder.write("let a = '</SCRIPT>'\n", to: "t/head.js")
    #expect(throws: SiteOutputError.self) { try Theme.load("t", in: [folder.path]) }
    try folder.write("", to: "t/head.js")
    #expect(try Theme.load("t", in: [folder.path]).headScript == nil)
  }

  @Test(arguments: [
    "", "*", "*.example", "a.example; script-src *", "a.example script-src", "a.example\n",
    "a.example,b.example", "'self'",
    "'unsafe-inline'", "data:x/y", "https://a.example", "a.example/path", "ä.example", "a\u{0}b",
    "a.example\t*",
  ])
  func ignoresHostileHosts(host: String) {
    #expect(ContentSecurityPolicy.text(mediaHosts: [host]) == ContentSecurityPolicy.text(mediaHosts: []))
  }
}
