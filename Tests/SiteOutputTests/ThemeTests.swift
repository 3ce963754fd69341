import Basics
import Foundation
import InterfaceText
import SiteOutput
import Templates
import TestSupport
import Testing
import ThreadModel

@Suite struct ThemeTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("name: plain\nversion: 1.0.0\n", to: "installed/plain/theme.yml")
    for layout in Theme.requiredLayouts {
      try folder.write("<p>\(layout)</p>\n", to: "installed/plain/layouts/\(layout).mustache")
    }
    try folder.write("p {}", to: "installed/plain/static/style.css")
  }

  private func load() throws -> Theme {
    try Theme.load("plain", in: [folder.path + "/installed", folder.path + "/own"])
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

  @Test func loadsATheme() throws {
    let theme = try load()
    #expect(theme.name == "plain")
    #expect(try notFoundPage() == "<p>404</p>\n")
    #expect(theme.icons.vector == nil)
  }

  @Test func fileOfTheSiteReplacesTheInstalledOne() throws {
    try folder.write("<p>mine {{>bit}}</p>\n", to: "own/plain/layouts/404.mustache")
    try folder.write("bit", to: "own/plain/partials/bit.mustache")
    #expect(try notFoundPage() == "<p>mine bit</p>\n")
    #expect(try load().layouts.contains("home"))
  }

  @Test func themeOfTheSiteNeedsNoInstalledOne() throws {
    try FileManager.default.moveItem(atPath: folder.path + "/installed", toPath: folder.path + "/own")
    #expect(try notFoundPage() == "<p>404</p>\n")
  }

  @Test func nameOfTheStyleSheetDependsOnItsContent() throws {
    let first = try load().stylesheet
    #expect(first.text.wholeMatch(of: /assets\/style\.[0-9a-f]{10}\.css/) != nil)
    #expect(try load().stylesheet == first)
    try folder.write("p { color: red }", to: "own/plain/static/style.css")
    #expect(try load().stylesheet != first)
    #expect(try load().assets.map(\.content) == [.text(Array("p{color:red}".utf8))])
  }

  @Test func staticFilesHaveNamesByTheirContent() throws {
    try folder.write("font", to: "installed/plain/static/fonts/a.woff2")
    try folder.write("icon", to: "installed/plain/static/icon.svg")
    try folder.write("icon", to: "installed/plain/static/icon.d/odd")
    try folder.write("junk", to: "installed/plain/static/.DS_Store")
    let theme = try load()
    #expect(theme.assets.map(\.name) == ["fonts/a.woff2", "icon.d/odd", "icon.svg", "style.css"])
    let hash = ContentHash.of("icon".utf8).prefix(10)
    #expect(theme.icons.vector?.text == "assets/icon.\(hash).svg")
    #expect(theme.assets[1].path.text == "assets/icon.d/odd.\(hash)")
    #expect(
      theme.assets[0].content == .file(folder.path + "/installed/plain/static/fonts/a.woff2"))
  }

  @Test func unknownThemeListsTheSearchedFolders() {
    let error = #expect(throws: SiteOutputError.self) {
      try Theme.load("plian", in: [folder.path + "/installed", "/site/themes"])
    }
    #expect(
      error?.description.replacing(folder.path, with: "")
        == "error: there is no theme \"plian\"; did you mean \"plain\"? Looked in: /installed/plian, /site/themes/plian. "
        + "Set `theme` in site.yml to an existing theme, or add yours in themes/plian/.")
  }

  @Test func reportsAMissingLayout() throws {
    try folder.remove("installed/plain/layouts/period.mustache")
    #expect(
      failure()
        == "/installed/plain/theme.yml: error: the theme \"plain\" has no layout \"layouts/period.mustache\". Add it, or inherit it: `extends: paper` in theme.yml."
    )
  }

  @Test func reportsAllProblemsAtOnce() throws {
    try folder.remove("installed/plain/layouts/period.mustache")
    try folder.remove("installed/plain/layouts/404.mustache")
    try folder.remove("installed/plain/static/style.css")
    try folder.write("{{#open}}", to: "installed/plain/layouts/home.mustache")
    try folder.write("{{theme.options.wdie}}", to: "installed/plain/layouts/tag.mustache")
    try folder.write("not a PNG", to: "installed/plain/static/icon.png")
    try folder.write("p { background: url(lost.svg) }", to: "installed/plain/static/print.css")
    let lines = failure()
    for part in [
      "layouts \"layouts/period.mustache\", \"layouts/404.mustache\"", "home.mustache:1:1: error: ",
      "tag.mustache:1:1: error: the theme has no option \"wdie\"", "no style sheet \"static/style.css\"",
      "print.css:1:17: error: ",
    ] { #expect(lines.contains(part), "\(part): \(lines)") }
    try folder.remove("installed/plain/static/print.css")
    #expect(failure().contains("icon.png: error: the icon for home screens must be a square PNG"))
  }

  @Test func doesNotUseAPartialAsLayout() throws {
    try FileManager.default.createDirectory(
      atPath: folder.path + "/installed/plain/partials", withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      atPath: folder.path + "/installed/plain/layouts/home.mustache",
      toPath: folder.path + "/installed/plain/partials/home.mustache")
    // Both folders share one namespace.
    _ = try load()
    try folder.write("twice", to: "own/plain/layouts/home.mustache")
    #expect(
      failure()
        == "/installed/plain/partials/home.mustache: error: layouts and partials share their names, and layouts/home.mustache has "
        + "the same name.")
  }

  @Test func reportsAMissingStyleSheet() throws {
    try folder.remove("installed/plain/static/style.css")
    #expect(
      failure()
        == "/installed/plain/theme.yml: error: the theme \"plain\" has no style sheet \"static/style.css\". Add it, or inherit it: `extends: paper` in theme.yml."
    )
  }

  @Test func reportsAMissingDescription() throws {
    try folder.remove("installed/plain/theme.yml")
    #expect(
      failure()
        == "/installed/plain/theme.yml: error: a theme needs this file, with its name; `extends: paper` in it builds upon "
        + "another theme.")
  }

  @Test func invalidDescriptionHasItsPlace() throws {
    try folder.write("naem: plain\nversion: [1]\n", to: "installed/plain/theme.yml")
    #expect(
      failure()
        == "/installed/plain/theme.yml:1:1: error: naem: unknown key \"naem\"; did you mean \"name\"?\nnaem: plain\n^\n"
        + "/installed/plain/theme.yml:2:10: error: version: expected text, found a list\nversion: [1]\n         ^"
    )
  }

  @Test func brokenTemplateHasItsPlace() throws {
    try folder.write("<p>\n  {{#open}}\n</p>\n", to: "own/plain/layouts/home.mustache")
    #expect(failure().hasPrefix("/own/plain/layouts/home.mustache:2:3: error: "))
  }

  @Test func missingPartialHasItsPlace() throws {
    try folder.write("{{>nowhere}}", to: "own/plain/layouts/home.mustache")
    #expect(failure().hasPrefix("/own/plain/layouts/home.mustache:1:1: error: "))
  }
}
