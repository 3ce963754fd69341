import Basics
import Foundation
import SitePreview
import TestSupport
import Testing

/// The responses of the preview, without a socket.
@Suite struct SiteResponderTests {
  private let folder: TemporaryFolder
  private static let host = "127.0.0.1:8000"

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      "<!doctype html><html><head><title>Home</title></head><body>Home</body></html>", to: "site/index.html")
    try folder.write("<head></head>Not here", to: "site/404.html")
    try folder.write("<head></head>Ada", to: "site/x/ada/index.html")
    try folder.write("<head></head>Wale", to: "site/x/wale-静か/index.html")
    try folder.write("0123456789", to: "site/media/a.mp4")
    try folder.write("body { color: red }", to: "site/assets/style.css")
    try folder.write("hidden", to: "site/.nojekyll")
    try folder.write("contact", to: "site/.well-known/security.txt")
    try folder.write("hidden", to: "site/x/.well-known/a.txt")
    try folder.write("outside", to: "secret.txt")
    try folder.write(
      "/*\n  Content-Security-Policy: default-src 'none'; style-src 'self'\n  Referrer-Policy: no-referrer\n/media/*\n  Cache-Control: immutable\n  X-Media: yes\n  ! Referrer-Policy\n",
      to: "site/_headers")
    try folder.write("", to: "site/empty/keep.txt")
  }

  private func state(basePath: String = "/") -> PreviewState {
    var state = PreviewState(session: "s")
    state.show(output: folder.path + "/site", basePath: basePath, onlyStylesChanged: false)
    return state
  }

  private func answer(
    _ path: String, method: String = "GET", query: String = "", _ headers: [String: String] = [:],
    basePath: String = "/", asked: String = "127.0.0.1"
  ) -> PreviewResponse {
    let headers = ["host": Self.host].merging(headers) { $1 }
    return SiteResponder(state(basePath: basePath), hosts: AllowedHosts(asked)).response(
      to: PreviewRequest(path, method: method, query: query, headers: headers))
  }

  private func text(_ response: PreviewResponse) throws -> String {
    switch response.body {
    case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
    case .file(let file, let range):
      String(decoding: try file.bytes(range.count, at: range.lowerBound), as: UTF8.self)
    case .events: "events"
    }
  }

  @Test(arguments: [
    ("/", "Home"), ("/index.html", "Home"), ("/x/ada/", "Ada"), ("/x/%61da/", "Ada"),
    ("/x/ada/index.html", "Ada"),
    ("/x/wale-%E9%9D%99%E3%81%8B/", "Wale"), ("/.well-known/security.txt", "contact"),
    ("/media/a.mp4", "0123456789"),
  ])
  func servesFiles(path: String, content: String) throws {
    let response = answer(path)
    #expect(response.status == 200)
    #expect(try text(response).contains(content))
  }

  @Test(arguments: [
    "/nothing", "/nothing/", "/index.html/", "/empty/", "/empty", "/.nojekyll", "/.threadsite",
    "/x/.well-known/a.txt",
    "/.well-known", "/.git/config", "/media/a.mp4/b",
  ])
  func missingPathGivesThe404PageOfTheSite(path: String) throws {
    let response = answer(path)
    #expect(response.status == 404)
    if !path.hasPrefix("/.threadsite") { #expect(try text(response).contains("Not here")) }
  }

  @Test(arguments: [
    "/../secret.txt", "/x/../../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt",
    "/x/%2E%2E/%2E%2E/secret.txt",
    "//etc/passwd", "/x//ada/", "/%00", "/%", "/%4", "/%zz", "/%ff", "/x/ada%2Findex.html",
    "/..%5csecret.txt", "",
    "secret.txt", "http://127.0.0.1:8000/", "/./index.html", "/x/ada/..", "/a%0d%0ab",
  ])
  func rejectsInvalidPaths(path: String) throws {
    let response = answer(path)
    #expect(response.status == 400)
    #expect(try !text(response).contains("outside"))
  }

  @Test func doesNotFollowLinks() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/site/link.txt", withDestinationPath: folder.path + "/secret.txt")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/site/above", withDestinationPath: folder.path)
    #expect(answer("/link.txt").status == 404)
    #expect(answer("/above/secret.txt").status == 404)
  }

  @Test func addsSlashesToFolders() {
    for (path, target) in [
      ("/x/ada", "/x/ada/"), ("/x/wale-%e9%9d%99%e3%81%8b", "/x/wale-%E9%9D%99%E3%81%8B/"),
    ] {
      let response = answer(path)
      #expect(response.status == 302)
      #expect(response.headers["location"] == target)
    }
    #expect(answer("/x/ada", query: "q=1").headers["location"] == "/x/ada/?q=1")
    #expect(answer("/x/ada", query: "a\r\nSet-Cookie: b").headers["location"] == "/x/ada/")
  }

  @Test func servesTheSiteBelowItsPath() throws {
    let base = "/threads/%C3%A9/"
    #expect(answer("/", basePath: base).headers["location"] == base)
    #expect(answer("/threads/%c3%a9", basePath: base).headers["location"] == base)
    #expect(try text(answer("/threads/%C3%A9/x/ada/", basePath: base)).contains("Ada"))
    #expect(answer("/threads/%C3%A9/x/ada", basePath: base).headers["location"] == base + "x/ada/")
    #expect(answer("/x/ada/", basePath: base).status == 404)
    #expect(answer("/threads/x/ada/", basePath: base).status == 404)
    #expect(answer("/threads/%C3%A9/.nojekyll", basePath: base).status == 404)
    #expect(answer("/threads/%C3%A9/.well-known/security.txt", basePath: base).status == 200)
  }

  @Test(arguments: [
    ("bytes=0-3", 206, "0123", "bytes 0-3/10"), ("bytes=7-", 206, "789", "bytes 7-9/10"),
    ("bytes=-2", 206, "89", "bytes 8-9/10"), ("bytes=8-99", 206, "89", "bytes 8-9/10"),
    ("bytes=-99", 206, "0123456789", "bytes 0-9/10"),
    ("bytes=0-99999999999999999999", 206, "0123456789", "bytes 0-9/10"),
    ("bytes=10-", 416, "", "bytes */10"), ("bytes=-0", 416, "", "bytes */10"),
    ("bytes=99999999999999999999-", 416, "", "bytes */10"), ("bytes=3-1", 200, "0123456789", nil),
    ("bytes=0-1,3-4", 200, "0123456789", nil), ("bytes=a-b", 200, "0123456789", nil),
    ("bytes=-", 200, "0123456789", nil),
    ("items=0-1", 200, "0123456789", nil), ("bytes=+1-2", 200, "0123456789", nil),
  ])
  func servesRangesOfFiles(range: String, status: Int, content: String, contentRange: String?) throws {
    let response = answer("/media/a.mp4", ["range": range])
    #expect(response.status == status)
    #expect(try text(response) == content)
    #expect(response.length == content.utf8.count)
    #expect(response.headers["content-range"] == contentRange)
    #expect(response.headers["accept-ranges"] == "bytes")
  }

  @Test func outdatedRangeGivesTheWholeFile() throws {
    let tag = try #require(answer("/media/a.mp4").headers["etag"])
    #expect(answer("/media/a.mp4", ["range": "bytes=0-1", "if-range": tag]).status == 206)
    #expect(answer("/media/a.mp4", ["range": "bytes=0-1", "if-range": "\"other\""]).status == 200)
  }

  @Test(arguments: ["/", "/media/a.mp4"])
  func doesNotSendCachedFilesAgain(path: String) throws {
    let tag = try #require(answer(path).headers["etag"])
    for header in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
      let response = answer(path, ["if-none-match": header])
      #expect(response.status == 304)
      #expect(try text(response).isEmpty)
      #expect(response.headers["etag"] == tag)
    }
    #expect(answer(path, ["if-none-match": "\"other\""]).status == 200)
    try folder.write("<head></head>changed", to: "site/index.html")
    try folder.write("012345678_", to: "site/media/a.mp4")
    #expect(answer(path, ["if-none-match": tag]).status == 200)
  }

  @Test(arguments: [
    ("/", "text/html; charset=utf-8"), ("/assets/style.css", "text/css; charset=utf-8"),
    ("/media/a.mp4", "video/mp4"),
    ("/.well-known/security.txt", "text/plain; charset=utf-8"), ("/nothing", "text/html; charset=utf-8"),
  ])
  func sendsTypesAndHeaders(path: String, type: String) {
    let response = answer(path)
    #expect(response.headers["content-type"] == type)
    #expect(response.headers["cache-control"] == "no-cache")
    #expect(
      response.headers["content-security-policy"]?.hasPrefix("default-src 'none'; style-src 'self'") == true)
    let isMedia = path.hasPrefix("/media/")
    #expect(response.headers["referrer-policy"] == (isMedia ? nil : "no-referrer"))
    #expect(response.headers["x-media"] == (isMedia ? "yes" : nil))
  }

  @Test(arguments: [
    ("127.0.0.1", true), ("127.0.0.1:9", true), ("localhost", true), ("LOCALHOST:8000", true),
    ("[::1]:8000", true),
    ("a.localhost", true), ("evil.example", false), ("evil.example:8000", false),
    ("127.0.0.1.evil.example", false),
    ("localhost.evil.example", false), ("", false), ("127.0.0.1@evil.example", false), ("192.168.0.7", false),
    ("localhost:80a", false), ("[::1", false), ("127.0.0.1, evil.example", false),
  ])
  func checksTheHostHeader(name: String, isAllowed: Bool) {
    for path in ["/", "/.threadsite/events", "/.threadsite/reload.js", "/nothing"] {
      #expect((answer(path, ["host": name]).status != 403) == isAllowed, "\(path)")
    }
  }

  @Test func acceptsTheRequestedHost() {
    #expect(answer("/", ["host": "192.168.0.7:8000"], asked: "192.168.0.7").status == 200)
    #expect(answer("/", ["host": "192.168.0.8:8000"], asked: "192.168.0.7").status == 403)
    #expect(answer("/", ["host": "192.168.0.7"], asked: "0.0.0.0").status == 200)
    #expect(answer("/", ["host": "evil.example"], asked: "0.0.0.0").status == 403)
    #expect(answer("/", ["host": "[fe80::1]:1"], asked: "::").status == 200)
    let nameless = SiteResponder(state(), hosts: AllowedHosts("127.0.0.1")).response(to: PreviewRequest("/"))
    #expect(nameless.status == 400)
  }

  @Test(arguments: ["POST", "PUT", "DELETE", "OPTIONS"])
  func rejectsOtherMethods(method: String) {
    let response = answer("/", method: method)
    #expect(response.status == 405)
    #expect(response.headers["allow"] == "GET, HEAD")
  }

  @Test func headHasTheHeadersOfGet() {
    for path in ["/", "/media/a.mp4", "/x/ada", "/nothing"] {
      let (head, get) = (answer(path, method: "HEAD"), answer(path))
      #expect(head.status == get.status)
      #expect(head.headers == get.headers)
      #expect(head.length == get.length)
    }
  }

  // MARK: Additions to pages

  @Test func addsTheScriptToPagesWithoutChangingFiles() throws {
    let before = try folder.tree("site")
    let page = try text(answer("/"))
    #expect(
      page.hasPrefix(
        "<!doctype html><html><head><script async src=\"/.threadsite/reload.js?s.1\"></script><title>"))
    let script = answer("/.threadsite/reload.js", query: "s.1")
    #expect(script.status == 200)
    #expect(script.headers["content-type"] == "text/javascript; charset=utf-8")
    #expect(try text(script).contains("EventSource(\"/.threadsite/events\")"))
    #expect(try text(answer("/.threadsite/events")) == "events")
    #expect(answer("/.threadsite/other").status == 404)
    #expect(try folder.tree("site") == before)
  }

  @Test(arguments: [
    ("<html><body>", "<html>S<body>"), ("<HTML lang='a>b'><HEAD\n>x", "<HTML lang='a>b'><HEAD\n>Sx"),
    ("text", "Stext"),
    ("<!DOCTYPE html><p>", "<!DOCTYPE html>S<p>"), ("<header><head>x", "<header><head>Sx"),
    ("<head", "S<head"), ("", "S"),
  ])
  func insertsTheScript(html: String, expected: String) throws {
    try folder.write(html, to: "site/a.html")
    let script = "<script async src=\"/.threadsite/reload.js?s.1\"></script>"
    #expect(try text(answer("/a.html")) == expected.replacing("S", with: script))
  }

  /// The policy allows only the needs of the script.
  @Test(arguments: [
    (
      "default-src &#39;none&#39;; style-src &#39;self&#39;",
      "default-src 'none'; style-src 'self'; script-src OWN; connect-src OWN"
    ),
    (
      "default-src 'none'; script-src 'self'; connect-src 'self'",
      "default-src 'none'; script-src 'self'; connect-src 'self'"
    ),
    ("default-src 'self'", "default-src 'self'"),
    (
      "default-src https://a.example; script-src 'none'",
      "default-src https://a.example; script-src OWN; connect-src https://a.example OWN"
    ),
    ("img-src 'none'", "img-src 'none'"),
  ])
  func extendsPoliciesOfPages(policy: String, expected: String) throws {
    try folder.write(
      "<head><meta name=a content='<meta>'><META content=\"\(policy)\" HTTP-EQUIV=content-security-policy></head><body><meta http-equiv=Content-Security-Policy content=\"default-src 'none'\">",
      to: "site/a.html")
    let page = try text(answer("/a.html"))
    let own = "http://\(Self.host)/.threadsite/"
    let attribute = expected.replacing("OWN", with: own).replacing("'", with: "&#39;")
    #expect(page.contains("<META content=\"\(attribute)\" HTTP-EQUIV"))
    // Browsers ignore a policy after the head.
    #expect(page.hasSuffix("content=\"default-src 'none'\">"))
    let header = answer("/a.html").headers["content-security-policy"]
    #expect(header == "default-src 'none'; style-src 'self'; script-src \(own); connect-src \(own)")
    // Only pages have the script.
    #expect(
      answer("/media/a.mp4").headers["content-security-policy"] == "default-src 'none'; style-src 'self'")
  }

  @Test func servesAWaitingPageBeforeTheFirstBuild() throws {
    var state = PreviewState(session: "s")
    func page() throws -> (status: Int, text: String) {
      let response = SiteResponder(state, hosts: AllowedHosts("127.0.0.1")).response(
        to: PreviewRequest("/x/ada/", headers: ["host": Self.host]))
      return (response.status, try text(response))
    }
    #expect(try page().status == 503)
    #expect(try page().text.contains("reload.js?s.0"))
    state.show(messages: ["site.yml:3:1: error: <b>&\u{1B}[31m", "and more"])
    let failed = try page()
    #expect(failed.status == 503)
    #expect(failed.text.contains("<pre>site.yml:3:1: error: &lt;b&gt;&amp;"))
    #expect(!failed.text.unicodeScalars.contains("\u{1B}"))
    state.show(output: folder.path + "/site", basePath: "/", onlyStylesChanged: false)
    #expect(try page().status == 200)
    // A later failure leaves the site unchanged.
    state.show(messages: ["site.yml:3:1: error"])
    #expect(try page().status == 200)
  }
}
