import Foundation
import SiteWorkspace
import TestSupport
import Testing
import ThreadModel

/// A site with symbolic links, cloned from a stranger. Nothing is published, read or written through a link,
/// and each link is an error with its path.
@Suite struct LinkedFilesTests {
  private let site: TemporarySite
  private let elsewhere: TemporaryFolder
  private static let secret = "AAAA-the-token-of-somebody-else"

  init() throws {
    site = try TemporarySite("thread-list")
    elsewhere = try TemporaryFolder()
    try elsewhere.write(Self.secret, to: "token")
  }

  /// Replaces a file or folder by a link. The original moves elsewhere if the link should lead to it.
  private func link(_ name: String, to target: String? = nil) throws {
    let path = site.path + "/" + name
    let moved = elsewhere.path + "/moved"
    if FileManager.default.fileExists(atPath: path) {
      try FileManager.default.moveItem(atPath: path, toPath: moved)
    }
    try FileManager.default.createDirectory(
      atPath: URL(filePath: path).deletingLastPathComponent().path, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: target.map { elsewhere.path + "/" + $0 } ?? moved)
  }

  /// Builds, and checks that the error names the link and that no file was written.
  private func expectRefusal(_ link: String, _ kind: PipelineError.Kind, _ arguments: String...) throws {
    let before = try elsewhere.tree()
    let error = #expect(throws: PipelineError.self, "\(link)") { try site.build() }
    #expect(error?.kind == kind, "\(link)")
    let messages = error?.messages.joined(separator: "\n") ?? ""
    #expect(messages.contains("\(site.path)/\(link)"), "\(messages)")
    #expect(messages.contains("symbolic link"), "\(messages)")
    #expect(!messages.contains(Self.secret))
    #expect(!site.folder.exists("site"))
    #expect(try elsewhere.tree() == before)
  }

  @Test(arguments: [
    // The link leads to the original file or to a whole folder.
    "threads/x/ada/1001.json", "threads/x/ada", "threads/x", "threads/media/two.png", "threads/media",
  ])
  func reportsLinksInTheStore(name: String) throws {
    try link(name)
    try expectRefusal(name, .content)
  }

  @Test func reportsALinkInPlaceOfTheStore() throws {
    try link("threads")
    try expectRefusal("threads", .content)
  }

  @Test(arguments: ["permalinks.json", "sources.json"])
  func reportsLinksInPlaceOfRecords(name: String) throws {
    try link("threads/" + name, to: "token")
    try expectRefusal("threads/" + name, .content)
  }

  @Test(arguments: [
    ("themes/mine", nil), ("themes/mine/theme.yml", nil), ("themes/mine/static", nil),
    ("themes/mine/static/token.txt", "token"), ("themes/mine/layouts/404.mustache", "token"),
    ("themes/mine/partials/head.mustache", "token"), ("themes/mine/partials", nil),
    ("themes/mine/static/x", "."),
    ("themes/mine/templates/strings/en.yml", "token"), ("themes", nil),
    ("templates/poll.mustache", "token"), ("templates", "."), ("templates/strings/en.yml", "token"),
    ("templates/strings", "."),
  ])
  func reportsLinksInThemesAndTemplates(name: String, target: String?) throws {
    try site.folder.write("theme: mine\n" + site.folder.text("site.yml"), to: "site.yml")
    try site.folder.write("name: Mine\nextends: paper\n", to: "themes/mine/theme.yml")
    try site.folder.write("body {}", to: "themes/mine/static/more.css")
    try site.folder.write("{{! nothing }}", to: "themes/mine/partials/own.mustache")
    try link(name, to: target)
    try expectRefusal(name, .configuration)
  }

  @Test func reportsALinkInPlaceOfTheConfiguration() throws {
    try link("site.yml")
    let outcome = try Program(folder: site.path).run(["build"])
    #expect(outcome.code == 78)
    #expect(outcome.errors.contains("site.yml: error: this is a symbolic link"), "\(outcome.errors)")
    try FileManager.default.removeItem(atPath: site.path + "/site.yml")
    // A broken link is not a site without settings.
    try link("site.yml", to: "nowhere")
    #expect(try Program(folder: site.path).run(["build"]).code == 78)
  }

  @Test(arguments: ["public", "public/deep", "public/deep/site", "public/deep/.site.staging"])
  func reportsLinksInTheOutputPath(name: String) throws {
    try site.folder.write("output: public/deep/site\n" + site.folder.text("site.yml"), to: "site.yml")
    try elsewhere.write("precious", to: "folder/deep/site/.threadsite")
    try elsewhere.write("precious", to: "folder/site/.threadsite")
    try link(name, to: "folder")
    let before = try elsewhere.tree()
    let error = #expect(throws: PipelineError.self) { try site.build(force: true) }
    #expect(error?.kind == .configuration)
    #expect(error?.messages.joined().contains("symbolic link") == true)
    #expect(try elsewhere.tree() == before)
  }

  @Test func reportsALinkInPlaceOfTheWorkingFolder() throws {
    try site.folder.write("title: A\nthreads:\n  - https://x.com/ada/status/99\n", to: "site.yml")
    try link(".threadsite", to: ".")
    let before = try elsewhere.tree()
    let outcome = try Program(folder: site.path, environment: ["X_BEARER_TOKEN": "t"]).run(["fetch"])
    #expect(outcome.code == 74)
    #expect(outcome.errors.contains("/.threadsite: error: this is a symbolic link"), "\(outcome.errors)")
    #expect(try elsewhere.tree() == before)
  }

  /// An archive that site.yml names inside the site's folder is untrusted like the rest. An archive named on
  /// the command line may be reached through a link.
  @Test func archiveOfSiteYMLMayNotBeALink() throws {
    try elsewhere.write("window.YTD.tweets.part0 = []", to: "archive/data/tweets.js")
    try site.folder.write("title: A\nsources:\n  - archive: mine\n", to: "site.yml")
    try site.folder.remove("threads")
    try link("mine", to: "archive")
    let outcome = try Program(folder: site.path).run(["fetch"])
    #expect(outcome.code == 65)
    #expect(outcome.errors.contains("/mine: error: this is a symbolic link"), "\(outcome.errors)")
    let named = try Program(folder: site.path).run(["import", "mine"])
    #expect(!named.errors.contains("symbolic link"), "\(named.errors)")
  }

  @Test func reportsLinksAmongImportedFilesWithoutReadingThem() throws {
    try link("saved/a.json", to: "token")
    try link("saved/folder", to: ".")
    let outcome = try Program(folder: site.path).run(["import", "saved"])
    #expect(outcome.code == 65)
    #expect(outcome.errors.contains("saved/a.json: error: this is a symbolic link"), "\(outcome.errors)")
    #expect(outcome.errors.contains("saved/folder: error: this is a symbolic link"), "\(outcome.errors)")
  }

  /// Home folders and checkouts are often reached through links, and everything works there.
  @Test func siteFolderMayBeReachedThroughALink() throws {
    try FileManager.default.createSymbolicLink(
      atPath: elsewhere.path + "/home", withDestinationPath: site.path)
    let share = ["THREADSITE_SHARE": ProjectFolders.repository.path]
    let outcome = try Program(folder: elsewhere.path, environment: share).run([
      "build", "--config", "home/site.yml", "--output", "home/site",
    ])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(site.folder.exists("site/index.html"))
    #expect(try Program(folder: elsewhere.path).run(["init", "home/new"]).code == 0)
    #expect(site.folder.exists("new/site.yml"))
  }
}
