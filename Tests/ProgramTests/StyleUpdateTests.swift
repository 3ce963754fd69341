import Foundation
import SiteBuild
import SiteWorkspace
import TestSupport
import Testing

/// Changes of a theme's style sheets, for which a build reads no thread.
@Suite(.serialized) struct StyleUpdateTests {
  /// Pages receive the new names of changed style sheets without being rendered. Posts and names of people may also contain
  /// such names.
  @Test func changedStyleSheetChangesNoWords() throws {
    let site = try TemporarySite()
    var contents = EditedContents.withOwnTheme([
      "themes/own/static/style.css": "body { margin: 1px }\n",
      // The URL of this style sheet is percent-encoded.
      "themes/own/static/maß.css": "body { padding: 1px }\n",
      "themes/own/partials/analytics.mustache":
        #"<link rel="stylesheet" href="{{theme.assets.maß.css}}">"#,
    ])
    func build(_ edit: (inout EditedContents) throws -> Void) throws {
      let old = contents
      try edit(&contents)
      try contents.write(to: site, after: old)
      try waitUntilFilesAreSettled()
      try site.build()
    }
    try contents.write(to: site, after: nil)
    try build { _ in }
    let sheet = try #require(site.tree().keys.first { $0.hasPrefix("assets/style.") })
    try build { contents in
      contents.threads[0].extra = " \(sheet)"
      contents.threads[1].extra = #" <link rel="stylesheet" href="../../../\#(sheet)">"#
      contents.threads[2].settings["title"] = "'\(sheet)'"
      contents.names[1] = #"" href="\#(sheet)"#
    }
    try build { contents in
      contents.files["themes/own/static/style.css"] = "body { margin: 2px }\n"
      contents.files["themes/own/static/maß.css"] = "body { padding: 2px }\n"
    }
    let tree = try site.tree()
    #expect(tree[sheet] == nil)
    try site.build(output: site.path + "/fresh", usesCache: false)
    let expected = try site.folder.tree("fresh")
    #expect(tree.keys.sorted() == expected.keys.sorted())
    #expect(expected.keys.filter { tree[$0] != expected[$0] }.sorted() == [])
    #expect(tree.values.contains { $0.contains(sheet) })
  }

  /// Only the pages and the style sheet are written. The owner's pages keep a former name, and the next build knows all of the site.
  @Test func changedStyleSheetRendersNothing() throws {
    let site = try TemporarySite()
    var contents = EditedContents.withOwnTheme([
      "themes/own/static/style.css": "body { margin: 1px }\n"
    ])
    func build(_ edit: (inout EditedContents) -> Void) throws -> BuildEffect {
      try site.change(&contents, edit)
    }
    func sheet() throws -> String {
      try #require(site.tree().keys.first { $0.hasPrefix("assets/style.") })
    }
    try contents.write(to: site, after: nil)
    try site.build()
    _ = try build { _ in }
    for pixels in 2...3 {
      let old = try sheet()
      let pages = try site.tree().keys.filter { $0.hasSuffix(".html") }
      let change = try build { $0.files["themes/own/static/style.css"] = "body { margin: \(pixels)px }\n" }
      #expect(change.steps == [] && change.removed == [old])
      #expect(try change.written == Set(pages + [sheet()]))
      #expect(try build { _ in } == BuildEffect())
    }
    // The saved data fit the new pages.
    let text = try build { $0.threads[0].extra = " more" }
    #expect(!text.steps.isEmpty && text.written.contains { $0.hasSuffix("index.md") })
    // A changed page is rendered.
    try site.folder.write("changed", to: "site/x/ada/index.html")
    #expect(try !build { $0.files["themes/own/static/style.css"] = "body { margin: 4px }\n" }.steps.isEmpty)
    for file in ["static/own.html", "pages/own.html", "pages/own.md"] {
      let link = try "<link rel=\"stylesheet\" href=\"assets/\(sheet())\">\n"
      _ = try build { $0.files[file] = "---\ntitle: Own\n---\n" + link }
      let style = try build { $0.files["themes/own/static/style.css"]? += "p { margin: 0 }\n" }
      #expect(!style.steps.isEmpty, "\(file)")
      _ = try build { $0.files[file] = nil }
    }
  }

  /// In a preview, a style sheet keeps its name, so no other file changes. New warnings and new files require a whole build.
  @Test func changedStyleSheetOfAPreviewChangesNoOtherFile() throws {
    let site = try TemporarySite()
    var contents = EditedContents.withOwnTheme([
      "themes/own/static/style.css": "@import \"base:_core.css\";\nbody { margin: 1px }\n",
      "themes/own/static/_core.css": "main { margin: 1px }\n",
    ])
    func build(_ edit: (inout EditedContents) -> Void) throws -> BuildEffect {
      try site.change(&contents, namesStyleSheetsByContent: false, edit)
    }
    try contents.write(to: site, after: nil)
    try site.build(namesStyleSheetsByContent: false)
    _ = try build { _ in }
    for (file, text) in [
      ("style.css", "@import \"base:_core.css\";\nbody { margin: 2px }\n"),
      ("_core.css", "main { margin: 2px }\n"),
    ] {
      let change = try build { $0.files["themes/own/static/\(file)"] = text }
      #expect(change.steps == [] && change.written == ["assets/style.css"])
      #expect(try site.page("assets/style.css").contains("margin:2px"))
    }
    // Other changed files of the site are restored.
    try site.folder.write("changed", to: "site/index.html")
    try site.folder.write("added", to: "site/assets/more.css")
    #expect(try !build { $0.files["themes/own/static/_core.css"] = "main { margin: 3px }\n" }.steps.isEmpty)
    try site.folder.write("changed", to: "site/x/ada/index.html")
    #expect(try !build { $0.files["themes/own/static/_core.css"] = "main { margin: 4px }\n" }.steps.isEmpty)
    // A comment is not published.
    #expect(try build { $0.files["themes/own/static/_core.css"]? += "/* a */\n" } == BuildEffect())
    let blocked = "body { background: url(https://elsewhere.example/a.png) }\n"
    #expect(try !build { $0.files["themes/own/static/_core.css"] = blocked }.steps.isEmpty)
    #expect(site.warnings.contains { $0.contains("elsewhere.example") })
    #expect(try !build { $0.files["themes/own/static/more.css"] = "p { margin: 0 }\n" }.steps.isEmpty)
    #expect(try site.page("assets/more.css").contains("margin"))
    let both = try build { contents in
      contents.files["themes/own/static/more.css"] = "p { margin: 1px }\n"
      contents.threads[0].extra = " more"
    }
    #expect(!both.steps.isEmpty && both.written.contains("assets/more.css"))
    // A failed build leaves the site unchanged.
    try site.folder.write("@import \"base:none.css\";\n", to: "themes/own/static/style.css")
    try waitUntilFilesAreSettled()
    let before = try site.tree()
    #expect(throws: PipelineError.self) { try site.build(namesStyleSheetsByContent: false) }
    #expect(try site.tree() == before)
  }

  /// A file that has no effect is an input of a build, because the build warns of it.
  @Test func warnsOfAStyleSheetAmongTheLayouts() throws {
    let site = try TemporarySite()
    var contents = EditedContents.withOwnTheme(["themes/own/static/style.css": "body { margin: 1px }\n"])
    try contents.write(to: site, after: nil)
    try waitUntilFilesAreSettled()
    try site.build()
    _ = try site.change(&contents) { $0.files["themes/own/layouts/more.css"] = "p { margin: 0 }\n" }
    // Once by this build, and once by the one without the cache.
    #expect(
      site.warnings.count {
        $0.hasPrefix("SITE/themes/own/layouts/more.css: warning: ") && $0.contains("end in .mustache")
      } == 2)
  }
}
