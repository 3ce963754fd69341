import Foundation
import TestSupport
import Testing

/// `threadsite theme`
@Suite struct ThemeCommandTests {
  private func run(_ site: TemporarySite, _ arguments: String...) throws -> Program.Outcome {
    try Program(folder: site.path, environment: ["THREADSITE_SHARE": ProjectFolders.repository.path])
      .run(["theme"] + arguments)
  }

  private func site() throws -> TemporarySite {
    let site = try TemporarySite("defaults")
    try site.folder.write("base_url: https://ada.example/\ntheme: book\n", to: "site.yml")
    return site
  }

  @Test func listsThemesAndMarksTheOneOfTheSite() throws {
    let site = try site()
    try site.folder.write("extends: book\ndescription: My own.\n", to: "themes/mine/theme.yml")
    // A folder without a theme.yml is not a theme.
    try site.folder.write("", to: "themes/notes/readme.txt")
    let lines = try run(site, "list").output.split(separator: "\n").map(String.init)
    let names = lines.compactMap { $0.dropFirst(2).split(separator: " ").first.map(String.init) }
    #expect(names == (TemporarySite.themes + ["mine"]).sorted())
    #expect(lines.filter { $0.hasPrefix("*") }.map { $0.hasPrefix("* book ") } == [true])
    #expect(lines.contains { $0.hasPrefix("  mine") && $0.hasSuffix("  My own.") })
  }

  @Test func showsAThemeWithItsOptions() throws {
    let site = try site()
    let zettel = try run(site, "show", "zettel")
    #expect(zettel.code == 0 && zettel.output.hasPrefix("zettel 1.0.0\nIndex cards."), "\(zettel)")
    #expect(zettel.output.contains("\nExtends: paper\n"))
    #expect(zettel.output.contains("\n  columns: 1 to 3; default: 3\n      The maximum number of columns"))
    #expect(zettel.output.contains("\n  footer: text; default: empty\n"))
    #expect(try run(site, "show").output.hasPrefix("book "))
    let unknown = try run(site, "show", "zetel")
    #expect(unknown.code == 78 && unknown.errors.contains("did you mean \"zettel\"?"), "\(unknown.errors)")
  }

  @Test func createsAThemeThatBuilds() throws {
    let site = try site()
    for base in TemporarySite.themes {
      let created = try run(site, "new", "my-\(base)", "--extends", base)
      #expect(created.code == 0, "\(created.errors)")
      try site.folder.write(
        "base_url: https://ada.example/\ntheme: my-\(base)\ntheme_options: { underlines: false }\n",
        to: "site.yml")
      try site.build()
      #expect(site.warnings == [])
      #expect(try site.page("index.html").contains("class=\"no-underlines\""))
    }
    try SiteChecks(site).checkAll()
  }

  @Test func refusesNamesThatWouldChangeOtherThemes() throws {
    let site = try site()
    #expect(try run(site, "new", "mine").code == 0)
    let again = try run(site, "new", "mine")
    #expect(again.code == 74 && again.errors.contains("this folder exists already"), "\(again.errors)")
    let installed = try run(site, "new", "zettel")
    #expect(
      installed.code == 78 && installed.errors.contains("there is an installed theme \"zettel\""),
      "\(installed.errors)")
    #expect(!site.folder.exists("themes/zettel"))
    for name in ["Mine", "../mine", "mi ne", "é"] {
      let outcome = try run(site, "new", name)
      #expect(outcome.code == 78 && outcome.errors.contains("cannot be the name of a theme"), "\(name)")
    }
    let unknown = try run(site, "new", "other", "--extends", "papre")
    #expect(unknown.code == 78 && unknown.errors.contains("did you mean \"paper\"?"), "\(unknown.errors)")
    #expect(!site.folder.exists("themes/other"))
  }

  @Test(arguments: [["list", "paper"], ["new"], ["show", "--extends", "paper"], ["paint"], []])
  func refusesArgumentsWithoutMeaning(arguments: [String]) throws {
    let site = try site()
    let program = Program(
      folder: site.path, environment: ["THREADSITE_SHARE": ProjectFolders.repository.path])
    #expect(try program.run(["theme"] + arguments).code == 64)
  }

  @Test func createsNothingOutsideASite() throws {
    let site = try TemporarySite()
    #expect(try run(site, "list").output.contains("  paper"))
    let outcome = try run(site, "new", "mine")
    #expect(outcome.code == 78 && outcome.errors.contains("threadsite init"), "\(outcome.errors)")
    #expect(!site.folder.exists("themes"))
  }
}
