import Basics
import Foundation
import MarkdownHTML
import TestSupport
import Testing

/// No text in Markdown, escaped or not, produces an element, attribute or scheme that is not allowed.
@Suite struct HostileTests {
  /// Places in Markdown for a payload.
  static let places: [@Sendable (String) -> String] = [
    { $0 },
    { "text \($0) text" },
    { "[text](\($0))" },
    { "[text](<\($0)>)" },
    { "![text](\($0))" },
    { "![\($0)](/image.png \"\($0)\")" },
    { "[\($0)](/link '\($0)')" },
    { "<\($0)>" },
    { "[a <https://elsewhere.example> \($0)](\($0))" },
    { "[<\($0)> a <https://elsewhere.example>](https://elsewhere.example)" },
    { "[reference]\n\n[reference]: \($0)" },
    { "``` \($0)\n\($0)\n```" },
    { "`\($0)`" },
    { "# \($0)" },
    { "> - \($0)" },
    { "[encoded](\(referenced($0)))" },
    { "![encoded](\(referenced($0)))" },
    { referenced($0) },
    { "<!-- images -->\n[![\($0)](\(referenced($0)))](\(referenced($0)))\n<!-- /images -->" },
    { "<!-- video -->\n[![\(referenced($0))](/poster)](\(referenced($0)))\n<!-- /video -->" },
    { "<!-- poll -->\n- \(referenced($0)) <!-- meter 3 -->\n<!-- /poll -->" },
  ]

  /// Every scalar as a character reference, which Markdown decodes.
  static func referenced(_ text: String) -> String {
    text.unicodeScalars.map { "&#\($0.value);" }.joined()
  }

  @Test(.enabled(if: ProjectFolders.hasSharedFixtures, "needs ../shared/fixtures"))
  func payloadsProduceOnlyAllowedHTML() throws {
    let folder = try #require(ProjectFolders.sharedFixtures)
    let data = try Data(contentsOf: folder.appending(path: "xss/owasp-payloads.json"))
    let payloads = try JSONDecoder().decode([String].self, from: data)
    #expect(payloads.count > 50)
    for payload in payloads { try check(payload) }
  }

  @Test(arguments: [
    "javascript:alert(1)", "JaVaScRiPt:alert(1)", " javascript:alert(1)", "\u{1}javascript:alert(1)",
    "java\tscript:alert(1)", "java\nscript:alert(1)", "javascript\u{0}:alert(1)", "vbscript:x",
    "data:text/html,x",
    "DATA:text/html;base64,PHNjcmlwdD4=", "data:image/svg+xml,<svg onload=alert(1)>", "blob:x",
    "file:///etc/passwd",
    "x\" onerror=\"alert(1)", "x' onerror='alert(1)", "x onerror=alert(1)", "\u{FEFF}javascript:alert(1)",
    "--><script>alert(1)</script><!--", "<!-- /images -->", "<!-- post 1 -->", "]]><script>", "\\\"><script>",
    "javascript&colon;alert(1)", "&#x6A;avascript:alert(1)", "ms-settings:x", "view-source:http://x",
    "\u{202E}x",
    ":alert(1)", "//:javascript", "http:javascript:alert(1)",
  ])
  func check(_ payload: String) throws {
    for place in Self.places {
      let markdown = place(payload)
      do {
        let output = try html(markdown, GoldenTests.options)
        let violations = try BodyHTML.violations(in: output)
        #expect(violations == [], "\(markdown.debugDescription) gave \(output.debugDescription)")
      } catch let error as MarkdownHTMLError {
        // Raw payloads may contain markers, or lines that nest our markers. Text never reaches the renderer
        // in this form.
        #expect(payload.contains("<!--") || payload.contains("\n"), "\(error)")
      }
    }
  }

  /// Payloads in facts about media, which also come from a network.
  @Test func mediaFactsMayBeHostile() throws {
    let bad = "javascript:\"><script>"
    let quoted = "/x\"><script>"
    let options = HTMLOptions(media: [
      "/i": MediaFacts(sources: [.init(url: bad, width: 1), .init(url: quoted, width: 2)]),
      "/v": MediaFacts(kind: .video, poster: bad, contentType: quoted),
      "/w": MediaFacts(kind: .video, poster: quoted),
    ])
    let output = try html("<!-- video -->\n[a](/v)\n[b](/w)\n<!-- /video -->\n![c](/i)\n", options)
    #expect(try BodyHTML.violations(in: output) == [])
    #expect(try HTMLTokens(output).startTags.filter { $0["poster"] != nil }.count == 1)
    #expect(output.contains("srcset=\"/x%22%3E%3Cscript%3E 2w\""))
  }

  /// The output for malformed UTF-8 and every byte is UTF-8 that HTML can contain.
  @Test func everyByteGivesValidUTF8() throws {
    for byte in UInt8.min...UInt8.max {
      let output = try MarkdownHTML.render([0x61, byte, 0x62, 0x0A, 0x60, byte, 0x60]).whole
      let text = try #require(String(validating: output.bytes, as: UTF8.self), "byte \(byte)")
      #expect(try BodyHTML.violations(in: text) == [])
      #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" || $0 == "\t" })
    }
  }
}
