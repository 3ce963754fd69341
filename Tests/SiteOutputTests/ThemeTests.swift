import Foundation
import SiteOutput
import Templates
import TestSupport
import Testing
import ThreadModel
import UTF8Text

@Suite struct ThemeTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("name: plain\nversion: 1.0.0\n", to: "installed/theme.yml")
    for layout in Theme.requiredLayouts {
      try folder.write("<p>\(layout)</p>\n", to: "installed/layouts/\(layout).mustache")
    }
    try folder.write("p {}", to: "installed/static/style.css")
  }

  private func load() throws -> Theme {
    try Theme.load("plain", from: [folder.path + "/installed", folder.path + "/own"])
  }

  private func failure() -> String {
    let error = #expect(throws: SiteOutputError.self) { try load() }
    return (error?.description ?? "").replacing(folder.path, with: "")
  }

  private func notFoundPage() throws -> String {
    let index = SiteIndex([], calendar: .utc)
    let page = try #require(index.pages(threadsPerPage: 1).last)
    var html = UTF8Buffer()
    try PageRenderer(site: Samples.site(), theme: load()).render(page, of: index, into: &html)
    return html.string
  }

  @Test func aThemeLoads() throws {
    let theme = try load()
    #expect(theme.name == "plain")
    #expect(try notFoundPage() == "<p>404</p>\n")
    #expect(theme.icon == nil)
  }

  @Test func aFileOfTheSitesOwnTakesThePlaceOfTheInstalledOne() throws {
    try folder.write("<p>mine {{>bit}}</p>\n", to: "own/layouts/404.mustache")
    try folder.write("bit", to: "own/partials/bit.mustache")
    #expect(try notFoundPage() == "<p>mine bit</p>\n")
    #expect(try load().layouts.contains("home"))
  }

  @Test func aThemeOfTheSitesOwnNeedsNoInstalledOne() throws {
    try FileManager.default.moveItem(atPath: folder.path + "/installed", toPath: folder.path + "/own")
    #expect(try notFoundPage() == "<p>404</p>\n")
  }

  @Test func theStyleSheetsNameFollowsItsContent() throws {
    let first = try load().stylesheet
    #expect(first.text.wholeMatch(of: /assets\/style\.[0-9a-f]{10}\.css/) != nil)
    #expect(try load().stylesheet == first)
    try folder.write("p { color: red }", to: "own/static/style.css")
    #expect(try load().stylesheet != first)
    #expect(try load().assets.map(\.source) == [folder.path + "/own/static/style.css"])
  }

  @Test func whatIsInStaticIsCopied() throws {
    try folder.write("font", to: "installed/static/fonts/a.woff2")
    try folder.write("icon", to: "installed/static/icon.svg")
    try folder.write("icon", to: "installed/static/icon.d/odd")
    try folder.write("junk", to: "installed/static/.DS_Store")
    let theme = try load()
    let icon = try #require(theme.icon)
    #expect(icon.text.hasPrefix("assets/icon.") && icon.text.hasSuffix(".svg"))
    #expect(
      theme.assets.map(\.path) == ["assets/fonts/a.woff2", "assets/icon.d/odd", icon, theme.stylesheet])
  }

  @Test func anUnknownThemeSaysWhereItWasLookedFor() {
    let error = #expect(throws: SiteOutputError.self) {
      try Theme.load("papr", from: ["/nowhere/papr", "/site/themes/papr"])
    }
    #expect(
      error?.description == "error: there is no theme \"papr\". Looked in: /nowhere/papr, /site/themes/papr. "
        + "Set `theme:` in site.yml to one that exists, or put yours in themes/papr/.")
  }

  @Test func aMissingLayoutIsNamed() throws {
    try folder.remove("installed/layouts/period.mustache")
    #expect(
      failure()
        == "/installed/theme.yml: error: the theme \"plain\" has no layout \"layouts/period.mustache\".")
  }

  @Test func aPartialIsNoLayout() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path + "/installed/partials", withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      atPath: folder.path + "/installed/layouts/home.mustache",
      toPath: folder.path + "/installed/partials/home.mustache")
    // One name space: it may stand in either folder.
    _ = try load()
    try folder.write("twice", to: "own/layouts/home.mustache")
    #expect(
      failure()
        == "/installed/partials/home.mustache: error: layouts and partials share their names, and layouts/home.mustache has "
        + "this one, too.")
  }

  @Test func aMissingStyleSheetIsNamed() throws {
    try folder.remove("installed/static/style.css")
    #expect(
      failure() == "/installed/theme.yml: error: the theme \"plain\" has no style sheet \"static/style.css\"."
    )
  }

  @Test func aMissingDescriptionIsNamed() throws {
    try folder.remove("installed/theme.yml")
    #expect(failure() == "/installed/theme.yml: error: a theme needs this file, with its name and version.")
  }

  @Test(arguments: [
    (
      "naem: plain\n",
      "/installed/theme.yml:1:1: error: unknown key \"naem\"; known are name, description, version."
    ),
    ("- a\n", "/installed/theme.yml: error: this should be a mapping with name, description and version."),
    ("", "/installed/theme.yml: error: this should be a mapping with name, description and version."),
    ("name: a\nversion: [1]\n", "/installed/theme.yml:2:1: error: version should be text."),
  ])
  func aBadDescriptionSaysWhy(text: String, message: String) throws {
    try folder.write(text, to: "installed/theme.yml")
    #expect(failure() == message)
  }

  @Test func brokenYAMLHasItsPlace() throws {
    try folder.write("name: [unclosed\n", to: "installed/theme.yml")
    #expect(failure().hasPrefix("/installed/theme.yml"))
    #expect(failure().contains(": error: "))
  }

  @Test func aBrokenTemplateHasItsPlace() throws {
    try folder.write("<p>\n  {{#open}}\n</p>\n", to: "own/layouts/home.mustache")
    #expect(failure().hasPrefix("/own/layouts/home.mustache:2:3: error: "))
  }

  @Test func aMissingPartialHasItsPlace() throws {
    try folder.write("{{>nowhere}}", to: "own/layouts/home.mustache")
    #expect(failure().hasPrefix("/own/layouts/home.mustache:1:1: error: "))
  }
}
