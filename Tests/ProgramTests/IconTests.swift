import Foundation
import TestSupport
import Testing

/// The icon that site.yml or `static/favicon.ico` gives a site.
@Suite struct IconTests {
  private let site: TemporarySite

  init() throws {
    site = try TemporarySite("defaults")
    try site.folder.write(
      #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>"#, to: "static/mark.svg")
  }

  /// A PNG file up to the end of its header.
  private func png(_ width: UInt8, _ height: UInt8) -> Data {
    Data(
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
        + [0, 0, 0, width, 0, 0, 0, height, 8, 2, 0, 0, 0])
  }

  /// Builds the site with these lines in site.yml.
  ///
  /// - Returns: the icons that the home page links: their `rel`, sizes and URLs. Digests in the names of the theme's files are left out.
  private func icons(_ yaml: String) throws -> [String] {
    try site.folder.write("title: Icons\n" + yaml, to: "site.yml")
    try site.build()
    return try HTMLTokens(site.folder.text("site/index.html")).startTags.filter {
      $0.name == "link" && ["icon", "apple-touch-icon"].contains($0["rel"])
    }.map { "\($0["rel"] ?? "") \($0["sizes"] ?? "") \($0["href"] ?? "")" }
  }

  @Test func linksTheSVGOfTheSiteInPlaceOfTheThemes() throws {
    #expect(try icons("").allSatisfy { $0.contains("assets/icon.") })
    #expect(try icons("icon: static/mark.svg\n") == ["icon any ./mark.svg"])
    #expect(try site.folder.text("site/site.webmanifest").contains("\"mark.svg\""))
  }

  @Test func aPNGOfTheSameNameIsForHomeScreens() throws {
    try site.folder.write(png(192, 192), to: "static/mark.png")
    let bitmap = ["icon 192x192 ./mark.png", "apple-touch-icon  ./mark.png"]
    #expect(try icons("icon: static/mark.svg\n") == ["icon any ./mark.svg"] + bitmap)
    #expect(try icons("icon: static/mark.png\n") == bitmap)
  }

  /// A build after the icon changed updates every page.
  @Test func laterBuildsNoticeNewIcons() throws {
    _ = try icons("icon: static/mark.svg\n")
    try site.folder.write(png(64, 64), to: "static/mark.png")
    try site.folder.write("ico", to: "static/favicon.ico")
    let found = try icons("icon: static/mark.svg\n")
    #expect(found.first == "icon 32x32 ./favicon.ico")
    #expect(found.contains("icon 64x64 ./mark.png"))
    try site.folder.write(png(96, 96), to: "static/mark.png")
    #expect(try icons("icon: static/mark.svg\n").contains("icon 96x96 ./mark.png"))
  }

  /// The installed icon would show a different picture than `favicon.ico`. An icon in the site's own theme is the owner's choice.
  @Test func faviconReplacesOnlyInstalledIcons() throws {
    try site.folder.write("ico", to: "static/favicon.ico")
    #expect(try icons("") == ["icon 32x32 ./favicon.ico"])
    try site.folder.write(#"<svg xmlns="http://www.w3.org/2000/svg"/>"#, to: "themes/paper/static/icon.svg")
    #expect(try icons("").count == 2)
  }

  @Test(arguments: [
    ("mark.svg", "did you mean \"static/mark.svg\"?"),
    ("static/other.svg", "there is no static/other.svg"),
    ("static/mark.jpg", "none of the supported file extensions"),
    ("static/wide.png", "not a square PNG"),
    ("static/text.png", "not a square PNG"),
    ("static/page.svg", "its first element is not <svg>"),
    ("static/torn.svg", "is not an SVG: line 1"),
  ])
  func rejectsUnusableIcons(path: String, message: String) throws {
    try site.folder.write(png(20, 10), to: "static/wide.png")
    try site.folder.write("text", to: "static/text.png")
    try site.folder.write("<html/>", to: "static/page.svg")
    try site.folder.write("<svg", to: "static/torn.svg")
    try site.folder.write("icon: \(path)\n", to: "site.yml")
    let program = Program(
      folder: site.path, environment: ["THREADSITE_SHARE": ProjectFolders.repository.path])
    let outcome = try program.run(["build", "--offline"])
    #expect(outcome.code == 78)
    #expect(
      outcome.errors.hasPrefix("site.yml:1:7: error: icon:") && outcome.errors.contains(message),
      "\(outcome.errors)")
  }
}
