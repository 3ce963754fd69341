import Basics
import Foundation
import MarkdownHTML
import TestSupport
import Testing

/// The HTML of every marker: `Fixtures/<name>.md` gives `Fixtures/<name>.html`.
@Suite struct GoldenTests {
  static let captioned: MediaFacts = {
    var info = MediaFacts(kind: .video, contentType: "video/mp4")
    info.captions = [
      MediaFacts.Captions(url: "/media/a&b.vtt", language: "de", label: "Deutsch \"<b>"),
      MediaFacts.Captions(url: "javascript:alert(1)", language: "en", label: "English"),
    ]
    return info
  }()

  static let options = HTMLOptions(
    headingOffset: 1,
    media: [
      "https://media.example/1.jpg": MediaFacts(
        width: 1200, height: 800,
        sources: [
          .init(url: "https://media.example/1,small.jpg", width: 400),
          .init(url: "javascript:alert(1)", width: 500),
          .init(url: "https://media.example/1.jpg?a&b", width: 1200),
        ]),
      "https://media.example/kettle.mp4": MediaFacts(
        kind: .video, width: 1280, height: 720, poster: "/unused.jpg", contentType: "video/mp4"),
      "/media/a.mp3": MediaFacts(kind: .audio, contentType: "audio/mpeg"),
      "/media/said.mp4": captioned,
      "/media/gif.mp4": MediaFacts(kind: .video, isLooping: true),
      "/media/5.mp4": MediaFacts(kind: .video, width: 0, contentType: "video/mp4"),
      "/media/known.mp4": MediaFacts(kind: .video, poster: "/media/known.jpg"),
    ],
    baseURL: "https://ada.example/threads/")

  @Test(arguments: [
    "post", "images", "video", "embed", "poll", "sections", "plain", "replies", "emoji", "audio",
  ])
  func matchesTheFixtures(_ name: String) throws {
    let folder = ProjectFolders.fixtures(of: "MarkdownHTMLTests")
    let markdown = try String(contentsOf: folder.appending(path: "\(name).md"), encoding: .utf8)
    var options = Self.options
    if name == "images" { options.column = TextColumn(width: 40, windowWidth: 40) }
    let actual = try html(markdown, options)
    // Recorded files must at least be strict HTML.
    _ = try HTMLTokens(actual)
    try Golden.compare(actual, with: folder.appending(path: "\(name).html"))
  }

  @Test func controlsOpenImagesAndWarnings() throws {
    let folder = ProjectFolders.fixtures(of: "MarkdownHTMLTests")
    let markdown = try String(contentsOf: folder.appending(path: "controls.md"), encoding: .utf8)
    var options = Self.options
    options.controls = ControlNames(enlarge: "Enlarge <b>", close: "Close \"it\"", show: "Show & tell")
    options.languages = DocumentLanguages(texts: "de", words: "en")
    options.idPrefix = "b-"
    let actual = try html(markdown, options)
    #expect(try BodyHTML.violations(in: actual) == [])
    try Golden.compare(actual, with: folder.appending(path: "controls.html"))
    // Without controls, everything is visible and there are no buttons.
    options.controls = nil
    let open = try HTMLTokens(html(markdown, options)).startTags.map(\.name)
    #expect(Set(open).isDisjoint(with: ["details", "summary", "label", "input", "button"]))
  }

  /// The mark of a dead link is in the site's language, and its title is its name. Other links keep their titles.
  @Test func marksOfDeadLinksAreNamed() throws {
    var options = HTMLOptions()
    options.languages = DocumentLanguages(texts: "de", words: "en")
    var writer = MarkdownTextWriter(.block)
    writer.link(
      text: "archived".utf8, trusted: "https://web.archive.org/web/https://a.example/",
      title: #"archived: "a" \ *b* & <c>"#)
    let mark = writer.finish().string
    let name = "=\"archived: &quot;a&quot; \\ *b* &amp; &lt;c&gt;\""
    let inText = try html("<!-- text -->\n\n\(mark)\n\n<!-- /text -->\n", options)
    #expect(inText.contains(" aria-label\(name) lang=\"en\">archived</a>"), "\(inText)")
    #expect(try html(mark, options).contains(" title\(name)>archived</a>"))
  }

  @Test func idPrefixSeparatesBodiesOnOnePage() throws {
    let markdown = "<!-- post 1 -->\n[here](#post-1)\n<!-- /post -->\n"
    #expect(
      try html(markdown, HTMLOptions(idPrefix: "b-"))
        == "<section class=\"post\" id=\"b-post-1\">\n<p><a href=\"#b-post-1\">here</a></p>\n</section>\n")
  }

  @Test func fragmentsOfAFeedBodyLinkToItsPage() throws {
    let options = HTMLOptions(
      baseURL: "https://ada.example/", idPrefix: "b-", pageURL: "https://ada.example/a&b/")
    #expect(
      try html("[here](#post-1) [there](c/)", options)
        == "<p><a href=\"https://ada.example/a&amp;b/#b-post-1\">here</a> <a href=\"c/\">there</a></p>\n")
  }

  @Test func rendersLinesAndEmptyDocuments() throws {
    #expect(try html("a\r\nb") == "<p>a\nb</p>\n")
    #expect(try html("") == "")
  }

  @Test func limitsHeadingLevels() throws {
    #expect(try html("##### a\n# b", HTMLOptions(headingOffset: 2)) == "<h6>a</h6>\n<h3>b</h3>\n")
  }
}
