import Basics
import Foundation
import SiteBuild
import SiteOutput
import SiteWorkspace
import Templates
import TestSupport
import Testing
import ThreadModel
import ThreadStore

/// `threadsite show --values`, and the declaration of the values by which templates are checked.
@Suite struct PageValuesTests {
  /// A copy of this repository's own site, which has every kind of page.
  private static func sample() throws -> TemporarySite {
    let site = try TemporarySite()
    for name in ["threads", "site.yml"] {
      try FileManager.default.copyItem(
        at: ProjectFolders.repository.appending(path: name), to: URL(filePath: site.path + "/" + name))
    }
    let settings =
      "author: { name: Ada, url: 'https://ada.example/', profiles: ['https://social.example/@ada'] }\n"
      + "books: [threads, site, authors, collections]\n"
    try site.folder.write(try site.folder.text("site.yml") + settings, to: "site.yml")
    try site.folder.write("---\nlanguage: de\n---\n# Über\n\nText.\n", to: "pages/about.md")
    return site
  }

  private static func values(_ page: InspectedPage, of site: TemporarySite) throws -> PageValues {
    let folder = try SiteFolder.open(
      configFile: site.path + "/site.yml", isDefault: true, progress: { _ in })
    return try SiteBuild(
      folder, installation: TemporarySite.installation, options: SiteBuild.Options(jobs: 2),
      progress: { _ in }
    ).values(of: page).values
  }

  /// The paths of values that the declaration lacks.
  private static func undeclared(_ value: JSONValue, in shape: ValueShape, at path: String) -> Set<String> {
    switch value {
    case .array(let items):
      items.reduce(into: []) { $0.formUnion(undeclared($1, in: shape, at: path)) }
    case .object(let members):
      shape == .open
        ? []
        : members.reduce(into: []) { missing, member in
          let place = "\(path).\(member.key)"
          if let field = shape.fields[member.key] {
            missing.formUnion(undeclared(member.value, in: field, at: place))
          } else {
            missing.insert(place)
          }
        }
    case .null, .bool, .integer, .number, .string: []
    }
  }

  @Test func everyValueOfAPageIsDeclared() throws {
    let site = try Self.sample()
    var partials: Set<String> = []
    for layout in LayoutValues.all.keys.sorted() where !layout.hasPrefix("thread-") {
      let shown = try Self.values(.layout(layout), of: site)
      #expect(shown.layout == layout)
      let shape = try #require(LayoutValues.all[layout])
      let missing = Self.undeclared(shown.values.json, in: shape, at: layout)
      #expect(missing.isEmpty, "\(missing.sorted())")
      for (name, values) in shown.partials {
        partials.insert(name)
        let shape = try #require(LayoutValues.all[name])
        let missing = Self.undeclared(values.json, in: shape, at: name)
        #expect(missing.isEmpty, "\(missing.sorted())")
      }
    }
    #expect(partials == ["thread-related"])
    #expect(!FileManager.default.fileExists(atPath: site.path + "/site/index.html"))
  }

  @Test func valuesOfRepliesAreDeclared() throws {
    let site = try Self.sample()
    try site.folder.write(
      site.folder.text("site.yml") + "\nwebmention: { inbox: a.json, endpoint: https://b.example/ }\n",
      to: "site.yml")
    let page = try Self.values(.layout("thread"), of: site).values.json
    let target = try #require(page["page"]?["canonical"]?.string)
    #expect(page["site"]?["webmention_url"] == "https://b.example/")
    let mentions = [WebMention.Kind.reply, .like].compactMap { kind in
      WebMention(
        kind, source: "https://b.example/\(kind)", target: target, author: "Bo",
        writtenAt: Timestamp(seconds: 1_700_000_000), text: "Words")
    }
    try ThreadStore(folder: site.path + "/threads").save(WebMentions(mentions))
    let name = "thread-web-replies"
    let values = try #require(try Self.values(.layout("thread"), of: site).partials[name])
    let shape = try #require(LayoutValues.all[name])
    #expect(Self.undeclared(values.json, in: shape, at: name).isEmpty)
    #expect(values.json["replies"]?[0]?["text"] == "Words" && values.json["counts"] == "1 like")
  }

  @Test func programPrintsTheValuesOfAPage() throws {
    let site = try Self.sample()
    let program = Program(
      folder: site.path, environment: ["THREADSITE_SHARE": ProjectFolders.repository.path])
    func show(_ name: String) throws -> [String: JSONValue] {
      let outcome = try program.run(["show", "--values", name])
      #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(name): \(outcome.errors)")
      return try #require(try JSONValue(parsing: [UInt8](outcome.output.utf8)).object)
    }
    let home = try show("home")
    #expect(home["page"] == "/" && home["layout"] == "home")
    #expect(home["values"]?.object?["site"]?.object?["title"] == "Threads, kept")
    #expect(home["partials"] == nil)
    let path = try #require(home["values"]?.object?["threads"]?.array?.first?.object?["url"]?.string)
    let thread = try show("/" + path.replacing("./", with: ""))
    #expect(thread["layout"] == "thread" && thread["partials"]?.object?["thread-related"] != nil)
    let built = try program.run(["build"])
    #expect(built.code == 0, "\(built.errors)")
    // The values are those of the build, whether or not the site is built.
    #expect(try show("site/" + path.replacing("./", with: "") + "index.html") == thread)
    #expect(try show("https://threads.example/" + path.replacing("./", with: "")) == thread)
    let page = try site.page(path.replacing("./", with: "") + "index.html")
    let body = try #require(thread["values"]?.object?["body_text"]?.string)
    #expect(page.contains(body))
    let file = "threads/x/ada_example/1756604787754697905.json"
    #expect(
      try show(file)["values"]?.object?["thread"]?.object?["author"]?.object?["handle"] == "@ada_example")
    #expect(try show("pages/about.md")["page"] == "/about/")
    #expect(try show("/archive/")["layout"] == "archive")
    #expect(try show("404.html")["layout"] == "404")

    let unknown = try program.run(["show", "--values", "/nowhere/"])
    #expect(unknown.code == 65)
    #expect(
      unknown.errors.hasPrefix("error: the site has no page \"/nowhere/\"; use a path"), "\(unknown.errors)")
    #expect(try program.run(["show", "--values", "home", "archive"]).code == 64)
  }
}
