import Basics
import Foundation
import InterfaceText
import TestSupport
import Testing
import ThreadMarkdown
import ThreadModel

/// Payloads in every field that a network controls appear as text and do not change the page around them.
struct HostileFieldTests {
  private static let own = [
    "<script>alert(1)</script>", "javascript:alert(1)", "-->", "<!-- /post -->",
    "a --> <!-- /embed --> <!-- post 1 -->",
    "\n\n<!-- /text -->\n\n<img src=x onerror=alert(1)>", "](javascript:alert(1))",
    "[x](javascript:alert(1))", "\"onmouseover=\"alert(1)",
    "https://a.example/\"><script>", "https://a.example;script-src *", "https://a.example:1;x/",
    "https://b@c.example/", "//d.example",
    "https://e.example/)](javascript:x)", "data:text/html,<script>", "{{{content}}}", "---\nx: y", "\": }",
    "\u{0}\u{1B}\u{85}\u{2028}", "\u{202E}\u{2066}",
    "***", "# x", "- x", "1. x", "> x", "```", "    x", "|", "&lt;&#60;", "\\", "en onload=x", "..",
    "../../etc/passwd", "\r\n\r\n# x",
  ]

  @Test(arguments: own) func ownPayloads(payload: String) throws {
    try check(payload)
  }

  @Test(.enabled(if: ProjectFolders.hasSharedFixtures, "needs ../shared/fixtures"))
  func collectedPayloads() throws {
    let payloads =
      try Hostile.strings("xss/owasp-payloads.json") + Hostile.strings("text/naughty-strings.json")
    #expect(payloads.count > 500)
    for payload in TestDepth.sample(payloads, fast: 50) { try check(payload) }
  }

  private func check(_ payload: String) throws {
    let document = try Components.render(
      HostileThread.make(payload),
      meta: ThreadMeta(
        title: payload, tags: [payload, "tag"], source: payload, slug: payload, language: payload),
      options: Self.options)
    let tokens = try Components.tokens(of: document)
    let violations = Allowlist.violations(tokens)
    #expect(violations == [], "\(payload)")
    #expect(try Self.sections(tokens) == Self.sections(Self.plain.get()), "\(payload)")
    let couldBeACode = payload.wholeMatch(of: /[A-Za-z0-9_+.@-]{1,100}/) != nil
    let couldBeAFile = payload.wholeMatch(of: /[A-Za-z0-9_-][A-Za-z0-9._-]*/) != nil
    if !WebAddress.isSafe(payload), !couldBeAFile, !couldBeACode {
      // Readers see no markup from the payload: no emphasis, link, image or code.
      #expect(try Self.markup(tokens) == Self.markup(Self.plain.get()), "\(payload)")
    }
    for host in document.externalMediaHosts {
      #expect(host.wholeMatch(of: /[a-z0-9.-]+(:[0-9]+)?/) != nil, "\(host)")
    }
    let yaml = String(decoding: document.markdown.bytes[..<document.bodyStart], as: UTF8.self)
    let values = try #require(try TypedYAML.read(yaml.replacing("---\n", with: "")) as? [String: Any])
    #expect(Set(values.keys).isSubset(of: Self.keys), "\(payload)")
    #expect((values["tags"] as? [String])?.first == payload)
  }

  private static let keys: Set<String> = [
    "title", "slug", "author", "date", "updated", "tags", "source", "posts", "language", "platform", "id",
  ]

  /// The classes of all sections in order, which form the page's frame. Media are omitted, because their URLs
  /// decide whether they are shown.
  private static func sections(_ tokens: HTMLTokens) -> [String] {
    tokens.startTags.filter {
      ["section", "header", "div", "footer", "blockquote", "ul", "li", "h1"].contains($0.name)
    }
    .map { $0["class"] ?? $0.name }
    .filter { !$0.hasPrefix("images") }
  }

  /// Every element except those of line breaks and paragraphs.
  private static func markup(_ tokens: HTMLTokens) -> [String] {
    tokens.startTags.map(\.name).filter { !["p", "br"].contains($0) }
  }

  /// Without URLs of its own, so that every link comes from the payload.
  private static let options = MarkdownOptions(
    localization: .english, links: SampleLinks(hasOriginals: false))

  private static let plain = Result {
    let meta = ThreadMeta(title: "plain words")
    let document = try Components.render(HostileThread.make("plain words"), meta: meta, options: options)
    return try Components.tokens(of: document)
  }
}
