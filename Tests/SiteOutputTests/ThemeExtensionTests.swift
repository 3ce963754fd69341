import Basics
import InterfaceText
import SiteConfig
import SiteOutput
import Templates
import TestSupport
import Testing
import ThreadModel

/// Themes that extend other themes with `extends`, and the site's own files in addition to both.
@Suite struct ThemeExtensionTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      "name: base\noptions: { wide: { type: flag }, line: { type: text } }\n", to: "i/base/theme.yml")
    for layout in Theme.requiredLayouts {
      try folder.write("<p>\(layout) {{>bit}}</p>\n", to: "i/base/layouts/\(layout).mustache")
    }
    try folder.write("base", to: "i/base/partials/bit.mustache")
    try folder.write("base {}", to: "i/base/static/style.css")
    try folder.write("name: upper\nextends: base\n", to: "i/upper/theme.yml")
  }

  private func load(_ name: String = "upper") throws -> Theme {
    try Theme.load(name, in: [folder.path + "/i", folder.path + "/own"])
  }

  private func failure(_ name: String = "upper") -> String {
    let error = #expect(throws: SiteOutputError.self) { try load(name) }
    return (error?.description ?? "").replacing(folder.path + "/", with: "")
  }

  private func notFoundPage(_ options: ThemeOptionValues = ThemeOptionValues()) throws -> String {
    let index = SiteIndex([], calendar: .utc)
    let page = try #require(index.pages(threadsPerPage: 1).last)
    var html = UTF8Buffer()
    var site = Samples.site()
    site.themeOptions = options
    try PageRenderer(site: site, theme: load()).render(page, of: index, into: &html)
    return html.string
  }

  private func styleSheet() throws -> String {
    let theme = try load()
    let asset = try #require(theme.assets.first { $0.path == theme.stylesheet })
    guard case .text(let bytes) = asset.content else { return "" }
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: - Style sheets

  @Test(arguments: [
    ("/* a */\np { }\n\n  q {\n    r: s;\n  }\n", "p{}\nq{r:s;}"),
    ("a/**/b  {}", "a b{}"), ("/*! © */ p{}", "/*! © */ p{}"), ("p{} /* to the end", "p{}"),
    ("p::before { content: \"/* no  */\\\"\"; }", "p::before{content:\"/* no  */\\\"\";}"),
    ("p { b: URL(data:a/*b) }/**/", "p{b:URL(data:a/*b)}"),
    ("a\\\"b { } /* c */ d{}", "a\\\"b{}\nd{}"),
    ("a {\r\n\t b: c\r\n}", "a{b:c}"),
    ("p{a:'b\n/**/}", "p{a:'b\n}"),
    ("a > /* b */ c{}", "a > c{}"), ("", ""), ("/", "/"), ("/*/", ""), ("\"", "\""),
    ("p{a:\"b\\", "p{a:\"b\\"),
    ("@media screen and (min-width: 5rem) { a { b: c } }", "@media screen and (min-width:5rem){a{b:c}}"),
    // A space between selectors is a combinator, and one within a value separates its parts.
    (
      "a :hover , b:is(c, d) { e: calc(1px + 2px) !important }",
      "a :hover ,b:is(c,d){e:calc(1px + 2px) !important}"
    ),
    // Escaped punctuation is a part of a name, and a space ends an escape.
    ("a\\{ b, .\\31 :hover {}", "a\\{ b,.\\31 :hover{}"),
    ("a { --b: ; --c: d, e }", "a{--b: ;--c:d,e}"),
  ])
  func publishesStyleSheetsWithoutComments(text: String, published: String) throws {
    try folder.write(text, to: "i/base/static/style.css")
    #expect(try styleSheet() == published)
  }

  /// A file whose name begins with `_` is inserted where it is imported, from any layer, and is not published itself.
  @Test func partsOfStyleSheetsAreNotPublished() throws {
    try folder.write("core {}", to: "i/base/static/_core.css")
    try folder.write("@import \"base:_core.css\";\nupper {}", to: "i/upper/static/style.css")
    #expect(try styleSheet() == "core{}\nupper{}")
    #expect(try load().assets.map(\.name) == ["style.css"])
    // A part in the same layer comes first, and can build on the one below.
    try folder.write("@import \"base:_core.css\";\nmore {}", to: "i/upper/static/_core.css")
    #expect(try styleSheet() == "core{}\nmore{}\nupper{}")
    try folder.write("{{theme.assets._core.css}}", to: "i/upper/layouts/404.mustache")
    #expect(failure().contains("the theme has no file \"static/_core.css\""))
  }

  // MARK: - The site's color

  private func accented(_ light: String, dark: String? = nil) throws -> Theme {
    var accent = SiteConfig.Accent()
    accent.light = light
    accent.dark = dark
    return try Theme.load(
      ThemeLayers(of: "upper", in: [folder.path + "/i"]), words: TemplateWords([:]), accent: accent)
  }

  @Test func colorOfTheSiteIsAtTheEndOfTheStyleSheet() throws {
    let plain = try load()
    let theme = try accented("#1d4d7e", dark: "#a3c6ec")
    let sheet = try #require(theme.assets.first { $0.name == "style.css" })
    #expect(
      sheet.content
        == .text(
          Array("base{}\n@media screen{:root:root{--link:light-dark(#1d4d7e,#a3c6ec)}}\n".utf8)))
    // Another name, because browsers cache the file forever.
    #expect(theme.stylesheet != plain.stylesheet)
    #expect(theme.accent?.findings == [])
  }

  /// Browsers compute the color for dark mode. The test evaluates the expression as browsers do, for strong
  /// and weak colors of all hues.
  @Test func darkModeColorIsAReadableShadeOfItsHue() throws {
    #expect(
      try accented("#1d4d7e").accent?.dark == "oklch(from #1d4d7e max(l,.75) min(c,.15) h)")
    let steps = stride(from: 0, through: 255, by: 51)
    for red in steps {
      for green in steps {
        for blue in steps {
          let color = OKLCH(red: red, green: green, blue: blue)
          var shade = color
          shade.lightness = max(color.lightness, 0.75)
          shade.chroma = min(color.chroma, 0.15)
          // The lightest of our themes' dark backgrounds, and a dark gray.
          let (paper, gray) = (RGBColor("#171614"), RGBColor("#3d3d3d"))
          #expect(
            shade.shown.contrast(with: paper) >= 7 && shade.shown.contrast(with: gray) >= 4.5, "\(color)")
          let turn = abs((OKLCH(shade.shown).hue - color.hue).remainder(dividingBy: 2 * .pi))
          #expect(turn < 0.07 || color.chroma < 0.03, "\(color)")
        }
      }
    }
  }

  @Test func warnsAboutLowContrast() throws {
    try folder.write(
      "name: upper\nextends: base\ncolors: { light: \"#ffffff\", dark: \"#000000\" }\n",
      to: "i/upper/theme.yml")
    let findings = try #require(try accented("#ffcc00", dark: "#333333").accent).findings
    #expect(findings.map(\.keyPath) == ["accent.light", "accent.dark"])
    #expect(
      findings[0].message.hasPrefix(
        "#ffcc00 has a contrast of 1.5 : 1 on the theme's light background, #ffffff; links need 4.5 : 1"))
    for (finding, ground) in zip(findings, ["#ffffff", "#000000"]) {
      let shade = RGBColor(String(finding.message.suffix(7)))
      #expect((4.5..<4.7).contains(shade.contrast(with: RGBColor(ground))), "\(finding.message)")
    }
    #expect(RGBColor("#777777").contrast(with: RGBColor("#ffffff")) < 4.5)
    #expect(RGBColor("#767676").contrast(with: RGBColor("#ffffff")) > 4.5)
    #expect(RGBColor("#000000").contrast(with: RGBColor("#ffffff")) == 21)
  }

  // MARK: - Layers

  @Test func inheritsMissingFiles() throws {
    #expect(try notFoundPage() == "<p>404 base</p>\n")
    #expect(try load().options.map(\.name) == ["wide", "line"])
  }

  @Test func eachLayerOverridesLowerLayers() throws {
    try folder.write("own base", to: "own/base/partials/bit.mustache")
    #expect(try notFoundPage() == "<p>404 own base</p>\n")
    try folder.write("upper", to: "i/upper/partials/bit.mustache")
    #expect(try notFoundPage() == "<p>404 upper</p>\n")
    try folder.write("own upper", to: "own/upper/partials/bit.mustache")
    #expect(try notFoundPage() == "<p>404 own upper</p>\n")
  }

  @Test func componentsComeFromAllLayers() throws {
    try folder.write("a", to: "i/base/templates/poll.mustache")
    try folder.write("b", to: "i/upper/templates/poll.mustache")
    try folder.write("c", to: "own/base/templates/gap.mustache")
    #expect(try load().components.map(\.text) == ["c", "b"])
    #expect(try load("base").components.map(\.text) == ["c", "a"])
  }

  @Test func optionMayBeRedeclaredOrAdded() throws {
    try folder.write(
      "extends: base\noptions:\n  wide: { type: flag, default: true }\n  size: { type: number }\n",
      to: "i/upper/theme.yml")
    try folder.write("avatars: false\ncard_images: false\n", to: "own/upper/theme.yml")
    let theme = try load()
    #expect(theme.options.map(\.name) == ["wide", "line", "size"])
    #expect(theme.options[0].standard == .flag(true))
    #expect(!theme.showsAvatars)
    #expect(!theme.showsCardImages)
    let base = try load("base")
    #expect(base.showsAvatars && base.showsCardImages)
  }

  @Test func circularExtensionIsAnErrorWithItsPlace() throws {
    try folder.write("name: base\nextends: upper\n", to: "i/base/theme.yml")
    #expect(
      failure()
        == "i/base/theme.yml:2:10: error: extends: the themes extend each other in a circle: upper → base → upper; one of "
        + "them must stand alone\nextends: upper\n         ^")
    try folder.write("extends: alone\n", to: "i/alone/theme.yml")
    #expect(failure("alone").contains("alone → alone"))
  }

  @Test func missingBaseIsAnErrorWithItsPlace() throws {
    try folder.write("name: upper\nextends: bsae\n", to: "i/upper/theme.yml")
    #expect(
      failure()
        == "i/upper/theme.yml:2:10: error: extends: there is no theme \"bsae\"; did you mean \"base\"? Looked in: i/bsae, "
        + "own/bsae\nextends: bsae\n         ^")
  }

  // MARK: - Options

  @Test func optionsReachTemplates() throws {
    try folder.write(
      "{{theme.classes}}|{{theme.options.wide}}|{{theme.options.line}}", to: "own/upper/partials/bit.mustache"
    )
    let theme = try load()
    let (options, mistakes) = ThemeOptionValues.resolve(
      ["wide": .flag(true), "line": .text("<b>")], by: theme.options, of: theme.name)
    #expect(mistakes.isEmpty)
    #expect(try notFoundPage(options) == "<p>404 wide|true|&lt;b&gt;</p>\n")
  }

  @Test func templatesCannotUseUnknownOptionsAndAssets() throws {
    try folder.write("icon", to: "i/base/static/img/logo.svg")
    try folder.write(
      "x\n  {{#theme.options.wied}}y{{/theme.options.wied}}{{{theme.assets.img/logo.png}}}\n<img src=\"{{site.root}}assets/img/logo.svg\">",
      to: "own/upper/partials/bit.mustache")
    #expect(
      failure() == """
        own/upper/partials/bit.mustache:2:3: error: the theme has no option "wied"; did you mean "wide"?
        own/upper/partials/bit.mustache:2:27: error: the theme has no option "wied"; did you mean "wide"?
        own/upper/partials/bit.mustache:2:50: error: the theme has no file "static/img/logo.png"; did you mean "img/logo.svg"?
        own/upper/partials/bit.mustache:3:24: error: the published name of "static/img/logo.svg" contains a digest of its \
        content: write {{theme.assets.img/logo.svg}} for its URL
        """)
  }

  // MARK: - Assets

  @Test func assetURLsAreValues() throws {
    try folder.write("one", to: "i/base/static/img/logo.min.svg")
    try folder.write("{{theme.assets.img/logo.min.svg}}", to: "own/upper/partials/bit.mustache")
    let hash = ContentHash.of("one".utf8).prefix(10)
    #expect(try notFoundPage() == "<p>404 /threads/assets/img/logo.min.\(hash).svg</p>\n")
  }

  @Test func sameContentHasTheSameName() throws {
    try folder.write("one", to: "i/base/static/a.png")
    try folder.write("one", to: "i/base/static/b.png")
    func names() throws -> [String] {
      try load().assets.map { String($0.path.text.dropFirst("assets/a.".count)) }
    }
    let before = try names()
    #expect(before[0] == before[1])
    try folder.write("two", to: "i/base/static/b.png")
    #expect(try names()[0] == before[0])
    #expect(try names()[1] != before[1])
  }

  @Test func styleSheetsReferToPublishedNames() throws {
    try folder.write("font", to: "i/base/static/fonts/a b.woff2")
    try folder.write("p { src: url(../fonts/a%20b.woff2?v#x) }", to: "i/base/static/css/more.css")
    try folder.write(
      """
      @import 'css/more.css' screen;
      /* url(nowhere.png) */
      a { content: "url(nowhere.png)"; background: url( "./fonts/a b.woff2" ), url(data:image/png;base64,AA) }
      b { background: URL(https://a.example/b.png), url(#f), url(/c.png); my-url(x) }
      """, to: "i/base/static/style.css")
    let theme = try load()
    let font = "a%20b.\(ContentHash.of("font".utf8).prefix(10)).woff2"
    let more = "p{src:url(\"../fonts/\(font)?v#x\")}"
    #expect(theme.assets[0].content == .text(Array(more.utf8)))
    let moreName = "css/more.\(ContentHash.of(more.utf8).prefix(10)).css"
    #expect(theme.assets[0].path.text == "assets/" + moreName)
    #expect(
      try styleSheet() == """
        @import url("\(moreName)") screen;a{content:"url(nowhere.png)";background:url("fonts/\(font)"),url(data:image/png;base64,AA)}
        b{background:URL(https://a.example/b.png),url(#f),url(/c.png);my-url(x)}
        """)
    let before = theme.stylesheet
    try folder.write("other font", to: "own/base/static/fonts/a b.woff2")
    #expect(try load().stylesheet != before)
  }

  @Test func styleSheetMayImportTheOneBelow() throws {
    try folder.write("@import \"base:style.css\";\nupper {}", to: "i/upper/static/style.css")
    #expect(try styleSheet() == "base{}\nupper{}")
    try folder.write("@import url(base:style.css) ;own {}", to: "own/upper/static/style.css")
    #expect(try styleSheet() == "base{}\nupper{}own{}")
    try folder.write("own base {}", to: "own/base/static/style.css")
    #expect(try styleSheet() == "own base{}\nupper{}own{}")
  }

  @Test(arguments: [
    (
      "a {\n  background: url(lost.png) }",
      "2:15: error: there is no \"lost.png\" next to this style sheet in the theme's static/ folder; an external URL "
        + "begins with https://."
    ),
    (
      "@import \"lost.css\";",
      "1:1: error: there is no \"lost.css\" next to this style sheet in the theme's static/ folder."
    ),
    (
      "é { background: url(../../theme.yml) }",
      "1:17: error: there is no \"../../theme.yml\" next to this style sheet in the theme's static/ folder; an external "
        + "URL begins with https://."
    ),
    (
      "@import \"base:lost.css\";",
      "1:1: error: there is no other \"static/lost.css\", in the theme that this one extends or in the "
        + "installed theme."
    ),
    (
      "@import \"base:style.css\" print;",
      "1:1: error: expected \";\" after \"base:style.css\": this import cannot have conditions."
    ),
  ])
  func missingReferenceHasItsPlace(text: String, message: String) throws {
    try folder.write(text, to: "i/upper/static/style.css")
    #expect(failure() == "i/upper/static/style.css:" + message)
  }

  @Test func circularImportsAreAnError() throws {
    try folder.write("@import \"b.css\";", to: "i/upper/static/style.css")
    try folder.write("@import \"style.css\";", to: "i/upper/static/b.css")
    #expect(failure().contains("style sheets import each other in a circle"))
  }
}
