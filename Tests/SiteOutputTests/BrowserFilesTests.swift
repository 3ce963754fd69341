import Basics
import Foundation
import InterfaceText
import SiteConfig
import SiteOutput
import TestSupport
import Testing
import ThreadModel

/// The files and tags for browsers and phones: icons, colors, the web manifest, the search description.
@Suite struct BrowserFilesTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for (theme, extends) in [("base", ""), ("mine", "extends: base\n")] {
      try folder.write("name: \(theme)\n" + extends, to: "\(theme)/theme.yml")
    }
    for layout in Theme.requiredLayouts {
      try folder.write("<p>\(layout)</p>\n", to: "base/layouts/\(layout).mustache")
    }
    let home = """
      {{theme.icon}} {{#theme.touch_icon}}{{url}} {{size}}{{/theme.touch_icon}} {{#theme.colors}}{{light}} {{dark}}{{/theme.colors}}
      {{site.manifest_url}} {{site.opensearch_url}} {{#me}}{{url}} {{/me}}

      """
    try folder.write(home, to: "base/layouts/home.mustache")
    try folder.write("p {}", to: "base/static/style.css")
  }

  /// A PNG file up to the end of its header.
  private func png(_ width: UInt8, _ height: UInt8) -> Data {
    Data(
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
        + [0, 0, 0, width, 0, 0, 0, height, 8, 2, 0, 0, 0])
  }

  private func load(_ name: String = "mine") throws -> Theme { try Theme.load(name, in: [folder.path]) }

  private func home(_ theme: Theme, _ change: (inout SiteFacts) -> Void = { _ in }) throws -> [String] {
    var site = Samples.site()
    change(&site)
    let index = SiteIndex([], calendar: .utc)
    let page = try #require(index.pages(threadsPerPage: 1).first)
    var html = UTF8Buffer()
    try PageRenderer(site: site, theme: theme).render(page, of: index, into: &html)
    return html.string.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  private func manifest(_ theme: Theme, of site: SiteFacts = Samples.site()) throws -> JSONValue? {
    try WebManifest.file(of: site, in: theme).first.map { try JSONValue(parsing: $0.content.bytes) }
  }

  @Test func themeWithoutIconsWritesNothing() throws {
    let theme = try load()
    #expect(theme.icons.bitmap == nil && theme.colors == nil)
    #expect(try manifest(theme) == nil)
    #expect(try home(theme).prefix(2) == ["  ", "  "])
  }

  @Test func writesIconsAndColors() throws {
    try folder.write("<svg/>", to: "base/static/icon.svg")
    try folder.write(png(192, 192), to: "base/static/icon.png")
    try folder.write(
      "name: base\ncolors: { light: \"#FDFCFA\", dark: '#000000' }\n", to: "base/theme.yml")
    let theme = try load()
    let icons = [theme.icons.vector, theme.icons.bitmap?.path].compactMap { $0?.text }
    #expect(icons.count == 2)
    let site = Samples.site()
    #expect(
      try home(theme)[0] == "./\(icons[0]) ./\(icons[1]) 192 #fdfcfa #000000")
    #expect(try home(theme)[1].hasPrefix("./site.webmanifest "))
    let manifest = try #require(try manifest(theme))
    #expect(manifest["name"]?.string == site.title)
    #expect(manifest["start_url"]?.string == "./")
    #expect(manifest["theme_color"]?.string == "#fdfcfa")
    #expect(manifest["icons"]?.array?.compactMap { $0["src"]?.string } == icons)
    #expect(manifest["icons"]?.array?.compactMap { $0["sizes"]?.string } == ["any", "192x192"])
  }

  @Test func themeInheritsItsTextColumn() throws {
    #expect(try load("mine").column == nil)
    try folder.write("name: base\ncolumn: { width: 36, window: 40 }\n", to: "base/theme.yml")
    let column = try #require(try load("mine").column)
    #expect(column.width == 36 && column.windowWidth == 40)
    #expect(throws: SiteConfigError.self) {
      try DecodedThemeDescription(bytes: "column: { width: 36 }".utf8, file: "theme.yml")
    }
  }

  /// A theme with its own drawing and without pixels does not use another theme's pixels.
  @Test func ignoresPixelsOfAnotherDrawing() throws {
    try folder.write("<svg/>", to: "base/static/icon.svg")
    try folder.write(png(64, 64), to: "base/static/icon.png")
    try folder.write("<svg>mine</svg>", to: "mine/static/icon.svg")
    #expect(try load("base").icons.bitmap?.size == 64)
    #expect(try load("mine").icons.bitmap == nil)
    try folder.write(png(48, 48), to: "mine/static/icon.png")
    #expect(try load("mine").icons.bitmap?.size == 48)
  }

  @Test(arguments: ["no picture", "", "tall"]) func rejectsAnIconThatIsNotASquarePNG(_ icon: String) throws {
    try folder.write(icon == "tall" ? png(48, 64) : Data(icon.utf8), to: "base/static/icon.png")
    let error = #expect(throws: SiteOutputError.self) { try load() }
    #expect(error?.description.contains("/base/static/icon.png") == true)
    #expect(error?.description.contains("square PNG") == true)
  }

  @Test func colorsHaveSixDigits() throws {
    for (color, isColor) in [("#12abEF", true), ("#fff", false), ("white", false), ("#12345g", false)] {
      let yaml = "colors:\n  light: \"\(color)\"\n  dark: \"#000000\"\n"
      let colors = try? DecodedThemeDescription(bytes: yaml.utf8, file: "theme.yml").description.colors
      #expect((colors != nil) == isColor, "\(color)")
    }
    let error = #expect(throws: SiteConfigError.self) {
      try DecodedThemeDescription(bytes: "colors: { light: \"#ffffff\" }".utf8, file: "theme.yml")
    }
    #expect(error?.description.contains("theme.yml:1:9: error: colors: ") == true, "\(error as Any)")
  }

  @Test func homePageNamesProfiles() throws {
    let lines = try home(try load()) {
      $0.owner = .init(
        name: "Ada", url: nil, profiles: ["https://social.example/@ada", "https://b.example/?a&b"])
    }
    #expect(lines[1] == "  https://social.example/@ada https://b.example/?a&amp;b ")
  }

  /// Expected by the specification: the template contains `{searchTerms}` unescaped, and the short name has
  /// at most 16 characters.
  @Test func describesTheSearchOfASiteWithABaseURL() throws {
    #expect(SearchDescription.file(of: Samples.site(), in: try load()).isEmpty)
    try folder.write("{{search.script}}", to: "mine/layouts/search.mustache")
    try folder.write("", to: "mine/static/search.js")
    let theme = try load()
    var site = Samples.site(baseURL: nil)
    #expect(SearchDescription.file(of: site, in: theme).isEmpty)
    site = Samples.site(baseURL: "https://ada.example/threads/")
    site.title = "A title <longer> than sixteen"
    let file = try #require(SearchDescription.file(of: site, in: theme).first)
    #expect(file.path == "opensearch.xml")
    let tree = try XMLTree.parse(file.content.bytes)
    #expect(tree.name == "OpenSearchDescription")
    #expect(tree.text("ShortName") == "A title <longer>")
    #expect(
      tree["Url"].first?.attributes["template"] == "https://ada.example/threads/search/?q={searchTerms}")
    site.config.search = false
    #expect(SearchDescription.file(of: site, in: theme).isEmpty)
  }
}
