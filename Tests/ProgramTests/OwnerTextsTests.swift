import Foundation
import SiteBuild
import SiteWorkspace
import TestSupport
import Testing

/// The owner's texts about a thread appear around it and after its posts in every output.
@Suite struct OwnerTextsTests {
  private static let page = "x/ada/three-things-about-clocks-1001/index.html"
  private static let configuration = """
    base_url: https://ada.example/
    language: de
    threads:
      - url: https://x.com/ada/status/1001
        intro: |
          Written on a *train*, long ago.

          # Later
        afterword: "[More](https://ada.example/more) and [much](https://bo.example/) <b>more</b>."
        notes:
          1002: The quokka is *wrong* here.

    """

  private func site(_ configuration: String = configuration) throws -> TemporarySite {
    let site = try TemporarySite("defaults")
    try site.folder.write(configuration, to: "site.yml")
    return site
  }

  @Test(arguments: TemporarySite.themes)
  func areSeparateFromPostsOnThePage(_ theme: String) throws {
    let site = try site(Self.configuration + "theme: \(theme)\n")
    try site.build()
    let html = try site.folder.text("site/" + Self.page)
    let asides = try html.matches(of: Regex("(?s)<aside class=\"note (\\w+)\"[^>]*>\n(.*?)</aside>")).map {
      (String($0.output[1].substring ?? ""), String($0.output[2].substring ?? ""), $0.range)
    }
    #expect(asides.map(\.0) == ["introduction", "remark", "afterword"])
    #expect(
      asides.map(\.1) == [
        "<p><strong>Einleitung</strong></p>\n<p>Written on a <em>train</em>, long ago.</p>\n<h2>Later</h2>\n",
        "<p><strong>Anmerkung</strong></p>\n<p>The quokka is <em>wrong</em> here.</p>\n",
        "<p><strong>Nachwort</strong></p>\n<p><a href=\"https://ada.example/more\">More</a> and "
          + "<a href=\"https://bo.example/\" rel=\"noopener\">much</a> more.</p>\n",
      ])
    #expect(html.matches(of: /<aside [^>]*lang="de" dir="auto"/).count == 3)
    // Before the first post, after the second, and after the last.
    let posts = html.matches(of: /<section class="post"(?: id="post-(\d+)")?>/)
    #expect(posts.count > 2 && posts[1].output.1 == "1002")
    #expect(asides[0].2.upperBound <= posts[0].range.lowerBound)
    #expect(
      asides[1].2.lowerBound > posts[1].range.upperBound
        && asides[1].2.upperBound <= posts[2].range.lowerBound)
    #expect(asides[2].2.lowerBound > posts[posts.count - 1].range.upperBound)
    #expect(site.warnings.allSatisfy { !$0.contains("notes") }, "\(site.warnings)")
  }

  /// In the Markdown, in feeds, in the search, and in exports.
  @Test func areInEveryOutputOfTheThread() throws {
    let site = try site()
    try site.build()
    let markdown = try site.folder.text("site/" + Self.page.replacing("index.html", with: "index.md"))
    #expect(
      markdown.contains(
        "\n\n**Anmerkung**\n\nThe quokka is *wrong* here.\n\n"))
    #expect(!markdown.contains("<!--"))
    for feed in ["feed.xml", "feed.json"] {
      let text = try site.folder.text("site/" + feed)
      #expect(text.contains("The quokka is") && text.contains("Written on a"), "\(feed)")
    }
    #expect(
      try site.tree().contains {
        $0.key.hasPrefix("search/") && $0.value.contains("quokka")
      })
    let program = Program(
      folder: site.path, environment: ["THREADSITE_SHARE": ProjectFolders.repository.path])
    for (format, path) in [("html", "all.html"), ("markdown", "notes")] {
      let outcome = try program.run(["export", format, "-o", path])
      #expect(outcome.code == 0, "\(outcome.errors)")
    }
    #expect(try site.folder.text("all.html").contains("The quokka is <em>wrong</em> here."))
    #expect(
      try site.folder.tree("notes").values.contains {
        $0.contains("The quokka is *wrong* here.")
      })
  }

  @Test func warnsAboutANoteOnAMissingPost() throws {
    let site = try site(Self.configuration.replacing("1002:", with: "1009:"))
    try site.build()
    #expect(
      site.warnings.contains {
        $0.hasPrefix(
          "SITE/site.yml:11:7: warning: threads[0].notes.1009: the thread's page has no such post of the author"
        )
          && $0.contains("did you mean \"100")
      }, "\(site.warnings)")
    #expect(try !site.folder.text("site/" + Self.page).contains("quokka"))
    // Also for a note on a hidden post.
    try site.folder.write(Self.configuration + "    hide: [1002]\n", to: "site.yml")
    try site.build()
    #expect(
      site.warnings.contains { $0.contains("threads[0].notes.1002: the thread's page has no such post") },
      "\(site.warnings)")
  }

  /// An unterminated block would include the author's words.
  @Test(arguments: ["```\\ncode", "<!-- a comment", "<!-- /remark -->", "~~~~"])
  func rejectsUnterminatedMarkdown(_ words: String) throws {
    let site = try site(
      Self.configuration.replacing("The quokka is *wrong* here.", with: "\"Words\\n\\n\(words)\""))
    let error = try #require(throws: PipelineError.self) { try site.build() }
    #expect(
      error.messages.contains {
        site.withoutPaths($0).hasPrefix("SITE/site.yml:11:7: error: threads[0].notes.1002: ")
      },
      "\(error.messages)")
  }

  @Test func changeRendersOnlyTheirThread() throws {
    let site = try site()
    try waitUntilFilesAreSettled()
    try site.build()
    try waitUntilFilesAreSettled()
    try site.folder.write(Self.configuration.replacing("quokka", with: "wombat"), to: "site.yml")
    #expect(try site.build().rendered == 1)
    #expect(try site.folder.text("site/" + Self.page).contains("wombat"))
  }
}
