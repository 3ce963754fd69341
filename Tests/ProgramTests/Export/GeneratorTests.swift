import Export
import Foundation
import SiteBuild
import TestSupport
import Testing
import ThreadModel

/// Threads as posts of other site generators.
@Suite struct GeneratorTests {
  private static let name = "2021-01-01-ada-begins-1-2-so-on"
  private static let page = "/x/ada/ada-begins-1-2-so-on-1001/"

  private func export(_ format: ExportFormat, _ text: String? = nil) throws -> ExportedSite {
    let exported = try ExportedSite(configuration: "base_url: https://ada.example/")
    if let text {
      try exported.site.save(
        ExportedSite.conversation(
          [ExportedSite.post(6001, by: ExportedSite.ada, text, year: 2024)], by: ExportedSite.ada))
    }
    try exported.export(format, to: "out")
    return exported
  }

  private func matter(_ text: String) throws -> [String: Any] {
    let parts = text.split(separator: "---\n", maxSplits: 2, omittingEmptySubsequences: false)
    return try #require(try TypedYAML.read(parts[1]) as? [String: Any])
  }

  @Test func hugoPostsArePageBundles() throws {
    let exported = try export(.hugo, "It begins here.\n\nGo says {{< figure >}} and {{% raw %}}")
    let files = try exported.site.folder.tree("out")
    #expect(
      Set(files.keys.filter { $0.hasPrefix(Self.name) }) == [
        "\(Self.name)/index.md", "\(Self.name)/one.png", "\(Self.name)/two.jpg",
      ])
    let note = try exported.site.folder.text("out/\(Self.name)/index.md")
    let matter = try matter(note)
    #expect(matter["title"] as? String == "Ada begins: 1 < 2 & \"so\" on")
    #expect(matter["slug"] as? String == Self.name && matter["aliases"] as? [String] == [Self.page])
    let facts = try #require(matter["params"] as? [String: Any])
    #expect(facts["author"] as? String == "Ada & Co. <3" && facts["network"] as? String == "x")
    #expect(facts["source"] as? String == "https://x.com/ada/status/1001")
    #expect(note.contains("](one.png)") && note.contains("](../2022-01-01-bo-begins-here/#post-2001)"))
    #expect(note.contains("\ndate: 2021-01-01T00:16:41Z\nlastmod: 2021-01-01T00:16:42Z\n"))
    let codes = try #require(files.keys.first { $0.hasPrefix("2024") })
    let text = try exported.site.folder.text("out/\(codes)").split(separator: "---\n", maxSplits: 2)[1]
    #expect(text.contains("figure") && !text.contains("{{"))
  }

  @Test func zolaPostsHaveTOMLFrontMatter() throws {
    let exported = try export(.zola)
    let text = try exported.site.folder.text("out/\(Self.name)/index.md")
    #expect(
      text.hasPrefix(
        """
        +++
        title = "Ada begins: 1 < 2 & \\"so\\" on"
        slug = "\(Self.name)"
        date = 2021-01-01T00:16:41Z
        updated = 2021-01-01T00:16:42Z
        """))
    #expect(text.contains("\naliases = [\"\(Self.page)\"]\n[extra]\nauthor = \"Ada & Co. <3\"\n"))
    let list = try exported.site.folder.text("out/_index.md")
    #expect(list.hasPrefix("+++\ntitle = \"Kept\"\nsort_by = \"date\"\n"))
    // The owner's own list is kept.
    try exported.site.folder.write("+++\ntitle = \"Mine\"\n+++\n", to: "out/_index.md")
    #expect(throws: (any Error).self) { try exported.export(.zola, to: "out") }
    try exported.site.folder.remove("out/.threadsite-export")
    try exported.export(.zola, to: "out")
    #expect(try exported.site.folder.text("out/_index.md").contains("Mine"))
  }

  @Test func tagsAreATaxonomy() throws {
    let site = try TemporarySite()
    try site.save(
      ExportedSite.conversation(
        [ExportedSite.post(1001, by: ExportedSite.ada, "Ada begins", year: 2021)], by: ExportedSite.ada))
    let exported = try ExportedSite(
      site: site,
      configuration:
        "title: Kept\nthreads:\n  - { url: https://x.com/ada/status/1001, tags: [sea, 'so \"on\"'] }")
    try exported.export(.zola, to: "zola")
    let zola = try exported.site.folder.text("zola/2021-01-01-ada-begins/index.md")
    #expect(zola.contains("\n[taxonomies]\ntags = [\"sea\", \"so \\\"on\\\"\"]\n[extra]\n"))
    for format in [ExportFormat.hugo, .eleventy, .astro] {
      try exported.export(format, to: format.rawValue)
      let start = format == .astro ? "astro/src/content/threads" : format.rawValue
      let text = try exported.site.folder.text("\(start)/2021-01-01-ada-begins/index.md")
      #expect(try matter(text)["tags"] as? [String] == ["sea", "so \"on\""])
    }
  }

  @Test func astroPostsAreACollection() throws {
    let exported = try export(.astro)
    let files = try exported.site.folder.tree("out")
    let start = "src/content/threads/\(Self.name)"
    #expect(files["\(start)/one.png"] == SampleMedia.png())
    #expect(files["public/threads/\(Self.name)/one.png"] == SampleMedia.png())
    #expect(files["src/threads-collection.ts"] != nil)
    let text = try exported.site.folder.text("out/\(start)/index.md")
    #expect(text.contains("](./one.png)"))
    #expect(try matter(text)["network"] as? String == "x")
    // The folders of a thread that is gone are removed with it.
    try exported.site.folder.write("title: Kept\nbase_url: https://ada.example/\n", to: "site.yml")
    for stem in ["11/1001", "ada/1001"] where exported.site.folder.exists("threads/x/\(stem).json") {
      try exported.site.folder.remove("threads/x/\(stem).json")
    }
    try exported.export(.astro, to: "out")
    #expect(!exported.site.folder.exists("out/public/threads/\(Self.name)"))
    #expect(!exported.site.folder.exists("out/\(start)") && exported.site.folder.exists("out/src/content"))
  }

  @Test func eleventyRunsNoTemplates() throws {
    let exported = try export(.eleventy, "It begins here.\n\nLiquid says {{ page.url }} and {% raw %}")
    let name = try #require(try exported.site.folder.tree("out").keys.first { $0.hasPrefix("2024") })
    let text = try exported.site.folder.text("out/\(name)")
    #expect(try matter(text)["templateEngineOverride"] as? String == "md")
    #expect(text.contains("{{ page.url }}"))
  }

  @Test func jekyllPostsHaveTheirMediaAtTheirPage() throws {
    let exported = try export(.jekyll, "It begins here.\n\nA | B\n: not {:.a definition} for $$5$$ {{ x }}")
    let files = try exported.site.folder.tree("out")
    #expect(files["_posts/\(Self.name).md"] != nil && files["threads/\(Self.name)/one.png"] != nil)
    let text = try exported.site.folder.text("out/_posts/\(Self.name).md")
    let matter = try matter(text)
    #expect(matter["permalink"] as? String == "/threads/\(Self.name)/")
    #expect(matter["redirect_from"] as? [String] == [Self.page])
    #expect(matter["layout"] as? String == "post" && matter["render_with_liquid"] as? Bool == false)
    let name = try #require(files.keys.first { $0.hasPrefix("_posts/2024") })
    let code = try exported.site.folder.text("out/\(name)").split(separator: "---\n", maxSplits: 2)[1]
    #expect(
      code.contains("\\|") && code.contains("\\: not {\\:.a definition} for \\$\\$5\\$\\$ {{ x }}"), "\(code)"
    )
  }
}
